"""HTML of a clipboard as the HTML that was meant: word processors say with styles what HTML says with elements."""

import re
from collections import Counter
from collections.abc import Iterable

from justhtml.dom import Element

from articles.moving.html.tree import HEADINGS, Node, attribute, classes, descendants, elements_of, find, read, text_of

GONE = ("style", "script", "meta", "link", "title", "xml", "template", "noscript")
PICTURES = ("img", "picture", "svg", "canvas", "v:shape", "v:imagedata")
# Read in styles without blanks, where `mso-bidi-font-weight` is not `font-weight`.
LEVEL = re.compile(r"mso-list:[^;]*level(\d)")
NUMBERED = re.compile(r"\(?(\d{1,9}|[a-z]{1,4})[.)]\s*\Z", re.IGNORECASE)
WEIGHT = re.compile(r"(?:^|;)font-weight:(\w+)")
CONDITION = re.compile(r"<!\[(?:if|endif)[^>]*>", re.IGNORECASE)
DEEPEST_LIST, DEEPEST_HEADING = 6, 6


def tidy(html: str) -> tuple[str, Counter[str]]:
    """Return `html` with elements in place of the styles that mean something, and how often what was left out.

    The counter has `picture` and `script`. What nobody sees (hidden text, comments, empty marks of Word) goes unsaid.
    """
    root = read(CONDITION.sub("", html))
    left_out = _without_what_is_no_text(root)
    _with_lists_of_word(root)
    _with_emphasis(root)
    _with_headings_in_steps(root)
    _with_header_rows(root)
    return root.to_html(pretty=False), left_out


def _style(node: Node) -> str:
    return attribute(node, "style").replace(" ", "").lower()


def _without_what_is_no_text(root: Node) -> Counter[str]:
    left_out: Counter[str] = Counter()
    for node in list(descendants(root)):
        if node.name == "#text" or _is_detached(node, root):
            continue
        is_hidden = not node.name.startswith("#") and re.search(r"display:none|mso-hide:all", _style(node))
        if node.name in PICTURES:
            left_out["picture"] += 1
        elif node.name == "script":
            left_out["script"] += 1
        elif not (node.name.startswith("#") or node.name in GONE or is_hidden):
            continue
        node.parent.remove_child(node)
    return left_out


def _is_detached(node: Node, root: Node) -> bool:
    """Whether an element around `node` was taken out."""
    while node is not root:
        if node is None:
            return True
        node = node.parent
    return False


# Lists. Word writes paragraphs whose style says the level and whose first piece, marked as ignored, is the mark.


def _with_lists_of_word(root: Node) -> None:
    holders = {id(node.parent): node.parent for node in descendants(root) if _level(node)}
    for holder in holders.values():
        lists: list[Node] = []  # The open lists, outermost first.
        for node in list(holder.children):
            level = _level(node)
            if not level:
                if node.name != "#text" or (node.data or "").strip():
                    lists = []
                continue
            name, start = _kind_of(node)
            del lists[level:]
            if len(lists) == level and lists[-1].name != name:
                lists.pop()
            if not lists:
                lists = [_element(name, start)]
                holder.insert_before(lists[0], node)
            while len(lists) < level:
                inner = _element(name, start)
                _last_item(lists[-1]).append_child(inner)
                lists.append(inner)
            holder.remove_child(node)
            node.name = "li"
            lists[-1].append_child(node)


def _level(node: Node) -> int:
    """Return how deep in lists a paragraph of Word stands; 0: in none."""
    if node.name not in ("p", "div"):
        return 0
    found = LEVEL.search(_style(node))
    return min(int(found[1]), DEEPEST_LIST) if found else 0


def _kind_of(node: Node) -> tuple[str, str]:
    """Take the mark out of a paragraph and return the list that it means, with its first number."""
    mark = next((each for each in descendants(node) if "mso-list:ignore" in _style(each)), None)
    if mark is None:
        return "ul", ""
    text = text_of(mark).replace("\u00a0", " ").strip()
    mark.parent.remove_child(mark)
    found = NUMBERED.match(text)
    if not found or text == "o":
        return "ul", ""
    return "ol", found[1] if found[1].isdigit() else ""


def _last_item(of: Node) -> Node:
    items = elements_of(of)
    if not items:
        of.append_child(_element("li"))
        items = elements_of(of)
    return items[-1]


def _element(name: str, start: str = "") -> Node:
    return Element(name, {"start": start} if start else {}, "html")


# Emphasis. Docs writes spans with styles, and a <b> around everything that is not bold.


def _with_emphasis(root: Node) -> None:
    for node in list(descendants(root)):
        if node.name.startswith("#"):
            continue
        is_light = node.name in ("b", "strong") and not _is_heavy(node, default=True)
        if is_light or (node.name in ("i", "em") and "font-style:normal" in _style(node)):
            node.name = "span"
        elif node.name == "span":
            style = _style(node)
            within = {up.name for up in _around(node)}
            if _is_heavy(node, default=False) and not within & {*HEADINGS, "b", "strong", "th"}:
                _wrap(node, "b")
            if "font-style:italic" in style and not within & {"i", "em"}:
                _wrap(node, "i")
            for name in ("super", "sub"):
                if f"vertical-align:{name}" in style:
                    _wrap(node, name[:3])


def _is_heavy(node: Node, *, default: bool) -> bool:
    found = WEIGHT.search(_style(node))
    if not found:
        return default
    return int(found[1]) >= 600 if found[1].isdigit() else found[1] in ("bold", "bolder")


def _around(node: Node) -> Iterable[Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _wrap(node: Node, name: str) -> None:
    """Put what `node` holds into an element of its own."""
    inner = _element(name)
    for child in list(node.children or []):
        node.remove_child(child)
        inner.append_child(child)
    node.append_child(inner)


# Headings and tables


def _with_headings_in_steps(root: Node) -> None:
    """Let headings begin with the second level, which is the first that a body has, and keep the steps below."""
    for node in descendants(root):
        if node.name == "p" and "MsoTitle" in classes(node):
            node.name = "h1"
    found = [node for node in descendants(root) if node.name in HEADINGS]
    by = 2 - min((int(node.name[1]) for node in found), default=2)
    for node in found:
        node.name = f"h{min(int(node.name[1]) + max(by, 0), DEEPEST_HEADING)}"
        for each in [node, *descendants(node)]:
            if not each.name.startswith("#") and each.attrs:
                each.attrs.pop("id", None)  # An anchor that nobody chose.
            if each.name in ("b", "strong"):
                each.name = "span"


def _with_header_rows(root: Node) -> None:
    """Take the first row of a table for its header where nothing says which is: ours have one, and most do."""
    for table in [node for node in descendants(root) if node.name == "table"]:
        rows = [node for node in descendants(table) if node.name == "tr"]
        if len(rows) < 2 or find(table, "th", "thead", "table"):
            continue
        for cell in elements_of(rows[0]):
            cell.name = "th"
        for node in descendants(rows[0]):
            if node.name in ("b", "strong"):
                node.name = "span"

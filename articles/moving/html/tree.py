"""The tree of a fragment of HTML: what its elements are, where they stand, what they hold."""

from collections.abc import Callable, Iterator
from typing import Any

from justhtml import JustHTML

from articles.moving.items import Place

Node = Any
"""A node of justhtml: `name` ("#text", "#comment", or a tag), `attrs`, `children`, `data`, `parent`."""

Where = Callable[[int, str], Place]
"""From a line of the HTML (from 0) and what stands there to its place in the source."""

# fmt: off
BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog",
        "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
        "h4", "h5", "h6", "header", "hgroup", "hr", "html", "li", "main", "menu", "nav", "ol", "optgroup",
        "option", "p", "pre", "search", "section", "select", "summary", "table", "tbody", "td", "tfoot", "th",
        "thead", "tr", "ul",
        # What stands alone with us, whatever HTML says.
        "amp-img", "audio", "button", "canvas", "embed", "iframe", "img", "input", "map", "math", "noscript",
        "object", "picture", "script", "style", "svg", "template", "textarea", "video",
    }
)
# fmt: on
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
EMBEDS = ("iframe", "video", "audio", "embed")
DEEPEST = 120
"""Elements in each other that are still read one by one. What is deeper is kept as text."""


def read(html: str) -> Node:
    """Return the root of the tree of `html`, a fragment. Its line ends must be LF."""
    return JustHTML(html, fragment=True, sanitize=False, track_node_locations=True, scripting_enabled=False).root


def is_block(node: Node) -> bool:
    return node.name in BLOCKS or "-" in node.name


def descendants(node: Node) -> Iterator[Node]:
    """Yield all nodes inside of `node`, in order. It does not recurse: trees can be deep."""
    stack = list(reversed(node.children or []))
    while stack:
        child = stack.pop()
        yield child
        if child.name != "#text":
            stack.extend(reversed(child.children or []))


def find(node: Node, *names: str) -> Node | None:
    """Return the first element inside of `node` that has one of these names."""
    return next((child for child in descendants(node) if child.name in names), None)


def elements_of(node: Node) -> list[Node]:
    """Return the children that are elements."""
    return [child for child in node.children or [] if not child.name.startswith("#")]


def attribute(node: Node, name: str) -> str:
    return ((getattr(node, "attrs", None) or {}).get(name) or "").strip()


def classes(node: Node) -> list[str]:
    return attribute(node, "class").split()


def text_of(node: Node) -> str:
    """Return the text of `node` with its line ends; a <br> is one. Scripts, styles and comments have none."""
    if node.name == "#text":
        return node.data or ""
    parts = []
    for child in descendants(node):
        if child.name == "#text" and child.parent.name not in ("script", "style", "template"):
            parts.append(child.data or "")
        elif child.name == "br":
            parts.append("\n")
    return "".join(parts)


def deepest(root: Node) -> set[int]:
    """Return the ids of the elements at the deepest level that is still read."""
    level = list(root.children or [])
    for _ in range(DEEPEST):
        level = [child for node in level if node.name != "#text" for child in node.children or []]
        if not level:
            break
    return {id(node) for node in level}


def holders_of_blocks(root: Node) -> set[int]:
    """Return the ids of the elements that hold a block at any depth, so that they are no part of a line."""
    holders: set[int] = set()
    for node in descendants(root):
        if not is_block(node):
            continue
        parent = node.parent
        while parent is not None and id(parent) not in holders:
            holders.add(id(parent))
            parent = parent.parent
    return holders

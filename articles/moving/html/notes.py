"""Footnotes in HTML: found by what they have in common, a link there and a link back."""

from dataclasses import dataclass, field

from .tree import Node, attribute, classes, descendants, elements_of

FARTHEST = 3
"""Elements between the link and the one that the way back leads to: <sup id><span><a href>."""


@dataclass
class Notes:
    """`references` are the elements that become `[^n]`, by id(); `bodies` the notes; `gone` is what leaves the text."""

    references: dict[int, str] = field(default_factory=dict)
    bodies: dict[str, Node] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)


def find_notes(root: Node) -> Notes:
    """Return the notes that the tree holds, as most systems write them: a list whose entries lead back to the text."""
    notes = Notes()
    links = [node for node in descendants(root) if node.name == "a" and attribute(node, "href").startswith("#")]
    if not links:
        return notes
    by_id = {name: node for node in descendants(root) if (name := attribute(node, "id"))}
    for link in links:
        key = attribute(link, "href")[1:]
        body = by_id.get(key)
        if body is None or body.name not in ("li", "p", "div", "dd", "aside", "td") or _is_within(link, body):
            continue
        backs = _ways_back(body, _names_of(link))
        if not backs:
            continue
        notes.bodies.setdefault(key, body)
        notes.references[id(_outermost(link))] = key
        notes.gone.update(id(back) for back in backs)
    for body in notes.bodies.values():
        notes.gone.add(id(body))
        _drop_emptied(body.parent, notes.gone)
    for node in descendants(root):
        if node.name == "hr" and "footnotes-sep" in classes(node):
            notes.gone.add(id(node))
    return notes


def _is_within(node: Node, holder: Node) -> bool:
    while node is not None and node is not holder:
        node = node.parent
    return node is holder


def _names_of(link: Node) -> set[str]:
    """Return the ids by which a note may lead back to `link`: its own, and those of what it stands in."""
    names, node = set(), link
    for _ in range(FARTHEST):
        if node is None or node.name.startswith("#"):
            break
        names.add(attribute(node, "id"))
        node = node.parent
    return names - {""}


def _ways_back(body: Node, names: set[str]) -> list[Node]:
    return [node for node in descendants(body) if node.name == "a" and attribute(node, "href")[1:] in names]


def _outermost(link: Node) -> Node:
    """Return the superscript that holds nothing but `link`, or the link."""
    node = link
    while node.parent is not None and node.parent.name in ("sup", "span") and len(elements_of(node.parent)) == 1:
        if any(child.name == "#text" and (child.data or "").strip(" []()") for child in node.parent.children):
            break
        node = node.parent
    return node


def _drop_emptied(holder: Node, gone: set[int]) -> None:
    """Take the list of notes out with its last note, and the section around it."""
    while holder is not None and holder.name in ("ol", "ul", "dl", "section", "div", "footer", "aside"):
        left = [
            child
            for child in holder.children
            if id(child) not in gone
            and child.name not in ("hr", "#comment", "h2", "h3", "h4")
            and not (child.name == "#text" and not (child.data or "").strip())
        ]
        if left:
            return
        gone.add(id(holder))
        holder = holder.parent

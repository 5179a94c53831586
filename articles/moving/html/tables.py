"""Tables: rows of cells that hold one line each, as Markdown has them."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from articles.moving.escaping import escape_cell

from .inlines import Piece
from .tree import EMBEDS, Node, attribute, descendants, elements_of, find, is_block, text_of

if TYPE_CHECKING:
    from .blocks import Writer

MOST_COLUMNS = 100
ALIGNMENTS = {"left": ":---", "right": "---:", "center": ":---:"}


def blocks_of(writer: "Writer", node: Node) -> list[str]:
    """Return a table with what stands below it: its caption, and what no line of a cell can hold."""
    caption = next((child for child in elements_of(node) if child.name == "caption"), None)
    after = [writer.paragraph(caption.children or [])] if caption is not None else []
    if is_layout(node):
        cells = (cell for row in own_rows(node) for cell in cells_of(row))
        return [part for cell in cells for part in writer.blocks(cell.children or [])] + after
    wide = spanning(node)
    if wide is not None:
        writer.page.warn("table_span_flattened", writer.place_of(wide))
    below = [part for child in beside_text(node) for part in writer.block(child)]
    return [markdown_of(node, partial(_cell, writer)), *after, *below]


def _cell(writer: "Writer", cell: Node) -> str:
    """Return a cell as one line: what stands in blocks is parted by line breaks."""
    parts: list[str] = []
    run: list[Node] = []
    for child in _leaves_of_cell(cell, writer):
        if child is None:
            parts.append(writer.inline(run, line_break="<br>"))
            run = []
        else:
            run.append(child)
    parts.append(writer.inline(run, line_break="<br>"))
    return "<br>".join(part for part in parts if part).replace("\n", " ")


def own_rows(table: Node) -> list[Node]:
    """Return the rows of `table` in the order in which they are shown; not those of tables in its cells."""
    parts: dict[str, list[Node]] = {"thead": [], "tbody": [], "tfoot": []}
    for child in elements_of(table):
        if child.name == "tr":
            parts["tbody"].append(child)
        elif child.name in parts:
            parts[child.name] += [row for row in elements_of(child) if row.name == "tr"]
    return parts["thead"] + parts["tbody"] + parts["tfoot"]


def cells_of(row: Node) -> list[Node]:
    return [cell for cell in elements_of(row) if cell.name in ("td", "th")]


def span_of(cell: Node, name: str) -> int:
    """Return how many columns or rows a cell covers, from 1 to 100."""
    value = attribute(cell, name)
    return max(1, min(int(value), MOST_COLUMNS)) if value.isascii() and value.isdigit() else 1


def spanning(table: Node) -> Node | None:
    """Return the first cell that covers more than one column or row."""
    cells = (cell for row in own_rows(table) for cell in cells_of(row))
    return next((cell for cell in cells if span_of(cell, "colspan") > 1 or span_of(cell, "rowspan") > 1), None)


def markdown_of(table: Node, text_of_cell: Callable[[Node], str]) -> str:
    """Return `table` in Markdown. A cell that covers several gives its text to the first of them."""
    grid, header, aligned = _grid(table, text_of_cell)
    width = max((len(row) for row in grid), default=0)
    if not width:
        return ""
    rows = [row + [""] * (width - len(row)) for row in grid]
    if not header:
        rows.insert(0, [""] * width)
    marks = [ALIGNMENTS.get(aligned.get(column, ""), "---") for column in range(width)]
    return "\n".join(_row(row) for row in [rows[0], marks, *rows[1:]])


def _grid(table: Node, text_of_cell: Callable[[Node], str]) -> tuple[list[list[str]], bool, dict[int, str]]:
    rows = own_rows(table)
    first = cells_of(rows[0]) if rows else []
    has_header = bool(first) and (rows[0].parent.name == "thead" or all(cell.name == "th" for cell in first))
    grid: list[list[str]] = []
    aligned: dict[int, str] = {}
    covered: dict[int, int] = {}  # The rows that a cell above still covers, by column.
    for row in rows:
        line: list[str] = []
        for cell in cells_of(row):
            while covered.get(len(line), 0):
                covered[len(line)] -= 1
                line.append("")
            wide, high = span_of(cell, "colspan"), span_of(cell, "rowspan")
            aligned.setdefault(len(line), _alignment(cell))
            for column in range(len(line), len(line) + wide):
                covered[column] = high - 1
            line += [escape_cell(text_of_cell(cell)), *[""] * (wide - 1)]
        while covered.get(len(line), 0):
            covered[len(line)] -= 1
            line.append("")
        if line:
            grid.append(line)
    return grid, has_header, aligned


def _alignment(cell: Node) -> str:
    style = attribute(cell, "style").replace(" ", "").lower()
    for side in ALIGNMENTS:
        if (
            f"text-align:{side}" in style
            or attribute(cell, "align").lower() == side
            or attribute(cell, "data-align") == side
        ):
            return side
    return ""


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def is_layout(table: Node) -> bool:
    """Whether a table holds things that no cell can hold, such as pictures or other tables, in one column or row."""
    rows = own_rows(table)
    is_one = len(rows) <= 1 or all(len(cells_of(row)) <= 1 for row in rows)
    return is_one and find(table, "img", "table", "pre", "h2", "h3", "iframe") is not None


def beside_text(table: Node) -> list[Node]:
    """Return what stands in cells and no line can hold: pictures, players, scripts."""
    names = ("img", "amp-img", "iframe", "video", "audio", "embed", "script", "style", "form")
    return [node for node in descendants(table) if node.name in names]


def _leaves_of_cell(cell: Node, writer: "Writer") -> list[Node | None]:
    """Return what stands in a cell in order, with None where a block begins or ends. Pictures stand below the table."""
    found: list[Node | None] = []

    def read(nodes: Iterable[Node], depth: int) -> None:
        for node in nodes:
            if node.name in ("img", "picture", "amp-img", "form", "script", "style", *EMBEDS) or node.name[:2] == "#c":
                continue
            if node.name == "pre":
                found.extend([None, Piece(text_of(node), node, node.origin_line), None])
            elif node.name != "#text" and depth and (is_block(node) or writer.holds_blocks(node)):
                found.append(None)
                read(node.children or [], depth - 1)
                found.append(None)
            else:
                found.append(node)

    read(cell.children or [], 40)
    return found

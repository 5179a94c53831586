"""From a picture to its SVG: Matplotlib draws, and what it wrote is made accessible, themed and the same every time."""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass
from functools import lru_cache
from textwrap import wrap
from threading import Lock
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from simulator.plots.fonts import FAMILY, matplotlib
from simulator.plots.picture import Picture
from simulator.plots.theme import COLOURS, STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE_PX, NARROW_PX = 720, 360
EDGE_PX = 20
KEPT = 256
"""Drawings of some 10 kB that a process keeps. One takes some 50 ms to draw, and is asked for by every reader."""

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_NAMES = {light: name for name, (light, _) in COLOURS.items()}
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_NO_ROTATION = re.compile(r"\s*rotate\(-?0 [^)]*\)")
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:%|[kMG]?W|U)(?:\W|$))")
# What XML 1.0 cannot hold, escaped or not.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Matplotlib's settings are one for the process, and drawing looks at them: one at a time.
_drawing = Lock()


@lru_cache(maxsize=KEPT)
def drawn(picture: Picture, *, is_narrow: bool = False) -> str:
    """Return the SVG of a picture, 720 or 360 wide, with title and description. Same picture, same bytes."""
    assert picture.draw is not None
    loaded = matplotlib()
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": "plenum",
        "text.parse_math": False,
        "axes.unicode_minus": True,
        "font.size": 12,
        # Measured with the font that comes along, shown in that of the reader's system, which is narrower.
        "font.family": FAMILY,
        "path.simplify": False,
    }
    with _drawing, loaded.rc_context(settings):
        figure = Figure(dpi=72)
        FigureCanvasSVG(figure)
        picture.draw(figure, picture.marks, frame_of(picture, is_narrow=is_narrow))
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return finished(written.getvalue(), title=picture.title, description=picture.description)


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a drawing: how wide it is, in pixels, and its heading, in as many lines as it takes."""

    is_narrow: bool
    title: tuple[str, ...]
    subtitle: tuple[str, ...]

    @property
    def width_px(self) -> int:
        return NARROW_PX if self.is_narrow else WIDE_PX

    @property
    def heading_px(self) -> int:
        """How high the heading is, with the edge above it."""
        return 16 + 22 * len(self.title) + 18 * len(self.subtitle)


def frame_of(picture: Picture, *, is_narrow: bool) -> Frame:
    """Return the frame of a picture. Bold letters of 16 pixels are counted as 10 wide, others of 12 as 7."""
    room = (NARROW_PX if is_narrow else WIDE_PX) - 2 * EDGE_PX
    return Frame(is_narrow, _lines(picture.title, room // 10), _lines(picture.subtitle, room // 7))


def _lines(text: str, length: int) -> tuple[str, ...]:
    """Return a text in lines; a number and its unit stay together."""
    return tuple(wrap(_BEFORE_UNIT.sub("\u00a0", text), length))


def sized(figure: Figure, frame: Frame, height_px: float) -> float:
    """Give a figure its width and its heading, and `height_px` below it. Return its whole height in pixels."""
    total = height_px + frame.heading_px
    figure.set_size_inches(frame.width_px / 72, total / 72)
    figure.patch.set_facecolor(COLOURS["ground"][0])
    y = 10.0
    for lines, step, size, weight, name in (
        (frame.title, 22, 16, "bold", "ink"),
        (frame.subtitle, 18, 12, "normal", "soft"),
    ):
        for line in lines:
            y += step
            figure.text(
                EDGE_PX / frame.width_px, 1 - y / total, line, fontsize=size, weight=weight, color=COLOURS[name][0]
            )
    return total


def axes_at(figure: Figure, frame: Frame, *, top: float, bottom: float, height: float, left: float = 0) -> Axes:
    """Return axes without a frame between the edges, at these distances, in pixels, from heading and lower edge."""
    width = frame.width_px
    axes = figure.add_axes(
        (
            (EDGE_PX + left) / width,
            bottom / height,
            (width - 2 * EDGE_PX - left) / width,
            (height - frame.heading_px - top - bottom) / height,
        )
    )
    axes.patch.set_visible(False)
    axes.spines[:].set_visible(False)
    return axes


def finished(written: str, *, title: str, description: str) -> str:
    """Return an SVG of Matplotlib with classes for its colours, title and description, and ids that are its own.

    Two drawings in one page do not meet: the ids that are used carry a key of the title and the description.
    """
    root = ElementTree.fromstring(written)
    key = hashlib.sha256(f"{title}\n{description}\n{written}".encode("utf-8", "replace")).hexdigest()[:8]
    for parent in list(root.iter()):
        for child in list(parent):
            is_style = child.tag == f"{{{_SVG}}}style"
            if child.tag == f"{{{_SVG}}}metadata" or is_style:
                parent.remove(child)
    used = set(re.findall(r"""(?:url\(|href=")#([^)"]+)""", written))
    for element in root.iter():
        _clean(element, used, key)
    root.attrib = {
        "viewBox": root.attrib["viewBox"],
        "role": "img",
        "class": "pl",
        "aria-labelledby": f"pl-title-{key} pl-desc-{key}",
    }
    head = []
    for tag, text, attributes in (
        ("title", title, {"id": f"pl-title-{key}"}),
        ("desc", description, {"id": f"pl-desc-{key}"}),
        ("style", STYLE, {}),
    ):
        element = ElementTree.Element(f"{{{_SVG}}}{tag}", attributes)
        element.text = _NOT_XML.sub("\ufffd", text)
        head.append(element)
    root[:0] = head
    _flatten(root)
    return _serialised(root)


def _clean(element: ElementTree.Element, used: set[str], key: str) -> None:
    attributes = element.attrib
    identifier = attributes.pop("id", None)
    if identifier in used:
        attributes["id"] = f"pl-{identifier}-{key}"
    if href := attributes.pop(f"{{{_XLINK}}}href", None):
        attributes["href"] = f"#pl-{href[1:]}-{key}"
    if clip := attributes.get("clip-path"):
        attributes["clip-path"] = f"url(#pl-{clip[5:-1]}-{key})"
    if "transform" in attributes:
        attributes["transform"] = _NO_ROTATION.sub("", attributes["transform"])
        if not attributes["transform"]:
            del attributes["transform"]
    if "d" in attributes:
        attributes["d"] = " ".join(attributes["d"].split())
    _restyle(attributes)
    for name in ("d", "x", "y", "transform", "width", "height"):
        if name in attributes:
            attributes[name] = _LONG_NUMBER.sub(lambda m: f"{float(m[0]):.2f}", attributes[name])
    if element.tag != f"{{{_SVG}}}text":
        element.text = None
    element.tail = None


def _restyle(attributes: dict[str, str]) -> None:
    """Turn a style into attributes and classes: a policy that forbids styles of elements lets these pass.

    A colour stays as an attribute as well, for programs that know no custom properties.
    """
    classes = []
    for declaration in attributes.pop("style", "").split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name in ("", "font", "font-family", "font-stretch", "font-style", "font-variant", "vertical-align"):
            continue
        if name == "font-weight":
            classes += ["pl-b"] if value in ("bold", "600", "700") else []
            continue
        attributes[name] = value
        if name in ("fill", "stroke") and value in _NAMES:
            classes.append(f"pl-{name[0]}-{_NAMES[value]}")
    if classes:
        attributes["class"] = " ".join(classes)


def _flatten(parent: ElementTree.Element) -> None:
    """Put what stands in groups that say nothing in their place."""
    found = []
    for child in parent:
        _flatten(child)
        if child.tag == f"{{{_SVG}}}g" and not child.attrib:
            found += list(child)
        else:
            found.append(child)
    parent[:] = found


def _serialised(root: ElementTree.Element) -> str:
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
    root.attrib = {"xmlns": _SVG, **root.attrib}
    return ElementTree.tostring(root, encoding="unicode") + "\n"

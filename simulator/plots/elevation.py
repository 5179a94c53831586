"""The elevation of a rack as SVG: front, and rear where something is mounted there."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from textwrap import wrap

from simulator.engine.devices import Device
from simulator.engine.inputs import RackInput
from simulator.engine.report import RackReport
from simulator.engine.space import Placement
from simulator.plots.notes import notes_of
from simulator.plots.picture import Column, Picture

UNIT_PX = 18
COLUMN_PX = 232
GUTTER_PX = 34
HEADING_PX = 4
TITLE_PX = 22
TITLE_LETTER_PX = 10
TOP_PX = 30
NAME_LENGTH = 32
LETTER_PX = 7

STYLE = (
    ".el-g{fill:#fff}.el-b{fill:#f6f7f9;stroke:#5b6573}.el-u{stroke:#d5dae1}.el-d{fill:#cfe3f5;stroke:#24577f}"
    ".el-h{fill:#e4e7ec;stroke:#98a1ad;stroke-dasharray:3 2}.el-t{fill:#14202c;font:12px system-ui,sans-serif}"
    ".el-n{fill:#5b6573;font:9px system-ui,sans-serif}.el-i{fill:#14202c;font:600 16px system-ui,sans-serif}"
    "@media(prefers-color-scheme:dark){.el-g{fill:#0d1117}.el-b{fill:#161b22;stroke:#8b96a5}.el-u{stroke:#2c3440}"
    ".el-d{fill:#1d4468;stroke:#7fb4e0}.el-h{fill:#232a34;stroke:#5f6b7a}.el-t,.el-i{fill:#e8edf3}.el-n{fill:#a3adba}}"
)
STYLE_CSP = f"'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'"
"""What a content security policy must allow for the style of the drawing: the style never changes, so its hash does."""

# What XML 1.0 cannot hold, escaped or not.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def rack_elevation(given: RackInput, report: RackReport, *, is_narrow: bool = False) -> str:
    """Return the elevation of a report as an SVG document, with a title and a description for those who cannot see it.

    Where something is mounted at the rear, it is drawn beside the front, in the narrow one below it. Names are text,
    whatever they hold. Same report, same drawing.
    """
    devices = {line.device.slug: line.device for line in given.lines}
    mounted = [placement for placement in report.space.elevation if placement.position_u is not None]
    faces = ["front", "rear"] if any(placement.face == "rear" for placement in mounted) else ["front"]
    units = given.rack.units
    height = units * UNIT_PX
    across = 1 if is_narrow else len(faces)
    width = GUTTER_PX + across * (COLUMN_PX + GUTTER_PX)
    title, description = _title(given, report), _description(given, report)
    heading = wrap(title, (width - GUTTER_PX) // TITLE_LETTER_PX)
    top = HEADING_PX + TITLE_PX * len(heading)
    # Below the rack there is room for every name, in as many lines as it takes.
    below = [line for text in _remarks(given, report) for line in wrap(text, (width - GUTTER_PX) // LETTER_PX)]
    bottom = top + (TOP_PX + height) * (len(faces) // across)
    total = bottom + 14 + 16 * len(below)
    key = hashlib.sha256(f"{title}\n{description}\n{is_narrow}".encode("utf-8", "replace")).hexdigest()[:8]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {total}" '
        f'aria-labelledby="el-title-{key} el-desc-{key}">',
        f'<title id="el-title-{key}">{_escaped(title)}</title>',
        f'<desc id="el-desc-{key}">{_escaped(description)}</desc>',
        f"<style>{STYLE}</style>",
        # Its own ground: text stays readable wherever the drawing is put, in both colour schemes.
        f'<rect class="el-g" width="{width}" height="{total}"/>',
    ]
    parts += [
        _text(GUTTER_PX, HEADING_PX + TITLE_PX * (n + 1) - 6, text, style="el-i") for n, text in enumerate(heading)
    ]
    for n, face in enumerate(faces):
        left = GUTTER_PX + n % across * (COLUMN_PX + GUTTER_PX)
        above = top + n // across * (TOP_PX + height)
        parts.append(_text(left, above + 20, face.capitalize()))
        parts.append(f'<rect class="el-b" x="{left}" y="{above + TOP_PX}" width="{COLUMN_PX}" height="{height}"/>')
        parts += _unit_lines(left, above + TOP_PX, units)
        parts += _boxes(mounted, devices, face, left=left, bottom=above + TOP_PX + height, units=units)
    parts += [_text(GUTTER_PX, bottom + 16 * (n + 1), text) for n, text in enumerate(below)]
    return "".join(parts) + "</svg>\n"


def elevation_picture(given: RackInput, report: RackReport) -> Picture:
    """Return the words and the table of the elevation: what stands where, from the bottom."""
    devices = {line.device.slug: line.device for line in given.lines}
    return Picture(
        name="rack",
        title=_title(given, report),
        subtitle="",
        description=_description(given, report),
        columns=(
            Column("position_u", "Lowest unit", "U"),
            Column("height_u", "Height", "U"),
            Column("face", "Face"),
            Column("device", "Device"),
            Column("name", "Name"),
        ),
        rows=tuple(
            (
                placement.position_u,
                Decimal(given.rack.units)
                if devices[placement.device].is_whole_rack
                else devices[placement.device].height_u,
                placement.face,
                placement.device,
                _name(devices[placement.device]),
            )
            for placement in report.space.elevation
        ),
        notes=notes_of(report, used_u="What is used", density_kw="Its power"),
    )


def _unit_lines(left: int, top: int, units: int) -> Iterator[str]:
    for unit in range(1, units + 1):
        y = top + (units - unit) * UNIT_PX
        if unit < units:
            yield f'<line class="el-u" x1="{left}" y1="{y}" x2="{left + COLUMN_PX}" y2="{y}"/>'
        yield f'<text class="el-n" x="{left - 4}" y="{y + 12}" text-anchor="end">{unit}</text>'


def _boxes(
    mounted: Sequence[Placement], devices: dict[str, Device], face: str, *, left: int, bottom: int, units: int
) -> Iterator[str]:
    """Draw what is mounted on a face, and hatched what reaches through from the other one."""
    for placement in mounted:
        device = devices[placement.device]
        is_half = device.is_full_depth is False and not device.is_whole_rack
        if is_half and placement.face != face:
            continue
        height_u = Decimal(units) if device.is_whole_rack or device.height_u is None else device.height_u
        # Half a unit is nine pixels: a coordinate is always a whole number.
        height = int(height_u * UNIT_PX)
        y = bottom - int(((placement.position_u or Decimal(1)) - 1) * UNIT_PX) - height
        kind = "el-d" if placement.face == face else "el-h"
        name = _name(device)
        yield (
            f"<g><title>{_escaped(f'{name}, {_span(placement, height_u)}')}</title>"
            f'<rect class="{kind}" x="{left + 1}" y="{y}" width="{COLUMN_PX - 2}" height="{height}" rx="2"/>'
        )
        if height >= UNIT_PX:
            yield _text(left + 8, y + height // 2 + 4, _cut(name, NAME_LENGTH))
        yield "</g>"


def _title(given: RackInput, report: RackReport) -> str:
    used, units = report.space.used_u, given.rack.units
    if used is None:
        return f"Rack of {units} U"
    return f"Rack of {units} U, {used} U used"


def _description(given: RackInput, report: RackReport) -> str:
    devices = {line.device.slug: line.device for line in given.lines}
    found = []
    for (slug, face), group in groupby(
        report.space.elevation, key=lambda placement: (placement.device, placement.face)
    ):
        placements = list(group)
        where = "beside the rails" if face is None else f"{face}, from U {placements[0].position_u}"
        found.append(f"{len(placements)} × {_name(devices[slug])} ({where})")
    parts = [f"From the bottom: {'; '.join(found)}." if found else "Nothing is mounted."]
    return " ".join([*parts, *_remarks(given, report)])


def _remarks(given: RackInput, report: RackReport) -> list[str]:
    """Return what the drawing cannot show: what hangs beside the rails, and what has no place."""
    devices = {line.device.slug: line.device for line in given.lines}
    placed: dict[str, int] = {}
    beside: dict[str, int] = {}
    for placement in report.space.elevation:
        counts = beside if placement.position_u is None else placed
        counts[placement.device] = counts.get(placement.device, 0) + 1
    left = {
        line.device.slug: line.quantity - placed.get(line.device.slug, 0) - beside.get(line.device.slug, 0)
        for line in given.lines
    }
    remarks = []
    for text, counts in (("Beside the rails", beside), ("No place", {slug: n for slug, n in left.items() if n})):
        if counts:
            remarks.append(f"{text}: " + ", ".join(f"{n} × {_name(devices[slug])}" for slug, n in counts.items()) + ".")
    return remarks


def _span(placement: Placement, height_u: Decimal) -> str:
    return f"{height_u} U from U {placement.position_u}, {placement.face}"


def _name(device: Device) -> str:
    return device.name or device.slug


def _text(x: int, y: int, text: str, *, style: str = "el-t") -> str:
    return f'<text class="{style}" x="{x}" y="{y}">{_escaped(text)}</text>'


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _escaped(text: str) -> str:
    clean = _NOT_XML.sub("\ufffd", text)
    return clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

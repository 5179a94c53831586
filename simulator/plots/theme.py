"""The colours of pictures, light and dark, and the one style that every drawing carries.

The hues of the data are those of Okabe and Ito, darkened or lightened until they stand 3:1 off their ground (WCAG
1.4.11); whoever cannot tell them apart has labels, dashes and marks.
"""

from __future__ import annotations

import base64
import hashlib

COLOURS = {
    "ground": ("#ffffff", "#0d1117"),
    "panel": ("#f0f2f5", "#1a212b"),
    "line": ("#d4d9e0", "#2f3844"),
    "soft": ("#596371", "#a3adba"),
    "ink": ("#14202c", "#e8edf3"),
    "one": ("#0072b2", "#56b4e9"),
    "two": ("#c25400", "#f0a04b"),
    "three": ("#00805d", "#33c79c"),
    "four": ("#a8457f", "#e29fca"),
    "five": ("#6a51a3", "#b9a7ea"),
    "six": ("#7a6a00", "#d9c744"),
}
"""Name: on a light ground, on a dark one. Matplotlib draws with the light ones; of them `svg` makes classes."""

SERIES = ("one", "two", "three", "four", "five", "six")


def colour(name: str) -> str:
    """Return the colour by which Matplotlib and `svg.finished` know a name."""
    return COLOURS[name][0]


def _properties(which: int) -> str:
    return ";".join(f"--pl-{name}:{pair[which]}" for name, pair in COLOURS.items())


# `:where` weighs nothing, so that a page that sets --pl-ground on .pl is followed.
STYLE = (
    f":where(.pl){{{_properties(0)}}}"
    f"@media(prefers-color-scheme:dark){{:where(.pl){{{_properties(1)}}}}}"
    + "".join(f".pl-f-{name}{{fill:var(--pl-{name})}}.pl-s-{name}{{stroke:var(--pl-{name})}}" for name in COLOURS)
    + ".pl text{font-family:system-ui,sans-serif;paint-order:stroke;stroke:var(--pl-ground);stroke-width:3px}"
    ".pl .pl-b{font-weight:600}"
    ".pl path{stroke-linejoin:round;stroke-linecap:butt}"
)


def hash_of(style: str) -> str:
    """Return what a content security policy must allow for a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"


STYLE_CSP = hash_of(STYLE)

PAGE_STYLE = (
    f"body{{{_properties(0)};background:var(--pl-ground);color:var(--pl-ink);"
    "margin:0 auto;max-width:760px;padding:16px;font:16px/1.5 system-ui,sans-serif}"
    f"@media(prefers-color-scheme:dark){{body{{{_properties(1)}}}}}"
    "figure{margin:0}figure svg{display:block;width:100%;height:auto}.tall .wide svg{max-height:90vh}"
    # The title is drawn; this one is for those who jump from heading to heading.
    ".unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    ".narrow{display:none}@media(max-width:560px){.wide{display:none}.narrow{display:block}}"
    "figcaption{margin:8px 0 24px;color:var(--pl-soft)}.scroll{overflow-x:auto}"
    "table{border-collapse:collapse;width:100%;font-size:14px}caption{text-align:left;font-weight:600;padding:8px 0}"
    "th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--pl-line);text-align:left;vertical-align:top}"
    ".n{text-align:right;font-variant-numeric:tabular-nums}"
)
"""The style of the page that shows a picture with its table."""

"""Matplotlib with the one font that drawings are measured with.

By itself it looks through all fonts of the machine when it is first loaded: seconds, once a process where it finds no
place to keep the list. What it chose would depend on the machine, too.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

FAMILY = "DejaVu Sans"
_FILES = (("DejaVuSans.ttf", 400), ("DejaVuSans-Bold.ttf", 700))


@cache
def matplotlib() -> Any:
    """Return Matplotlib: it is loaded with the first drawing, as it takes 60 MB and some tenths of a second."""
    home = Path(tempfile.mkdtemp(prefix="plenum-matplotlib-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    # Also its own settings are read there: drawings are the same whoever runs the server.
    os.environ["MPLCONFIGDIR"] = str(home)
    import matplotlib

    if release := _release_of_list(Path(matplotlib.__file__).with_name("font_manager.py")):
        (home / f"fontlist-v{release}.json").write_text(json.dumps(_list(release)))
    import matplotlib.font_manager

    return matplotlib


def _release_of_list(source: Path) -> str | None:
    """Return the release whose lists of fonts are taken; it lags behind that of Matplotlib."""
    found = re.search(r"^    __version__ = '([\d.]+)'$", source.read_text(), re.MULTILINE)
    return found[1] if found else None


def _list(release: str) -> dict[str, Any]:
    """Return the list of fonts as Matplotlib keeps it; a test fails where a new release takes another."""
    alike = {
        "index": 0,
        "name": FAMILY,
        "style": "normal",
        "variant": "normal",
        "stretch": "normal",
        "size": "scalable",
    }
    fonts = [
        {"fname": f"fonts/ttf/{name}", **alike, "weight": weight, "__class__": "FontEntry"} for name, weight in _FILES
    ]
    return {
        "_version": release,
        "_FontManager__default_weight": "normal",
        "default_size": None,
        "defaultFamily": {"ttf": FAMILY, "afm": "Helvetica"},
        "afmlist": [],
        "ttflist": fonts,
        "__class__": "FontManager",
    }

"""Plenum has no geometry, and says so at once.

strawberry-django imports Django's GIS where that is possible. To find out that it is not, Django asks the linker and
the compiler for a library under a dozen names, twice: that was a third of what every process needed to start.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

from django.core.exceptions import ImproperlyConfigured


class _NoGdal(MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name == "django.contrib.gis.gdal.libgdal":
            raise ImproperlyConfigured("Plenum has no geometry.")  # What Django says when it found no library.


sys.meta_path.insert(0, _NoGdal())

"""Ghost: reads the JSON file of an export, versions 1 to 6. `read` is the one door."""

from articles.moving.ghost.reading import read

__all__ = ["read"]

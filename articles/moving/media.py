"""The files that an export points to: looked for below one folder and nowhere else."""

from pathlib import Path, PurePosixPath


class Media:
    """The folder `root` of files; None: there is none. No path leaves it: not by `..`, from the root, or by a link."""

    def __init__(self, root: Path | None) -> None:
        self.root = root.resolve() if root is not None else None

    def find(self, path: str) -> Path | None:
        """Return the file at `path` (with forward slashes, relative to the root), or None."""
        pure = PurePosixPath(path)
        if self.root is None or not path or "\0" in path or pure.is_absolute() or ".." in pure.parts:
            return None
        try:
            found = (self.root / pure).resolve(strict=True)
        except (OSError, RuntimeError):
            return None
        return found if found.is_relative_to(self.root) and found.is_file() else None


def endings_of(beginning: bytes) -> tuple[str, ...]:
    """Return how a file that begins so (32 bytes suffice) may be called, the usual ending first; none is no picture."""
    if beginning.startswith(b"\x89PNG\r\n\x1a\n"):
        return ("png",)
    if beginning.startswith(b"\xff\xd8\xff"):
        return ("jpg", "jpeg")
    if beginning.startswith((b"GIF87a", b"GIF89a")):
        return ("gif",)
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return ("webp",)
    if beginning[4:8] == b"ftyp" and beginning[8:12] in (b"avif", b"avis"):
        return ("avif",)
    return ()

"""The media library of the old site: which file a picture in a body is, and what is said of it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from articles.moving.addresses import host_of
from articles.moving.items import Picture
from articles.moving.wordpress.wxr import Entry

UPLOADS = "/wp-content/uploads/"
# WordPress makes smaller copies (-300x169), of large pictures a working copy (-scaled), of edited ones another (-e1…).
SIZED = re.compile(r"-\d+x\d+(?=\.\w+$)")
WORKED = re.compile(r"-(?:scaled|rotated)(?=\.\w+$)")
IMAGE_CLASS = re.compile(r"(?:^|\s)wp-image-(\d+)(?:\s|$)")
PHOTON = re.compile(r"^i\d\.wp\.com$")


class Attachments:
    """The attachments of an export, by id and by file."""

    def __init__(self, entries: Iterable[Entry], hosts: frozenset[str]) -> None:
        self._hosts = hosts
        self.by_id: dict[str, Picture] = {}
        self._by_file: dict[str, Picture] = {}
        self._by_post: dict[str, list[tuple[int, int, str]]] = {}
        for number, entry in enumerate(entries):
            picture = self._read(entry)
            if picture is None:
                continue
            key = entry.text("post_id")
            self.by_id[key] = picture
            self._by_file.setdefault(picture.file, picture)
            order = entry.text("menu_order")
            self._by_post.setdefault(entry.text("post_parent"), []).append(
                (int(order) if order.isdigit() else 0, number, key)
            )

    def of_post(self, post_id: str) -> list[Picture]:
        """Return what was uploaded to a post, in its order."""
        return [self.by_id[key] for _, _, key in sorted(self._by_post.get(post_id, []))]

    def of_image(self, attributes: Mapping[str, str]) -> Picture | None:
        """Return the picture that an <img> shows: the original, not a smaller copy; None where it may not be shown."""
        address = attributes.get("src", "").strip()
        found = IMAGE_CLASS.search(attributes.get("class", ""))
        if found and found[1] in self.by_id:
            return self.by_id[found[1]]
        if address.startswith("//"):
            address = f"https:{address}"
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        if parts.scheme not in ("", "http", "https") or not parts.path:
            return None
        path = unquote(parts.path)
        if PHOTON.match(parts.netloc):
            host, _, path = path.strip("/").partition("/")
            address, path = f"https://{host}/{path}", f"/{path}"
        return self._of_path(path, address)

    def _of_path(self, path: str, address: str) -> Picture:
        host = host_of(address)
        at = path.find(UPLOADS)
        is_ours = at >= 0 and (not host or host in self._hosts or path[at + len(UPLOADS) :] in self._by_file)
        if not is_ours:
            return Picture(file="", address=address) if host else Picture(file=path.lstrip("/"), address=address)
        file = path[at + len(UPLOADS) :]
        for name in (file, SIZED.sub("", file), WORKED.sub("", file), SIZED.sub("", WORKED.sub("", file))):
            if name in self._by_file:
                return self._by_file[name]
        original = SIZED.sub("", file)
        return Picture(file=original, path=original, address=SIZED.sub("", address))

    def _read(self, entry: Entry) -> Picture | None:
        address = entry.text("attachment_url") or entry.text("guid")
        stored = entry.meta.get("_wp_attached_file")
        file = stored.text.strip() if stored else ""
        path = unquote(urlsplit(address).path) if address else ""
        if not file and UPLOADS in path:
            file = path.partition(UPLOADS)[2]
        if file.startswith(("/", "http:", "https:")):
            file = file.partition(UPLOADS)[2] if UPLOADS in file else file.rsplit("/", 1)[-1]
        if not file:
            return None
        alt = entry.meta.get("_wp_attachment_image_alt")
        original = WORKED.sub("", file)
        return replace(
            Picture(file=original, path=original, address=address),
            alt=alt.text.strip() if alt else "",
            caption=entry.text("excerpt"),
        )

"""How quickly posts of WordPress come in: posts a second, statements a post, peak memory, beside parsing alone.

    python -m bench.imports [POSTS]

It needs a database that may be filled: it makes one of its own, and takes it away again. docs/moving.md has figures.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

PARAGRAPHS = 12
WORDS = [
    *("rack", "busbar", "coolant", "manifold", "inlet", "rise", "pump", "loop", "chiller", "feeder", "breaker"),
    *("transformer", "density", "kilowatt", "aisle", "row", "fabric", "spine", "leaf", "optic", "tray", "sensor"),
    *("valve", "supply", "return", "plate", "torque", "gasket", "leak", "budget", "margin", "load"),
]
LAYOUT = "{:<38}{:>12}{:>14}"


def main() -> None:
    posts = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory(prefix="plenum-bench-") as folder:
        path = write_export(Path(folder) / "posts.xml", posts)
        print(f"{posts:,} posts, {path.stat().st_size / 1e6:.1f} MB")
        measure(path, posts)


def write_export(path: Path, posts: int) -> Path:
    """Write an export of so many posts of about 500 words each, the same every time."""
    from tests.articles.moving.wxr import Post, category, write_wxr

    chance = Random(7)

    def made() -> Iterator[Post]:
        for number in range(1, posts + 1):
            yield Post(
                number,
                body=body(chance, number),
                title=f"Post {number}: {' '.join(chance.choices(WORDS, k=5))}",
                dek=" ".join(chance.choices(WORDS, k=12)),
                more=category(chance.choice(["power", "cooling", "network"])) + category("pue", "post_tag"),
            )

    return write_wxr(path, made())


def body(chance: Random, number: int) -> str:
    parts = []
    for n in range(PARAGRAPHS):
        words = chance.choices(WORDS, k=40)
        words[3], words[9] = f"<strong>{words[3]}</strong>", f'<a href="/post-{max(1, number - 1)}/">{words[9]}</a>'
        parts.append(f"<!-- wp:paragraph -->\n<p>{' '.join(words)}.</p>\n<!-- /wp:paragraph -->")
        if n % 4 == 1:
            parts.append(f"<!-- wp:heading -->\n<h2>{' '.join(words[10:13])}</h2>\n<!-- /wp:heading -->")
        if n == 6:
            rows = "".join(
                f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in zip(words[11:19], words[19:27], strict=True)
            )
            parts.append(f"<table><tr><th>a</th><th>b</th></tr>{rows}</table>")
    return "\n\n".join(parts)


def measure(path: Path, posts: int) -> None:
    """Print the table."""
    from django.db import connection

    from articles.markup import Known, parse
    from articles.models import Article
    from articles.moving.items import Options
    from articles.moving.readers import read_export
    from articles.moving.storing import bring

    options = Options(now=datetime.now(UTC))
    with Watch() as reading:
        export = read_export(path, options)
    editor = make_editor()
    counted = Counted()
    with Watch() as bringing, connection.execute_wrapper(counted):
        bring(export, editor=editor, progress=lambda what, label: bringing.enter(what))
    with Watch() as again:
        bring(read_export(path, options), editor=editor)
    bodies = list(Article.objects.values_list("body", flat=True))
    known = Known(articles=set(Article.objects.values_list("slug", flat=True)))
    with Watch() as parsing:
        for text in bodies:
            parse(text, known)
    print(LAYOUT.format("", "elapsed", "of this CPU"))
    for name, watch in (
        ("reading the file", reading),
        ("to Markdown, judged, and written", bringing),
        ("a second run, which changes nothing", again),
        ("parsing the bodies alone", parsing),
    ):
        print(LAYOUT.format(name, f"{watch.elapsed:.1f} s", f"{watch.cpu:.1f} s"))
    for name, elapsed in bringing.parts.items():
        print(LAYOUT.format(f"  of it {name.lower()}", f"{elapsed:.1f} s", ""))
    ratio = (reading.cpu + bringing.cpu) / parsing.cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(LAYOUT.format("posts a second", f"{posts / (reading.elapsed + bringing.elapsed):.1f}", ""))
    print(LAYOUT.format("import ÷ parsing alone", "", f"{ratio:.1f}"))
    print(LAYOUT.format("statements a post", f"{counted.number / posts:.1f}", ""))
    print(LAYOUT.format("peak memory", f"{peak:.0f} MB", f"{peak / (path.stat().st_size / 1e6):.1f} × file"))


class Watch:
    """Measures what happens inside of it: seconds that passed, and those of this process's CPU. `parts` are elapsed."""

    def __enter__(self) -> "Watch":
        self.parts: dict[str, float] = {}
        self._part = ""
        self._begin, self._cpu = time.perf_counter(), time.process_time()
        self._since = self._begin
        return self

    def __exit__(self, *_: Any) -> None:
        self.enter("")
        self.elapsed, self.cpu = time.perf_counter() - self._begin, time.process_time() - self._cpu

    def enter(self, part: str) -> None:
        """Say that another part begins."""
        if part != self._part:
            now = time.perf_counter()
            if self._part:
                self.parts[self._part] = self.parts.get(self._part, 0.0) + now - self._since
            self._part, self._since = part, now


def make_editor() -> Any:
    from django.contrib.auth.models import Group, User

    editor = User.objects.create_user("bench")
    editor.groups.add(Group.objects.get(name="editors"))
    return editor


class Counted:
    """Counts statements."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, execute: Any, sql: Any, parameters: Any, many: Any, context: Any) -> Any:
        self.number += 1
        return execute(sql, parameters, many, context)


if __name__ == "__main__":
    from bench.database import own_database

    with own_database():
        main()

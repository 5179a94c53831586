"""`manage.py snapshots`: the committed descriptions of both APIs, so that a change of either shows in a diff."""

import difflib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer

from config.schema import schema

LONGEST_DIFF_LINES = 60


class Command(BaseCommand):
    help = "Write schema.graphql and openapi.yaml from the code, or with --check say whether they are what it gives."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 when a file differs")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        differences = []
        for path, text in ((root / "schema.graphql", graphql_text()), (root / "openapi.yaml", openapi_text())):
            committed = path.read_text() if path.exists() else ""
            if text == committed:
                continue
            if check:
                lines = difflib.unified_diff(
                    *(committed.splitlines(), text.splitlines(), path.name, "what the code gives"), lineterm="", n=1
                )
                differences.append("\n".join(list(lines)[:LONGEST_DIFF_LINES]))
            else:
                path.write_text(text)
                self.stdout.write(f"Wrote {path.name}.")
        if differences:
            raise CommandError(
                "\n".join(differences) + "\nThe snapshots differ from the code: run `manage.py snapshots`, "
                "read the diff as a client would, and commit it."
            )


def graphql_text() -> str:
    return schema.as_str().rstrip() + "\n"


def openapi_text() -> str:
    """Return the OpenAPI document. Raises CommandError when the generator had to guess."""
    GENERATOR_STATS.reset()
    document = SchemaGenerator().get_schema(request=None, public=True)
    if GENERATOR_STATS:
        GENERATOR_STATS.emit_summary()
        raise CommandError("The OpenAPI document has guesses in it (see above): declare what they are about.")
    text: bytes = OpenApiYamlRenderer().render(document, renderer_context={})
    return text.decode()

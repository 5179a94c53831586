"""The frozen content of editions, of which only the parts that a document asks for are read."""

from collections.abc import Sequence
from functools import cache
from typing import Any
from uuid import UUID

import orjson
from django.contrib.postgres.fields import ArrayField

from articles.models import Edition
from articles.pictures import shown_part
from core.api.compiled import AnyOf, Parameter, Statement, statement
from core.api.graphql.reads import UUIDS

PARTS = {
    "markdown": "body",
    "html": "html",
    "blocks": "blocks",
    "toc": "toc",
    "footnotes": "footnotes",
    "explains": "explains",
    "corrections": "corrections",
}
"""The fields of an article that come out of its content, and their keys in it."""


def read_parts(edition_ids: Sequence[UUID], keys: tuple[str, ...]) -> dict[str, dict[UUID, Any]]:
    """Return parts of the contents of editions: key -> edition -> value, with one statement."""
    found: dict[str, dict[UUID, Any]] = {key: {} for key in keys}
    for edition_id, *values in _statement(keys).rows({"ids": edition_ids}):
        for key, value in zip(keys, values, strict=True):
            found[key][edition_id] = None if value is None else orjson.loads(value)
    return found


@cache
def _statement(keys: tuple[str, ...]) -> Statement:
    # Only editions that were just found visible are asked for. Asking again would tear an answer in two when one of
    # them is withdrawn in between.
    rows = Edition.objects.filter(AnyOf("id", Parameter("ids", ArrayField(UUIDS)))).order_by()
    parts = {f"part_{n}": shown_part(key) for n, key in enumerate(keys)}
    return statement(rows.annotate(**parts).values_list("id", *parts))

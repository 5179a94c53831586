"""Search over REST."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from articles.search import KINDS, RANK, find
from core.api import parameters
from core.api.errors import bad_request
from core.api.keyset import fingerprint, id_key, read_cursor
from core.feed.views import Page, PublicView


@dataclass
class Question:
    words: str
    kinds: tuple[str, ...]
    limit: int
    keys: list[Any] = field(default_factory=list)
    backwards: bool = False
    bound_to: str = ""


class ResultRepresentation(serializers.Serializer):
    """A hit. `excerpt` is text, with the words that were found between « and »."""

    kind = serializers.ChoiceField(choices=KINDS)
    id = serializers.UUIDField()
    slug = serializers.CharField()
    title = serializers.CharField()
    excerpt = serializers.CharField()
    rank = serializers.FloatField()


class Search(PublicView):
    """The best hits first. Payment changes nothing here."""

    representation = ResultRepresentation
    is_page = True
    kinds = ("article", "device", "vendor", "manufacturer")
    takes_as_of = True

    def known_parameters(self) -> set[str]:
        return super().known_parameters() | {"q", "kinds", "limit", "cursor"}

    def describe_parameters(self) -> list[OpenApiParameter]:
        return [
            *super().describe_parameters(),
            OpenApiParameter("q", str, required=True, description='Words, "a phrase", or, -not.'),
            OpenApiParameter("kinds", str, description=f"Some of {', '.join(KINDS)}, with commas between them."),
            OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}),
            OpenApiParameter("cursor", str, description="From `next` or `previous`; opaque."),
        ]

    def question(self, asked: Any, **kwargs: Any) -> Question:
        if "q" not in asked:
            raise bad_request("q", "required", "q holds the words to look for.")
        words = parameters.read_text("q", asked["q"])
        kinds = parameters.some_of(*KINDS)("kinds", asked["kinds"]) if "kinds" in asked else KINDS
        limit = parameters.read_limit(asked.get("limit"), default=20, maximum=100)
        bound = fingerprint({name: asked[name] for name in ("q", "kinds", "as_of") if name in asked})
        found = Question(words, kinds, limit, bound_to=bound)
        if "cursor" in asked:
            found.keys, found.backwards = read_cursor(asked["cursor"], (RANK, id_key()), bound_to=bound)
        return found

    def body(self, request: HttpRequest, question: Question, at: datetime, etag: str) -> HttpResponse:
        rows = find(
            question.words, question.kinds, at=at, limit=question.limit + 1, backwards=question.backwards,
            after=(question.keys[0], question.keys[1]) if question.keys else None,
        )  # fmt: skip
        page = Page([([rank, identifier], text) for identifier, rank, text in rows], question)
        return page.answer(request, etag, tags=self.kinds, head={})

"""Redirects over REST: old addresses, and where they lead today."""

from datetime import datetime
from typing import Any

from django.db import models
from django.urls import path
from rest_framework import serializers

from core.api import parameters
from core.api.representations import InstantField, Representation
from core.feed.services import read_horizon
from core.feed.views import Filter, ListView, Question
from core.publishing.asking import CHANGED, KINDS, read_address
from core.publishing.models import Redirect


class RedirectRepresentation(Representation):
    """An address at which something once stood, and where it stands today: `to` is a slug.

    With `changed_since`, one whose `from` and `to` are null has ended: forget what you keep under its `id`.
    """

    record_id = serializers.UUIDField(allow_null=True, help_text="Of the article or vendor.")
    address = serializers.CharField(
        source="old_address", allow_null=True, help_text="A slug, or with a leading slash a path of another site."
    )
    to = serializers.CharField(source="today", allow_null=True)
    changed_at = InstantField(help_text="When it began, or ended.")

    class Meta:
        model = Redirect
        fields = ["id", "kind", "record_id", "address", "to", "changed_at"]

    def get_fields(self) -> dict[str, Any]:
        # `from` is a word of Python, so no attribute can declare it.
        return {"from" if name == "address" else name: field for name, field in super().get_fields().items()}


class RedirectList(ListView):
    """Addresses that articles and vendors once had, for front-ends that redirect by themselves.

    `changed_since` also tells, by their ids alone, of those that ended. With it comes `covered_to`, the `changed_since`
    of the next time: nothing that took effect before can still appear.
    """

    representation = RedirectRepresentation
    source = staticmethod(Redirect.objects.visible)
    kinds = KINDS
    orders = CHANGED
    maximum_limit = 500
    filters = {
        "kind": Filter(parameters.one_of(*KINDS), lambda rows, p: rows.filter(kind=p), models.TextField()),
        "from": Filter(
            read_address, lambda rows, p: rows.at_address(p), models.TextField(), "A slug, or a path: /2024/busways."
        ),
        "changed_since": Filter(
            parameters.read_instant, lambda rows, p: rows.changed_since(p), models.DateTimeField(), "An instant."
        ),
    }

    def reading(self, question: Question) -> type[ListView]:
        return RedirectChanges if "changed_since" in question.filters else type(self)

    def head(self, question: Question, at: datetime) -> dict[str, Any]:
        head = super().head(question, at)
        if "changed_since" not in question.filters:
            return head
        _, covered_to = read_horizon()
        return {**head, "covered_to": InstantField().to_representation(covered_to)}

    def names(self, ids: list[Any]) -> list[str]:
        # As many names as there may be redirects on a page do not fit a header; the kinds purge it.
        return []


class RedirectChanges(RedirectList):
    """The same, with what ended."""

    source = staticmethod(Redirect.objects.told)


urlpatterns = [path("redirects/", RedirectList.as_view(), name="redirect-list")]

"""A representation read by SQL and by its serializer gives one answer, with every field filled and with none."""

import json
from decimal import Decimal

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import models
from rest_framework import serializers

from catalog.models import Device
from core.api.compiled import Parameter, json_of, statement, text_of
from core.api.representations import Representation
from core.publishing.services import database_now
from tests import everything
from tests.addresses import public_reads

VIEWS = list(dict.fromkeys(address.view for address in public_reads()))


def plain(value):
    """Return what JSON makes of a value, decimals kept exact."""
    text = json.dumps(
        value, default=lambda item: {"decimal": str(item.normalize())} if isinstance(item, Decimal) else str(item)
    )
    return json.loads(text, parse_float=Decimal)


def numbers_alike(value):
    """Return `value` with every number as a normalised decimal, so that 10200 and 10200.0 are one."""
    if isinstance(value, dict):
        if set(value) == {"decimal"}:
            return Decimal(value["decimal"]).normalize()
        return {key: numbers_alike(item) for key, item in value.items()}
    if isinstance(value, list):
        return [numbers_alike(item) for item in value]
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return Decimal(value).normalize()
    return value


@pytest.mark.django_db
@pytest.mark.parametrize("rows", ["full", "bare"])
def test_sql_and_serializer_give_one_answer(rows, subtests):
    getattr(everything, f"make_{rows}")()
    at = database_now()
    moment = Parameter("at", models.DateTimeField())
    for view in VIEWS:
        with subtests.test(view=view.__name__):
            body = text_of(json_of(view.representation, moment))
            compiled = statement(view.source(moment).annotate(body=body).values_list("pk", "body"))
            by_sql = {str(pk): json.loads(text, parse_float=Decimal) for pk, text in compiled.rows({"at": at})}

            by_serializer = {
                str(row.pk): plain(view.representation(row, context={"at": at}).data) for row in view.source(at)
            }

            assert by_sql, "there is no row to compare"
            assert numbers_alike(by_sql) == numbers_alike(by_serializer)


@pytest.mark.django_db
def test_every_field_of_the_full_rows_is_filled():
    everything.make_full()
    at = database_now()

    empty = set()
    for view in VIEWS:
        rows = [view.representation(row, context={"at": at}).data for row in view.source(at)]
        empty |= {
            f"{view.__name__}.{name}"
            for name in view.representation().fields
            if not any(row[name] not in (None, "", [], {}) for row in rows)
        }

    assert empty == set()


@pytest.mark.django_db
def test_a_field_that_cannot_be_compiled_stops_the_start():
    class Careless(Representation):
        sum = serializers.SerializerMethodField()

        class Meta:
            model = Device
            fields = ["id", "sum"]

    with pytest.raises(ImproperlyConfigured, match=r"sum.*cannot be compiled"):
        json_of(Careless, None)

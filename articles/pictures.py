"""The images in a text: it names them, and each answer says where they are today."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, models
from django.db.models import F, Func, OuterRef, QuerySet, Value
from django.db.models.expressions import Combinable

from articles.models import Edition
from core.api.representations import MEDIA_BASE
from core.media.models import Image
from core.publishing.models import Reference

FUNCTION = """
-- A part of the content of an edition, as JSON text, with the images that its HTML names; null where there is none.
create function articles_show_images(p_part jsonb, p_edition uuid, p_base text)
returns text language plpgsql stable as $$
declare
    v_keys text[];
    v_ids uuid[];
begin
    if p_part is null or strpos(p_part::text, '<img data-image=') = 0 then
        return p_part::text;
    end if;
    select array_agg(target_key), array_agg(target_id) into v_keys, v_ids
    from publishing_reference
    where edition_id = p_edition and role = 'figure' and target_kind = 'image';
    return media_show_images(p_part::text, v_keys, v_ids, p_base, true);
end $$;
"""
DROP_FUNCTION = "drop function articles_show_images(jsonb, uuid, text);"


def shown_part(key: str, base: Combinable = MEDIA_BASE) -> Func:
    """Return the expression for the part `key` of the content of an edition, as JSON text, with its images.

    Their addresses begin with `base`: in a compiled statement, with what each request says.
    """
    part = Func(
        F("content"),
        Value(key),
        template="nullif(jsonb_extract_path(%(expressions)s), 'null'::jsonb)",
        output_field=models.JSONField(),
    )
    columns: list[Combinable] = [part, F("pk"), base]
    return Func(*columns, function="articles_show_images", output_field=models.TextField())


def show_images(html: str, images: Mapping[str, UUID]) -> str:
    """Return the HTML of a draft or an edition with its images, by their names, as a page of ours shows them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select media_show_images(%s::text, %s::text[], %s::uuid[], %s::text, false)",
            [html, list(images), list(images.values()), settings.MEDIA_URL],
        )
        return str(cursor.fetchone()[0])


def images_of(edition: Edition) -> dict[str, UUID]:
    """Return the images that the text of an edition shows, by the names that it writes."""
    rows = figures().filter(edition_id=edition.pk)
    return {row.target_key: row.target_id for row in rows if row.target_id is not None}


def images_shown(at: Any, edition_id: Any) -> QuerySet[Image]:
    """Return the images that the text of an edition shows, as they are at `at`."""
    # A column of the outermost query is two queries away from where it is compared.
    named = figures().filter(edition_id=OuterRef(edition_id) if isinstance(edition_id, OuterRef) else edition_id)
    return Image.objects.visible(at).filter(pk__in=named.values("target_id"))


def figures() -> QuerySet[Reference]:
    """Return what texts show as images: `target_key` is the name as it is written."""
    return Reference.objects.filter(role="figure", target_kind="image")

"""Old addresses that an import brings: the paths at which an article stood before it came here."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction

from articles.models import Article, OldAddress
from core.publishing.addresses import normalise_path
from core.publishing.batches import Refusals, of_one

__all__ = ["keep_old_address", "normalise_path"]


def keep_old_address(article: Article, path: str) -> OldAddress:
    """Let `path`, at which `article` stood elsewhere, lead to it for as long as it is live, and return the address.

    Once is enough: again for the same article changes nothing. Raises ValidationError: `address_taken`, by name, when
    the path leads to another article; `address_invalid`.
    """
    with of_one():
        return keep_old_addresses([(article, path)])[0]


@transaction.atomic
def keep_old_addresses(paths: Sequence[tuple[Article, str]]) -> list[OldAddress]:
    """Let paths lead to articles, as `keep_old_address` does, and return the addresses. Raises BatchRefused of those.

    Of two articles in a batch that claim one path, the first has it.
    """
    refusals = Refusals()
    asked: dict[int, str] = {}
    for position, (_, path) in enumerate(paths):
        with refusals.of(position):
            asked[position] = normalise_path(path)
    refusals.stop()
    wanted = {path: paths[position][0] for position, path in reversed(asked.items())}
    # Somebody else may do the same at this moment; who is first has it.
    OldAddress.objects.bulk_create(
        [OldAddress(article=article, path=path) for path, article in wanted.items()], ignore_conflicts=True
    )
    rows = {row.path: row for row in OldAddress.objects.filter(path__in=wanted).select_related("article")}
    for position, path in asked.items():
        owner = rows[path].article
        if owner.pk != paths[position][0].pk:
            message = f"{path} is an old address of “{owner}” ({owner.slug})."
            refusals.errors[position] = ValidationError(message, code="address_taken")
    refusals.stop()
    return [rows[path] for path in asked.values()]

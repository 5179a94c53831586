"""Old addresses that an import brings: the paths at which an article stood before it came here."""

from django.core.exceptions import ValidationError
from django.db import transaction

from articles.models import Article, OldAddress
from core.publishing.addresses import normalise_path

__all__ = ["keep_old_address", "normalise_path"]


@transaction.atomic
def keep_old_address(article: Article, path: str) -> OldAddress:
    """Let `path`, at which `article` stood elsewhere, lead to it for as long as it is live, and return the address.

    Once is enough: again for the same article changes nothing. Raises ValidationError: `address_taken`, by name, when
    the path leads to another article; `address_invalid`.
    """
    path = normalise_path(path)
    address, _ = OldAddress.objects.select_related("article").get_or_create(path=path, defaults={"article": article})
    if address.article_id != article.pk:
        owner = address.article
        raise ValidationError(f"{path} is an old address of “{owner}” ({owner.slug}).", code="address_taken")
    return address

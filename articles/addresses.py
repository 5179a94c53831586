"""Old addresses that an import brings: the paths at which an article stood before it came here."""

import re
from unicodedata import normalize
from urllib.parse import unquote

from django.core.exceptions import ValidationError
from django.db import transaction

from articles.models import LONGEST_PATH, Article, OldAddress

_ORIGIN = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#\\]*", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def normalise_path(text: str) -> str:
    """Return the path of an address as it is kept: decoded once, with a leading slash and no trailing one.

    Scheme, host, query and fragment go; case stays, since the old site may have told it apart. Raises ValidationError
    `address_invalid` for what is no path, and for the front page, which is no article's.
    """
    path = re.split(r"[?#]", _ORIGIN.sub("", text.strip(), count=1), maxsplit=1)[0]
    try:
        path = normalize("NFC", unquote(path, errors="strict"))
    except UnicodeDecodeError:
        raise ValidationError(f"“{text}” is not written in UTF-8.", code="address_invalid") from None
    if _CONTROL.search(path) or any("\ud800" <= letter <= "\udfff" for letter in path):
        raise ValidationError("An address holds no control characters.", code="address_invalid")
    path = "/" + re.sub(r"/{2,}", "/", path).strip("/")
    if path == "/":
        raise ValidationError(f"“{text}” is the front page, which is no article's.", code="address_invalid")
    if len(path) > LONGEST_PATH:
        raise ValidationError(f"An address has {LONGEST_PATH} characters at most.", code="address_invalid")
    return path


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

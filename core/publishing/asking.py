"""How redirects are asked for, by either API."""

from django.core.exceptions import ValidationError

from core.api import parameters
from core.api.errors import bad_request, problems_of
from core.api.keyset import Order, id_key, instant_key
from core.publishing.addresses import normalise_path

KINDS = ("article", "vendor")
CHANGED = {"changed": Order((instant_key("changed_at"), id_key()))}


def read_address(name: str, text: str) -> str:
    """Read an old address: a slug as it is, anything with a slash as a path."""
    text = parameters.read_text(name, text)
    if "/" not in text:
        return text
    try:
        return normalise_path(text)
    except ValidationError as error:
        raise bad_request(name, *problems_of(error)[0][1:]) from None

"""Domains and addresses of vendors: what is registrable, what is https, and what only looks like somebody else's name.

A domain is kept and shown in its ASCII form (xn--…), so that nobody is fooled by a letter of another script.
"""

import encodings.idna
import re
import unicodedata
from functools import cache
from typing import NamedTuple
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.utils.encoding import iri_to_uri
from publicsuffixlist import PublicSuffixList

_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")

# Scripts that are written together, as in Unicode TR 39, "highly restrictive".
_TOGETHER = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
)
# Letters that can stand for Latin ones: a label of nothing else reads as another name.
_LATIN_LOOKALIKES = {
    "CYRILLIC": set("агеһіјӏопрԛѕсԍухԝѵѡьԁүҽ"),
    "GREEK": set("αβγεηικμνορτυχω"),
    "ARMENIAN": set("աեհոպսցօյզլՙ"),
}
# Latin letters of living languages that are no ASCII letter with a mark on it.
_LATIN_LETTERS = set("æœøþðłđħŋ")
# IDNA 2003 and 2008 read these differently, so a browser may go elsewhere than we think.
_AMBIGUOUS = set("ßς\u200c\u200d")


class Address(NamedTuple):
    """An https address in ASCII, and the registrable domain that it leads to."""

    url: str
    domain: str


@cache
def _suffixes() -> PublicSuffixList:
    """Return the public suffix list, with its private part: foo.github.io is another's than bar.github.io."""
    return PublicSuffixList(accept_unknown=False)


def registrable_domain(host: str) -> str:
    """Return the registrable domain of `host`, in ASCII: `www.example.co.uk` gives `example.co.uk`.

    Raises ValidationError: `not_a_domain`, `lookalike_domain`.
    """
    labels = host.strip().removesuffix(".").split(".")
    ascii_host = ".".join(_ascii_label(label, host) for label in labels)
    domain = _suffixes().privatesuffix(ascii_host) if len(ascii_host) <= 253 else None
    if domain is None:
        raise ValidationError(f"{host} has no domain that anybody can register.", code="not_a_domain")
    return str(domain)


def read_address(text: str, *, field: str) -> Address:
    """Return the https address that `text` writes, on whatever domain it is.

    Raises ValidationError on `field`: `homepage_not_https` (for the field homepage), `not_an_address`, `not_a_domain`,
    `lookalike_domain`.
    """
    try:
        return _read_address(text.strip(), field)
    except ValidationError as error:
        raise ValidationError({field: error}) from error


def _read_address(text: str, field: str) -> Address:
    refusal = ValidationError(f"{text!r} is not an address such as https://www.example.com/.", code="not_an_address")
    if not text or "\\" in text or any(character.isspace() or not character.isprintable() for character in text):
        raise refusal
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise refusal from error
    if parts.scheme.lower() != "https":
        raise ValidationError("The address begins with https://.", code=f"{field}_not_https")
    if not host or parts.username is not None or parts.password is not None or port not in (None, 443):
        raise refusal
    domain = registrable_domain(host)
    ascii_host = ".".join(_ascii_label(label, host) for label in host.removesuffix(".").split("."))
    rest = parts._replace(scheme="", netloc="").geturl()
    return Address(f"https://{ascii_host}{iri_to_uri(rest)}", domain)


def _ascii_label(label: str, host: str) -> str:
    """Return one label of a host in ASCII. Raises ValidationError."""
    refusal = ValidationError(f"{host} is not the name of a host.", code="not_a_domain")
    try:
        if label.isascii():
            written = label.lower()
            shown = written[4:].encode().decode("punycode") if written.startswith("xn--") else written
        else:
            shown = unicodedata.normalize("NFKC", label).lower()
            if _AMBIGUOUS & set(shown):
                raise ValidationError(f"Write {host} in its ASCII form (xn--…).", code="not_a_domain")
            written = encodings.idna.ToASCII(shown).decode()
    except UnicodeError as error:
        raise refusal from error
    if not _LABEL.fullmatch(written):
        raise refusal
    if not shown.isascii() and is_lookalike(shown):
        raise ValidationError(
            f"{host} can be taken for another name ({written}), so it is held back.", code="lookalike_domain"
        )
    return written


def is_lookalike(label: str) -> bool:
    """Return whether a label in Unicode mixes scripts, or is made of letters that pass for Latin ones."""
    letters = {character for character in label.lower() if not unicodedata.category(character).startswith(("M", "N"))}
    letters.discard("-")
    scripts = {script for letter in letters if (script := _script(letter))}
    if len(scripts) > 1:
        return not any(scripts <= together for together in _TOGETHER)
    script = next(iter(scripts), "")
    if script == "LATIN":
        return any(not _base(letter).isascii() and letter not in _LATIN_LETTERS | _AMBIGUOUS for letter in letters)
    return bool(letters) and letters <= _LATIN_LOOKALIKES.get(script, set())


def _script(letter: str) -> str:
    """Return the script of a letter, as the first word of its name in Unicode says."""
    name = unicodedata.name(letter, "UNKNOWN")
    if name.startswith("KATAKANA-HIRAGANA"):  # The mark of a long vowel, of both.
        return ""
    return name.split()[0].removesuffix("-SMALL")


def _base(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0]

"""Characters that a reader cannot see, and that change what he reads, finds or copies.

Right-to-left letters, joined emoji, flags and the joiners of Indic and Arabic scripts are text. What turns the
direction of text around or takes no room is an error: it hides one word in another. Source: Unicode Standard, ch. 23,
and UTR 36.
"""

import re
import unicodedata
from collections.abc import Iterator

JOINERS = "\u200c\u200d"
DIRECTION_MARKS = "\u061c\u200e\u200f"
OVERRIDES = "\u202a-\u202e\u2066-\u2069"
SUSPECTS = re.compile(
    # Controls, soft hyphen, combining grapheme joiner, Hangul and Khmer fillers, Mongolian selectors.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    # Zero-width spaces, line and paragraph separators, word joiner, invisible operators, byte order mark.
    f"\u200b{JOINERS}{DIRECTION_MARKS}\u2028\u2029{OVERRIDES}\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    # Variation selectors, invisible notes, shorthand and music controls, lone surrogates, tags.
    "\ufe00-\ufe0f\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
OVERRIDE = re.compile(f"[{OVERRIDES}]")
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
# Characters of other categories that have an emoji form.
EMOJI_TOO = frozenset("‼⁉〰ℹ")


def hidden_characters(text: str) -> Iterator[tuple[int, str]]:
    """Yield offset and error code of each character of `text` that hides something, in order."""
    flag_end = -1  # Where the flag of a region ends: a black flag and the tags that follow it at once.
    line_end, line_is_rtl = -1, False
    for match in SUSPECTS.finditer(text):
        at, character = match.start(), match.group()
        before = text[at - 1] if at else ""
        if OVERRIDE.match(character):
            yield at, "bidi_control"
        elif character in DIRECTION_MARKS:
            if at > line_end:
                line_start = text.rfind("\n", 0, at) + 1
                found = text.find("\n", at)
                line_end = len(text) if found < 0 else found
                line_is_rtl = RIGHT_TO_LEFT.search(text, line_start, line_end) is not None
            if not line_is_rtl:
                yield at, "bidi_control"
        elif "\U000e0020" <= character <= "\U000e007f" and (before == "\U0001f3f4" or flag_end == at - 1):
            flag_end = at
        elif not _shapes_its_neighbour(character, before, text[at + 1 : at + 2]):
            yield at, "invisible_character"


def _shapes_its_neighbour(character: str, before: str, after: str) -> bool:
    """Whether `character` changes how the one before it is drawn, as it is meant to."""
    if not before:
        return False
    category = unicodedata.category(before)
    if character in JOINERS:
        # A symbol, its skin tone or selector, a vowel sign, a letter of a script without case.
        return category in ("So", "Sk", "Mn", "Mc", "Lo") or unicodedata.bidirectional(before) in ("AL", "R")
    if "\ufe00" <= character <= "\ufe0f":
        keycap = before in "0123456789#*" and after == "\u20e3"
        return keycap or category in ("So", "Sm", "Lo") or before in EMOJI_TOO
    if "\U000e0100" <= character <= "\U000e01ef":
        return category == "Lo"
    if "\u180b" <= character <= "\u180f" and character != "\u180e":
        return "\u1820" <= before <= "\u18aa"
    return False

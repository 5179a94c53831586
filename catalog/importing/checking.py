"""One node against one rule: returns its value, or None after saying what is wrong."""

import difflib
import re
from decimal import Decimal
from typing import Any

from catalog.importing.documents import Document, Mapping, Node, Text
from catalog.importing.problems import Problems
from catalog.importing.schema import Rule

# Longer numbers are typing errors, and would leave the precision of Decimal; finer ones that of a stored claim.
MAX_DIGITS = 15
MAX_DECIMALS = 9
NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
# What readers of YAML 1.1 take for something else than text: numbers, truth values, nothing, dates, base 60.
NOT_TEXT_ELSEWHERE = re.compile(
    r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?|[-+]?0(?:x[0-9a-f_]+|b[01_]+)|[-+]?\.(?:inf|nan|[0-9]+)"
    r"|[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*|yes|no|on|off|true|false",
    re.IGNORECASE,
)
NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
# YAML 1.1 words for truth values, which hand-written files use. Where a truth value is due they say what they say.
TRUTH = {
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"), False),
}
# Tabs and line ends are allowed in prose only. Escapes ("\0") bring in what YAML forbids in plain sight.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
SINGLE_LINE_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
PROSE = frozenset({"comments", "description", "note", "conflict"})


def value_of(rule: Rule, name: str, node: Node, field: str, problems: Problems, *, group: str = "") -> Any:
    """Return the value of `node` by `rule`: str, Decimal, int or bool; None where it was refused.

    `name` is the key, `field` its path in the document; `group` puts notices together.
    """
    if type(node) is not Text:
        problems.refuse(node.line, field, "wrong_type", f"This has to be one value, not a {kind_of(node)}.")
        return None
    if node.is_plain and node.text in NOTHING:
        problems.refuse(node.line, field, "no_value", "There is no value. Leave the key out where it is unknown.")
        return None
    if rule.type == "string":
        return _text(rule, name, node, field, problems, group)
    if rule.type == "boolean":
        return _truth(node, field, problems, group)
    return _number(rule, node, field, problems)


def _text(rule: Rule, name: str, node: Text, field: str, problems: Problems, group: str) -> str | None:
    text = node.text
    if rule.choices:
        if text in rule.choices:
            return text
        hint = suggestion(text, rule.choices)
        problems.refuse(node.line, field, "not_a_choice", f"{_short(text)} is none of the known values{hint}.")
        return None
    if name in PROSE:
        if bad := CONTROL.search(text.replace("\r\n", "\n")):
            problems.refuse(node.line, field, "control_character", f"The text holds U+{ord(bad[0]):04X}.")
            return None
        text = text.replace("\r\n", "\n")
        if rule.max_length is not None and len(text) > rule.max_length:
            problems.refuse(node.line, field, "too_long", f"{len(text)} characters; {rule.max_length} are allowed.")
            return None
        return text
    if bad := SINGLE_LINE_CONTROL.search(text):
        what = "a line end" if bad[0] in "\r\n" else f"U+{ord(bad[0]):04X}"
        problems.refuse(node.line, field, "control_character", f"The text has to be one line, it holds {what}.")
        return None
    if rule.max_length is not None and len(text) > rule.max_length:
        problems.refuse(node.line, field, "too_long", f"{len(text)} characters; {rule.max_length} are allowed.")
        return None
    if rule.pattern is not None and not rule.pattern.search(text):
        message = f"{_short(text)} does not match {rule.pattern.pattern}."
        problems.refuse(node.line, field, "bad_pattern", message)
        return None
    if node.is_plain and NOT_TEXT_ELSEWHERE.fullmatch(text):
        message = (
            f"Kept as the text {_short(text)}; other readers take it for a number, a date or a truth value: quote it."
        )
        problems.notice(node.line, field, "kept_as_text", message, group=group or field)
    return text


def _truth(node: Text, field: str, problems: Problems, group: str) -> bool | None:
    value = TRUTH.get(node.text) if node.is_plain else None
    if value is None:
        problems.refuse(node.line, field, "wrong_type", f"{_short(node.text)} is not true or false (without quotes).")
    elif node.text.lower() not in ("true", "false"):
        message = f"Read {node.text} as {str(value).lower()}; write {str(value).lower()}."
        problems.notice(node.line, field, "truth_word", message, group=group or field)
    return value


def _number(rule: Rule, node: Text, field: str, problems: Problems) -> Decimal | int | None:
    value = number_of(node, field, problems)
    if value is None:
        return None
    if rule.choices and value not in rule.choices:
        known = ", ".join(str(choice) for choice in rule.choices)
        problems.refuse(node.line, field, "not_a_choice", f"{value} is none of {known}.")
    elif rule.minimum is not None and value < rule.minimum:
        code = "negative" if value < 0 else "too_small"
        problems.refuse(node.line, field, code, f"{value} is less than {rule.minimum}.")
    elif rule.multiple_of is not None and value % rule.multiple_of:
        if rule.multiple_of == Decimal("0.5"):
            message = (
                f"{value} is not in steps of half a rack unit. Describe a device that fills a part of a unit "
                "as a child (subdevice_role: child, u_height: 0) in a bay of a parent of whole or half units."
            )
            problems.refuse(node.line, field, "not_half_u", message)
        else:
            problems.refuse(node.line, field, "not_a_multiple", f"{value} is no multiple of {rule.multiple_of}.")
    elif rule.type == "integer":
        if value == value.to_integral_value():
            return int(value)
        problems.refuse(node.line, field, "wrong_type", f"{value} is not a whole number.")
    else:
        return value
    return None


def number_of(node: Text, field: str, problems: Problems) -> Decimal | None:
    """Return the decimal that `node` spells in plain digits, exactly as written; None where it was refused."""
    text = node.text
    if not node.is_plain:
        problems.refuse(
            node.line, field, "wrong_type", f"{_short(text)} stands in quotes; write a number without them."
        )
    elif not NUMBER.fullmatch(text):
        # 010 is eight in YAML 1.1 and ten in 1.2, 1e3 is text in the one and a thousand in the other.
        problems.refuse(node.line, field, "not_a_number", f"{_short(text)} is not a number in plain decimal digits.")
    elif len(text) > MAX_DIGITS:
        problems.refuse(node.line, field, "too_long", f"A number of {len(text)} characters; {MAX_DIGITS} are allowed.")
    elif len(text.partition(".")[2]) > MAX_DECIMALS:
        problems.refuse(node.line, field, "too_long", f"{text} has more than {MAX_DECIMALS} decimals.")
    else:
        return Decimal(text) + 0  # “-0” is 0.
    return None


def refuse_faults(document: Document, problems: Problems) -> None:
    """Pass on what is wrong with the YAML of `document` itself."""
    for fault in document.faults:
        problems.refuse(*fault)


def kind_of(node: Node) -> str:
    return "value" if type(node) is Text else "mapping" if type(node) is Mapping else "list"


def suggestion(word: str, known: tuple[str, ...] | list[str]) -> str:
    """Return `; did you mean …?` without the question mark, or an empty text."""
    close = difflib.get_close_matches(word.replace("-", "_"), known, n=1) or difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]}" if close else ""


def _short(text: str) -> str:
    text = text if len(text) <= 60 else text[:57] + "…"
    return f"“{text}”"

"""What an import says at its end, line by line."""

from collections import Counter
from collections.abc import Iterator

from catalog.importing.reading import Reading
from catalog.importing.storing import Outcome

# Remarks that are shown without asking for more; the whole library has about ninety.
FEW = 20


def report(reading: Reading, outcome: Outcome, *, dry_run: bool, in_full: bool) -> Iterator[str]:
    """Yield the lines: what was read, left out, remarked on, different, refused, and what was done."""
    yield (
        f"Read {_count(reading.file_count, 'file')}: {_count(len(reading.devices), 'device type')}, "
        f"{_count(len(reading.modules), 'module type')}, {_count(len(reading.racks), 'rack type')}."
    )
    if components := reading.component_counts():
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(components.items()))
        yield f"Components: {kinds}."
    if reading.skipped:
        yield "Left out: " + ", ".join(f"{what} ({count})" for what, count in reading.skipped.items()) + "."
    yield from _remarks(outcome, in_full)
    if outcome.plan.changes:
        written = outcome.plan.update and outcome.is_written
        yield "Changed by the files:" if written else "Different in the files; --update writes it:"
        yield from (f"  {change}" for change in outcome.plan.changes)
    if outcome.refusals:
        yield "Refused:"
        yield from (f"  {refusal}" for refusal in outcome.refusals)
    yield _ending(outcome, dry_run)


def _remarks(outcome: Outcome, in_full: bool) -> Iterator[str]:
    if not outcome.notices:
        return
    if in_full or len(outcome.notices) <= FEW:
        yield "Remarks:"
        yield from (f"  {notice}" for notice in outcome.notices)
        return
    codes = Counter(notice.code for notice in outcome.notices)
    kinds = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
    yield f"Remarks: {kinds}. Add --verbosity 2 to see each."


def _ending(outcome: Outcome, dry_run: bool) -> str:
    written = ", ".join(f"{count:,} {what}" for what, count in outcome.plan.written().items())
    if not written:
        return "Nothing to write: the catalogue has all of it."
    if outcome.is_written:
        return f"Written: {written}."
    if dry_run:
        return f"Nothing was written (--dry-run). It would be: {written}."
    return f"Nothing was written. It would have been: {written}. --keep-going imports what is right."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"

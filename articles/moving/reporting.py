"""The report of a run: by item and line, as text and as JSON. A run that wrote nothing has an empty one."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from articles.moving.items import Notice
from articles.moving.messages import MESSAGES, REASONS
from articles.moving.naming import key_of_picture
from articles.moving.pictures import plain_caption
from articles.moving.plans import Planned
from articles.moving.results import Result

LONGEST_NEAR, LONGEST_DROPPED = 80, 2_000
TOLD = ("created", "changed", "kept")


def as_json(result: Result) -> dict[str, Any]:
    """Return the report as JSON.

    `items` have source, action, as, slug, title, dek, published_at, publish_at, authors, section, tags, redirects,
    images and warnings, or only the reason of a skip. Instants are UTC. A place is `line`, or `path` in the JSON.
    """
    return {
        "source": result.plan.export.site.kind,
        "site": result.plan.export.site.address,
        "dry_run": result.is_dry_run,
        "counts": dict(counts(result)),
        "pictures_supplied": list(result.supplied),
        "items": [item_json(one, result) for one in told(result)],
    }


def told(result: Result) -> Iterator[Planned]:
    """Yield the items that a report names: what came, and what was skipped while anything came."""
    any_came = any(action in TOLD for action in result.actions.values())
    for one in result.plan.items:
        action = result.actions[one.item.source_id]
        if action in TOLD or (action in ("skipped", "deleted") and any_came):
            yield one


def counts(result: Result) -> Counter[str]:
    """Return how many items ended how: published, draft, changed, kept, unchanged, skipped."""
    counter: Counter[str] = Counter()
    for one in result.plan.items:
        action = result.actions[one.item.source_id]
        counter[one.state if action == "created" else "skipped" if action == "deleted" else action] += 1
    return counter


def item_json(one: Planned, result: Result) -> dict[str, Any]:
    action = result.actions[one.item.source_id]
    if action in ("skipped", "deleted"):
        return {
            "source": one.item.label,
            "action": "skipped",
            "as": "skipped",
            "reason": one.reason,
            "title": one.title,
            "warnings": [notice_json(notice) for notice in result.notices[one.item.source_id]],
        }
    given = result.plan.names.given
    images: dict[str, dict[str, Any]] = {}
    for name, picture in one.pictures:
        key = key_of_picture(picture)
        image = images.setdefault(
            key, {"file": key, "name": name, "alt": "", "caption": "", "found": given[key][1] == "found"}
        )
        image["alt"] = image["alt"] or picture.alt
        image["caption"] = image["caption"] or plain_caption(picture.caption)
    item = one.item
    is_published = one.state == "published"
    return {
        "source": item.label,
        "action": action,
        "as": one.state,
        "slug": one.slug,
        "title": one.title,
        "dek": one.dek,
        "published_at": item.published_at.isoformat() if is_published and item.published_at else None,
        "publish_at": item.publish_at.isoformat() if item.publish_at else None,
        "authors": list(dict.fromkeys(result.bylines[person.key].slug for person in item.authors)),
        "section": one.section,
        "tags": [tag.name for tag in item.tags],
        "redirects": list(one.paths),
        "images": list(images.values()),
        "warnings": [notice_json(notice) for notice in result.notices[item.source_id]],
    }


def notice_json(notice: Notice) -> dict[str, Any]:
    place = notice.place
    found: dict[str, Any] = {"code": notice.code}
    if place.line:
        found["line"] = place.line
    if place.path:
        found["path"] = place.path
    if near := _one_line(place.near, LONGEST_NEAR):
        found["near"] = near
    if notice.dropped:
        found["dropped"] = notice.dropped[:LONGEST_DROPPED]
    return found


def as_text(result: Result, *, file: str) -> Iterator[str]:
    """Yield the lines of the report: each item with its notices, then the sum."""
    for one in told(result):
        action = result.actions[one.item.source_id]
        if action in ("skipped", "deleted"):
            reason = REASONS.get(one.reason, one.reason)
            yield f"{one.item.label}: skipped, {reason}" + (f" ({one.title})" if one.title else "")
        else:
            state = {"created": one.state, "changed": "new draft", "kept": "kept as it is here"}[action]
            yield f"{one.item.label}: {state}, {one.slug}, “{one.title}”"
        for notice in result.notices[one.item.source_id]:
            place = f"{file}:{notice.place.line}" if notice.place.line else notice.place.path or file
            near = _one_line(notice.place.near, LONGEST_NEAR)
            message = MESSAGES.get(notice.code) or notice.dropped or notice.code
            yield f"  {place}: {notice.code}: {message}" + (f" {near}" if near else "")
            if notice.dropped and notice.code in MESSAGES:
                yield f"    left out: {_one_line(notice.dropped, LONGEST_DROPPED)}"
    for name in result.supplied:
        yield f"{name}: the file of this picture came now"
    if result.writes:
        sums = ", ".join(f"{number:,} {what}" for what, number in counts(result).items())
        yield f"{sums}." + (" Nothing was written: this was a dry run." if result.is_dry_run else "")
    else:
        yield "Nothing to write: all of it is here already."


def _one_line(text: str, longest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"

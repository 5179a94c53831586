"""Sections, rungs, sources, facts, installations, scenarios and pictures."""

from pathlib import Path
from typing import Any

from articles.importing.fields import Fields
from articles.importing.records import Claim, Fact, Installation, Picture, Rung, Scenario, Section, Source
from catalog.models import Installation as InstallationModel
from core.facts import models
from core.media.uploads import ENDINGS
from simulator.about import KIND_NAMES

SECTION_KEYS = ("slug", "name", "description")
RUNG_KEYS = ("slug", "name", "description", "min_w", "max_w")
SOURCE_KEYS = ("slug", "title", "publisher", "dated", "address", "licence")
FACT_KEYS = ("slug", "label", "subject", "field", "claims")
CLAIM_KEYS = ("value", "unit", "claim_kind", "dated", "confidence", "source", "note", "chosen")
INSTALLATION_KEYS = ("slug", "name", "operator", "country", "place", "status", "rung", "description", "facts")
SCENARIO_KEYS = ("slug", "title", "description", "kind", "input")
PICTURE_KEYS = ("name", "alt", "credit", "licence")
# Those that an editor may upload. A drawing in SVG can hold scripts, so it is not taken.
PICTURE_SUFFIXES = tuple(f".{ending}" for endings in ENDINGS.values() for ending in sorted(endings))


def read_section(entry: Fields) -> Section:
    return Section(
        place=entry.place,
        slug=entry.slug("slug", required=True),
        name=entry.text("name", longest=80, required=True),
        description=entry.text("description", longest=2000),
    )


def read_rung(entry: Fields) -> Rung | None:
    min_w, max_w = entry.number("min_w"), entry.number("max_w")
    if min_w is None or max_w is None:
        return None
    if not 0 < min_w < max_w:
        entry.refuse("max_w", "range_falls", f"The range from {min_w} to {max_w} W does not rise.")
    return Rung(
        place=entry.place,
        slug=entry.slug("slug", required=True),
        name=entry.text("name", longest=80, required=True),
        description=entry.text("description", longest=2000),
        min_w=min_w,
        max_w=max_w,
    )


def read_source(entry: Fields) -> Source:
    address = entry.text("address", longest=500)
    if address and not address.startswith(("https://", "http://")):
        entry.refuse("address", "not_an_address", "An address begins with https:// (or http://).")
    return Source(
        place=entry.place,
        slug=entry.slug("slug", required=True),
        title=entry.text("title", longest=400, required=True),
        publisher=entry.text("publisher", required=True),
        dated=entry.text("dated", longest=60, required=True),
        address=address,
        licence=entry.text("licence", longest=80),
    )


def read_fact(entry: Fields, *, of: tuple[str, str] | None = None) -> Fact:
    """Return a fact; one of an installation `of` a kind and slug takes its slug from both."""
    field = entry.slug("field", required=True)
    if len(field) > 60:
        entry.refuse("field", "too_long", f"{len(field)} characters; 60 are allowed.")
    if of is None:
        slug, subject = entry.slug("slug", required=True), _subject(entry)
    else:
        slug, subject = f"{of[1]}-{field}".replace("_", "-"), of
    parts = entry.mappings("claims", CLAIM_KEYS)
    claims = [claim for part in parts if (claim := _claim(part)) is not None]
    chosen = sum(claim.is_chosen for claim in claims)
    if not parts:
        entry.refuse("claims", "required", "A fact needs at least one claim.")
    elif chosen != 1 and len(claims) == len(parts):  # Of a refused claim it is not known.
        entry.refuse("claims", "chosen_once", f"{chosen} claims are chosen; write chosen: true at exactly one.")
    keys = {(claim.source, claim.claim_kind, claim.value, claim.unit) for claim in claims}
    if len(keys) < len(claims):
        entry.refuse("claims", "twice", "Two claims say the same by the same source. Delete one.")
    return Fact(entry.place, slug, entry.text("label", required=True), subject, field, tuple(claims))


def _subject(entry: Fields) -> tuple[str, str] | None:
    part = entry.mapping("subject", ("kind", "slug"))
    if part is None:
        return None
    kind = part.choice("kind", models.Fact.SubjectKind.values[1:], required=True)
    slug = part.slug("slug", required=True, kind=kind)
    return (kind, slug) if kind and slug else None


def _claim(part: Fields) -> Claim | None:
    value = part.number("value")
    if value is None:
        return None
    return Claim(
        value=value,
        unit=part.text("unit", longest=20),
        claim_kind=part.choice("claim_kind", models.Claim.ClaimKind.values, default="stated"),
        dated=part.text("dated", longest=60),
        confidence=part.choice("confidence", models.Claim.Confidence.values, required=True),
        source=part.slug("source", required=True, kind="source"),
        note=part.text("note", longest=400),
        is_chosen=part.truth("chosen"),
    )


def read_installation(entry: Fields) -> Installation:
    slug = entry.slug("slug", required=True)
    return Installation(
        place=entry.place,
        slug=slug,
        name=entry.text("name", required=True),
        operator=entry.text("operator"),
        country=entry.text("country", longest=2),
        place_name=entry.text("place"),
        status=entry.choice("status", InstallationModel.Status.values),
        rung=entry.slug("rung", kind="rung"),
        description=entry.text("description", longest=4000),
        facts=tuple(
            read_fact(part, of=("installation", slug)) for part in entry.mappings("facts", ("label", "field", "claims"))
        ),
    )


def read_scenario(entry: Fields) -> Scenario:
    """Return a scenario. What its input means is for the simulator; here only what a rack is made of is looked for."""
    kind = entry.choice("kind", KIND_NAMES, default="rack")
    data: Any = entry.plain("input")
    inputs = entry.mapping("input", data if isinstance(data, dict) else ())
    if inputs is not None and kind == "rack":
        for item in inputs.mappings("items", ("device", "quantity")):
            item.slug("device", required=True, kind="device")
        rack = inputs.mapping("rack", data["rack"] if isinstance(data.get("rack"), dict) else ())
        if rack is not None:
            rack.slug("type", kind="rack_type")
    return Scenario(
        place=entry.place,
        slug=entry.slug("slug", required=True),
        title=entry.text("title", required=True),
        description=entry.text("description", longest=2000),
        kind=kind,
        input=data if isinstance(data, dict) else {},
    )


def read_picture(entry: Fields, *, folder: Path) -> Picture | None:
    name = entry.text("name", longest=120, required=True)
    if not name:
        return None
    file = folder / name
    if "/" in name or "\\" in name or name.startswith("."):
        entry.refuse("name", "not_a_name", "This has to be the name of a file, without folders.")
        return None
    if not name.lower().endswith(PICTURE_SUFFIXES):
        entry.refuse("name", "kind_of_picture", f"Pictures of these kinds are taken: {', '.join(PICTURE_SUFFIXES)}.")
        return None
    if file.is_symlink() or not file.is_file():
        entry.refuse("name", "no_file", f"There is no file {folder.name}/{name}. Add it, or correct the name.")
        return None
    alt = entry.text("alt", longest=400, required=True)
    credit, licence = entry.text("credit"), entry.text("licence", longest=80)
    return Picture(entry.place, name, file, alt, credit, licence)

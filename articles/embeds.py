"""Scenarios in the HTML of a preview: front-ends put their own in their place, a preview shows their pictures."""

import re
from collections.abc import Mapping
from re import Match

from django.urls import reverse

from simulator.models import Scenario

_EMBED = re.compile(r'<div class="(rack|ladder)" data-scenario="([\w-]+)">')


def show_scenarios(html: str, kinds: Mapping[str, str] | None = None) -> str:
    """Return `html` with the picture of each scenario that it shows as what it is.

    `kinds` are those of the scenarios by slug, where they are at hand; else they cost one statement if there are any.
    """
    slugs = {found[2] for found in _EMBED.finditer(html)}
    if not slugs:
        return html
    known = dict(Scenario.objects.filter(slug__in=slugs).values_list("slug", "kind")) if kinds is None else kinds

    def shown(found: Match[str]) -> str:
        name, slug = found[1], found[2]
        if known.get(slug) != name:
            return found[0]
        address = reverse(f"scenario-picture-{name}-svg", args=[slug])
        return f'{found[0]}\n<img class="scenario" src="{address}" alt="The {name} {slug}" loading="lazy">'

    return _EMBED.sub(shown, html)

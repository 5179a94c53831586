"""How facts change. What shows a fact's value elsewhere (a device's columns) follows in the same transaction."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction

from core.facts.models import Claim, Fact
from core.facts.units import UnitError, as_decimal, convert

Follower = Callable[[list[UUID]], object]
_followers: dict[str, Follower] = {}


def follow(subject_kind: str, follower: Follower) -> None:
    """Call `follower` with the ids of subjects of `subject_kind` whose facts changed; an app asks when ready."""
    _followers[subject_kind] = follower


_RANK = {Claim.Confidence.VERIFIED: 0, Claim.Confidence.REPORTED: 1, Claim.Confidence.UNVERIFIED: 2}


def best_claim(claims: Iterable[Claim]) -> Claim | None:
    """Return the claim that is used until an editor chooses: the most confident, of these the oldest."""
    return min(
        claims, key=lambda claim: (_RANK[Claim.Confidence(claim.confidence)], claim.created_at, claim.pk), default=None
    )


@transaction.atomic
def choose_claim(fact: Fact, claim: Claim) -> Fact:
    """Let quantities and the simulator use `claim` from now on. Raises ValidationError `other_fact`."""
    if claim.fact_id != fact.pk:
        raise ValidationError({"chosen": ValidationError("This claim is about another fact.", code="other_fact")})
    fact = Fact.objects.select_for_update().get(pk=fact.pk)
    fact.chosen = claim
    fact.is_chosen_by_hand = True
    fact.save(update_fields=["chosen", "is_chosen_by_hand"])
    notify([fact])
    return fact


@transaction.atomic
def unchoose_claim(fact: Fact) -> Fact:
    """Let the best claim of `fact` be used again instead of the one that an editor chose, and return the fact."""
    fact = Fact.objects.select_for_update().get(pk=fact.pk)
    fact.chosen = None
    fact.is_chosen_by_hand = False
    fact.save(update_fields=["chosen", "is_chosen_by_hand"])
    settle_choices([fact])
    return fact


@transaction.atomic
def settle_choices(facts: Iterable[Fact]) -> None:
    """Choose the best claim of each fact that no editor chose for, and let what follows the facts follow.

    Call it after claims were added, changed or removed. Three statements at most besides those of the followers.
    """
    facts = list(facts)
    by_fact: dict[UUID, list[Claim]] = {fact.pk: [] for fact in facts}
    for claim in Claim.objects.filter(fact__in=facts):
        by_fact[claim.fact_id].append(claim)
    changed = []
    for fact in facts:
        best = best_claim(by_fact[fact.pk])
        best_id = best.pk if best is not None else None
        if not (fact.is_chosen_by_hand and fact.chosen_id is not None) and fact.chosen_id != best_id:
            fact.chosen_id = best_id
            changed.append(fact)
    if changed:
        Fact.objects.bulk_update(changed, ["chosen"], batch_size=500)
    notify(facts)


def notify(facts: Iterable[Fact]) -> None:
    """Tell the followers of each kind of subject which of theirs have facts that changed."""
    touched: dict[str, set[UUID]] = {}
    for fact in facts:
        if fact.subject_id is not None:
            touched.setdefault(fact.subject_kind, set()).add(fact.subject_id)
    for kind, ids in touched.items():
        if kind in _followers:
            _followers[kind](sorted(ids))


def value_in(claim: Claim, unit: str) -> Decimal:
    """Return the value of `claim` in `unit` (as written where one has none). Raises ValidationError `unit_mismatch`."""
    if not claim.unit or not unit:
        return claim.value
    try:
        return as_decimal(convert(claim.value, claim.unit, unit), places=12)
    except UnitError as error:
        raise ValidationError({"unit": ValidationError(str(error), code="unit_mismatch")}) from error

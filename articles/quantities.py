"""The quantities of editions: what was frozen, and beside it what the record says today.

What was frozen never moves. Today's value is read when it is asked for, in the same statement: so it is right whatever
wrote it, and there is nothing to keep in step.
"""

from typing import Any, Self

from django.db import models
from django.db.models import Case, F, Func, Q, Value, When
from django.db.models.functions import Coalesce

NUMBER = models.DecimalField(max_digits=70, decimal_places=24)
TEXT = models.TextField()


class BoundQuantityQuerySet(models.QuerySet):
    def today(self) -> Self:
        """Annotate quantities with what their records say now, whatever instant the edition is asked for.

        `now_value` (null where the record says nothing any more), `now_unit`, `now_measures`, `now_base`, `now_dated`,
        `now_confidence`, `now_claim_kind`, `now_source_id`, `now_source`; `is_stale`: it is another quantity, compared
        exactly, so that 0.7 kW is 700 W; `is_source_changed`: it is the same quantity, but another source, date, kind
        or confidence.
        """
        is_computed = Q(scenario__isnull=False)
        number = Func(F("scenario__result"), F("field"), function="articles_report_number", output_field=NUMBER)

        def either(computed: Any, claimed: Any) -> Case:
            return Case(When(is_computed, then=computed), default=claimed)

        def claimed(name: str) -> Coalesce:
            return Coalesce(f"fact__chosen__{name}", Value(""))

        is_same = Q(measures=F("now_measures"), base_value=F("now_base"))
        is_same_claim = is_computed | Q(
            source=F("now_source_id"), dated=F("now_dated"), claim_kind=F("now_claim_kind"),
            confidence=F("now_confidence"),
        )  # fmt: skip
        in_base = Func(number, F("unit"), function="facts_in_base", output_field=NUMBER)
        return self.annotate(
            now_value=either(number, F("fact__chosen__value")),
            now_unit=either(F("unit"), claimed("unit")),
            now_measures=either(F("measures"), claimed("measures")),
            now_base=either(in_base, F("fact__chosen__base_value")),
            now_dated=claimed("dated"),
            now_confidence=claimed("confidence"),
            now_claim_kind=either(F("claim_kind"), claimed("claim_kind")),
            now_source_id=F("fact__chosen__source_id"),
            now_source=F("fact__chosen__source__slug"),
        ).annotate(
            is_stale=Case(When(is_same, then=Value(False)), default=Value(True)),
            is_source_changed=Case(When(is_same & ~is_same_claim, then=Value(True)), default=Value(False)),
        )

    def of_live(self, at: Any) -> Self:
        """Return the quantities of the editions that readers see at `at`."""
        editions: Any = self.model._meta.get_field("edition").related_model
        return self.filter(edition__in=editions._default_manager.visible(at))

    def stale(self) -> Self:
        """Return those whose records say something else today, annotated by `today` and by `is_kept`.

        `is_kept`: an editor said, of just what the record says now, that the published value stays.
        """
        is_kept = Q(kept__base_value=F("now_base"), kept__measures=F("now_measures")) | Q(
            kept__isnull=False, kept__base_value__isnull=True, now_base__isnull=True
        )
        return (
            self.today()
            .filter(is_stale=True)
            .annotate(is_kept=Case(When(is_kept, then=Value(True)), default=Value(False)))
        )

    def moved(self, at: Any) -> Self:
        """Return the quantities of what readers see at `at` that moved, and that nobody let stand."""
        return self.of_live(at).stale().filter(is_kept=False)


REPORT_NUMBER = """
-- A number of a scenario's report by its name, wherever it stands, to the places that are kept; null: unknown.
create function articles_report_number(p_report jsonb, p_name text) returns numeric
language sql immutable parallel safe as $$
    select round((part.value ->> p_name)::numeric, 15)
    from jsonb_each(p_report) as part
    where jsonb_typeof(part.value) = 'object'
      and (jsonb_typeof(part.value -> p_name) = 'number'
           or part.value ->> p_name ~ '^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,3})?$')
    limit 1
$$;
"""

REPORT_NUMBER_OF_ANY_KIND = """
-- A number of a scenario's report by its name, to the places that are kept: in a section, at the top or by a path, in
-- the trace. Null: unknown. It finds what told_number() of the simulator does.
create or replace function articles_report_number(p_report jsonb, p_name text) returns numeric
language sql immutable parallel safe as $$
    select round(coalesce(
        (select articles_as_number(part.value -> p_name) from jsonb_each(p_report) as part
         where jsonb_typeof(part.value) = 'object' and articles_as_number(part.value -> p_name) is not null limit 1),
        articles_as_number(p_report #> string_to_array(p_name, '.')),
        (select articles_as_number(entry -> 'value')
         from jsonb_path_query(p_report, '$.trace[*] ? (@.quantity == $name)', jsonb_build_object('name', p_name)) entry
         limit 1)
    ), 15)
$$;
"""

AS_NUMBER = """
create function articles_as_number(p_value jsonb) returns numeric language sql immutable parallel safe as $$
    select (p_value #>> '{}')::numeric
    where jsonb_typeof(p_value) = 'number'
       or (jsonb_typeof(p_value) = 'string' and p_value #>> '{}' ~ '^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,3})?$')
$$;
"""

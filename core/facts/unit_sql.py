"""The table of units as functions of PostgreSQL: it compares and shows quantities as `core/facts/units.py` does.

A migration makes them first. Who adds a unit changes the table in `units.py` and no more: the next `migrate` makes the
functions again, and the stored values in base units follow (`core/api/in_database.py`).
"""

from decimal import Decimal

from core.facts.units import SCALES, SYSTEMS, UNITS, as_decimal

PLACES = 24
"""Places of a value in base units: nine of a claim, and what the finest factor adds to them."""


def factor(name: str) -> Decimal:
    """Return how many of the base unit one of `name` is, exactly. Raises ValueError where no decimal says so."""
    exact = UNITS[name].in_base
    value = as_decimal(exact, places=PLACES)
    if value != exact:
        raise ValueError(f"{name} is no finite number of its base unit; choose another base.")
    return value.normalize()


def _cases(pairs: dict[str, str]) -> str:
    return "case p_unit " + " ".join(f"when '{name}' then {result}" for name, result in pairs.items())


def _in_system(system: str) -> str:
    return _cases({name: f"'{target}'" for name, target in SYSTEMS[system].items()}) + " else p_unit end"


def _scaled() -> str:
    """Return the branches that show a quantity in the largest unit of its scale that leaves a 1 before the point."""
    branches = []
    for scale in SCALES:
        names = ", ".join(f"'{name}'" for name in scale)
        for larger in reversed(scale):
            scaled = f"round(facts_in_base(v_value, v_unit) / {factor(larger):f}, 9)"
            branches.append(
                f"when v_unit in ({names}) and abs({scaled}) >= 1 then facts_plain({scaled}) || ' {larger}'"
            )
    return "\n            ".join(branches)


UNIT_FUNCTIONS = f"""
-- What a unit measures; one that is unknown measures itself.
create or replace function facts_measures(p_unit text) returns text language sql immutable parallel safe as $$
    select {_cases({name: f"'{unit.measures}'" for name, unit in UNITS.items()})} else p_unit end
$$;
-- A value in the base unit of what its unit measures, exactly: two quantities are one where both functions agree.
create or replace function facts_in_base(p_value numeric, p_unit text) returns numeric
language sql immutable parallel safe as $$
    select p_value * {_cases({name: f"{factor(name):f}" for name in UNITS})} else 1 end
$$;
-- The unit that one becomes in a system of units: 'si', 'us', or '' for as it is.
create or replace function facts_shown_unit(p_unit text, p_system text) returns text
language sql immutable parallel safe as $$
    select case p_system when 'us' then {_in_system("us")} when 'si' then {_in_system("si")} else p_unit end
$$;
-- A value in that unit, with as many significant digits as were stated.
create or replace function facts_shown_value(p_value numeric, p_unit text, p_system text) returns numeric
language plpgsql immutable parallel safe as $$
declare
    v_target text := facts_shown_unit(p_unit, p_system);
    v_value numeric;
    v_digits integer;
begin
    if v_target = p_unit or p_value = 0 then
        return trim_scale(p_value);
    end if;
    v_value := facts_in_base(p_value, p_unit) * 1e20 / facts_in_base(1, v_target) / 1e20;
    v_digits := length(ltrim(replace(abs(trim_scale(p_value))::text, '.', ''), '0'));
    return trim_scale(round(v_value, v_digits - 1 - floor(log(abs(v_value)))::integer));
end $$;
create or replace function facts_plain(p_value numeric) returns text language sql immutable parallel safe as $$
    select rtrim(to_char(p_value, 'FM999,999,999,999,999,999,999,999,999,990.999999999999999'), '.')
$$;
-- A quantity as people read it.
create or replace function facts_text(p_value numeric, p_unit text, p_system text) returns text
language plpgsql immutable parallel safe as $$
declare
    v_unit text := facts_shown_unit(p_unit, p_system);
    v_value numeric := facts_shown_value(p_value, p_unit, p_system);
begin
    return case
            {_scaled()}
            else rtrim(facts_plain(v_value) || ' ' || replace(v_unit, 'm3/', 'm³/')) end;
end $$;
"""

DROP_UNIT_FUNCTIONS = """
drop function facts_text(numeric, text, text);
drop function facts_plain(numeric);
drop function facts_shown_value(numeric, text, text);
drop function facts_shown_unit(text, text);
drop function facts_in_base(numeric, text);
drop function facts_measures(text);
"""

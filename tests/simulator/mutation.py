"""Mutation testing of the engine: small wrong changes, each of which the quick tests must notice.

    python -m tests.simulator.mutation --sample 200      a sample, the same for the same --seed
    python -m tests.simulator.mutation --sample 0        all of them
    ... --sample 0 --only hall/,fabric/                  all of these files
    ... --sample 0 --part 3/12                           every twelfth, beginning with the third

A mutant is one changed node of one function: an operator, a comparison, a constant, a sign, a unit, a condition, min
for max.
Each runs in a process of its own, forked from one that has imported pytest and nothing of the engine; a loader hands
it the changed module. Texts (formulas, sources, messages) and the bounds of ranges are left alone.
Why not mutmut or cosmic-ray: they start pytest anew for each mutant, with this project's database; a fork starts in
a tenth of a second.

What no test can notice is listed with its reason in `equivalent_mutants`, run all the same, and counted apart.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import random
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from tests.simulator.equivalent_mutants import EQUIVALENT

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "simulator" / "engine"
QUICK = (
    "test_checkpoint_intervals",
    "test_columns",
    "test_coolants",
    "test_defaults",
    "test_devices",
    "test_edges",
    "test_factors_of_campuses",
    "test_factors_of_fabrics",
    "test_factors_of_halls",
    "test_factors_of_layers",
    "test_factors_of_plant",
    "test_factors_of_reliability",
    "test_factors_of_storage",
    "test_factors_of_supply",
    "test_filling",
    "test_swept_counts",
    "test_swept_numbers",
    "test_units",
    "test_tables",
    "test_table_layers",
    "test_layers",
    "test_numbers",
    "test_outcomes",
    "test_ranges",
    "test_rack_limits",
    "test_rack",
    "test_cooling",
    "test_electrical",
    "test_space",
    "test_throttle",
    # Laws take longest, so that only what all others let pass comes to them.
    "test_sweeps",
    "test_laws",
    "test_layer_laws",
    "test_scaling_laws",
)
# What reads rows and inputs is no formula; its own tests hold it.
LEFT_OUT = ("validation/", "__init__.py", "layer_list.py", "reader.py", "reading.py", "reading_layers.py")
TEXTS = {"Quantity", "Range", "Notice", "Problem", "Parameter", "range"}
PLUGINS_LEFT_OUT = ("django", "cacheprovider", "randomly", "xdist", "unraisableexception", "threadexception")
SECONDS = 60

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Pow: ast.Mult, ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """The change number `index` of a file; what it is, and the changed module, are made when they are asked for."""

    file: str
    index: int

    def made(self) -> tuple[str, str]:
        """Return what is changed into what, with its line, and the source of the changed module."""
        tree = ast.parse((ENGINE / self.file).read_text())
        node, change = list(_changes(tree))[self.index]
        was = _told(node)
        change(node)
        return f"{self.file}:{_line(node)} {was} -> {_told(node)}", ast.unparse(tree)

    def key(self) -> tuple[str, str, str]:
        """Return the file, the line as it is written, and the change: what `EQUIVALENT` knows it by."""
        return _keys(self.file)[self.index]


@cache
def _keys(file: str) -> list[tuple[str, str, str]]:
    """Return what each mutant of a file is known by, all at one reading of it."""
    text = (ENGINE / file).read_text()
    lines = text.splitlines()
    found = []
    for node, change in _changes(ast.parse(text)):
        twin = copy.deepcopy(node)
        change(twin)
        found.append((file, lines[_line(node) - 1].strip(), f"{_told(node)} -> {_told(twin)}"))
    return found


def _told(node: ast.AST) -> str:
    """Return a node as it is written; of a statement only what is asked, and not what is done then."""
    return ast.unparse(node).partition("\n")[0].strip()


def _line(node: ast.AST) -> int:
    line: int = (node.target if isinstance(node, ast.comprehension) else node).lineno  # type: ignore[attr-defined]
    return line


def _changes(tree: ast.Module) -> Iterator[tuple[ast.AST, Callable[[Any], object]]]:
    for node in _code(tree):
        if isinstance(node, ast.BinOp) and type(node.op) in _SWAPS and not _is_text(node):
            yield node, lambda twin: setattr(twin, "op", _SWAPS[type(twin.op)]())
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
            yield node, lambda twin: twin.ops.__setitem__(0, _SWAPS[type(twin.ops[0])]())
            if len(node.ops) > 1 and type(node.ops[1]) in _SWAPS:
                yield node, lambda twin: twin.ops.__setitem__(1, _SWAPS[type(twin.ops[1])]())
        elif isinstance(node, ast.BoolOp):
            yield node, lambda twin: setattr(twin, "op", _SWAPS[type(twin.op)]())
        elif isinstance(node, ast.IfExp) or (isinstance(node, ast.If | ast.While) and _is_whole(node.test)):
            yield node, lambda twin: setattr(twin, "test", _not(twin.test))
        elif isinstance(node, ast.comprehension) and node.ifs and _is_whole(node.ifs[0]):
            yield node, lambda twin: twin.ifs.__setitem__(0, _not(twin.ifs[0]))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield node, lambda twin: setattr(twin, "op", ast.UAdd())
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("min", "max"):
                yield node, lambda twin: setattr(twin.func, "id", {"min": "max", "max": "min"}[twin.func.id])
            elif node.func.id == "convert":
                yield node, lambda twin: twin.args.__setitem__(slice(1, 3), twin.args[2:0:-1])
        elif isinstance(node, ast.Constant) and _is_number(node.value):
            yield node, lambda twin: setattr(twin, "value", _other(twin.value))


def _is_whole(test: ast.expr) -> bool:
    """Say whether a condition is no comparison, which has mutants of its own."""
    return not isinstance(test, ast.Compare | ast.BoolOp)


def _not(test: ast.expr) -> ast.expr:
    is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    return test.operand if is_not else ast.UnaryOp(ast.Not(), test)  # type: ignore[attr-defined]


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Give the nodes whose change is a wrong calculation; nothing of texts, ranges and types."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id in TEXTS:
            continue
        if isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom):
            continue
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.keyword) and child.arg == "strict":
            continue  # A guard of `zip`, which decides nothing where both are as long.
        if isinstance(child, ast.AnnAssign | ast.arg) and not getattr(child, "value", None):
            continue
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == "Decimal":
            yield from (each for each in child.args if isinstance(each, ast.Constant))
            continue
        if isinstance(child, ast.FunctionDef):
            # Annotations (`Decimal | None`) are BinOps that compute nothing.
            for part in (*child.args.defaults, *child.args.kw_defaults, *child.body):
                if part is not None:
                    yield from _code(ast.Module([ast.Expr(part)] if isinstance(part, ast.expr) else [part], []))
            continue
        if isinstance(child, ast.ClassDef):
            # `@dataclass(frozen=True)` computes nothing either.
            yield from _code(ast.Module(child.body, []))
            continue
        if isinstance(child, ast.AnnAssign):
            assert child.value is not None
            yield from _code(ast.Module([ast.Expr(child.value)], []))
            continue
        yield child
        yield from _code(child)


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in ast.walk(node))


def _is_number(value: object) -> bool:
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return True
    if isinstance(value, str):
        try:
            return Decimal(value).is_finite()
        except InvalidOperation:
            return False
    return False


def _other(value: object) -> object:
    """Return another constant: the other truth, the next number, a decimal that is a tenth larger."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return str(Decimal(str(value)) * Decimal("1.1") or Decimal("0.1"))


def all_mutants(*, only: tuple[str, ...] = ()) -> list[Mutant]:
    """Return the mutants of the whole engine, but of what is left out; or of all files that begin with one of `only`.

    Raises ValueError for a beginning that no file has: nothing would be tested, and all of it killed.
    """
    found = []
    names = {str(path.relative_to(ENGINE)): path for path in sorted(ENGINE.rglob("*.py"))}
    for beginning in only:
        if not any(name.startswith(beginning) for name in names):
            raise ValueError(f"No file of the engine begins with {beginning!r}.")
    for name, path in names.items():
        is_left_out = any(name.startswith(each) or name.endswith(each) for each in LEFT_OUT)
        if name.startswith(only) if only else not is_left_out:
            count = sum(1 for _ in _changes(ast.parse(path.read_text())))
            found += [Mutant(name, index) for index in range(count)]
    return found


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from changed source."""

    changed = ""

    def get_code(self, fullname: str) -> object:
        return compile(self.changed, self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the changed module before the file system does."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self.name, self.path, self.source = name, path, source

    def find_spec(self, fullname: str, path: object, target: object = None) -> object:
        if fullname != self.name:
            return None
        loader = _Loader(fullname, str(self.path))
        loader.changed = self.source
        return importlib.machinery.ModuleSpec(fullname, loader, origin=str(self.path))


# A command needs Django, and a fork of nothing but the engine has none; a time is another one on a busy machine, and
# what fails for it has noticed no mutant.
NOT_ASKED = {"call_command", "run_command", "perf_counter", "process_time"}


class _EngineAlone:
    """Leaves out the tests that run a command or take the time."""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [each for each in items if not NOT_ASKED & _names(each.function.__code__)]


def _names(code: CodeType) -> set[str]:
    return {*code.co_names}.union(*(_names(each) for each in code.co_consts if isinstance(each, CodeType)))


class _Noticed:
    """Knows the file of the test that failed."""

    file = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.file = Path(report.nodeid.partition("::")[0]).stem


def _child(mutant: Mutant | None, first: list[str]) -> int:
    """Run the quick tests against a mutant, those of the files `first` first.

    Returns 0 where all of them pass, n where one in the n-th file of `QUICK` fails, 255 where they cannot begin.
    """
    import pytest
    from hypothesis import Phase, settings

    # The same examples for each, so that a seed gives the same answer again; what is found needs no smallest example.
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutants", derandomize=True, database=None, phases=phases)
    settings.load_profile("mutants")

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    # Of this process, not of the clock: a busy machine kills no mutant.
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    if mutant is not None:
        path = ENGINE / mutant.file
        name = ".".join(("simulator", "engine", *Path(mutant.file).with_suffix("").parts))
        sys.meta_path.insert(0, _Finder(name, path, mutant.made()[1]))
    plugins = [flag for name in PLUGINS_LEFT_OUT for flag in ("-p", f"no:{name}")]
    # Nobody reads what an assertion says.
    flags = [
        "-x",
        "-q",
        "--assert=plain",
        "--tb=no",
        "-c",
        os.devnull,
        "--rootdir",
        str(ROOT),
        "--noconftest",
        *plugins,
    ]
    for files in (*([each] for each in first), [each for each in QUICK if each not in first]):
        noticed = _Noticed()
        paths = [str(ROOT / "tests" / "simulator" / f"{each}.py") for each in files]
        if paths and pytest.main([*flags, *paths], plugins=[_EngineAlone(), noticed]) != 0:
            return 1 + QUICK.index(noticed.file) if noticed.file else 255
    return 0


def _likely(noticing: list[str]) -> list[str]:
    """Return the tests that noticed the mutant before, and those that noticed most of the file.

    They notice most others of it, in a fraction of the time that all tests take.
    """
    return [*dict.fromkeys([*noticing[-1:], *(each for each, _ in Counter(noticing).most_common(3))])]


def run(mutants: list[Mutant], *, at_once: int) -> list[Mutant]:
    """Return the mutants that survive, running `at_once` of them side by side."""
    # Children are forked with what the tests import and the engine does not.
    for name in ("pytest", "hypothesis", "yaml", "numpy", "django.core.management"):
        importlib.import_module(name)
    done = 0
    noticing: dict[str, list[str]] = defaultdict(list)
    waiting, running, survivors = list(reversed(mutants)), {}, []
    while waiting or running:
        while waiting and len(running) < at_once:
            mutant = waiting.pop()
            pid = os.fork()
            if pid == 0:
                os._exit(_child(mutant, _likely(noticing[mutant.file])))
            running[pid] = mutant
        pid, status = os.wait()
        if 0 < os.waitstatus_to_exitcode(status) <= len(QUICK):
            noticing[running[pid].file].append(QUICK[os.waitstatus_to_exitcode(status) - 1])
        done += 1
        if status == 0:
            survivors.append(running[pid])
            print(f"{done} of {len(mutants)}: survives {running[pid].made()[0]}", file=sys.stderr, flush=True)
        elif os.WIFSIGNALED(status):
            print(f"{done} of {len(mutants)}: did not end {running[pid].made()[0]}", file=sys.stderr, flush=True)
        elif done % 10 == 0:
            print(f"{done} of {len(mutants)}, {len(survivors)} survive", file=sys.stderr, flush=True)
        del running[pid]
    return survivors


def part_of(mutants: list[Mutant], part: str) -> list[Mutant]:
    """Return the mutants of a part such as "3/12": all twelve together are all mutants, each once.

    Raises ValueError for what is no part of a whole.
    """
    number, _, parts = part.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise ValueError(f"{part!r} is no part: 3/12 is the third of twelve.")
    return mutants[int(number) - 1 :: int(parts)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Change the engine in small wrong ways, and see what the tests notice."
    )
    parser.add_argument("--sample", type=int, default=200, help="how many; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--only", default="", help="files that begin so, with commas between, left out otherwise or not"
    )
    parser.add_argument("--part", default="1/1", help="3/12 for the third of twelve parts")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.chdir(ROOT)
    started = time.monotonic()
    try:
        mutants = all_mutants(only=tuple(filter(None, options.only.split(","))))
        count = len(mutants)
        mutants = part_of(mutants, options.part)
    except ValueError as refused:
        parser.error(str(refused))
    if options.sample and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)
    pid = os.fork()
    if pid == 0:
        os._exit(_child(None, []))
    if os.waitpid(pid, 0)[1] != 0:
        raise SystemExit("The quick tests fail on the engine as it is.")
    alive = run(mutants, at_once=options.jobs)
    equivalent = [each for each in alive if each.key() in EQUIVALENT]
    survivors = [each for each in alive if each not in equivalent]
    noticed = [each for each in mutants if each.key() in EQUIVALENT and each not in alive]
    told: dict[str, Any] = {
        "mutants": count,
        "run": len(mutants),
        "killed": len(mutants) - len(alive),
        "seconds": round(time.monotonic() - started),
        "survivors": sorted(each.made()[0] for each in survivors),
        "equivalent": {each.made()[0]: EQUIVALENT[each.key()] for each in equivalent},
        "listed_as_equivalent_but_killed": sorted(each.made()[0] for each in noticed),
    }
    if options.json:
        print(json.dumps(told))
    else:
        print(*told["survivors"], sep="\n")
        print(*(f"Equivalent: {what}. {why}" for what, why in told["equivalent"].items()), sep="\n")
        print(
            f"{told['killed']} of {told['run'] - len(equivalent)} killed, {len(equivalent)} equivalent "
            f"({count} mutants in all), {told['seconds']} s"
        )


if __name__ == "__main__":
    main()

"""`python -m tests.mutants [--workers N] [MODULE …]`: every mutant of what judges, and those no test notices."""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from tests.mutants.corpus import Corpus
from tests.mutants.making import mutants, short
from tests.mutants.trying import Trial, modules

# Changes that make no difference to what is found, each with the reason why not: NAME | REASON.
HARMLESS = Path(__file__).with_name("harmless.txt")
WORKERS = 2  # each tries one module after the other
_CORPUS: list[Corpus] = []  # made before the workers are forked, so that each has it


class Tried(NamedTuple):
    """The results of a module's mutants."""

    module: str
    many: int
    unnoticed: list[str]


def harmless() -> Counter[str]:
    """The mutants nobody can notice."""
    lines = HARMLESS.read_text("utf-8").splitlines() if HARMLESS.exists() else []
    return Counter(line.rpartition(" | ")[0] for line in lines if line and not line.startswith("#"))


def tried(name: str) -> Tried:
    """The number of a module's mutants, and those no test notices."""
    module = next(each for each in modules() if each.__name__.endswith(f".{name}"))
    trial, every = Trial(module, _CORPUS[0]), list(mutants(module))
    return Tried(name, len(every), [each.name for each in every if not trial.noticed(each)])


def report(results: Iterable[Tried], known: Counter[str]) -> tuple[int, int, int, int]:
    """Prints a line for each module, and gives the sums: tried, harmless, unnoticed, and listed for nothing."""
    count = listed = left = 0
    for name, many, unnoticed in results:
        new = Counter(unnoticed) - known
        count, listed, left = count + many, listed + len(unnoticed) - new.total(), left + new.total()
        print(f"{name:24} {many:4} mutants, {len(unnoticed) - new.total()} harmless, {new.total()} unnoticed")
        for each in new.elements():
            print(f"    {each}")
        wrong = Counter({each: many for each, many in known.items() if each.startswith(f"{name}.")})
        wrong -= Counter(unnoticed)
        left += wrong.total()
        for each in wrong.elements():
            print(f"    listed as harmless, and noticed or gone: {each}")
        sys.stdout.flush()
    return count, count - listed - left, listed, left


def main(names: list[str], workers: int = WORKERS) -> int:
    """Try all mutants of these modules, or of every one."""
    began, known = monotonic(), harmless()
    chosen = names or [short(module) for module in modules()]
    _CORPUS.append(Corpus([module for module in modules() if short(module) in chosen]))
    print(f"{len(_CORPUS[0].days)} days, {monotonic() - began:.0f} s")
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        count, seen, listed, left = report(pool.map(tried, chosen), known)
    print(f"{count} mutants: {seen} noticed, {listed} harmless, {left} unnoticed; {monotonic() - began:.0f} s")
    return 1 if left else 0


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    given = parser.parse_args()
    for unknown in set(given.modules).difference(map(short, modules())):
        parser.error(f"no module that judges is named {unknown}")
    raise SystemExit(main(given.modules, given.workers))

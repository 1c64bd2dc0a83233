"""`python -m tests.mutants [MODULE …]`: every mutant of every detector, and those no case notices."""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import monotonic

from tests.mutants.making import mutants
from tests.mutants.trying import built, codes_of, modules, noticed

# Changes that make no difference to what is found, each with the reason why not: NAME | REASON.
HARMLESS = Path(__file__).with_name("harmless.txt")


def harmless() -> set[str]:
    """The mutants nobody can notice."""
    lines = HARMLESS.read_text("utf-8").splitlines() if HARMLESS.exists() else []
    return {_without_line(line.split(" | ")[0]) for line in lines if line and not line.startswith("#")}


def _without_line(name: str) -> str:
    """A mutant's name whatever line it stands on today."""
    where, _, change = name.partition(": ")
    return f"{where.partition(' line ')[0]}: {change}"


def tried(name: str) -> tuple[str, int, list[str]]:
    """How many mutants of a module there are, and which of them no case notices."""
    module = next(each for each in modules() if each.__name__.endswith(f".{name}"))
    cases = built(codes_of(module))
    count, unnoticed = 0, []
    for mutant in mutants(module):
        count += 1
        if not noticed(mutant.function, mutant.code, cases):
            unnoticed.append(mutant.name)
    return name, count, unnoticed


def main(names: list[str]) -> int:
    """Tries all mutants of these modules, or of every one."""
    began, known = monotonic(), harmless()
    chosen = names or [module.__name__.rpartition(".")[2] for module in modules()]
    all_of_them, left = 0, 0
    with ProcessPoolExecutor(2) as pool:
        for name, count, unnoticed in pool.map(tried, chosen):
            new = [each for each in unnoticed if _without_line(each) not in known]
            all_of_them, left = all_of_them + count, left + len(new)
            print(
                f"{name:24} {count:4} mutants, {len(unnoticed) - len(new)} harmless, {len(new)} unnoticed", flush=True
            )
            for each in new:
                print(f"    {each}", flush=True)
    print(f"{all_of_them} mutants, {left} unnoticed, {monotonic() - began:.0f} s")
    return 1 if left else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

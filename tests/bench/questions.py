"""Every question on a simulated year, through the store: how long it takes 95 times of 100, at more than one size.

A year of a hundred tables is 28 million rounds; these are years of fewer tables. What a question takes at 28 million is
drawn on from there as a line. `python -m tests.bench.questions TABLES ...` plays other sizes.
"""

import random
import sys
import tempfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from projections.questions.blast import Affected, blast_radius
from projections.questions.coverage import undecided
from projections.questions.dealers import dealer_record
from projections.questions.decks import deck_ledger
from projections.questions.findings import FindingFilter, findings
from projections.questions.floor import floor_now
from projections.questions.money import hold
from projections.questions.players import evening
from projections.questions.posts import meters, staff
from projections.questions.rounds import Handle, find_rounds
from projections.questions.story import round_story
from projections.questions.troubles import quality
from projections.reading import GenerationReader, opened
from projections.rollups import ROLLUPS
from projections.schema import TABLES_OF_MODELS, ModelTable
from projections.store import Store, sealing
from tests.bench.years import DAYS, FIRST, ROUNDS, Year

YEAR: Final = 28_000_000  # rounds
SIZES: Final = (1, 4, 16)  # tables
ASKED: Final = 20
TIMES: Final = 3
SEALED: Final = 5  # times
GOAL: Final = 0.3  # seconds


def _questions(year: Year) -> dict[str, Callable[[GenerationReader, random.Random], object]]:
    def day(chance: random.Random) -> date:
        return FIRST + timedelta(days=chance.randrange(DAYS))

    def stream(chance: random.Random) -> str:
        return f"T{chance.randrange(year.tables):03}/{day(chance)}"

    def affected(chance: random.Random, **bad: str) -> Affected:
        on = day(chance)
        return Affected(**bad, first=on, last=on)

    whole: dict[str, Any] = {"first": FIRST, "last": year.last}
    about = "about ten past three pm"
    return {
        "a generation opened": lambda r, _: opened(year.folder).close(),
        "floor now": lambda r, _: floor_now(r),
        "findings, the newest": lambda r, _: findings(r, FindingFilter()),
        "findings of a player": lambda r, c: findings(r, FindingFilter(player=year.player(c))),
        "findings of a dealer, by money": lambda r, c: findings(r, FindingFilter(dealer=year.dealer(c)), order="money"),
        "a round by number": lambda r, c: round_story(r, stream(c), c.randint(1, ROUNDS)),
        "a round by about when": lambda r, c: _perhaps(find_rounds, r, Handle(table="T000", day=day(c), about=about)),
        "a round by player and card": lambda r, c: _perhaps(find_rounds, r, Handle(player=year.player(c), card="Ah")),
        "a player's evening": lambda r, c: _perhaps(evening, r, year.player(c)),
        "a player's year": lambda r, c: _perhaps(evening, r, year.player(c), whole["first"], whole["last"]),
        "a dealer's record of a year": lambda r, c: dealer_record(r, year.dealer(c), **whole),
        "deck ledger of a day": lambda r, c: deck_ledger(r, "T000", first=(on := day(c)), last=on),
        "decks overdue": lambda r, _: deck_ledger(r, overdue=True),
        "blast radius: deck, a day": lambda r, c: blast_radius(r, affected(c, deck="T000-1")),
        "blast radius: device, a day": lambda r, c: blast_radius(r, affected(c, device="shuffler-T000")),
        "blast radius: dealer, a day": lambda r, c: _perhaps(blast_radius, r, affected(c, dealer=year.dealer(c))),
        "hold by table and day, a month": lambda r, _: hold(r, first=FIRST, last=FIRST + timedelta(days=30)),
        "hold by game and month, a year": lambda r, _: hold(r, by="game", period="month", **whole),
        "hold of the floor, a year": lambda r, _: hold(r, by="floor", period="year", **whole),
        "undecided, a year": lambda r, _: undecided(r, **whole),
        "meters": lambda r, _: meters(r),
        "staff of a day": lambda r, c: staff(r, first=(on := day(c)), last=on),
        "troubles": lambda r, _: quality(r),
    }


def _perhaps(question: Callable[..., object], *asked: Any) -> object:
    """A player nobody saw, or a card they never held, is an answer too."""
    try:
        return question(*asked)
    except LookupError:
        return None


class Took(NamedTuple):
    """The 95th percentile of a question's time, by the clock and of the processor.

    Each asking counts as the quickest of three in a row: what else the machine does then is the least of it.
    """

    clock: float
    processor: float


def _p95(reading: GenerationReader, question: Callable[[GenerationReader, random.Random], object]) -> Took:
    clocks, processors = [], []
    for number in range(ASKED):
        took = [_took(reading, question, number) for _ in range(TIMES)]
        clocks.append(min(each.clock for each in took))
        processors.append(min(each.processor for each in took))
    place = int(0.95 * ASKED) - 1
    return Took(sorted(clocks)[place], sorted(processors)[place])


def _took(
    reading: GenerationReader, question: Callable[[GenerationReader, random.Random], object], number: int
) -> Took:
    chance = random.Random(number)  # noqa: S311 - the same asking every time
    clock, processor = perf_counter(), process_time()
    question(reading, chance)
    return Took(perf_counter() - clock, process_time() - processor)


def questions(sizes: tuple[int, ...] = SIZES) -> None:
    """Each question at each size, and what the line through the two largest says of a whole year."""
    counts: list[int] = []
    took: list[dict[str, Took]] = []
    for tables in sizes:
        with tempfile.TemporaryDirectory() as folder:
            began = perf_counter()
            year = Year(Path(folder), tables)
            year.make()
            counts.append(year.rounds)
            took.append(asked(year, perf_counter() - began))
    heads = "".join(f"{count / 1e6:>10.2f} M of cpu" for count in counts)
    print(f"{'p95 in ms at so many rounds':<32}{heads}{'28 M drawn on, of the processor':>34}")
    for name in took[0]:
        figures = "".join(f"{each[name].clock * 1e3:>12,.0f}{each[name].processor * 1e3:>7,.0f}" for each in took)
        print(f"{name:<32}{figures}{_drawn_on(counts, [each[name].processor for each in took])}")
    _sealing()


def asked(year: Year, made: float, without: tuple[str, ...] = ()) -> dict[str, Took]:
    """Time of each question except those with these prefixes, after a line on what the year lies in."""
    with opened(year.folder) as reading:
        sizes = {
            table.name: sum(path.stat().st_size for path in reading.files(table.name)) for table in TABLES_OF_MODELS
        }
        files = sum(len(reading.files(name)) for name in sizes)
        rollups = sum(sizes[rollup.name] for rollup in ROLLUPS)
        told = f"{files} Parquet files, {sum(sizes.values()) / 1e6:,.0f} MB, of them rollups {rollups / 1e6:,.0f} MB"
        print(f"{year.rounds:,} rounds in {DAYS} days: {told}, made in {made:,.0f} s", flush=True)
        questions = {name: ask for name, ask in _questions(year).items() if not name.startswith(without)}
        return {name: _p95(reading, ask) for name, ask in questions.items()}


def _drawn_on(counts: list[int], took: list[float]) -> str:
    """The line through two sizes, at a whole year; it is the processor's, for the clock has others' work in it."""
    if len(counts) < 2:
        return ""
    slope = max(0.0, (took[-1] - took[-2]) / (counts[-1] - counts[-2]))
    far = took[-1] + slope * max(0, YEAR - counts[-1])
    return f"{far * 1e3:>26,.0f} {'held' if far <= GOAL else 'MISSED'}"


def _sealing() -> None:
    """Time to seal one table's day, with the rollups and without."""
    told = []
    for name, rollups in (("with its rollups", ROLLUPS), ("without", ())):
        took = [_sealed(rollups) for _ in range(SEALED)]
        clock, processor = (median(each) * 1e3 for each in zip(*took, strict=True))
        told.append(f"{name} {clock:,.0f} ms, of the processor {processor:,.0f}")
    print(f"a table's day of {ROUNDS} rounds sealed {'; '.join(told)}")


def _sealed(rollups: tuple[ModelTable, ...]) -> Took:
    with tempfile.TemporaryDirectory() as folder:
        Year(Path(folder), 1, days=1).make()
        with Store.open(Path(folder)) as store, patch.object(sealing, "ROLLUPS", rollups):
            clock, processor = perf_counter(), process_time()
            store.seal(f"T000/{FIRST}")
            return Took(perf_counter() - clock, process_time() - processor)


if __name__ == "__main__":
    questions(tuple(map(int, sys.argv[1:])) or SIZES)

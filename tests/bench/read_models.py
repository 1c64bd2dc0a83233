"""The store of the read models on a busy day of 500 tables: rows taken, generations published and opened, days sealed.

`python -m tests.bench.read_models ROWS` plays a longer day than `make bench` does. On a simulated floor a fact makes half a
row (0.4 to 0.6 by the game): 10,000,000 are those of 20 million facts.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from projections.changes import Changes
from projections.reading import opened
from projections.schema import SCHEMA
from projections.store import Store
from tests.projections.rows import row

DAY = "2026-11-18"
TABLES = 500
SEATS = 6
WAGERS = ("ante", "blind", "play")
ROWS = 2_000_000
GOAL = 2.0


def _round(stream: str) -> dict[str, list[tuple[Any, ...]]]:
    """A round of six seats with three wagers each: 46 rows."""
    paid = {"edition": 1, "staked_cents": 1_500, "back_cents": 3_000, "owed_cents": 3_000}
    house = {"book": "UTH-MD", "house": "b81c4e0d9f2a", "pit": "1", "method": "automatic-shuffler"}
    of_round = {"began_at": 0, "ended_at": 50_000_000, "dealer": "L1", "deck": "D1", "decided": 18, "undecided": 0}
    seats = range(1, SEATS + 1)
    hand = {"cards": "As Kd", "holds": "a pair of aces", "choice": "raise", "void": False, "difference_cents": 0}
    told = {"clause": "12.B(2)", "basis": "certain"}
    return {
        "rounds": [row("rounds", stream, **paid, **house, **of_round, hands=SEATS, voided=False)],
        "hands": [row("hands", stream, **paid, **hand, seat=seat, player=f"{stream[:4]}-{seat}") for seat in seats],
        "wagers": [
            row("wagers", stream, **paid, **told, seat=seat, player=f"{stream[:4]}-{seat}", wager=wager)
            for seat in seats
            for wager in WAGERS
        ],
        "cards": [
            row("cards", stream, edition=1, place="seat", seat=place // 2, number=place % 2, card="As", sequence=place)
            for place in range(20)
        ],
        "handling": [row("handling", stream, edition=1, sequence=1, what="shuffle-completed", cards=52)],
    }


STREAMS = [f"T{table:03}/{DAY}" for table in range(TABLES)]
ROUND = [_round(stream) for stream in STREAMS]
ROUND_AT = {name: SCHEMA[name].names.index("round") for name in ROUND[0]}


def _batch(number: int) -> Changes:
    """The round of this number at each of the tables."""
    changes = Changes(positions={"facts/0": number})
    for stream, told in zip(STREAMS, ROUND, strict=True):
        for name, rows in told.items():
            place = ROUND_AT[name]
            changes.rows.setdefault(name, []).extend([(*each[:place], number, *each[place + 1 :]) for each in rows])
        changes.replace(stream, "tables", [row("tables", stream, rounds=number)])
        changes.replace(stream, "money", [row("money", stream, paid_cents=number)])
        decks = [row("decks", stream, deck=f"D{deck}") for deck in range(number // 40 + 1)]
        changes.replace(stream, "decks", decks)
    return changes


class Took(NamedTuple):
    """Clock and processor time of a step; only processor time stays the same beside other work."""

    seconds: float
    processor: float

    def __str__(self) -> str:
        return f"{self.seconds * 1000:>7,.0f} ms, of the processor {self.processor * 1000:,.0f} ms"


def _timed(work: Callable[[], Any]) -> Took:
    clock, processor = perf_counter(), process_time()
    work()
    return Took(perf_counter() - clock, process_time() - processor)


def _typical(took: Sequence[Took]) -> Took:
    return Took(median(each.seconds for each in took), median(each.processor for each in took))


def large_day(rows: int = ROWS) -> None:
    """A generation after each round of the floor; the last ones of the day beside the first."""
    committed, published, opening = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder))
        taken = number = 0
        while taken < rows:
            number += 1
            batch = _batch(number)
            taken += sum(map(len, batch.rows.values()))
            committed.append(_timed(partial(store.commit, batch)))
            published.append(_timed(store.publish))
            if number % 10 == 0:
                opening.append(_timed(lambda: opened(Path(folder)).close()))
        _say(taken, committed, published, opening)
        _ask(Path(folder))
        facts = [row("facts", f"T000/{DAY}", sequence=each, stored=b"x" * 400) for each in range(40_000)]
        print(f"a table's day sealed with 40,000 facts   {_timed(lambda: store.seal(f'T000/{DAY}', facts))}")
        size = sum(each.stat().st_size for each in Path(folder).rglob("*") if each.is_file())
        work = sum(each.stat().st_size for each in Path(folder).glob("1/work.duckdb*"))
        print(f"on the disk   {size / 1e6:,.0f} MB, the working file {work / 1e6:,.0f} MB of it")
        store.close()


def _ask(folder: Path) -> None:
    """The open day, asked at its end."""
    one = [f"T250/{DAY}"]
    with opened(folder) as reading:
        for query, values in (
            ("SELECT * FROM rounds WHERE stream = ? AND round = 7", one),
            ("SELECT * FROM cards WHERE stream = ? AND round = 7", one),
            ("SELECT * FROM player_days WHERE stream = ?", one),
            ("SELECT * FROM table_days", []),
        ):
            asked = partial(reading.query, query, values)
            print(f"{query:<55}{_typical([_timed(asked) for _ in range(5)])}")


def _say(taken: int, committed: list[Took], published: list[Took], opening: list[Took]) -> None:
    size = taken / len(committed)
    tenth = max(len(published) // 10, 5)
    # The first generations hold less than the bound on what is copied; the tenth after them is where a day begins.
    start, end = _typical(published[tenth : 2 * tenth]), _typical(published[-tenth:])
    worst = max(each.seconds for each in published[-tenth:])
    print(f"{taken:,} rows of rounds, a generation each {size:,.0f} rows: {len(published)} generations")
    batch = _typical(committed)
    print(
        f"rows taken, Arrow in   {size / batch.seconds:>9,.0f} rows/s by the clock, {size / batch.processor:,.0f} a core"
    )
    print(f"publish, first         {published[0]}")
    print(f"publish at the start   {start}")
    print(f"publish at the end     {end}   the longest {worst * 1000:,.0f} ms")
    ratio = end.processor / start.processor
    print(f"ratio {ratio:.2f}, goal {GOAL:.0f}: {'held' if ratio <= GOAL else 'MISSED'}")
    print(f"a generation opened    {_typical(opening)}")


if __name__ == "__main__":
    large_day(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)

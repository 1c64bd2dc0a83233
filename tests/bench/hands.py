"""One hand of a day that is long over, found by about when it was played and rebuilt from the record's facts.

The read models know which round it was (`a round by about when` of the questions on a year); here it is rebuilt: its
day read out of an embedded log in which a million facts of others stand around it, folded, judged, and drawn.
"""

import tempfile
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final

from consumers.logs import StoredFact
from consumers.logs.opening import LOG_FILE
from consumers.logs.sqlite import SqliteLog
from consumers.room.hands import Hands
from consumers.watching.finding_hands import verified_day
from domain.desk.roles import Person
from domain.facts.codec import name_of
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.floor import SimulatedFloor
from domain.simulation.seed import World

SEED: Final = 7
AROUND: Final = 1_000_000
GOAL: Final = 1.0  # seconds
_BATCH: Final = 20_000
_ASKED: Final = 5


def _day() -> list[StoredFact]:
    """A table's longest whole day out of a small floor, as the gateway would have stored it."""
    writer = Writer(epoch=1)
    streams: dict[str, list[StoredFact]] = {}
    for fact in SimulatedFloor(World(seed=SEED, tables=5, days=1)).facts():
        whole = located(writer, fact)
        if isinstance(whole, InputRefusal):
            raise RuntimeError(whole.says)
        placed = place(writer, whole)
        row = StoredFact(placed.fact.stream, placed.fact.sequence, name_of(placed.fact), placed.stored)
        streams.setdefault(row.stream, []).append(row)
    return max(streams.values(), key=len)


def a_hand() -> None:
    """Time until a hand is on the screen, with the day's facts read again each time."""
    with tempfile.TemporaryDirectory() as name:
        folder, day = Path(name), _day()
        log = SqliteLog(folder / LOG_FILE, create=True)
        others = (day[number % len(day)]._replace(stream=f"X{number // 50_000}/2026-01-01") for number in range(AROUND))
        kept = (row._replace(sequence=number + 1) for number, row in enumerate(others))
        half = AROUND // 2
        for rows, most in ((kept, half), (iter(day), len(day)), (kept, half)):
            some = islice(rows, most)
            while batch := list(islice(some, _BATCH)):
                log.append(batch)
        stream = day[0].stream
        clocks, processors = [], []
        for _ in range(_ASKED):
            clock, processor = perf_counter(), process_time()
            hands = Hands(log, lambda stream: verified_day(log, stream, data=folder))
            number = max(hands.day(stream).day.rounds) // 2
            hands.hand(Person("bench", ("investigator",)), stream, number)
            clocks.append(perf_counter() - clock)
            processors.append(process_time() - processor)
        log.close()
    took = median(clocks)
    print(f"one hand of a day of {len(day):,} facts among {AROUND:,} others, rebuilt", end="   ")
    print(f"{took * 1e3:,.0f} ms, of the processor {median(processors) * 1e3:,.0f} ms", end="   ")
    print(f"goal {GOAL:.0f} s: {'held' if took <= GOAL else 'MISSED'}")


if __name__ == "__main__":
    a_hand()

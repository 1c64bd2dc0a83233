"""A record in memory folded into plain rows, in any batches and with any number of new beginnings."""

from collections.abc import Sequence
from random import Random
from typing import Any

from consumers.watching.reading import LogReading
from domain.facts.codec import readable
from domain.facts.streams import PROPERTY, owner
from domain.following import chained, links
from domain.watch.corrected import corrections
from projections.changes import Changes, Row
from projections.folding.record import RecordFold
from projections.folding.stream import FoldError, folded
from projections.folding.troubles import Troubles
from projections.schema import NOT_IN_DIGESTS, SCHEMA
from tests.projections.rows import Plain
from tests.watching.memory import MemoryLog

Tables = dict[str, list[Row]]


class Folding:
    """A projector without a store: when it begins again it knows only what its rows say."""

    def __init__(self, stored: Sequence[bytes]) -> None:
        self.log = MemoryLog(stored)
        self.plain = Plain()
        self.at = 0
        self.begin()

    def begin(self) -> None:
        """A new process, which finds what was committed."""
        reading = LogReading(self.log)
        reading.at[0] = self.at + 1
        own = self.plain.own
        troubles = Troubles("facts", 0, sorted(own.get("troubles", {}).values(), key=lambda row: row[2]))
        newest = dict(own.get("newest", {}).values())
        self.fold = RecordFold(0, reading.record(), reading.stored, reading.at, troubles, newest=newest)

    def take(self, count: int | None = None) -> "Folding":
        """The next facts, or all that are left, in one batch."""
        facts = self.log.read(0, self.at, len(self.log.stored) if count is None else count)
        if facts:
            self.fold.take(facts)
            self.plain.take(self.fold.changes())
            self.at = facts[-1][0]
        return self

    def tables(self) -> Tables:
        """Everything it wrote, comparable."""
        return comparable(self.plain.whole())

    def rows(self, table: str) -> list[dict[str, Any]]:
        """The rows of one table by name."""
        whole = self.plain.whole()
        found = list(whole.rows.get(table, ()))
        found += [row for tables in whole.day.values() for row in tables.get(table, ())]
        found += whole.own.get(table, {}).values()
        return [dict(zip(SCHEMA[table].names, row, strict=True)) for row in found]


def at_once(stored: Sequence[bytes]) -> Tables:
    """The whole record in one batch."""
    return Folding(stored).take().tables()


def in_pieces(stored: Sequence[bytes], seed: int, *, restarts: float = 0.3) -> Tables:
    """The same in pieces, now and then by a new process."""
    chance = Random(seed)  # noqa: S311 - a seed, so that a failure repeats
    folding = Folding(stored)
    while folding.at < len(stored):
        folding.take(chance.randint(1, 60))
        if chance.random() < restarts:
            folding.begin()
    return folding.tables()


def by_definition(stored: Sequence[bytes]) -> Tables:
    """The rows of each day's whole chain with everything corrected, computed day by day."""
    log = MemoryLog(stored)
    reading = LogReading(log)
    reading.at[0] = len(stored) + 1
    record = reading.record()
    changes = Changes()
    for stream in sorted({name for table in _owners(log) for name in log.streams(table)}):
        chain = [link.fact for link in chained(links(readable(reading.stored(stream))))]
        if not chain or owner(stream) == PROPERTY:
            continue
        try:
            fold = folded(stream, chain, corrections(record, stream), 0, remembers=None)
        except FoldError as error:
            raise AssertionError(stream) from error
        fold.write(changes, chain[-1].sequence, None)
    found = comparable(changes)
    return {name: rows for name, rows in found.items() if SCHEMA[name].kind != "own"}


def _owners(log: MemoryLog) -> set[str]:
    return {f"T{number}" for number in range(1, 10)} | {PROPERTY}


def comparable(changes: Changes) -> Tables:
    """The rows table by table, in an order of their own, without what says nothing about what happened."""
    found: Tables = {}
    for name, rows in changes.rows.items():
        found.setdefault(name, []).extend(rows)
    for tables in changes.day.values():
        for name, rows in tables.items():
            found.setdefault(name, []).extend(rows)
    for name, keyed in changes.own.items():
        found.setdefault(name, []).extend(keyed.values())
    return {name: sorted(_plainly(name, rows), key=repr) for name, rows in found.items() if rows}


def _plainly(name: str, rows: list[Row]) -> list[Row]:
    kept = [n for n, column in enumerate(SCHEMA[name].names) if column not in NOT_IN_DIGESTS]
    return [tuple(row[n] for n in kept) for row in rows]


def differing(one: Tables, other: Tables) -> list[str]:
    """The first difference of each table, in words."""
    found = []
    for name in sorted(one.keys() | other.keys()):
        mine, theirs = one.get(name, []), other.get(name, [])
        if mine != theirs:
            only = [row for row in mine if row not in theirs][:2], [row for row in theirs if row not in mine][:2]
            found.append(f"{name}: {len(mine)} and {len(theirs)} rows; {only}")
    return found

"""A small pit's record as bytes in the order of a log: scripted days with errors in them, and errors corrected.

The tables' facts come side by side; a correction is about the day it is entered on or any day before, and may be
corrected in turn. `spoilt` is the same record with everything wrong with it that a log can hold. Who `seals` says which
streams are sealed behind which fact; whether a seal's signature holds is not the watch's question.
"""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from random import Random

import msgspec

from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.payments import WagerPaid
from domain.facts.property_day import KeyRegistered, PropertyClosed, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.wagers import BetsClosed, WagerPlaced
from domain.facts.watching import Corrected
from domain.facts.words import Book
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.edits import Edit, broken, change, drop
from domain.simulation.scripted import day
from domain.simulation.table import NOON

GAMES: tuple[Book, ...] = ("COL", "FAH", "PIK")
_DAY = 86_400_000_000
_FIRST = date(2026, 11, 18)
Seals = Callable[[Fact], bool]  # whether a seal that is due behind this fact is made
_CORRECTED = (BetsClosed, WagerPlaced, WagerPaid)


class Pit:
    """Tables whose facts each come in order, and in random order between them."""

    def __init__(
        self,
        seed: int,
        *,
        tables: int = 2,
        days: int = 3,
        rounds: int = 3,
        corrections: int = 3,
        letter: str = "T",
        seals: Seals | None = None,
        keys: Sequence[str] = (),  # tables that have a key
    ) -> None:
        self.chance = Random(seed)  # noqa: S311 - a seed, so that a pit repeats
        self.rounds = rounds
        self.corrections = corrections
        self.seals = seals
        self.keys = keys
        self.names = [f"{letter}{number}" for number in range(1, tables + 1)]
        self.days = [(_FIRST + timedelta(days=number)).isoformat() for number in range(days)]
        self.writer = Writer(epoch=1)
        self.told: dict[str, list[Fact]] = {}  # by table, numbered
        self.count = 0

    def record(self) -> list[bytes]:
        """Every fact's stored bytes, the tables in turns."""
        streams = [self._table(name) for name in self.names]
        streams.append(self._property())
        return shuffled_together(self.chance, streams)

    def _table(self, name: str) -> list[bytes]:
        stored: list[bytes] = []
        for number, gaming_day in enumerate(self.days):
            book = GAMES[self.names.index(name) % len(GAMES)]
            opens = NOON + number * _DAY
            lawful = day(book, rounds=self.rounds, table=name, gaming_day=gaming_day, opens_at=opens)
            facts = broken(lawful, *self._edits())
            places = sorted(self.chance.randrange(1, len(facts)) for _ in range(self.corrections))
            for at, fact in enumerate(facts):
                while places and places[0] == at:
                    places.pop(0)
                    stored += self._placed(self._correction(name, fact.at))
                stored += self._placed(fact)
        return stored

    def _property(self) -> list[bytes]:
        stored = []
        for number, gaming_day in enumerate(self.days):
            at, key = NOON + number * _DAY, f"office:{gaming_day}"
            stored += self._placed(PropertyOpened(gaming_day, 0, "Pit", at=at, source="office", source_key=key))
            for table in () if number else self.keys:
                told = KeyRegistered(
                    f"{table}-1", "00", table, at=at, source="keys", source_key=table, stream="property"
                )
                stored += self._placed(told)
            stored += self._placed(
                PropertyClosed(at=at + _DAY // 2, source="office", source_key=f"{key}:closed", stream="property")
            )
        return stored

    def _edits(self) -> list[Edit]:
        found: list[Edit] = []
        for number in range(1, self.rounds + 1):
            what = self.chance.random()
            if what < 0.3:
                found.append(drop("bets-closed", round=number))
            elif what < 0.6 and number > 1:
                found.append(change("bets-closed", round=number, to={"round": number - 1}))
        return found

    def _correction(self, table: str, at: int) -> Fact:
        about = self.chance.choice(
            [fact for fact in self.told[table] if isinstance(fact, _CORRECTED)] or self.told[table]
        )
        reads: dict[str, object] = {"round": self.chance.randint(1, self.rounds)}
        if not isinstance(about, BetsClosed) and self.chance.random() < 0.5:
            reads = {"cents": self.chance.choice((500, 1000, 1500))}
        never = self.chance.random() < 0.2
        self.count += 1
        return Corrected(
            about.stream,
            about.sequence,
            msgspec.UNSET if never else reads,
            at=at,
            source="office",
            source_key=f"office:{table}:{self.count}",
            stream=table,
        )

    def _placed(self, fact: Fact) -> list[bytes]:
        whole = located(self.writer, fact)
        assert not isinstance(whole, InputRefusal), whole
        placed = place(self.writer, whole)
        self.told.setdefault(placed.fact.stream.partition("/")[0], []).append(placed.fact)
        day = self.writer.days[placed.fact.stream.partition("/")[0]]
        if self.seals is None or not day.seal_due or not self.seals(placed.fact):
            return [placed.stored]
        key = f"seal:{day.stream}:{day.sequence}"
        seal = ChainSealed("k", day.sequence, "00", at=fact.at, source="gateway", source_key=key, stream=day.stream)
        return [placed.stored, place(self.writer, seal).stored]


class Strange(Pit):
    """One whose people correct what nobody can: what is another table's, a correction, not there or cannot be so."""

    def _correction(self, table: str, at: int) -> Fact:
        wanted, told, chance = super()._correction(table, at), self.told[table], self.chance
        before = [fact for fact in told if isinstance(fact, Corrected)]
        other = chance.choice(before) if before else wanted
        kinds: list[dict[str, object]] = [
            {},
            {"reads": chance.choice(({"round": "x"}, {"nonsense": 3, "round": -1}, {"cents": "abc"}))},
            {name: getattr(other, name) for name in ("corrects_stream", "corrects_sequence", "reads")},
            {"corrects_stream": f"{chance.choice([*self.names, 'property'])}/{self.days[0]}"},
            {"corrects_stream": told[-1].stream, "corrects_sequence": told[-1].sequence + chance.randint(1, 60)},
            {"corrects_stream": other.stream, "corrects_sequence": other.sequence, "reads": {"reads": {}}},
            {"corrects_stream": f"{table}/2026-11-01"},
        ]
        return msgspec.structs.replace(wanted, **chance.choice(kinds))


def shuffled_together(chance: Random, streams: Sequence[Sequence[bytes]]) -> list[bytes]:
    """Several streams as one, each in its order."""
    rest = [list(reversed(stream)) for stream in streams if stream]
    found = []
    while rest:
        held = chance.choice(rest)
        found.append(held.pop())
        rest = [stream for stream in rest if stream]
    return found


Spoil = Callable[[Random, list[bytes]], None]


def repeat(chance: Random, log: list[bytes]) -> None:
    """A stretch of the log stands there twice, as after a gateway's crash."""
    start = chance.randrange(len(log))
    stretch = log[start : start + chance.randint(1, 12)]
    at = chance.randrange(start + len(stretch), len(log) + 1)
    log[at:at] = stretch


def delay(chance: Random, log: list[bytes]) -> None:
    """A fact stands far behind those that follow it."""
    stored = log.pop(chance.randrange(len(log)))
    log.insert(chance.randrange(len(log)), stored)


def open_late(chance: Random, log: list[bytes]) -> None:
    """The first fact of a day stands behind others of it."""
    at = chance.choice([place for place, stored in enumerate(log) if b'"sequence":1}' in stored])
    log.insert(at + chance.randrange(120), log.pop(at))


def lose(chance: Random, log: list[bytes]) -> None:
    """A fact is not there at all, in the second half, so that something is left to verify."""
    log.pop(chance.randrange(len(log) // 2, len(log)))


def fork(chance: Random, log: list[bytes]) -> None:
    """Another fact claims a place, before or behind the right one."""
    other = log[chance.randrange(len(log))].replace(b'"source_key":"', b'"source_key":"other ')
    log.insert(chance.randrange(len(log)), other)


def unchain(chance: Random, log: list[bytes]) -> None:
    """A fact that names another hash than the one before it has stands where the right one was to come next."""
    at = chance.randrange(len(log))
    fact = msgspec.json.decode(log[at])
    fact["previous"] = "f" * 64
    log.insert(at, msgspec.json.encode(fact))


def junk(chance: Random, log: list[bytes]) -> None:
    """Bytes that are no fact, and facts without a place."""
    stored = chance.choice(
        (
            b"\x00\xff junk",
            b'{"type":"noted.1","at":1,"source":"x","source_key":"y","text":"no place"}',
            b'{"type":"noted.1","at":1,"source":"x","source_key":"y","text":"bad","stream":"T 1/x","sequence":3}',
            log[chance.randrange(len(log))].replace(b'"at":', b'"when":'),
        )
    )
    log.insert(chance.randrange(len(log)), stored)


SPOILS: tuple[Spoil, ...] = (repeat, delay, fork, unchain, junk, lose)


def spoilt(seed: int, log: Sequence[bytes], times: int = 8, kinds: Sequence[Spoil] = SPOILS) -> list[bytes]:
    """The record with as many things wrong."""
    chance = Random(seed)  # noqa: S311 - a seed, so that a record repeats
    found = list(log)
    for _ in range(times):
        chance.choice(kinds)(chance, found)
    return found


def stored_of(facts: Sequence[Fact]) -> list[bytes]:
    """Numbered facts as bytes."""
    return [encode(fact) for fact in facts]

"""Rows of the read models for tests: fields that are left out are null."""

import random
from datetime import date
from typing import Any

from projections.changes import Changes, Dead, Row
from projections.schema import SCHEMA

SEATS = (1, 2)
WAGERS = ("ante", "blind")


def row(table: str, stream: str = "", **told: Any) -> Row:
    """A row of a table, its stream taken apart."""
    values: dict[str, Any] = dict.fromkeys(SCHEMA[table].names)
    if SCHEMA[table].of_streams:
        owner, _, day = stream.partition("/")
        values |= {"stream": stream, "table": owner, "gaming_day": date.fromisoformat(day)}
    assert told.keys() <= values.keys(), told.keys() - values.keys()
    return tuple((values | told).values())


def a_round(changes: Changes, stream: str, number: int, edition: int, cents: int = 1_000) -> None:
    """A round of two players with two wagers each, three cards and a shuffle."""
    at = number * 60_000_000
    owner = stream.partition("/")[0]
    made: dict[str, Any] = {"round": number, "edition": edition}
    paid = {"staked_cents": cents, "back_cents": 2 * cents, "owed_cents": 2 * cents}
    changes.append(
        "rounds",
        row(
            "rounds", stream, **made, **paid, began_at=at, ended_at=at + 50_000_000, book="UTH-MD", house="h",
            dealer=f"L{number % 3}", deck=f"D{number // 50}", hands=len(SEATS), decided=4, undecided=0, voided=False,
        ),
    )  # fmt: skip
    for seat in SEATS:
        player = f"p{seat}-{owner}"
        changes.append("hands", row("hands", stream, **made, **paid, seat=seat, player=player, difference_cents=cents))
        for wager in WAGERS:
            told = {"seat": seat, "player": player, "wager": wager, "difference_cents": cents}
            changes.append("wagers", row("wagers", stream, **made, **paid, **told))
    for place in (1, 2, 3):
        changes.append("cards", row("cards", stream, **made, place="community", seat=0, number=place, card="As"))
    changes.append("handling", row("handling", stream, **made, sequence=number * 10 + edition, what="shuffle"))


class Told:
    """A floor in batches: rounds, rounds remade, days remade, day rows, findings; from a seed."""

    def __init__(self, seed: int, streams: list[str]) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - repeatable batches
        self._streams = streams
        self._played = dict.fromkeys(streams, 0)
        self._position = 0
        self.findings: set[str] = set()

    def batch(self) -> Changes:
        """The next batch."""
        changes = Changes()
        for stream in self._chance.sample(self._streams, self._chance.randint(1, 2)):
            self._about(changes, stream)
        changes.positions["facts/0"] = self._next()
        return changes

    def _next(self) -> int:
        self._position += 1
        return self._position

    def _about(self, changes: Changes, stream: str) -> None:
        chance, played = self._chance, self._played[stream]
        what = chance.choices(("play", "again", "remade", "finding", "day"), (8, 2, 1, 3, 3))[0]
        if what == "play" or not played:
            for _ in range(chance.randint(1, 3)):
                self._played[stream] += 1
                a_round(changes, stream, self._played[stream], self._next())
        elif what == "again":
            number, edition = chance.randint(1, played), self._next()
            changes.dead.append(Dead(stream, number, edition))
            for name, rows in _of(stream, number, edition, chance.randint(1, 9) * 100).items():
                if name != "handling":  # a round that is remade has the shuffles it had
                    changes.rows.setdefault(name, []).extend(rows)
        elif what == "remade":
            edition = self._next()
            changes.dead.append(Dead(stream, None, edition))
            for number in range(1, played + 1):
                a_round(changes, stream, number, edition, chance.randint(1, 9) * 100)
        elif what == "finding":
            name = f"{stream}-{chance.randint(1, 4)}"
            told = row("findings", stream, finding=name, says=str(self._next()), clauses=["a", "b"], evidence=[1, 2])
            changes.put("findings", (name,), told)
        changes.replace(stream, "money", [row("money", stream, collected_cents=self._next())])
        decks = [row("decks", stream, deck=f"D{number}", rounds=played) for number in range(chance.randint(0, 3))]
        changes.replace(stream, "decks", decks)


def _of(stream: str, number: int, edition: int, cents: int) -> dict[str, list[Row]]:
    made = Changes()
    a_round(made, stream, number, edition, cents)
    return made.rows


class Plain:
    """The result of batches, computed with lists and dicts."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {}
        self.day: dict[str, dict[str, list[Row]]] = {}
        self.own: dict[str, dict[tuple[Any, ...], Row]] = {}

    def take(self, changes: Changes) -> None:
        for name, rows in changes.rows.items():
            self.rows.setdefault(name, []).extend(rows)
        for dead in changes.dead:
            for name, rows in self.rows.items():
                self.rows[name] = [each for each in rows if not _is_dead(name, each, dead)]
        for stream, tables in changes.day.items():
            self.day.setdefault(stream, {}).update(tables)
        for name, keyed in changes.own.items():
            self.own.setdefault(name, {}).update(keyed)

    def whole(self) -> Changes:
        """Everything as one batch."""
        return Changes(rows=self.rows, day=self.day, own=self.own)


def _is_dead(name: str, told: Row, dead: Dead) -> bool:
    place = SCHEMA[name].names
    stream, number, edition = (told[place.index(column)] for column in ("stream", "round", "edition"))
    if stream != dead.stream or edition >= dead.edition:
        return False
    return dead.round is None or (dead.round == number and name != "handling")

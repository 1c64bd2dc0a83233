"""A year of rounds as sealing and compaction leave it at its end, made by SQL alone, at as many tables as are wanted.

Eleven months lie in a file a table each, one in files of a day, and the last day is still open, in segments.
"""

import random
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import duckdb
import msgspec

from domain.rulebooks import house, newest
from projections.changes import Changes
from projections.rollups import BASES, ROLLUPS, query
from projections.schema import SCHEMA
from projections.store import Store
from projections.store.bookkeeping import FileKind, ParquetFile
from projections.store.compacting import in_order
from projections.store.ddl import LIFE
from projections.store.relations import parquet
from projections.store.segments import add_up
from projections.store.working import written
from tests.projections.rows import row

FIRST: Final = date(2026, 1, 1)
DAYS: Final = 365
ROUNDS: Final = 767  # a table's day
SEATS: Final = 4
SEGMENTS: Final = 8  # of the open day
STAY: Final = 100_000 // 30  # so many of its rounds stay open before they become a segment: thirty rows each
HANDS_A_PLAYER, DEALERS_A_TABLE = 2_240, 7  # of 28 million rounds: 50,000 players, 700 dealers
WAGERS: Final = ("ante", "blind", "play", "trips")

# Every row follows from its place: `r` are the rounds of some days, and of each the seats, wagers and cards.
_ROUNDS: Final = """
SELECT 'T' || lpad(t::VARCHAR, 3, '0') AS owner, 'T' || lpad(t::VARCHAR, 3, '0') || '/' || d::DATE AS day_of_table,
    d::DATE AS on_day, n::INTEGER AS number, hash(t, d, n) AS chance,
    d + INTERVAL 16 HOUR + to_seconds(n * 28800 // {rounds}) AS begins
FROM range(DATE '{first}', DATE '{last}', INTERVAL 1 DAY) days(d), range({tables}) tables(t),
    range(1, {rounds} + 1) numbers(n)
ORDER BY d, t, n
"""
_PLAYER: Final = "'p-' || hash(r.day_of_table, r.number // 20, s) % MANY_PLAYERS"
_DEALER: Final = "'D-' || hash(r.day_of_table, r.number // 40) % MANY_DEALERS"
_BACK: Final = "(hash(r.chance, s) % 3 * 4000)"
_HAND: Final = {"seat": "s", "player": _PLAYER, "difference_cents": "0"}
_CARDS: Final = "(CASE hash(r.chance, s) % 20 WHEN 0 THEN 'Ah Kd' WHEN 1 THEN 'Td Th' ELSE '7c 2s' END)"
_HOLDS: Final = "'a pair of ' || hash(r.chance, s) % 13 || ' with ' || r.chance % 13"
_SHARED: Final = {"stream": "r.day_of_table", "table": "r.owner", "gaming_day": "r.on_day", "round": "r.number"}
_SEATS: Final = f"r, range(1, {SEATS + 1}) seats(s)"
_OF_ROUND: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "rounds": (
        "r",
        {
            "last": "r.number * 60",
            "began_at": "r.begins",
            "ended_at": "r.begins + INTERVAL 20 SECOND",
            "book": "'UTH-MD'",
            "house": "'h'",
            "dealer": _DEALER,
            "deck": "r.owner || '-' || r.number % 2",
            "hands": f"{SEATS}",
            "community": "'7c 2s ' || r.chance % 9973",
            "dealer_hand": "'Qs ' || r.chance % 97",
            "decided": "16",
            "undecided": "0",
            "staked_cents": "16000",
            "back_cents": "15000 + r.chance % 2000",
            "owed_cents": "15000 + r.chance % 2000",
        },
    ),
    "hands": (
        _SEATS,
        _HAND
        | {"staked_cents": "4000", "back_cents": _BACK, "owed_cents": _BACK, "cards": _CARDS}
        | {"holds": _HOLDS, "choice": "'play'", "void": "false"},
    ),
    "wagers": (
        f"{_SEATS}, unnest({list(WAGERS)}) wagers(w)",
        _HAND | {"wager": "w", "staked_cents": "1000", "back_cents": f"{_BACK} // 4", "owed_cents": f"{_BACK} // 4"},
    ),
    "cards": (
        f"{_SEATS}, range(1, 3) places(c)",
        {"place": "'seat'", "seat": "s", "number": "c", "card": f"string_split({_CARDS}, ' ')[c]"},
    ),
    "handling": (
        "r",
        {
            "sequence": "r.number * 60 - 59",
            "at": "r.begins",
            "what": "'shuffle-completed'",
            "deck": "r.owner || '-' || r.number % 2",
            "device": "'shuffler-' || r.owner",
        },
    ),
}
_A_DAY: Final = " GROUP BY r.day_of_table, r.owner, r.on_day"
# of what is not of rounds: where from, its columns, what follows
_OF_DAY: Final[dict[str, tuple[str, dict[str, str], str]]] = {
    "tables": (
        "r",
        {
            "book": "'UTH-MD'",
            "state": "'closed'",
            "zone": "'America/New_York'",
            "sequence": "60",
            "sealed_to": "60",
            "last_at": "max(r.begins)",
            "rounds": "max(r.number)",
            "round": "max(r.number)",
        },
        _A_DAY,
    ),
    "money": ("r", {"drop_cents": "500000", "win_cents": "min(r.chance) % 200000"}, _A_DAY),
    "decks": ("r", {"deck": "r.owner || '-1'", "first_round": "1", "last_round": "max(r.number)"}, _A_DAY),
    "coverage": ("r", {"what": "'decided'", "wagers": "max(r.number) * 16"}, _A_DAY),
    "meters": ("r", {"meter": "'mega'", "stands_cents": "100000"}, _A_DAY),
    "staff": ("r", {"number": "1", "person": "'D-' || min(r.chance) % MANY_DEALERS", "role": "'dealer'"}, _A_DAY),
    "verified": ("r", {"up_to": "60", "closed": "true"}, _A_DAY),
    "seatings": (
        _SEATS,
        {"number": "r.number * 10 + s", "seat": "s", "player": _PLAYER, "seated_at": "r.begins"}
        | {"bought_in_cents": "50000"},
        " WHERE r.number % 20 = 0 OR r.number = 1",
    ),
    "findings": (
        "r",
        {
            "finding": "r.day_of_table || '-' || r.number",
            "edition": "r.number",
            "code": "'wager-overpaid'",
            "severity": "'money'",
            "state": "'standing'",
            "says": "'Round ' || r.number || ': handed back ' || r.chance % 9973 || ' cents too much.'",
            "clauses": "['UTH-MD 12.B(2)']",
            "evidence": "[r.number, r.number + 1]",
            "seat": f"1 + r.chance % {SEATS}",
            "dealer": _DEALER,
            "at": "r.begins",
            "expected_cents": "0",
            "observed_cents": "r.chance % 9973",
        },
        " WHERE r.number % 77 = 1",
    ),
}


class Year:
    """A year at so many tables, or as many days of it from the first."""

    def __init__(self, folder: Path, tables: int, *, rounds: int = ROUNDS, days: int = DAYS) -> None:
        self.folder = folder
        self.tables = tables
        self.rounds = days * tables * rounds
        self.rounds_a_day = rounds
        self.last = FIRST + timedelta(days=days - 1)
        self.in_days = self.last.replace(day=1)  # this month is not compacted to one
        # As many as make a player's year, and a dealer's, as long as at 28 million rounds.
        self.players = max(20, self.rounds * SEATS // HANDS_A_PLAYER)
        self.dealers = DEALERS_A_TABLE * tables

    def make(self) -> None:
        """Sealed, compacted and published, but for the last day."""
        with Store.open(self.folder) as store:
            store.commit(houses())
            self._build = store._build.path
            self._working = store._working
            for first, last in self._spans():
                self._span(first, last)
            store.publish()

    def player(self, chance: random.Random) -> str:
        """Any player."""
        return f"p-{chance.randrange(self.players)}"

    def dealer(self, chance: random.Random) -> str:
        """Any dealer."""
        return f"D-{chance.randrange(self.dealers)}"

    def _span(self, first: date, last: date) -> None:
        """Some days: a month in one file a table, days in one each, the last day open."""
        with duckdb.connect() as db:
            db.execute("SET preserve_insertion_order = true")
            self._db = db
            told = {"first": first, "last": last, "tables": self.tables, "rounds": self.rounds_a_day}
            db.execute(f"CREATE TABLE whole AS {_ROUNDS.format(**told)}")
            if first < self.in_days:
                self._sealed("TRUE", f"days/{first:%Y-%m}", "month")
                return
            for number in range((last - first).days):
                day = first + timedelta(days=number)
                if day == self.last:
                    self._open(day)
                else:
                    self._sealed(f"on_day = DATE '{day}'", f"days/{day}", "day")

    def _choose(self, which: str) -> None:
        self._db.execute(f"CREATE OR REPLACE TABLE r AS FROM whole WHERE {which} ORDER BY on_day, owner, number")

    def _file(self, name: str, kind: FileKind, path: str, told: str) -> ParquetFile:
        made = written(
            self._db,
            in_order(SCHEMA[name], self._peopled(told)),
            self._build,
            self._build / path / f"{name}.parquet",
            (name, kind),
        )
        assert made is not None
        return made

    def _peopled(self, told: str) -> str:
        return told.replace("MANY_PLAYERS", str(self.players)).replace("MANY_DEALERS", str(self.dealers))

    def _sealed(self, which: str, path: str, kind: FileKind) -> None:
        self._choose(which)
        files = {name: self._file(name, kind, path, _select(name, *of)) for name, of in _OF_ROUND.items()}
        for name, (source, told, more) in _OF_DAY.items():
            order = "r.on_day, r.owner" if more == _A_DAY else "r.on_day, r.owner, r.number"
            files[name] = self._file(name, kind, path, _select(name, source, told, f"{more} ORDER BY {order}"))
        bases = {name: f"read_parquet('{self._build / files[name].path}')" for name in BASES}
        for rollup in ROLLUPS:
            told = f'SELECT *, 1::INTEGER AS {LIFE} FROM ({query(rollup, bases)}) ORDER BY gaming_day, "table"'  # noqa: S608
            files[rollup.name] = self._file(rollup.name, kind, path, told)
        self._register(files.values())

    def _open(self, day: date) -> None:
        """A day near its end: its last rounds and its tables' rows in the working file, all other rounds in segments."""
        kept = self.rounds_a_day - min(self.rounds_a_day // 10, STAY // self.tables)
        files = []
        for segment in range(SEGMENTS):
            self._choose(f"on_day = DATE '{day}' AND number <= {kept} AND number % {SEGMENTS} = {segment}")
            path = f"segments/{segment}"
            files += [self._file(name, "segment", path, _select(name, *of, life=0)) for name, of in _OF_ROUND.items()]
        self._register(files)
        add_up(self._working, {name: parquet(self._build, (f for f in files if f.name == name)) for name in BASES})
        streams = [f"T{table:03}/{day}" for table in range(self.tables)]
        self._working.note("held", [(file.path, stream, 0) for file in files for stream in streams])
        self._choose(f"on_day = DATE '{day}' AND number > {kept}")
        self._insert({name: _select(name, *of) for name, of in _OF_ROUND.items()})
        self._choose(f"on_day = DATE '{day}'")
        self._insert({name: _select(name, source, told, more) for name, (source, told, more) in _OF_DAY.items()})

    def _insert(self, queries: dict[str, str]) -> None:
        """Rows into the working file."""
        for name, told in queries.items():
            with self._working.given("coming", self._db.execute(self._peopled(told)).to_arrow_table().drop([LIFE])):
                self._working.db.execute(f'INSERT INTO main."{name}" FROM coming')

    def _register(self, files: Iterable[ParquetFile]) -> None:
        with self._working.transaction():
            self._working.register(list(files))

    def _spans(self) -> Iterator[tuple[date, date]]:
        first = FIRST
        while first <= self.last:
            last = (first + timedelta(days=32)).replace(day=1)
            yield first, min(last, self.last + timedelta(days=1))
            first = last


def _select(name: str, source: str, told: dict[str, str], more: str = "", life: int = 1) -> str:
    told = _SHARED | told
    columns = ", ".join(f'({told.get(c.name, "NULL")})::{c.type} AS "{c.name}"' for c in SCHEMA[name].columns)
    return f"SELECT {columns}, {life}::INTEGER AS {LIFE} FROM {source}{more}"  # noqa: S608 - our own words


def houses() -> Changes:
    """The one house of the year."""
    changes = Changes(positions={"facts/0": 1})
    told = {"house": "h", "book": "UTH-MD", "wager": "base", "unit": "ante", "edge": 0.0218, "deviation": 4.94}
    flat = {"fixed_cents": 0.0, "crossed": 0.0, "fixed_variance": 0.0}
    options = msgspec.json.encode(house(newest("UTH-MD")).options).decode()
    changes.put("houses", ("h", "base"), row("houses", **told, **flat, options=options))
    return changes

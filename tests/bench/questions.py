"""Every question on a simulated year, through the store: how long it takes 95 times of 100, at more than one size.

A year of a hundred tables is 28 million rounds; these are years of fewer tables, as sealing and compaction leave them at
their end: ten months in a file a table each, two in files of a day, the last day still open, in segments. What a question
takes at 28 million is drawn on from there as a line. `python -m tests.bench.questions TABLES ...` plays other sizes.
"""

import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

import duckdb
import msgspec

from domain.rulebooks import house
from projections.changes import Changes
from projections.questions.blast import Affected, blast_radius
from projections.questions.coverage import undecided
from projections.questions.dealers import dealer_record
from projections.questions.decks import deck_ledger
from projections.questions.findings import Wanted, findings
from projections.questions.floor import floor_now
from projections.questions.money import hold
from projections.questions.players import evening
from projections.questions.posts import meters, staff
from projections.questions.rounds import Handle, find_rounds
from projections.questions.story import round_story
from projections.questions.troubles import quality
from projections.reading import Reading, opened
from projections.rollups import BASES, ROLLUPS, query
from projections.schema import SCHEMA
from projections.store import Store
from projections.store.bookkeeping import File, FileKind
from projections.store.compacting import in_order
from projections.store.ddl import LIFE
from projections.store.working import written
from tests.projections.rows import row

YEAR: Final = 28_000_000  # rounds
FIRST: Final = date(2026, 1, 1)
DAYS: Final = 365
ROUNDS: Final = 767  # a table's day
SIZES: Final = (1, 10)  # tables
SEATS: Final = 4
SEGMENTS: Final = 8  # of the open day
HANDS_A_PLAYER, DEALERS_A_TABLE = 2_240, 7  # of 28 million rounds: 50,000 players, 700 dealers
WAGERS: Final = ("ante", "blind", "play", "trips")
ASKED: Final = 20
GOAL: Final = 0.3  # seconds

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
        # This month and the one before are not compacted to months.
        self.in_days = (self.last.replace(day=1) - timedelta(days=1)).replace(day=1)
        # As many as make a player's year, and a dealer's, as long as at 28 million rounds.
        self.players = max(20, self.rounds * SEATS // HANDS_A_PLAYER)
        self.dealers = DEALERS_A_TABLE * tables

    def make(self) -> None:
        """Sealed, compacted and published, but for the last day."""
        with Store.open(self.folder) as store:
            store.commit(_houses())
            self._build = store._build.path
            self._working = store._working
            for first, last in self._spans():
                self._span(first, last)
            store.publish()

    def _span(self, first: date, last: date) -> None:
        """Some days: a month in one file a table, days in one each, the last day open."""
        with duckdb.connect() as db:
            db.execute("SET preserve_insertion_order = true")
            self._db = db
            told = {"first": first, "last": last, "tables": self.tables, "rounds": self.rounds_a_day}
            db.execute(f"CREATE TABLE whole AS {_ROUNDS.format(**told)}")
            if first < self.in_days:
                self._sealed("TRUE", f"months/{first:%Y-%m}", "month")
                return
            for number in range((last - first).days):
                day = first + timedelta(days=number)
                if day == self.last:
                    self._open(day)
                else:
                    self._sealed(f"on_day = DATE '{day}'", f"days/{day}", "day")

    def _choose(self, which: str) -> None:
        self._db.execute(f"CREATE OR REPLACE TABLE r AS FROM whole WHERE {which} ORDER BY on_day, owner, number")

    def _file(self, name: str, kind: FileKind, path: str, told: str) -> File:
        text = in_order(SCHEMA[name], told.replace("MANY_PLAYERS", str(self.players)))
        text = text.replace("MANY_DEALERS", str(self.dealers))
        made = written(self._db, text, self._build, self._build / path / f"{name}.parquet", (name, kind))
        assert made is not None
        return made

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
        """A day near its end: all of its rounds in segments, its tables' rows in the working file."""
        files = []
        for segment in range(SEGMENTS):
            self._choose(f"on_day = DATE '{day}' AND number % {SEGMENTS} = {segment}")
            path = f"segments/{segment}"
            files += [self._file(name, "segment", path, _select(name, *of)) for name, of in _OF_ROUND.items()]
        self._register(files)
        self._choose(f"on_day = DATE '{day}'")
        for name, (source, told, more) in _OF_DAY.items():
            text = _select(name, source, told, more).replace("MANY_PLAYERS", str(self.players))
            rows = self._db.execute(text.replace("MANY_DEALERS", str(self.dealers))).to_arrow_table().drop([LIFE])
            with self._working.given("coming", rows):
                self._working.db.execute(f'INSERT INTO main."{name}" FROM coming')

    def _register(self, files: Iterable[File]) -> None:
        with self._working.transaction():
            self._working.register(list(files))

    def _spans(self) -> Iterator[tuple[date, date]]:
        first = FIRST
        while first <= self.last:
            last = (first + timedelta(days=32)).replace(day=1)
            yield first, min(last, self.last + timedelta(days=1))
            first = last


def _select(name: str, source: str, told: dict[str, str], more: str = "") -> str:
    told = _SHARED | told
    columns = ", ".join(f'({told.get(c.name, "NULL")})::{c.type} AS "{c.name}"' for c in SCHEMA[name].columns)
    return f"SELECT {columns}, 1::INTEGER AS {LIFE} FROM {source}{more}"  # noqa: S608 - our own words


def _houses() -> Changes:
    changes = Changes(positions={"facts/0": 1})
    told = {"house": "h", "book": "UTH-MD", "wager": "base", "unit": "ante", "edge": 0.0218, "deviation": 4.94}
    flat = {"fixed_cents": 0.0, "crossed": 0.0, "fixed_variance": 0.0}
    options = msgspec.json.encode(house("UTH-MD").options).decode()
    changes.put("houses", ("h", "base"), row("houses", **told, **flat, options=options))
    return changes


def _questions(year: Year) -> dict[str, Callable[[Reading, random.Random], object]]:
    def day(chance: random.Random) -> date:
        return FIRST + timedelta(days=chance.randrange(DAYS))

    def player(chance: random.Random) -> str:
        return f"p-{chance.randrange(year.players)}"

    def dealer(chance: random.Random) -> str:
        return f"D-{chance.randrange(year.dealers)}"

    def stream(chance: random.Random) -> str:
        return f"T{chance.randrange(year.tables):03}/{day(chance)}"

    def affected(chance: random.Random, **bad: str) -> Affected:
        on = day(chance)
        return Affected(**bad, first=on, last=on)

    whole: dict[str, Any] = {"first": FIRST, "last": year.last}
    about = "about ten past three pm"
    return {
        "floor now": lambda r, _: floor_now(r),
        "findings, the newest": lambda r, _: findings(r, Wanted()),
        "findings of a player": lambda r, c: findings(r, Wanted(player=player(c))),
        "findings of a dealer, by money": lambda r, c: findings(r, Wanted(dealer=dealer(c)), order="money"),
        "a round by number": lambda r, c: round_story(r, stream(c), c.randint(1, ROUNDS)),
        "a round by about when": lambda r, c: _perhaps(find_rounds, r, Handle(table="T000", day=day(c), about=about)),
        "a round by player and card": lambda r, c: _perhaps(find_rounds, r, Handle(player=player(c), card="Ah")),
        "a player's evening": lambda r, c: _perhaps(evening, r, player(c)),
        "a player's year": lambda r, c: _perhaps(evening, r, player(c), whole["first"], whole["last"]),
        "a dealer's record of a year": lambda r, c: dealer_record(r, dealer(c), **whole),
        "deck ledger of a day": lambda r, c: deck_ledger(r, "T000", first=(on := day(c)), last=on),
        "decks overdue": lambda r, _: deck_ledger(r, overdue=True),
        "blast radius: deck, a day": lambda r, c: blast_radius(r, affected(c, deck="T000-1")),
        "blast radius: device, a day": lambda r, c: blast_radius(r, affected(c, device="shuffler-T000")),
        "blast radius: dealer, a day": lambda r, c: _perhaps(blast_radius, r, affected(c, dealer=dealer(c))),
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
    """What a question took 95 times of 100, by the clock and of the processor."""

    clock: float
    processor: float


def _p95(reading: Reading, question: Callable[[Reading, random.Random], object]) -> Took:
    chance = random.Random(7)  # noqa: S311 - the same questions every time
    clocks, processors = [], []
    for _ in range(ASKED):
        clock, processor = perf_counter(), process_time()
        question(reading, chance)
        clocks.append(perf_counter() - clock)
        processors.append(process_time() - processor)
    place = int(0.95 * ASKED) - 1
    return Took(sorted(clocks)[place], sorted(processors)[place])


def questions(sizes: tuple[int, ...] = SIZES) -> None:
    """Each question at each size, and what the line through the first and the last says of a whole year."""
    counts: list[int] = []
    took: list[dict[str, Took]] = []
    for tables in sizes:
        with tempfile.TemporaryDirectory() as folder:
            began = perf_counter()
            year = Year(Path(folder), tables)
            year.make()
            counts.append(year.rounds)
            made = perf_counter() - began
            files = list(Path(folder).rglob("*.parquet"))
            size = sum(each.stat().st_size for each in files)
            told = f"{len(files)} Parquet files, {size / 1e6:,.0f} MB, made in {made:,.0f} s"
            print(f"{counts[-1]:,} rounds in {DAYS} days: {told}", flush=True)
            with opened(Path(folder)) as reading:
                took.append({name: _p95(reading, ask) for name, ask in _questions(year).items()})
    heads = "".join(f"{count / 1e6:>10.2f} M of cpu" for count in counts)
    print(f"{'p95 in ms at so many rounds':<32}{heads}{'28 M drawn on, of the processor':>34}")
    for name, first in took[0].items():
        figures = "".join(f"{each[name].clock * 1e3:>12,.0f}{each[name].processor * 1e3:>7,.0f}" for each in took)
        print(f"{name:<32}{figures}{_drawn_on(counts, first.processor, took[-1][name].processor)}")


def _drawn_on(counts: list[int], first: float, last: float) -> str:
    """The line through two sizes, at a whole year; it is the processor's, for the clock has others' work in it."""
    if len(counts) < 2:
        return ""
    slope = max(0.0, (last - first) / (counts[-1] - counts[0]))
    far = last + slope * (YEAR - counts[-1])
    return f"{far * 1e3:>26,.0f} {'held' if far <= GOAL else 'MISSED'}"


if __name__ == "__main__":
    questions(tuple(map(int, sys.argv[1:])) or SIZES)

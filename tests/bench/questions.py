"""Every question on a simulated year, through the store: how long it takes 95 times of 100, at more than one size.

A year of a hundred tables is 28 million rounds; these are years of ten tables with fewer rounds a day, and the same days
with more of them, each month as sealing and compaction leave it. What a question takes at 28 million is drawn on from
there as a line. `python -m tests.bench.questions ROUNDS ...` plays other numbers of rounds a table's day.
"""

import random
import sys
import tempfile
from collections.abc import Callable, Iterator
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
from projections.store.bookkeeping import File
from projections.store.ddl import LIFE
from projections.store.working import written
from tests.projections.rows import row

YEAR: Final = 28_000_000  # rounds
FIRST: Final = date(2026, 1, 1)
DAYS: Final = 365
TABLES: Final = 10
SIZES: Final = (80, 800)  # rounds a table's day
SEATS: Final = 4
HANDS_A_PLAYER, DEALERS = 2_240, 100  # of 28 million rounds: 50,000 players
WAGERS: Final = ("ante", "blind", "play", "trips")
ASKED: Final = 20
GOAL: Final = 0.3  # seconds

# Every row follows from its place: `r` are the rounds of a month, and of each the seats, wagers and cards.
_ROUNDS: Final = f"""
SELECT 'T' || lpad(t::VARCHAR, 2, '0') AS owner, 'T' || lpad(t::VARCHAR, 2, '0') || '/' || d::DATE AS day_of_table,
    d::DATE AS on_day, n::INTEGER AS number, hash(t, d, n) AS chance,
    d + INTERVAL 16 HOUR + to_seconds(n * 28800 // {{rounds}}) AS begins
FROM range(DATE '{{first}}', DATE '{{last}}', INTERVAL 1 DAY) days(d), range({TABLES}) tables(t),
    range(1, {{rounds}} + 1) numbers(n)
ORDER BY d, t, n
"""  # noqa: S608 - our own words
_PLAYER: Final = "'p-' || hash(r.day_of_table, r.number // 20, s) % MANY_PLAYERS"
_BACK: Final = "(hash(r.chance, s) % 3 * 4000)"
_HAND: Final = {"seat": "s", "player": _PLAYER, "difference_cents": "0"}
_CARDS: Final = "(CASE hash(r.chance, s) % 20 WHEN 0 THEN 'Ah Kd' WHEN 1 THEN 'Td Th' ELSE '7c 2s' END)"
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
            "dealer": f"'D-' || hash(r.day_of_table, r.number // 40) % {DEALERS}",
            "deck": "r.owner || '-' || r.number % 2",
            "hands": f"{SEATS}",
            "decided": "16",
            "undecided": "0",
            "staked_cents": "16000",
            "back_cents": "15000 + r.chance % 2000",
            "owed_cents": "15000 + r.chance % 2000",
        },
    ),
    "hands": (_SEATS, _HAND | {"staked_cents": "4000", "back_cents": _BACK, "owed_cents": _BACK, "cards": _CARDS}),
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
            "what": "'shuffle-completed'",
            "deck": "r.owner || '-' || r.number % 2",
            "device": "'shuffler-' || r.owner",
        },
    ),
}
_OF_DAY: Final[dict[str, dict[str, str]]] = {
    "tables": {
        "book": "'UTH-MD'",
        "state": "'closed'",
        "zone": "'America/New_York'",
        "sequence": "60",
        "sealed_to": "60",
        "last_at": "max(r.begins)",
        "rounds": "max(r.number)",
        "round": "max(r.number)",
    },
    "money": {"drop_cents": "500000", "win_cents": "min(r.chance) % 200000"},
    "decks": {"deck": "r.owner || '-1'", "first_round": "1", "last_round": "max(r.number)"},
    "coverage": {"what": "'decided'", "wagers": "max(r.number) * 16"},
    "meters": {"meter": "'mega'", "stands_cents": "100000"},
    "staff": {"number": "1", "person": f"'D-' || min(r.chance) % {DEALERS}", "role": "'dealer'"},
}


def _players(rounds: int) -> int:
    """As many as make a player's year as long as at 28 million rounds."""
    return max(20, DAYS * TABLES * rounds * SEATS // HANDS_A_PLAYER)


def _months(days: int) -> Iterator[tuple[date, date]]:
    first = FIRST
    while first < FIRST + timedelta(days=days):
        last = (first + timedelta(days=32)).replace(day=1)
        yield first, last
        first = last


def _select(name: str, source: str, told: dict[str, str], more: str = "") -> str:
    columns = ", ".join(f'({told.get(c.name, "NULL")})::{c.type} AS "{c.name}"' for c in SCHEMA[name].columns)
    return f"SELECT {columns}, 1::INTEGER AS {LIFE} FROM {source}{more}"  # noqa: S608 - our own words


def _month(store: Store, rounds: int, first: date, last: date) -> None:
    """A month as compaction leaves it: one file a table, in the order of days and tables."""
    build = store._build.path
    with duckdb.connect() as db:
        db.execute("SET preserve_insertion_order = true")
        db.execute(f"CREATE TABLE r AS {_ROUNDS.format(first=first, last=last, rounds=rounds)}")

        def file(name: str, text: str) -> File:
            told = text.replace("MANY_PLAYERS", str(_players(rounds)))
            made = written(db, told, build, build / f"months/{first:%Y-%m}/{name}.parquet", (name, "month"))
            assert made is not None
            return made

        files = {name: file(name, _select(name, source, _SHARED | told)) for name, (source, told) in _OF_ROUND.items()}
        by_day = " GROUP BY r.day_of_table, r.owner, r.on_day ORDER BY r.on_day, r.owner"
        for name, told in _OF_DAY.items():
            files[name] = file(name, _select(name, "r", _SHARED | told, by_day))
        bases = {name: f"read_parquet('{build / files[name].path}')" for name in BASES}
        for rollup in ROLLUPS:
            told = f'SELECT *, 1::INTEGER AS {LIFE} FROM ({query(rollup, bases)}) ORDER BY gaming_day, "table"'  # noqa: S608
            files[rollup.name] = file(rollup.name, told)
    with store._working.transaction():
        store._working.register(list(files.values()))


def year(folder: Path, rounds: int, days: int = DAYS) -> int:
    """A year of so many rounds a table's day, sealed and compacted: how many rounds that are."""
    changes = Changes(positions={"facts/0": 1})
    told = {"house": "h", "book": "UTH-MD", "wager": "base", "unit": "ante", "edge": 0.0218, "deviation": 4.94}
    flat = {"fixed_cents": 0.0, "crossed": 0.0, "fixed_variance": 0.0}
    options = msgspec.json.encode(house("UTH-MD").options).decode()
    changes.put("houses", ("h", "base"), row("houses", **told, **flat, options=options))
    for number in range(days * TABLES):
        day = FIRST + timedelta(days=number // TABLES)
        stream = f"T{number % TABLES:02}/{day}"
        changes.put("verified", (stream,), row("verified", stream, up_to=60, closed=True))
        for each in range(3):
            about = {"round": 1 + each, "seat": 1, "dealer": f"D-{number % DEALERS}", "expected_cents": 0}
            kind = {"code": "wager-overpaid", "severity": "money", "state": "standing", "at": number, "says": "Review."}
            name = f"{stream}-{each}"
            found = row("findings", stream, finding=name, observed_cents=number, **about, **kind)
            changes.put("findings", (name,), found)
    with Store.open(folder) as store:
        store.commit(changes)
        for first, last in _months(days):
            _month(store, rounds, first, last)
        store.publish()
    return days * TABLES * rounds


def _questions(rounds: int) -> dict[str, Callable[[Reading, random.Random], object]]:
    def day(chance: random.Random) -> date:
        return FIRST + timedelta(days=chance.randrange(DAYS))

    def player(chance: random.Random) -> str:
        return f"p-{chance.randrange(_players(rounds))}"

    def stream(chance: random.Random) -> str:
        return f"T{chance.randrange(TABLES):02}/{day(chance)}"

    whole: dict[str, Any] = {"first": FIRST, "last": FIRST + timedelta(days=DAYS)}
    return {
        "floor now": lambda r, _: floor_now(r),
        "findings, the newest": lambda r, _: findings(r, Wanted()),
        "findings of a player": lambda r, c: findings(r, Wanted(player=player(c))),
        "findings of a dealer, by money": lambda r, c: findings(
            r, Wanted(dealer=f"D-{c.randrange(DEALERS)}"), order="money"
        ),
        "a round by number": lambda r, c: round_story(r, stream(c), c.randint(1, rounds)),
        "a round by about when": lambda r, c: _perhaps(
            find_rounds, r, Handle(table="T03", day=day(c), about="about ten past three pm")
        ),
        "a round by player and card": lambda r, c: _perhaps(find_rounds, r, Handle(player=player(c), card="Ah")),
        "a player's evening": lambda r, c: _perhaps(evening, r, player(c)),
        "a player's year": lambda r, c: _perhaps(evening, r, player(c), whole["first"], whole["last"]),
        "a dealer's record of a year": lambda r, c: dealer_record(r, f"D-{c.randrange(DEALERS)}", **whole),
        "deck ledger of a day": lambda r, c: deck_ledger(r, "T03", first=(on := day(c)), last=on),
        "decks overdue": lambda r, _: deck_ledger(r, overdue=True),
        "blast radius: deck, a day": lambda r, c: blast_radius(
            r, Affected(deck="T03-1", first=(on := day(c)), last=on)
        ),
        "blast radius: device, a day": lambda r, c: blast_radius(
            r, Affected(device="shuffler-T03", first=(on := day(c)), last=on)
        ),
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
    for rounds in sizes:
        with tempfile.TemporaryDirectory() as folder:
            began = perf_counter()
            counts.append(year(Path(folder), rounds))
            made = perf_counter() - began
            files = list(Path(folder).rglob("*.parquet"))
            size = sum(each.stat().st_size for each in files)
            told = f"{len(files)} Parquet files, {size / 1e6:,.0f} MB, made in {made:,.0f} s"
            print(f"{counts[-1]:,} rounds in {DAYS} days: {told}", flush=True)
            with opened(Path(folder)) as reading:
                took.append({name: _p95(reading, ask) for name, ask in _questions(rounds).items()})
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

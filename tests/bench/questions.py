"""Every question on a simulated year, through the store: how long it takes 95 times of 100, at more than one size.

A year of a hundred tables is 28 million rounds; these are years of two tables with fewer rounds a day, and of the same
days with more of them. What a question takes at 28 million is drawn on from there, as a line: `python -m
tests.bench.questions ROUNDS ...` plays other numbers of rounds a table's day.
"""

import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from projections.changes import Changes, Row
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
from projections.store import Store
from tests.projections.rows import row

YEAR: Final = 28_000_000  # rounds
FIRST: Final = date(2026, 1, 1)
DAYS: Final = 365
TABLES: Final = 2
SIZES: Final = (8, 32)  # rounds a table's day
SEATS: Final = 4
PLAYERS, DEALERS = 3_000, 40
WAGERS: Final = ("ante", "blind", "play", "trips")
ASKED: Final = 20
GOAL: Final = 0.3  # seconds
_US = 1_000_000


def _streams() -> Iterator[tuple[str, date, int]]:
    for number in range(DAYS):
        day = FIRST + timedelta(days=number)
        for table in range(TABLES):
            yield f"T{table}/{day}", day, table


def _began(day: date, number: int, rounds: int) -> int:
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return int(midnight.timestamp()) * _US + (16 * 3600 + 28_800 * number // rounds) * _US


def _day(changes: Changes, place: tuple[str, date, int], rounds: int, chance: random.Random) -> None:
    """One table's day."""
    stream, day, table = place
    players = chance.sample(range(PLAYERS), SEATS * 3)
    dealers = chance.sample(range(DEALERS), 4)
    for number in range(1, rounds + 1):
        began = _began(day, number, rounds)
        _round(changes, stream, number, began, (players, dealers[number * 4 // (rounds + 1)], table), chance)
    told = {"book": "UTH-MD", "state": "closed", "zone": "America/New_York", "sequence": rounds * 60, "rounds": rounds}
    changes.replace(stream, "tables", [row("tables", stream, **told, last_at=began)])
    counted = {"drop_cents": 500_000, "win_cents": chance.randint(-50_000, 200_000)}
    changes.replace(stream, "money", [row("money", stream, **counted)])
    decks = [row("decks", stream, deck=f"T{table}-{each}", first_round=1, last_round=rounds) for each in (1, 2)]
    changes.replace(stream, "decks", decks)
    changes.replace(stream, "coverage", [row("coverage", stream, what="decided", wagers=rounds * 16)])
    changes.replace(stream, "meters", [row("meters", stream, meter="mega", stands_cents=day.toordinal())])
    posts = [row("staff", stream, number=n, person=f"D-{who}", role="dealer") for n, who in enumerate(dealers)]
    changes.replace(stream, "staff", posts)
    changes.put("verified", (stream,), row("verified", stream, up_to=rounds * 60, closed=True))
    for each in range(3):
        about = {"round": 1 + each % rounds, "seat": 1, "dealer": f"D-{dealers[0]}", "expected_cents": 0}
        kind = {"code": "wager-overpaid", "severity": "money", "state": "standing", "at": began, "says": "Review this."}
        name = f"{stream}-{each}"
        changes.put("findings", (name,), row("findings", stream, finding=name, observed_cents=each, **about, **kind))


def _round(
    changes: Changes, stream: str, number: int, began: int, who: tuple[list[int], int, int], chance: random.Random
) -> None:
    players, dealer, table = who
    made: dict[str, Any] = {"round": number, "edition": number}
    deck, times = f"T{table}-{1 + number % 2}", {"began_at": began, "ended_at": began + 50 * _US}
    told = {"book": "UTH-MD", "house": "h", "dealer": f"D-{dealer}", "deck": deck, "hands": SEATS, "decided": 16}
    staked, won = 4_000 * SEATS, chance.choice((-2_000, 0, 2_500))
    sums = {"staked_cents": staked, "back_cents": staked - won, "owed_cents": staked - won, "undecided": 0}
    changes.append("rounds", row("rounds", stream, **made, **times, **told, **sums, last=number * 60, voided=False))
    for seat in range(1, SEATS + 1):
        player = f"p-{players[(number // 20 + seat) % len(players)]}"
        back = chance.choice((0, 4_000, 9_000))
        hand = {"seat": seat, "player": player, "difference_cents": 0}
        paid = {"staked_cents": 4_000, "back_cents": back, "owed_cents": back}
        cards = chance.choice(("Ah Kd", "7c 2s", "Td Th"))
        changes.append("hands", row("hands", stream, **made, **hand, **paid, cards=cards))
        for wager in WAGERS:
            each = {"staked_cents": 1_000, "back_cents": back // 4, "owed_cents": back // 4, "wager": wager}
            changes.append("wagers", row("wagers", stream, **made, **hand, **each))
        for place in (1, 2):
            lies = {"place": "seat", "seat": seat, "number": place, "card": cards.split()[place - 1]}
            changes.append("cards", row("cards", stream, **made, **lies))
    shuffle = {"what": "shuffle-completed", "deck": deck, "device": f"shuffler-{table}", "sequence": number * 60 - 59}
    changes.append("handling", row("handling", stream, **made, **shuffle))


def year(folder: Path, rounds: int) -> int:
    """A year of so many rounds a table's day, each day sealed, months compacted: how many rounds that are."""
    chance = random.Random(rounds)  # noqa: S311 - the same year every time
    base: Row = row("houses", house="h", book="UTH-MD", wager="base", unit="ante", edge=0.0218, deviation=4.94,
                    fixed_cents=0.0, crossed=0.0, fixed_variance=0.0)  # fmt: skip
    with Store.open(folder) as store:
        for position, place in enumerate(_streams(), start=1):
            changes = Changes(positions={"facts/0": position})
            changes.put("houses", ("h", "base"), base)
            _day(changes, place, rounds, chance)
            store.commit(changes)
            store.seal(place[0])
            if position % 200 == 0:
                store.compact()
        store.compact()
        store.publish()
    return DAYS * TABLES * rounds


def _questions(rounds: int) -> dict[str, Callable[[Reading, random.Random], object]]:
    def day(chance: random.Random) -> date:
        return FIRST + timedelta(days=chance.randrange(DAYS))

    def player(chance: random.Random) -> str:
        return f"p-{chance.randrange(PLAYERS)}"

    def stream(chance: random.Random) -> str:
        return f"T{chance.randrange(TABLES)}/{day(chance)}"

    whole: dict[str, Any] = {"first": FIRST, "last": FIRST + timedelta(days=DAYS)}
    return {
        "floor now": lambda r, _: floor_now(r),
        "findings, the newest": lambda r, _: findings(r, Wanted()),
        "findings of a player": lambda r, c: findings(r, Wanted(player=player(c))),
        "findings of a dealer, by money": lambda r, c: findings(
            r, Wanted(dealer=f"D-{c.randrange(DEALERS)}"), order="money"
        ),
        "a round by number": lambda r, c: round_story(r, stream(c), c.randint(1, rounds)),
        "a round by about when": lambda r, c: (
            find_rounds(r, Handle(table="T0", day=day(c), about="21:10"))
            if rounds > 100
            else find_rounds(r, Handle(table="T0", day=day(c), round=1))
        ),
        "a round by player and card": lambda r, c: _perhaps(find_rounds, r, Handle(player=player(c), card="Ah")),
        "a player's evening": lambda r, c: _perhaps(evening, r, player(c)),
        "a player's year": lambda r, c: _perhaps(evening, r, player(c), whole["first"], whole["last"]),
        "a dealer's record of a year": lambda r, c: dealer_record(r, f"D-{c.randrange(DEALERS)}", **whole),
        "deck ledger of a day": lambda r, c: deck_ledger(r, "T0", first=(on := day(c)), last=on),
        "decks overdue": lambda r, _: deck_ledger(r, overdue=True),
        "blast radius: deck, a day": lambda r, c: blast_radius(r, Affected(deck="T0-1", first=(on := day(c)), last=on)),
        "blast radius: device, a day": lambda r, c: blast_radius(
            r, Affected(device="shuffler-0", first=(on := day(c)), last=on)
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


def _p95(reading: Reading, question: Callable[[Reading, random.Random], object]) -> float:
    chance, took = random.Random(7), []  # noqa: S311 - the same questions every time
    for _ in range(ASKED):
        began = perf_counter()
        question(reading, chance)
        took.append(perf_counter() - began)
    return sorted(took)[int(0.95 * ASKED) - 1]


def questions(sizes: tuple[int, ...] = SIZES) -> None:
    """Each question at each size, and what the line through the first and the last size says of a whole year."""
    counts, took = [], []
    for rounds in sizes:
        with tempfile.TemporaryDirectory() as folder:
            began = perf_counter()
            counts.append(year(Path(folder), rounds))
            made = perf_counter() - began
            size = sum(each.stat().st_size for each in Path(folder).rglob("*.parquet"))
            files = len(list(Path(folder).rglob("*.parquet")))
            print(f"{counts[-1]:,} rounds in {DAYS} days: {files} Parquet files, {size / 1e6:,.0f} MB, {made:,.0f} s")
            with opened(Path(folder)) as reading:
                took.append({name: _p95(reading, ask) for name, ask in _questions(rounds).items()})
    head = "".join(f"{f'{count:,}':>12}" for count in counts)
    print(f"{'p95 in ms at so many rounds':<34}{head}{f'{YEAR:,} drawn on':>24}")
    for name in took[0]:
        first, last = took[0][name], took[-1][name]
        slope = max(0.0, (last - first) / (counts[-1] - counts[0])) if len(counts) > 1 else 0.0
        far = last + slope * (YEAR - counts[-1])
        figures = "".join(f"{each[name] * 1000:>12,.1f}" for each in took)
        held = "" if len(counts) < 2 else f"{far * 1000:>16,.0f} {'held' if far <= GOAL else 'MISSED'}"
        print(f"{name:<34}{figures}{held}")


if __name__ == "__main__":
    questions(tuple(map(int, sys.argv[1:])) or SIZES)

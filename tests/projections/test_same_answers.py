"""What lies by player, by seat and by device says what the rounds say, wherever those lie and however often corrected."""

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from projections.changes import Changes, Dead
from projections.questions.asking import NothingFitsError
from projections.questions.blast import Affected, blast_radius
from projections.questions.findings import Wanted, findings
from projections.questions.players import evening
from projections.questions.rounds import Handle, find_rounds
from projections.questions.story import round_story
from projections.reading import Reading, opened
from projections.schema import SCHEMA
from projections.store import Store
from projections.store.bookkeeping import File
from tests.projections.rows import Plain, row

STREAMS = [f"T{table}/{day}" for day in ("2026-08-01", "2026-09-30", "2026-10-01", "2026-10-02") for table in (1, 2)]
PLAYERS = ("p1", "p2", "p3", "")
SEATS = (1, 2, 3)
CARDS = ("As Kd", "7c 2s", "Ah 7c")
WHOLE = (date(2026, 8, 1), date(2026, 10, 2))
MINUTE = 60_000_000


class Floor:
    """Tables where people come, change their seats, sit a round out, and are corrected afterwards."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - repeatable rounds
        self.played = dict.fromkeys(STREAMS, 0)
        self.position = 0

    def plays(self, stream: str) -> Changes:
        """Some rounds more, or what one of them was after all."""
        changes = Changes()
        if self.played[stream] and self.chance.random() < 0.3:
            number = self.chance.randint(1, self.played[stream])
            changes.dead.append(Dead(stream, number, self.position + 1))
            self._round(changes, stream, number, shuffled=False)
        for _ in range(self.chance.randint(0, 4)):
            self.played[stream] += 1
            self._round(changes, stream, self.played[stream], shuffled=True)
        self._day(changes, stream)
        changes.positions["facts/0"] = self._next()
        return changes

    def _next(self) -> int:
        self.position += 1
        return self.position

    def _round(self, changes: Changes, stream: str, number: int, *, shuffled: bool) -> None:
        chance, edition = self.chance, self._next()
        at = _moment(stream) + number * MINUTE
        made: dict[str, Any] = {"round": number, "edition": edition}
        deck = f"D{number % 2}"
        told: dict[str, Any] = {"dealer": chance.choice(("L1", "L2")), "deck": deck, "house": "h", "book": "PIK"}
        told |= {"began_at": at, "ended_at": at + MINUTE // 2, "last": number * 10 + 9, "hands": 3}
        changes.append("rounds", row("rounds", stream, **made, **told, dealer_hand=chance.choice(CARDS)))
        for seat in SEATS:
            if chance.random() < 0.8:
                paid = {
                    name: chance.choice((0, 500, 900, None)) for name in ("staked_cents", "back_cents", "owed_cents")
                }
                told = {"seat": seat, "player": chance.choice(PLAYERS), "cards": chance.choice(CARDS)}
                changes.append("hands", row("hands", stream, **made, **paid, **told))
        if shuffled:
            device = chance.choice(("m1", "m2", ""))
            done = {"what": chance.choice(("shuffle-completed", "deck-loaded")), "device": device, "deck": deck}
            changes.append("handling", row("handling", stream, **made, **done, sequence=number * 10, at=at))

    def _day(self, changes: Changes, stream: str) -> None:
        changes.replace(stream, "tables", [row("tables", stream, book="PIK", zone="UTC")])
        changes.replace(stream, "decks", [row("decks", stream, deck=deck) for deck in ("D0", "D1")])
        seated = [
            row("seatings", stream, number=number, seat=number, player=f"p{number}", bought_in_cents=bought)
            for number, bought in ((1, 700), (2, None), (3, self.position))
        ]
        changes.replace(stream, "seatings", seated)
        for number in range(3):
            name = f"{stream} {number}"
            about = {"round": self.chance.randint(1, 9), "seat": self.chance.choice((*SEATS, None))}
            says: dict[str, Any] = {"dealer": "L1", "state": "standing", "severity": "money", "code": "wager-overpaid"}
            told = row("findings", stream, finding=name, edition=1, at=self.position, says="Review.", **about, **says)
            changes.put("findings", (name,), told)


def _moment(stream: str) -> int:
    return (date.fromisoformat(stream.rpartition("/")[2]) - date(1970, 1, 1)).days * 1440 * MINUTE


@pytest.fixture(scope="module", params=[1, 2, 3])
def readings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same floor twice: as a projector leaves it, sealed, corrected and compacted, and as one open heap of rows."""
    folder: Path = tmp_path_factory.mktemp("floor")
    floor, plain = Floor(request.param), Plain()
    with Store.open(folder / "cut") as store:
        for step in range(90):
            changes = floor.plays(floor.chance.choice(STREAMS))
            plain.take(changes)
            store.commit(changes)
            what = floor.chance.random()
            if what < 0.2:
                store.close_segment(kept=0)
            elif what < 0.6:
                store.seal(floor.chance.choice(STREAMS))
            if step % 12 == 0:
                store.compact()
        for stream in STREAMS[:5]:
            store.seal(stream)
        store.compact()
        store.publish()
    with Store.open(folder / "heap") as store:
        store.commit(plain.whole())
        store.publish()
    with opened(folder / "cut") as cut, opened(folder / "heap") as heap:
        assert {file.kind for file in cut._manifest.files["player_hands"]} >= {"month", "day"}
        yield cut, heap


QUESTIONS: dict[str, Callable[[Reading], object]] = {
    "evening": lambda r: [evening(r, player) for player in PLAYERS[:3]],
    "year": lambda r: [evening(r, player, *WHOLE) for player in PLAYERS[:3]],
    "findings": lambda r: findings(r, Wanted()),
    "findings of players": lambda r: [findings(r, Wanted(player=player)) for player in (*PLAYERS[:3], "nobody")],
    "findings of a dealer": lambda r: findings(r, Wanted(dealer="L1", first=date(2026, 9, 30)), order="money"),
    "rounds by card": lambda r: [find_rounds(r, Handle(player=player, card="As"), limit=99) for player in PLAYERS[:3]],
    "rounds by time": lambda r: find_rounds(r, Handle(player="p1", day=date(2026, 9, 30), about="00:03")),
    "stories": lambda r: [round_story(r, stream, 1) for stream in STREAMS],
    "deck": lambda r: blast_radius(r, Affected(deck="D0")),
    "deck of a day": lambda r: blast_radius(r, Affected(deck="D0", first=date(2026, 10, 1), last=date(2026, 10, 1))),
    "devices": lambda r: [_perhaps(r, Affected(device=device, table=t)) for device in ("m1", "m2") for t in ("", "T1")],
    "dealer": lambda r: blast_radius(r, Affected(dealer="L2", deck="D1", last=date(2026, 10, 1))),
}


def _perhaps(reading: Reading, affected: Affected) -> object:
    with suppress(NothingFitsError):
        return blast_radius(reading, affected)
    return None


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_do_not_depend_on_where_rows_lie(readings: tuple[Reading, Reading], question: str) -> None:
    cut, heap = map(QUESTIONS[question], readings)
    assert cut == heap
    assert cut


# What a rollup says in another order, asked of the round tables themselves.
SAME = {
    "a player's hands": (
        "SELECT * FROM player_hands",
        """SELECT h.stream, h."table", h.gaming_day, h.player, h.round, h.seat, r.began_at, r.dealer, h.cards, h.holds,
            h.choice, r.dealer_hand, h.void, h.staked_cents, h.back_cents, h.owed_cents, h.difference_cents
        FROM hands h JOIN rounds r ON r.stream = h.stream AND r.round = h.round WHERE h.seat > 0 AND h.player <> ''""",
    ),
    "who it was at a seat in a round": (
        """SELECT stream, unnest(range(first_round, last_round + 1)), seat, player FROM stays""",
        "SELECT stream, round, seat, player FROM hands WHERE seat > 0 AND player <> ''",
    ),
    "what a device did": (
        "SELECT stream, device, what, uses::BIGINT, first_round, last_round FROM device_days",
        """SELECT stream, device, what, count(*), min(round), max(round) FROM handling WHERE device <> ''
        GROUP BY stream, device, what""",
    ),
    "stays are as long as they can be": (
        "SELECT a.stream FROM stays a JOIN stays b USING (stream, seat, player) WHERE b.first_round = a.last_round + 1",
        "SELECT stream FROM rounds WHERE false",
    ),
}


@pytest.mark.parametrize("what", SAME)
def test_a_rollup_says_what_the_rounds_say(readings: tuple[Reading, Reading], what: str) -> None:
    for reading in readings:
        rollup, rounds = (sorted(reading.query(query), key=repr) for query in SAME[what])
        assert rollup == rounds


def test_findings_name_who_had_the_hand(readings: tuple[Reading, Reading]) -> None:
    cut, _ = readings
    told = {each.finding: each.player for each in findings(cut, Wanted())}
    held = cut.query("SELECT finding, nullif(player, '') FROM findings f LEFT JOIN hands h USING (stream, round, seat)")
    assert told == dict(held)
    assert len(set(told.values())) == len(PLAYERS)


def test_a_compacted_file_lies_in_the_order_it_is_looked_through(readings: tuple[Reading, Reading]) -> None:
    """Each part of a file holds few players: those between two, which the file itself says."""
    cut, _ = readings
    for name, table in SCHEMA.items():
        files = [file for file in _compacted(cut, name) if table.lies_by]
        for file in files:
            path = cut._manifest.folder / file.path
            told = cut.query(f"SELECT {table.lies_by} FROM read_parquet('{path}')")
            assert told == sorted(told), name
    assert any(_compacted(cut, name) for name in ("player_days", "player_wagers", "seatings"))


def _compacted(reading: Reading, name: str) -> list[File]:
    return [file for file in reading._manifest.files.get(name, []) if file.kind in ("day", "month")]

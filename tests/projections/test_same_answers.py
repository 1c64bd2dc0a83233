"""Answers by player, by seat and by device agree with the rounds, in every file and after every correction."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from projections.questions.asking import NothingFitsError
from projections.questions.blast import Affected, blast_radius
from projections.questions.dealers import dealer_record
from projections.questions.findings import FindingFilter, findings, how_many
from projections.questions.floor import floor_now
from projections.questions.money import hold
from projections.questions.players import evening
from projections.questions.rounds import Handle, find_rounds
from projections.questions.story import round_story
from projections.reading import GenerationReader, opened
from projections.schema import SCHEMA
from projections.store import Store
from projections.store.bookkeeping import ParquetFile
from tests.projections.floors import PLAYERS, STREAMS, Floor
from tests.projections.rows import Plain
from tests.projections.segments import close_segment

WHOLE = (date(2026, 8, 1), date(2026, 10, 2))

pytestmark = pytest.mark.xdist_group("same answers")


@pytest.fixture(scope="module", params=[1, 2])
def readings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same floor twice: as a projector leaves it, sealed, corrected and compacted, and as one open heap of rows."""
    folder: Path = tmp_path_factory.mktemp("floor")
    floor, plain = Floor(request.param), Plain()
    with Store.open(folder / "cut") as store:
        for step in range(45):
            changes = floor.plays(floor.chance.choice(STREAMS))
            plain.take(changes)
            store.commit(changes)
            what = floor.chance.random()
            if what < 0.2:
                close_segment(store, kept=0)
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


QUESTIONS: dict[str, Callable[[GenerationReader], object]] = {
    "evening": lambda r: [evening(r, player) for player in PLAYERS[:3]],
    "year": lambda r: [evening(r, player, *WHOLE) for player in PLAYERS[:3]],
    "findings": lambda r: findings(r, FindingFilter()),
    "the first findings": lambda r: [
        findings(r, FindingFilter(game="PIK"), order=o, limit=4) for o in ("money", "severity")
    ],
    "how many findings": lambda r: [
        how_many(r, FindingFilter(game=game, severity="money")) for game in ("PIK", "UTH-MD", "")
    ],
    "the floor": floor_now,
    "a dealer's record": lambda r: [dealer_record(r, dealer) for dealer in ("L1", "L2")],
    "a dealer at a table": lambda r: dealer_record(r, "L1", first=date(2026, 9, 30), last=WHOLE[1], table="T1"),
    "hold by day": hold,
    "hold of a month": lambda r: hold(r, by="game", period="month", first=date(2026, 10, 1), last=date(2026, 10, 2)),
    "hold of a table": lambda r: hold(r, period="year", table="T2", last=date(2026, 10, 1)),
    "findings of players": lambda r: [findings(r, FindingFilter(player=player)) for player in (*PLAYERS[:3], "nobody")],
    "findings of a dealer": lambda r: findings(r, FindingFilter(dealer="L1", first=date(2026, 9, 30)), order="money"),
    "rounds by card": lambda r: [find_rounds(r, Handle(player=player, card="As"), limit=99) for player in PLAYERS[:3]],
    "rounds by time": lambda r: find_rounds(r, Handle(player="p1", day=date(2026, 9, 30), about="00:03")),
    "stories": lambda r: [round_story(r, stream, 1) for stream in STREAMS],
    "deck": lambda r: blast_radius(r, Affected(deck="D0")),
    "deck of a day": lambda r: blast_radius(r, Affected(deck="D0", first=date(2026, 10, 1), last=date(2026, 10, 1))),
    "devices": lambda r: [_perhaps(r, Affected(device=device, table=t)) for device in ("m1", "m2") for t in ("", "T1")],
    "dealer": lambda r: blast_radius(r, Affected(dealer="L2", deck="D1", last=date(2026, 10, 1))),
}


def _perhaps(reading: GenerationReader, affected: Affected) -> object:
    with suppress(NothingFitsError):
        return blast_radius(reading, affected)
    return None


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_do_not_depend_on_where_rows_lie(
    readings: tuple[GenerationReader, GenerationReader], question: str
) -> None:
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
def test_a_rollup_says_what_the_rounds_say(readings: tuple[GenerationReader, GenerationReader], what: str) -> None:
    for reading in readings:
        rollup, rounds = (sorted(reading.query(query), key=repr) for query in SAME[what])
        assert rollup == rounds


def test_findings_name_who_had_the_hand(readings: tuple[GenerationReader, GenerationReader]) -> None:
    cut, _ = readings
    told = {each.finding: each.player for each in findings(cut, FindingFilter())}
    held = cut.query("SELECT finding, nullif(player, '') FROM findings f LEFT JOIN hands h USING (stream, round, seat)")
    assert told == dict(held)
    assert len(set(told.values())) == len(PLAYERS)


def test_a_compacted_file_lies_in_the_order_it_is_looked_through(
    readings: tuple[GenerationReader, GenerationReader],
) -> None:
    """Each part of a file holds few players: those between two, which the file itself says."""
    cut, _ = readings
    for name, table in SCHEMA.items():
        files = [file for file in _compacted(cut, name) if table.lies_by]
        for file in files:
            path = cut._manifest.folder / file.path
            told = cut.query(f"SELECT {table.lies_by} FROM read_parquet('{path}')")
            assert told == sorted(told), name
    assert any(_compacted(cut, name) for name in ("player_days", "player_wagers", "seatings"))


def _compacted(reading: GenerationReader, name: str) -> list[ParquetFile]:
    return [file for file in reading._manifest.files.get(name, []) if file.kind in ("day", "month")]

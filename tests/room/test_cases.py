"""Cases in the room: what belongs to one, who may see it, what ends when, and every change that was ever made."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from consumers.room import cents_of, micros
from consumers.room.looking import RoomVisit
from domain.desk.access import Accessed, AccessRefused
from domain.desk.acting import RefusedError
from domain.desk.case import Case, VideoHold
from domain.desk.records import decode
from domain.desk.roles import ROLES, ForbiddenError, Role
from domain.facts.envelope import Fact
from projections.questions.findings import FindingFilter
from tests.room.conftest import NOON, Rooms

pytestmark = pytest.mark.xdist_group("record")

STREAM = "T1/2026-11-18"
HAPPENED = datetime(2026, 11, 18, 21, 10, tzinfo=UTC)


def opened(rooms: Rooms, visit: RoomVisit, jurisdiction: str = "") -> Case:
    """A case about a disputed payout."""
    return rooms.room.open_case(
        visit, f"open {jurisdiction}", "dispute", title="Play not paid", jurisdiction=jurisdiction, happened_at=HAPPENED
    )


def told(rooms: Rooms) -> list[Fact]:
    """The access log of the day."""
    return [decode(bytes(row.state)) for row in rooms.desk.recorder.select_events("access/2026-11-18")]


def a_finding(rooms: Rooms) -> str:
    """A finding about a hand."""
    rows = rooms.room.queue(rooms.visit("mara", "manager"), FindingFilter(code="wager-overpaid")).value
    return rows[0].finding.finding


def test_a_finding_brings_its_hand_with_it_and_the_case_tells_both(rooms: Rooms) -> None:
    ivan, finding = rooms.visit("ivan", "investigator"), a_finding(rooms)
    number = opened(rooms, ivan).number
    for _ in range(2):  # a double click links once
        rooms.room.link_finding(ivan, number, "k1", finding)
    shown = rooms.room.case(ivan, number).value
    [row], [hand], [over] = shown.findings, shown.case.hands, shown.hands
    assert (row.finding, row.stream, row.round, row.seat) == (finding, hand.of_stream, hand.of_round, hand.seat)
    assert (over.stream, over.round) == (hand.of_stream, hand.of_round)
    assert [entry.what for entry in shown.history] == ["case opened", "finding linked", "hand linked"]
    assert dict(shown.history[1].says) == {"finding": finding}


@pytest.mark.parametrize(
    ("stream", "number"), [("T1/2026-11-18", 9_999), ("T9/2026-11-18", 1), ("T1/2020-01-01", 1), ("nonsense", 1)]
)
def test_a_hand_that_is_not_on_record_is_not_linked(rooms: Rooms, stream: str, number: int) -> None:
    ivan = rooms.visit("ivan", "investigator")
    case = opened(rooms, ivan)
    with pytest.raises(RefusedError, match="has no finished round"):
        rooms.room.link_hand(ivan, case.number, "k1", stream, number, seat=None)
    assert rooms.room.link_hand(ivan, case.number, "k2", STREAM, 2, seat=3).hands[0].seat == 3


def test_a_finding_that_is_not_there_is_told_to_nobody_without_the_right(rooms: Rooms) -> None:
    number = opened(rooms, rooms.visit("ivan", "investigator")).number
    for finding in ("0" * 20, a_finding(rooms)):
        with pytest.raises(ForbiddenError):
            rooms.room.link_finding(rooms.visit("olga", "operator"), number, "k1", finding)
    with pytest.raises(RefusedError, match="no finding"):
        rooms.room.link_finding(rooms.visit("ivan", "investigator"), number, "k2", "0" * 20)


def test_a_sealed_case_is_there_for_those_it_is_sealed_for_and_who_else_asks_is_written_down(rooms: Rooms) -> None:
    ivan, mara, rita = (
        rooms.visit("ivan", "investigator"),
        rooms.visit("mara", "manager"),
        rooms.visit("rita", "regulator"),
    )
    number = opened(rooms, ivan).number
    rooms.room.seal_case(mara, number, "k1", ["rita", " mara "], "asked for by the regulator")
    assert [line.case.number for line in rooms.room.cases(ivan).value] == []
    assert rooms.room.cases_to_add_to(ivan) == []
    with pytest.raises(RefusedError, match="is sealed"):
        rooms.room.case(ivan, number)
    with pytest.raises(RefusedError, match="is sealed"):
        rooms.room.note_case(ivan, number, "k2", "let me in")
    for visit in (mara, rita):
        assert rooms.room.case(visit, number).value.case.sealed
        assert [line.case.number for line in rooms.room.cases(visit).value] == [number]
    refused = [(record.by, record.of) for record in told(rooms) if isinstance(record, AccessRefused)]
    assert refused == [("ivan", number)] * 2
    looked = {(record.by, record.of) for record in told(rooms) if isinstance(record, Accessed) and record.of == number}
    assert looked == {("mara", number), ("rita", number)}
    rooms.room.unseal_case(rita, number, "k3", "it is public now")
    assert rooms.room.case(ivan, number).value.case.sealed is None


def test_video_waits_until_its_copy_has_a_place_and_the_list_says_until_when_it_is_there(rooms: Rooms) -> None:
    ivan = rooms.visit("ivan", "investigator")
    number = opened(rooms, ivan).number
    begin, end = micros(HAPPENED), micros(HAPPENED + timedelta(minutes=20))
    late, soon = (HAPPENED + timedelta(days=days) for days in (14, 7))
    holds = [VideoHold("NVR-2", f"cam-{at}", begin, end, micros(gone)) for at, gone in enumerate((late, soon))]
    for at, hold in enumerate(holds):
        rooms.room.hold_video(ivan, number, f"k{at}", hold)
    [line] = rooms.room.cases(ivan).value
    assert (line.waiting, line.gone_at) == (2, soon)
    rooms.room.secure_video(ivan, number, "k3", holds[1], "evidence share, 14")
    [line] = rooms.room.cases(ivan).value
    assert (line.waiting, line.gone_at) == (1, late)
    with pytest.raises(RefusedError, match="not copied yet"):
        rooms.room.close_case(ivan, number, "k4", "paid", "paid by the shift manager", cents=None)
    rooms.room.secure_video(ivan, number, "k5", holds[0], "evidence share, 15")
    rooms.room.close_case(ivan, number, "k6", "paid", "paid by the shift manager", cents=2_000)
    assert [line.case.number for line in rooms.room.cases(ivan, closed=True).value] == [number]
    assert rooms.room.cases_to_add_to(ivan) == []


def test_the_clocks_run_from_the_property_s_day_and_are_told_with_their_source(rooms: Rooms) -> None:
    ivan = rooms.visit("ivan", "investigator")
    number = opened(rooms, ivan, "MI").number
    rooms.room.make_claim(ivan, number, "k1", "the play was won", 5_000)
    shown = rooms.room.case(ivan, number).value
    assert shown.rules is not None
    assert shown.rules.name == "Michigan"
    assert (str(shown.clocks.claim_until), str(shown.clocks.answer_until)) == ("2026-12-17", "2026-12-02")
    assert shown.zone == rooms.room.zone() == "America/New_York"


@pytest.mark.parametrize("role", ROLES)
def test_keeping_and_sealing_cases_take_their_rights(rooms: Rooms, role: Role) -> None:
    number = opened(rooms, rooms.visit("ivan", "investigator")).number
    visit, room = rooms.visit("ann", role), rooms.room
    acts = {
        "keep-cases": [
            lambda: room.cases_to_add_to(visit),
            lambda: room.note_case(visit, number, "a", "words"),
            lambda: room.assign(visit, number, "b", "ann"),
            lambda: room.link_person(visit, number, "c", "p-1", "claimant"),
            lambda: room.rule(visit, number, "d", "to be paid", "shift manager", cents=None),
            lambda: room.unlink(visit, number, "e", "p-1", "another player"),
        ],
        "seal-cases": [
            lambda: room.seal_case(visit, number, "f", ["ann"], "asked for"),
            lambda: room.unseal_case(visit, number, "g", "over"),
        ],
        "see-cases": [lambda: room.case(visit, number), lambda: room.cases(visit)],
    }
    for right, asked in acts.items():
        for ask in asked:
            if visit.person.may(right):
                ask()
            else:
                with pytest.raises(ForbiddenError):
                    ask()


def test_another_room_on_the_same_desk_goes_on_with_the_same_case(rooms: Rooms, record: Path, tmp_path: Path) -> None:
    ivan = rooms.visit("ivan", "investigator")
    number = opened(rooms, ivan).number
    other = Rooms(record, tmp_path)
    try:
        other.room.note_case(other.visit("mara", "manager"), number, "k1", "seen")
    finally:
        other.close()
    shown = rooms.room.case(ivan, number).value
    assert [(note.by, note.text) for note in shown.case.notes] == [("mara", "seen")]
    assert shown.history[0].at == datetime.fromtimestamp(shown.case.opened.at / 1e6, UTC)
    assert shown.case.opened.at > NOON


def test_words_longer_than_a_page_are_refused_and_nothing_is_written(rooms: Rooms) -> None:
    ivan = rooms.visit("ivan", "investigator")
    number = opened(rooms, ivan).number
    with pytest.raises(RefusedError, match="cannot be stored"):
        rooms.room.note_case(ivan, number, "k1", "x" * 4_001)
    assert rooms.room.note_case(ivan, number, "k2", "x" * 4_000).version == 2


AMOUNTS = """
1250     | 125000
1,250.5  | 125050
$12.05   | 1205
0        | 0
         | None
12.345   | refused
-5       | refused
a lot    | refused
"""


@pytest.mark.parametrize("row", AMOUNTS.strip("\n").splitlines())
def test_an_amount_is_taken_as_people_write_it(row: str) -> None:
    text, _, means = row.partition("|")
    if means.strip() == "refused":
        with pytest.raises(RefusedError, match="not an amount"):
            cents_of(text)
    else:
        assert str(cents_of(text)) == means.strip()

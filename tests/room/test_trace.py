"""Requests of a user end with their time, and a request for a missing thing is a request on record."""

import pytest
from msgspec.structs import replace

from consumers.room import looking
from consumers.room.looking import SignInOverError
from domain.desk.access import Accessed, AccessRefused
from domain.desk.records import decode
from domain.desk.roles import ForbiddenError
from domain.facts.envelope import Fact
from projections.questions.asking import NothingFitsError
from projections.questions.blast import Affected
from projections.questions.findings import FindingFilter
from projections.questions.rounds import Handle
from tests.room.conftest import NOON, Rooms

pytestmark = pytest.mark.xdist_group("record")


def told(rooms: Rooms) -> list[Fact]:
    """The access log of the day."""
    return [decode(bytes(row.state)) for row in rooms.desk.recorder.select_events("access/2026-11-18")]


def test_a_page_that_is_still_drawn_gets_nothing_by_a_sign_in_that_is_over(rooms: Rooms) -> None:
    bad = Affected(deck="T1-deck-1")
    visit = replace(rooms.visit("ivan", "investigator"), until=NOON + 60_000_000)
    assert rooms.room.repayment_list(visit, bad)
    over = replace(visit, until=NOON)
    for ask in (
        lambda: rooms.room.repayment_list(over, bad),
        lambda: rooms.room.hand(over, "T1/2026-11-18", 2),
        lambda: rooms.room.queue(over, FindingFilter()),
    ):
        with pytest.raises(SignInOverError, match="sign-in of ivan is over"):
            ask()
    refused = [record.what for record in told(rooms) if isinstance(record, AccessRefused)]
    assert refused == ["export", "hand", "page"]


@pytest.mark.parametrize("what", ["dealer", "player", "finding"])
def test_who_asks_for_what_is_not_there_has_looked_for_it(rooms: Rooms, what: str) -> None:
    with pytest.raises(NothingFitsError):
        getattr(rooms.room, what)(rooms.visit("ivan", "investigator"), "nobody")
    assert [(each.what, each.of) for each in told(rooms) if isinstance(each, Accessed)] == [(what, "nobody")]


@pytest.mark.parametrize(
    ("handle", "role", "refused"),
    [
        (Handle(table="T1", player="p-1"), "operator", "see players"),
        (Handle(table="T1", card="Ah"), "operator", "see hidden cards"),
        (Handle(table="T1", player="p-1", card="Ah"), "device-admin", "see players"),
        (Handle(table="T1"), "device-admin", "see hands"),
    ],
)
def test_a_search_takes_every_right_it_hangs_on(rooms: Rooms, handle: Handle, role: str, refused: str) -> None:
    with pytest.raises(ForbiddenError, match=refused):
        rooms.room.find_hands(rooms.visit("ann", role), handle)  # type: ignore[arg-type]


def test_what_is_remembered_of_looks_is_bounded_and_nothing_is_left_unwritten(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "_VISITS_KEPT", 3)
    monkeypatch.setattr(looking, "_LOOKS_KEPT", 2)
    for number in range(9):
        rooms.room.floor(rooms.visit(f"somebody-{number}", "operator"))
    assert len(rooms.room._seen) == 3
    visit = rooms.visit("ivan", "investigator")
    for number in range(1, 7):
        rooms.room.hand(visit, "T1/2026-11-18", number)
    assert len(rooms.room._seen[visit.key]) <= 2
    hands = [each.of for each in told(rooms) if isinstance(each, Accessed) and each.what == "hand"]
    assert hands == [f"T1/2026-11-18 round {number}" for number in range(1, 7)]


def test_what_many_are_told_alike_is_kept_for_the_questions_asked_last(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "_ANSWERS_KEPT", 3)
    visit = rooms.visit("ivan", "investigator")
    for number in range(9):
        assert (
            rooms.room.queue(visit, FindingFilter(table=f"T{number}")).value
            == rooms.room.queue(visit, FindingFilter(table=f"T{number}")).value
        )
    assert len(rooms.room._answers) == 3

"""The right to see players, for questions and answers by player; a question by card needs the right to cards too."""

from collections.abc import Callable
from typing import Any

import pytest

from consumers.room.room import Room
from domain.desk import roles
from domain.desk.access import AccessRefused
from domain.desk.records import decode
from domain.desk.roles import ForbiddenError, Role
from projections.questions.findings import FindingFilter
from projections.questions.rounds import Handle
from tests.room.conftest import Rooms

pytestmark = pytest.mark.xdist_group("record")

# What is asked by a player | the rights it takes
ASKED: dict[str, tuple[Callable[[Room, Any, str], object], set[str]]] = {
    "hands": (lambda room, visit, who: room.find_hands(visit, Handle(player=who)), {"see-hands", "see-players"}),
    "hands with a card": (
        lambda room, visit, who: room.find_hands(visit, Handle(player=who, card="Ah")),
        {"see-hands", "see-players", "see-hidden-cards"},
    ),
    "findings": (
        lambda room, visit, who: room.queue(visit, FindingFilter(player=who)),
        {"see-findings", "see-players"},
    ),
    "how many": (
        lambda room, visit, who: room.queue_length(visit, FindingFilter(player=who)),
        {"see-findings", "see-players"},
    ),
    "an evening": (lambda room, visit, who: room.player(visit, who), {"see-hands", "see-players"}),
}


def player_of(rooms: Rooms) -> str:
    """A player named in a finding."""
    found = rooms.room.queue(rooms.visit("mara", "manager"), FindingFilter(code="wager-overpaid")).value
    return next(row.finding.player for row in found if row.finding.player)


@pytest.mark.parametrize("name", ASKED)
def test_asking_by_a_player_takes_each_of_its_rights(rooms: Rooms, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ask, rights = ASKED[name]
    player = player_of(rooms)
    role: Role = "investigator"
    monkeypatch.setitem(roles.GRANTED, role, frozenset(rights))
    ask(rooms.room, rooms.visit("whole", role), player)
    for missing in sorted(rights):
        monkeypatch.setitem(roles.GRANTED, role, frozenset(rights - {missing}))
        with pytest.raises(ForbiddenError, match=missing.replace("-", " ")):
            ask(rooms.room, rooms.visit(f"without {missing}", role), player)
        last = rooms.desk.recorder.select_notifications(1, 1_000)[-1]
        refused = decode(bytes(last.state))
        assert isinstance(refused, AccessRefused)
        assert refused.by == f"without {missing}"


@pytest.mark.parametrize(("role", "told"), [("operator", False), ("investigator", True)])
def test_a_finding_tells_its_player_to_who_may_see_players(rooms: Rooms, role: Role, told: bool) -> None:
    room, visit = rooms.room, rooms.visit(role, role)
    rows = room.queue(visit, FindingFilter(code="wager-overpaid")).value
    assert rows
    assert any(row.finding.player for row in rows) == told
    named = [row.finding.finding for row in rows]
    assert any(row.finding.player for row in room.queued(visit, named)) == told
    assert any(room.finding(visit, name).value.queued.finding.player for name in named) == told

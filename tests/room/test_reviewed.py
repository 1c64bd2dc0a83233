"""Findings people closed leave the queue, the floor and the table; findings nobody closed are kept."""

import pytest

from consumers.room import room as rooms_module
from consumers.room.reviews import Whose
from projections.questions.findings import FindingFilter
from tests.room.conftest import Rooms

pytestmark = pytest.mark.xdist_group("record")

ANY = FindingFilter()


def closed(rooms: Rooms, name: str) -> None:
    """Two people close it."""
    ivan, mara = rooms.visit("ivan", "investigator"), rooms.visit("mara", "manager")
    rooms.room.claim(ivan, name, f"{name} claimed")
    if rooms.room.close_finding(ivan, name, f"{name} closed", "dealer-error", "seen on camera").state == "proposed":
        rooms.room.agree(mara, name, f"{name} agreed")


def names(rooms: Rooms, whose: Whose = "anybody", *, done: bool = False, who: str = "ivan") -> list[str]:
    """The queue of one user."""
    visit = rooms.visit(who, "investigator")
    return [row.finding.finding for row in rooms.room.queue(visit, ANY, whose=whose, closed=done).value]


def test_what_waits_comes_into_the_queue_however_much_was_closed_after_it(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_of_them = names(rooms)
    monkeypatch.setattr(rooms_module, "MOST_QUEUED", 2)
    for name in all_of_them[:2]:
        closed(rooms, name)
    assert names(rooms) == all_of_them[2:4]
    assert set(names(rooms, done=True)) == set(all_of_them[:2])
    visit = rooms.visit("ivan", "investigator")
    assert rooms.room.queue_length(visit, ANY) == len(all_of_them) - 2
    assert rooms.room.queue_length(visit, ANY, closed=True) == 2


def test_the_queue_is_told_by_hands(rooms: Rooms) -> None:
    mine, hers, passed_on, *rest = names(rooms)
    ivan, mara = rooms.visit("ivan", "investigator"), rooms.visit("mara", "manager")
    rooms.room.claim(ivan, mine, "k1")
    rooms.room.claim(mara, hers, "k2")
    rooms.room.claim(ivan, passed_on, "k3")
    rooms.room.escalate(ivan, passed_on, "k4", "manager", "too much for me")
    assert names(rooms, "me") == [mine]
    assert names(rooms, "me", who="mara") == [hers]
    assert names(rooms, "escalated") == [passed_on]
    assert names(rooms, "nobody") == rest
    rooms.room.release(mara, hers, "k5")
    money = next(row.finding.finding for row in rooms.room.queue(mara, FindingFilter(severity="money")).value)
    rooms.room.claim(mara, money, "k6", take_over=True)
    rooms.room.close_finding(mara, money, "k7", "dealer-error", "seen")
    assert names(rooms, "to agree") == [money]
    assert names(rooms, "to agree", who="mara") == []


def test_floor_and_table_count_what_nobody_closed(rooms: Rooms) -> None:
    mara = rooms.visit("mara", "manager")
    finding = next(row.finding for row in rooms.room.queue(mara, FindingFilter(severity="money")).value)
    before = {table.table: table for table in rooms.room.floor(mara).value}[finding.table]
    listed = rooms.room.table_day(mara, finding.table, finding.gaming_day).value.findings or ()
    assert finding.finding in {each.finding for each in listed}
    by_severity = (before.money_findings, before.integrity_findings, before.procedure_findings)
    assert sum(by_severity) + before.information_findings == before.findings
    assert before.rounds_an_hour is not None
    closed(rooms, finding.finding)
    after = {table.table: table for table in rooms.room.floor(mara).value}[finding.table]
    assert (after.findings, after.money_findings) == (before.findings - 1, before.money_findings - 1)
    assert after.at_risk_cents == before.at_risk_cents - (finding.at_risk_cents or 0)
    left = rooms.room.table_day(mara, finding.table, finding.gaming_day).value.findings or ()
    assert {each.finding for each in listed} - {each.finding for each in left} == {finding.finding}
    rooms.room.reopen(mara, finding.finding, "k9", "looked at the wrong hand")
    again = {table.table: table for table in rooms.room.floor(mara).value}[finding.table]
    assert again.findings == before.findings

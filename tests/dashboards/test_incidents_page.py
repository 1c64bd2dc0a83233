"""The page of incidents: what needs a human, one row for each cause, and the acts of two people on it."""

from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from consumers.room import IncidentRow, RoomVisit
from dashboards import session
from dashboards.views.incidents import waits
from domain.desk.roles import Person, Role
from tests.dashboards.conftest import Opening, texts

pytestmark = pytest.mark.xdist_group("record")


def visit(name: str, role: Role) -> RoomVisit:
    return RoomVisit(Person(name, (role,)), f"visit of {name}")


def rows(name: str = "mara", role: Role = "manager") -> list[IncidentRow]:
    return session.room().incidents(visit(name, role)).value


def many(found: list[IncidentRow]) -> IncidentRow:
    """Return the gravest incident with several findings."""
    return next(row for row in found if len(row.names) > 1)


def pressed(page: AppTest, label: str) -> AppTest:
    (button,) = (each for each in page.button if each.label == label)
    return button.click().run()


def test_the_gravest_comes_first_and_each_row_says_whose_it_is(opening: Opening) -> None:
    page = opening("incidents", "operator")
    found = rows()
    assert found
    said = texts(page)
    assert said.index(f'data-go="{found[0].incident.incident}"') < said.index(f'data-go="{found[1].incident.incident}"')
    money = [max(row.incident.error_cents, row.incident.exposure_cents or 0) for row in found]
    assert money == sorted(money, reverse=True)
    assert "Nobody has it" in said
    assert f"{len(found)} here: 0 mine, {len(found)} nobody&#x27;s, 0 waiting for a second review" in said


def test_those_for_the_log_come_only_if_asked_for(opening: Opening) -> None:
    opening("incidents", "operator")
    grave = {row.incident.incident for row in rows()}
    every = session.room().incidents(visit("mara", "manager"), for_the_log=True).value
    assert grave < {row.incident.incident for row in every}
    assert all(bool(row.incident.needs_human) == (row.incident.incident in grave) for row in every)


def test_one_screen_has_sums_rounds_findings_and_reasons(opening: Opening) -> None:
    opening("incidents", "operator")
    row = many(rows())
    said = texts(opening("incidents", "operator", incident=row.incident.incident))
    assert row.incident.says in said
    assert f"All {len(row.names)} findings" in said
    for item in row.incident.findings:
        assert f"findings?finding={item.finding}" in said
    assert row.incident.because in said
    assert row.incident.needs_human in said


def test_any_finding_of_an_incident_opens_it(opening: Opening) -> None:
    opening("incidents", "operator")
    row = many(rows())
    assert row.incident.says in texts(opening("incidents", "operator", incident=row.names[-1]))


def test_an_incident_is_claimed_closed_and_agreed_to_as_a_whole(opening: Opening) -> None:
    opening("incidents", "operator", name="olga")
    row = many(rows())
    room, name = session.room(), row.incident.incident
    room.claim_incident(visit("olga", "operator"), row.open, "claims")
    said = texts(opening("incidents", "operator", name="olga", incident=name))
    assert "olga has it" in said
    room = session.room()
    room.claim_incident(visit("olga", "operator"), row.open, "claims")
    room.close_incident(visit("olga", "operator"), row.open, "closes", "dealer-error", "looked at the video")
    held = room.incident(visit("mara", "manager"), name).value
    assert (held.state, held.proposal.by if held.proposal else "") == ("proposed", "olga")
    room.agree_incident(visit("mara", "manager"), held.open, "agrees")
    assert room.incident(visit("mara", "manager"), name).value.state == "closed"
    assert name not in {each.incident.incident for each in rows()}


def test_two_people_at_one_incident_never_both_have_it(opening: Opening) -> None:
    opening("incidents", "operator")
    row, room = many(rows()), session.room()
    room.claim_incident(visit("olga", "operator"), row.open[:1], "claims")
    with pytest.raises(Exception, match="olga has claimed it"):
        room.claim_incident(visit("ivan", "investigator"), row.open, "claims too")
    assert [session.room().incident(visit("mara", "manager"), row.incident.incident).value.holder] == ["olga"]


def test_findings_set_apart_stay_apart(opening: Opening) -> None:
    opening("incidents", "operator")
    row, room = many(rows()), session.room()
    taken = row.names[-1:]
    room.set_apart(visit("olga", "operator"), taken, row.names, "splits", "another cause")
    apart = room.incident(visit("olga", "operator"), taken[0]).value
    rest = room.incident(visit("olga", "operator"), row.names[0]).value
    assert (apart.names, rest.names) == (taken, row.names[:-1])
    room.join(visit("olga", "operator"), [apart.names, rest.names], "joins", "one cause after all")
    assert set(room.incident(visit("olga", "operator"), taken[0]).value.names) == set(row.names)


def test_the_forms_of_a_decision_name_findings_and_incidents(opening: Opening) -> None:
    opening("incidents", "operator")
    row = many(rows())
    page = opening("incidents", "operator", incident=row.incident.incident)
    labels = {each.label: each for each in page.multiselect}
    assert len(labels["Findings with another cause"].options) == len(row.names)
    assert labels["Incidents with the same cause"].options
    taken = labels["Findings with another cause"].select(labels["Findings with another cause"].options[-1]).run()
    (why, *_) = (each for each in taken.text_input if each.label == "Why")
    why.set_value("another seat").run()
    split = pressed(taken, "Take them out")
    assert f"All {len(row.names) - 1} findings" in texts(split)


@pytest.mark.parametrize(
    ("minutes", "says"), [(0, "0 min"), (119, "119 min"), (120, "2 h"), (2_879, "47 h"), (2_880, "2 days")]
)
def test_a_row_says_how_long_it_waits(minutes: int, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "now", lambda: datetime.fromtimestamp(minutes * 60, UTC))
    assert waits(0) == says


def test_the_buttons_claim_and_note(opening: Opening) -> None:
    opening("incidents", "operator", name="olga")
    name = many(rows()).incident.incident
    page = opening("incidents", "operator", name="olga", incident=name)
    assert {each.label for each in page.button} >= {"Claim", "Note"}
    claimed = pressed(page, "Claim")
    assert "olga has it" in texts(claimed)
    assert {each.label for each in claimed.button} >= {"Note", "Escalate", "Close all"}

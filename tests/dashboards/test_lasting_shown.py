"""A state that lasts over rounds, on the pages: its rounds are named, and each of them shows it."""

import pytest

from consumers.room import RoomVisit
from dashboards import session
from domain.desk.roles import Person
from projections.questions.findings import FindingFilter, FindingRow
from tests.dashboards.conftest import Opening, texts

pytestmark = pytest.mark.xdist_group("record")
ROLE = "manager"


@pytest.fixture
def lasting(opening: Opening) -> FindingRow:
    """The longest state on record: a deck that stays after a wrong count."""
    opening("findings", ROLE)
    visit = RoomVisit(Person("mara", (ROLE,)), "visit of mara")
    queued = session.room().queue(visit, FindingFilter(code="deck-not-removed")).value
    return max((each.finding for each in queued), key=lambda found: (found.to_round or 0) - (found.round or 0))


def test_a_finding_and_the_queue_name_the_rounds_of_its_stretch(opening: Opening, lasting: FindingRow) -> None:
    said = f"{lasting.table} rounds {lasting.round} to {lasting.to_round}"
    assert said in texts(opening("findings", ROLE, finding=lasting.finding))
    assert said in texts(opening("findings", ROLE, table=lasting.table))


def test_a_tables_day_names_the_rounds_of_a_stretch(opening: Opening, lasting: FindingRow) -> None:
    day = lasting.gaming_day.isoformat()
    assert f">{lasting.round} to {lasting.to_round}<" in texts(opening("table", ROLE, table=lasting.table, day=day))


def test_a_hand_within_a_stretch_shows_its_finding(opening: Opening, lasting: FindingRow) -> None:
    within = str(((lasting.round or 0) + (lasting.to_round or 0)) // 2)
    assert lasting.finding in texts(opening("hand", ROLE, stream=lasting.stream, round=within))

"""Times on every page are the property's: the same record with clocks far away shows each of them moved, and no other."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from consumers.desk.application import desk_of
from consumers.room import Room, VideoHold, micros
from consumers.room.looking import RoomVisit
from dashboards import session
from dashboards.app import PAGES
from domain.desk.roles import Person, Role
from tests.dashboards.conftest import FAR, Opening
from tests.room.addresses import Address, addresses, filled, gaps, order_exports
from tests.room.conftest import PEOPLE

pytestmark = pytest.mark.xdist_group("record")

MOVED = timedelta(hours=10, minutes=45)  # from the clocks of New York in November
AT = datetime(2026, 11, 18, 21, 10, tzinfo=UTC)
TIMELESS = (
    *("people?who=dealers", "people?who=players&first=2026-11-18", "numbers?by=game&period=month"),
    *("cases?closed=yes", "cases"),  # days alone
)
_TIME = re.compile(r"(?:(?<!\d)(\d{4}-\d{2}-\d{2})[ T])?(?<![\d:-])(\d{2}:\d{2})(?::\d{2})?(?!\d)")
_HINT = re.compile(r'placeholder: ".*"')


@pytest.fixture
def case(opening: Opening, tmp_path: Path, record: Path) -> str:
    """A case with everything that has a time, and an export that was ordered."""
    st.cache_resource.clear()
    room, mara = session.room(), RoomVisit(Person("mara", ("manager",)), "visit")
    number = room.open_case(mara, "k1", "dispute", title="Not paid", jurisdiction="PA", happened_at=AT).number
    _filled(room, mara, number, gaps(record, "")["ITS"])
    desk = desk_of(data=tmp_path)
    order_exports(desk, tmp_path)
    desk.close()
    return number


def _filled(room: Room, mara: RoomVisit, number: str, finding: str) -> None:
    room.link_finding(mara, number, "k2", finding)
    room.note_case(mara, number, "k3", "a remark")
    room.note(mara, finding, "k4", "another")
    begin = micros(AT)
    room.hold_video(mara, number, "k5", VideoHold("NVR-2", "cam-14", begin, begin + 60_000_000, begin + 3_600_000_000))


@pytest.fixture
def there(opening: Opening, far: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opening:
    """Open a page of the house far away, at the same desk."""

    def page(path: str, *roles: Role, name: str = "ann", **named: str) -> AppTest:
        monkeypatch.setenv("CATWALK_DATA", str(far))
        (tmp_path / "read").unlink()
        (tmp_path / "read").symlink_to(far / "read")
        st.cache_resource.clear()
        return opening(path, *roles, name=name, **named)

    return page


def all_of(test: AppTest) -> str:
    """Everything that goes to the browser, but for what fields show while they are empty."""
    said = "\n".join(str(getattr(each, "proto", "")) for part in (test.main, test.sidebar) for each in part)
    return _HINT.sub("", said)


def times(said: str) -> list[datetime]:
    """The times in it, each with its day where that stands before it."""
    found = (datetime.fromisoformat(f"{day or '2000-01-01'}T{clock}") for day, clock in _TIME.findall(said))
    return [each if each.year > 2000 else each.replace(day=1) for each in found]


def moved(before: datetime) -> datetime:
    """The same moment by the clocks of the house far away."""
    after = before + MOVED
    return after if before.year > 2000 else after.replace(day=1)


@pytest.mark.parametrize("address", addresses(), ids=lambda each: each.path)
def test_a_page_tells_every_time_by_the_clocks_of_the_house(
    opening: Opening, there: Opening, record: Path, case: str, address: Address
) -> None:
    held = gaps(record, case)
    named = {name: filled(value, held) for name, value in address.named.items()}
    role = PEOPLE[address.name]
    here_said = all_of(opening(address.page, role, **named))
    there_test = there(address.page, role, **named)
    assert not there_test.exception
    said = all_of(there_test)
    assert "UTC" not in said
    assert FAR in said  # in which zone stands on every page
    assert times(said) or address.path in TIMELESS
    assert times(said) == [moved(each) for each in times(here_said)]


def test_the_walk_leaves_no_page_out() -> None:
    assert {each.page for each in addresses()} == {path for _, path, *_ in PAGES}

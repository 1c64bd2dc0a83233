"""The sign-in by local accounts: hours counted, tries on record, and nothing shown to who is not in."""

import time
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from consumers.accounts.accounts import added
from consumers.desk.application import desk_of
from consumers.room.signing_in import SIGN_IN
from dashboards import session
from domain.desk.access import AccessRefused, SignedIn, SignedOut
from domain.desk.records import decode
from domain.facts.envelope import Fact
from tests.dashboards.conftest import Opening, texts

pytestmark = pytest.mark.xdist_group("record")

GOOD = "a long enough one"


def told(folder: Path) -> list[Fact]:
    """Entries of the access log."""
    with closing(desk_of(data=folder)) as desk:
        return [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 100)]


def tried(test: AppTest, user: str, password: str) -> AppTest:
    """Type a name and a password."""
    test.text_input[0].set_value(user)
    test.text_input[1].set_value(password)
    return test.button[0].click().run()


@pytest.fixture
def door(opening: Opening, tmp_path: Path) -> AppTest:
    """The sign-in, with one account behind it."""
    added(tmp_path / "accounts.toml", "ann", ("operator",), GOOD)
    test = opening("floor")
    test.session_state["session"] = None
    return test.run()


def test_who_comes_in_and_leaves_stands_on_record(door: AppTest, tmp_path: Path) -> None:
    test = tried(door, "ann", GOOD)
    assert test.title[0].value == "Floor"
    next(button for button in test.sidebar.button if button.label == "Sign out").click().run()
    assert test.title[0].value == "Catwalk"
    records = [record for record in told(tmp_path) if isinstance(record, SignedIn | SignedOut)]
    assert [(type(record), getattr(record, "by", "")) for record in records] == [(SignedIn, "ann"), (SignedOut, "ann")]


def test_a_try_that_fails_stands_on_record_without_what_was_typed(door: AppTest, tmp_path: Path) -> None:
    test = tried(tried(door, "ann", "not her password"), GOOD, "")
    assert "name or the password is wrong" in texts(test)
    refused = [record for record in told(tmp_path) if isinstance(record, AccessRefused)]
    assert [(record.what, record.of) for record in refused] == [("sign-in", "ann"), ("sign-in", "no such account")]
    assert not any(GOOD in str(record) for record in refused)


def test_after_the_hours_a_room_allows_everybody_signs_in_again(
    opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SIGN_IN, '{"hours": 2}')
    added(tmp_path / "accounts.toml", "ann", ("operator",), GOOD)
    test = opening("floor")
    test.session_state["session"] = None
    test = tried(test.run(), "ann", GOOD)
    assert test.title[0].value == "Floor"
    monkeypatch.setattr(session.sessions(), "_clock", lambda: time.time() + 7_201)
    test.run()
    assert test.title[0].value == "Catwalk"
    assert "The session of ann has expired" in texts(test)
    assert any(isinstance(record, SignedOut) and record.expired for record in told(tmp_path))


def test_somebody_without_a_role_sees_no_page(opening: Opening) -> None:
    test = opening("floor")
    assert "The account of ann has no role here" in texts(test)
    assert [button.label for button in test.sidebar.button] == ["Sign out"]

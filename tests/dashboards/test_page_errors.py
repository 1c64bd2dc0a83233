"""Errors on a page: the words, who sees them, and the entry in the log."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from consumers.desk.application import DESK_FILE, desk_of
from dashboards import page_errors
from dashboards.app import PAGES
from domain.desk.access import AccessRefused
from domain.desk.records import decode
from domain.desk.roles import ROLES, Person, Role
from tests.dashboards.conftest import Opening, texts

pytestmark = pytest.mark.xdist_group("record")

# An address that names what is not there | what it says
NOT_THERE = """
table?table=T99                         | There is no table T99.
table?table=T1&day=2020-01-01           | T1 has no gaming day 2020-01-01
table?table=T1&day=soon                 | 'soon' is not a gaming day
hand?stream=T99/2026-11-18&round=2      | no stream T99/2026-11-18.
hand?stream=T1/2026-11-18&round=99999   | 99999
hand?stream=T1/2026-11-18&round=two     | 'two' is not a round
hand?table=T99                          | There is no table T99.
people?player=p-nobody                  | p-nobody
people?dealer=d-nobody                  | The record has no round dealt by 'd-nobody'
decks?table=T99                         | There is no table T99.
decks?deck=no-such-deck                 | There is no deck no-such-deck here.
cases?case=2026-9999                    | There is no case 2026-9999.
findings?table=T99                      | There is no table T99.
findings?finding=f-nothing              | There is no finding f-nothing.
numbers?table=T99                       | No day on record matches.
"""


@pytest.mark.parametrize("row", NOT_THERE.strip().splitlines())
def test_what_is_not_there_is_said_to_be_not_there_and_nothing_else_stands_for_it(opening: Opening, row: str) -> None:
    address, words = (each.strip() for each in row.split("|"))
    path, _, query = address.partition("?")
    test = opening(path, "manager", **dict(part.split("=") for part in query.split("&")))
    assert not test.exception
    assert words in texts(test)


def test_a_table_that_is_not_there_is_not_another(opening: Opening) -> None:
    test = opening("table", "manager", table="T99")
    assert test.selectbox[0].value is None
    assert "Deck ledger" not in texts(test)


@pytest.mark.parametrize("role", ROLES)
def test_a_page_that_is_not_for_somebody_says_so_and_that_they_came_is_on_record(
    opening: Opening, tmp_path: Path, role: Role
) -> None:
    barred = [(path, right) for _, path, _, right, _ in PAGES if not Person("ann", (role,)).may(right)]
    for path, right in barred:
        test = opening(path, role)
        assert test.title[0].value == "Not for your roles"
        assert f"ann ({role}) may not {right.replace('-', ' ')}." in texts(test)
    with closing(desk_of(data=tmp_path)) as desk:
        told = [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 100)]
    refused = [(record.what, record.of) for record in told if isinstance(record, AccessRefused)]
    assert refused == [("page", path) for path, _ in barred]


@pytest.mark.parametrize("path", ["floor", "people"])
def test_what_nobody_foresaw_is_told_in_plain_words_and_logged_whole(
    opening: Opening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("of the card nobody may see")

    monkeypatch.setattr("consumers.room.Room.floor", broken)
    monkeypatch.setattr("consumers.room.Room.dealers", broken)
    monkeypatch.setattr(page_errors, "unforeseen", page_errors.told_and_logged)
    with caplog.at_level(logging.ERROR):
        test = opening(path, "manager")
    assert not test.exception
    assert page_errors.UNFORESEEN in texts(test)
    assert "nobody may see" not in texts(test)
    assert "ValueError: of the card nobody may see" in caplog.text


def test_a_desk_that_is_held_by_another_is_told_and_what_was_typed_stays(
    opening: Opening, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    test = opening("cases", "investigator")
    next(each for each in test.text_input if each.label == "Subject of the case").set_value("A disputed play")
    next(each for each in test.button if each.label == "Open").click()
    with closing(sqlite3.connect(tmp_path / DESK_FILE)) as other, caplog.at_level(logging.ERROR):
        other.execute("BEGIN IMMEDIATE")
        test = test.run()
    assert page_errors.OUT_OF_REACH in texts(test)
    assert "database is locked" in caplog.text
    assert next(each for each in test.text_input if each.label == "Subject of the case").value == "A disputed play"


def test_a_sentence_begins_and_ends_as_one() -> None:
    assert page_errors.sentence("there is no table T9") == "There is no table T9."
    assert page_errors.sentence(RefusalError("Choose a disposition.")) == "Choose a disposition."


class RefusalError(Exception):
    """A refusal."""

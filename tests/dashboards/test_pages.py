"""Each page for each role: in the list where a right puts it there, drawn without a fault, and told on record."""

from pathlib import Path

import pytest

from dashboards.app import PAGES
from domain.desk.roles import ROLES, Person, Role
from projections.reading import opened as reading
from tests.dashboards.conftest import Opening, texts

pytestmark = pytest.mark.xdist_group("record")

TITLES = {"hand": "Find a hand"}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("path", [path for _, path, *_ in PAGES])
def test_a_page_opens_for_the_roles_with_its_right_and_for_no_other(opening: Opening, path: str, role: Role) -> None:
    title, right = next((title, right) for title, each, _, right, _ in PAGES if each == path)
    test = opening(path, role)
    assert not test.exception
    opened = test.title[0].value == TITLES.get(path, title)
    assert opened == Person("ann", (role,)).may(right)


def test_record_health_tells_what_could_be_decided_and_how_old_that_is(opening: Opening) -> None:
    said = texts(opening("record", "device-admin"))
    assert "data-made-at" in said
    assert "unsealed facts" in said
    assert ">decided<" in said


def test_without_a_person_every_address_asks_who_it_is(opening: Opening) -> None:
    test = opening("record")
    test.session_state["session"] = None
    test.run()
    assert test.title[0].value == "Catwalk"
    assert test.text_input[1].label == "Password"


@pytest.mark.parametrize("role", ROLES)
def test_a_table_s_day_shows_money_and_findings_to_those_who_may_see_them(opening: Opening, role: Role) -> None:
    test = opening("table", role, table="T2", day="2026-11-18")
    assert not test.exception
    said, person = texts(test), Person("ann", (role,))
    assert "Deck ledger" in said
    assert ("closer" in said) == person.may("see-money")
    assert ("To review" in said) == person.may("see-findings")
    assert test.selectbox[0].value == "T2"


def test_a_table_and_a_day_that_never_were_are_told_apart_from_others(opening: Opening) -> None:
    test = opening("table", "operator", table="T1", day="2020-01-01")
    assert not test.exception
    assert "has no gaming day 2020" in test.error[0].value.replace("\\", "")


@pytest.mark.parametrize("role", ROLES)
def test_the_blast_radius_of_a_deck_names_players_to_those_who_may_see_them(opening: Opening, role: Role) -> None:
    test = opening("decks", role, deck="T1-deck-1")
    assert not test.exception
    said, person = texts(test), Person("ann", (role,))
    assert "Ledger" in said
    assert ("Repayment list" in said) == person.may("see-players")
    assert bool(test.get("download_button")) == person.may("order-exports")


def test_a_day_that_is_none_is_told_so_and_nothing_else_breaks(opening: Opening) -> None:
    test = opening("decks", "manager", dealer="d-1", first="yesterday")
    assert not test.exception
    assert "is not a gaming day" in test.error[0].value


def test_people_tells_dealers_players_and_one_of_either_by_the_address(opening: Opening, record: Path) -> None:
    with reading(record / "read") as held:
        dealer = held.query("SELECT min(dealer) FROM dealer_days WHERE dealer <> ''")[0][0]
        player = held.query("SELECT min(player) FROM player_days WHERE player <> ''")[0][0]
    for named, said in (
        ({}, "rounds an hour"),
        ({"who": "players"}, "Players with the highest stakes"),
        ({"dealer": dealer}, "Settled wrong, by direction"),
        ({"player": player}, "Every hand"),
    ):
        test = opening("people", "investigator", **named)
        assert not test.exception
        assert said in texts(test)
    assert "The record has no round dealt by '<b>'" in texts(opening("people", "investigator", dealer="<b>"))


def test_numbers_are_told_by_what_the_address_names(opening: Opening) -> None:
    for named, said in (({}, "T1"), ({"by": "game", "period": "month"}, "2026-11"), ({"by": "nonsense"}, "T2")):
        test = opening("numbers", "auditor", **named)
        assert not test.exception
        assert said in texts(test)
        assert "house edge" in texts(test)
    assert "is not a gaming day" in opening("numbers", "auditor", first="soon").error[0].value

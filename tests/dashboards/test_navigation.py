"""A click that was made before the browser knew of a new address is not led back to the old one; who goes back is."""

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dashboards import navigation
from dashboards.navigation import PageAddress, Way
from tests.dashboards.conftest import Opening, texts
from tests.dashboards.test_address import asked, fields

pytestmark = pytest.mark.xdist_group("record")

A, B, C = (PageAddress("hand", {"round": number}) for number in "123")
ELSEWHERE = PageAddress("floor", {})


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the time."""
    now = [1000.0]
    monkeypatch.setattr(navigation, "time", lambda: now[0])

    def later(seconds: float) -> None:
        now[0] += seconds

    return later


def test_a_way_is_gone_on_from_wherever_it_has_been_since(clock: Callable[[float], None]) -> None:
    way = Way()
    assert way.astray(A) is None
    way.lead(A, B)
    clock(1)
    way.lead(B, C)
    assert [way.astray(each) for each in (A, B, C)] == [C, C, None]
    way.lead(C, A)
    assert [way.astray(each) for each in (A, B, C)] == [None, A, A]


@pytest.mark.parametrize("meant", [A, ELSEWHERE])
def test_a_place_is_meant_once_a_click_of_before_has_come_or_where_it_is_another(
    clock: Callable[[float], None], meant: PageAddress
) -> None:
    way = Way()
    way.lead(A, B)
    clock(10 if meant == A else 1)
    assert way.astray(meant) is None
    assert way.astray(A) is None


def test_whoever_goes_back_arrives_there(monkeypatch: pytest.MonkeyPatch) -> None:
    way = Way()
    way.lead(A, B)
    monkeypatch.setattr(navigation, "_went_back", lambda: True)
    assert way.astray(A) is None
    monkeypatch.undo()
    assert way.astray(A) is None


def test_across_pages_only_the_place_just_left_is_not_gone_back_to(clock: Callable[[float], None]) -> None:
    way, first, finding, case = (
        Way(),
        PageAddress("findings", {}),
        PageAddress("findings", {"finding": "f"}),
        PageAddress("cases", {}),
    )
    way.lead(first, finding)
    way.lead(finding, case)
    assert way.astray(finding) == case
    assert way.astray(first) is None


def test_a_place_is_forgotten_however_quickly_one_goes_on(clock: Callable[[float], None]) -> None:
    way = Way()
    way.lead(A, B)
    for _ in range(3):
        clock(4)
        way.lead(B, C)
        way.lead(C, B)
    assert way.astray(A) is None


def late(test: AppTest, **before: str) -> AppTest:
    """The next run, asked for by a browser that knows this address still."""
    test.query_params.clear()
    for name, value in before.items():
        test.query_params[name] = value
    return test.run()


def test_two_choices_one_after_the_other_are_both_taken(opening: Opening) -> None:
    test = opening("findings", "manager", table="T1")
    test = fields(test, "selectbox", "Severity")[0].set_value("money").run()
    fields(test, "toggle", "Show closed")[0].set_value(True)
    test = late(test, table="T1")
    assert {name: asked(test, name) for name in ("table", "severity", "closed")} == {
        "table": "T1",
        "severity": "money",
        "closed": "yes",
    }
    assert fields(test, "selectbox", "Severity")[0].value == "money"


def test_a_table_stays_chosen_when_the_page_is_drawn_anew_in_that_moment(opening: Opening) -> None:
    test = opening("table", "manager", table="T1", day="2026-11-18")
    test = test.selectbox[0].set_value("T2").run()
    test = late(test, table="T1", day="2026-11-18")
    assert (asked(test, "table"), asked(test, "day"), test.selectbox[0].value) == ("T2", "", "T2")


def test_a_second_click_of_an_impatient_hand_stays_where_the_first_has_led(opening: Opening) -> None:
    test = opening("cases", "investigator", name="ivan")
    next(each for each in test.text_input if each.label == "Subject of the case").set_value("A disputed play")
    next(each for each in test.button if each.label == "Open").click()
    test = late(test.run())
    assert re.fullmatch(r"\d{4}-0001", asked(test, "case"))  # the first case of this year
    assert "Every change" in texts(test)


def test_an_address_that_is_asked_for_later_is_drawn(opening: Opening, clock: Callable[[float], None]) -> None:
    test = opening("findings", "manager", table="T1")
    test = fields(test, "text_input", "Table")[0].set_value("T2").run()
    clock(11)
    test = late(test, table="T1")
    assert (asked(test, "table"), fields(test, "text_input", "Table")[0].value) == ("T1", "T1")


def test_what_a_click_of_before_brings_along_is_nobody_s_choice(opening: Opening) -> None:
    test = opening("findings", "manager", severity="money", table="T1")
    test.session_state["way"].lead(
        PageAddress("findings", {"severity": "money", "table": "T1"}), PageAddress("findings", {})
    )
    fields(test, "text_input", "Table")[0].set_value("T2")
    test = late(test, severity="money", table="T1")
    assert (asked(test, "severity"), asked(test, "table")) == ("", "T2")
    assert fields(test, "selectbox", "Severity")[0].value == "any"
    assert fields(test.run(), "text_input", "Table")[0].value == "T2"


def test_what_a_field_was_given_is_said_again_until_the_browser_must_have_heard_of_it(
    opening: Opening, clock: Callable[[float], None]
) -> None:
    test = opening("findings", "manager", severity="money")
    said = []
    for seconds in (0.0, 0.5, 1.0):
        clock(seconds)
        test = test.run()
        said.append(fields(test, "selectbox", "Severity")[0].proto.set_value)
    assert said == [True, True, False]


def test_the_beginning_of_a_page_stays_where_its_part_has_fields_of_its_own(opening: Opening) -> None:
    test = opening("table", "manager", table="T2")
    test.session_state["way"].lead(PageAddress("table", {"table": "T2"}), PageAddress("table", {}))
    test = late(test, table="T2")
    assert (asked(test, "table"), test.selectbox[0].value) == ("T1", "T1")  # the first one, where none is named


def test_a_choice_that_is_taken_back_at_once_is_taken_back(opening: Opening) -> None:
    test = opening("findings", "manager")
    test = fields(test, "toggle", "Show closed")[0].set_value(True).run()
    fields(test, "toggle", "Show closed")[0].set_value(False)
    test = late(test)
    assert (asked(test, "closed"), fields(test, "toggle", "Show closed")[0].value) == ("", False)


def test_a_click_of_before_on_the_page_from_which_a_case_was_opened_stays_at_the_case(opening: Opening) -> None:
    test = opening("findings", "investigator", name="ivan")
    test.session_state["way"].lead(PageAddress("findings", {}), PageAddress("cases", {"case": "2026-0009"}))
    assert "There is no case 2026-0009" in texts(late(test))


def test_a_press_on_what_is_not_shown_any_more_is_not_kept_for_whoever_comes_back(opening: Opening) -> None:
    test = opening("findings", "investigator", name="ivan")
    test.session_state["pressed"] = {"Claim of f, Claim, 0": navigation.time()}
    assert not test.run().session_state["pressed"]

"""Every choice in a field goes into the address each time, and the fields show what the address says."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Opening

pytestmark = pytest.mark.xdist_group("record")

# The page | the kind of field, and its label | its name in the address | what is chosen, one after the other
CHOSEN = """
decks    | text_input   Table            | table    | T1, T2, T1, nothing
decks    | text_input   Deck             | deck     | T1-deck-1, T2-deck-1, T2-deck-2
findings | text_input   Table            | table    | T1, T2, T1, nothing
findings | text_input   Code             | code     | wager-overpaid, winner-collected, wager-overpaid
findings | selectbox    Severity         | severity | money, integrity, procedure
findings | selectbox    Order            | order    | most money first = money, most severe first = severity, newest first = nothing
findings | selectbox    Whose            | whose    | mine = me, nobody's = nobody, escalated
findings | toggle       Show closed      | closed   | yes, nothing, yes
table    | selectbox    Table            | table    | T2, T1, T2, T1
cases    | toggle       Show closed      | closed   | yes, nothing, yes
numbers  | button_group By               | by       | game, table = nothing, game
numbers  | button_group Each             | period   | month, year, month
numbers  | text_input   Table            | table    | T1, T2, nothing, T1
numbers  | text_input   From gaming day  | first    | 2026-11-17, 2026-11-18, 2026-11-16
people   | button_group Who              | who      | players, dealers, players
people   | text_input   Dealer           | dealer   | dealer-1, dealer-2, dealer-3
people   | text_input   Player           | player   | p-1, p-2, nothing
people   | text_input   To gaming day    | last     | 2026-11-17, 2026-11-18, 2026-11-19
"""
# The same for a form: the button that sends it comes after the label.
SENT = """
hand  | Round / Find                    | round  | 1, 2, 3, nothing
hand  | Holding / Find                  | card   | Ah, Kd, 2c
decks | Device / Show affected hands    | device | shuffler-1, shuffler-2, shuffler-3
decks | Dealer / Show affected hands    | dealer | dealer-1, dealer-2, nothing, dealer-1
"""


def choices(told: str) -> list[tuple[str, str]]:
    """The chosen value, with the address it must lead to."""
    pairs = (each.partition(" = ") for each in told.split(", "))
    return [(chosen.strip(), (said or chosen).strip().replace("nothing", "")) for chosen, _, said in pairs]


def fields(test: AppTest, kind: str, label: str) -> list[Any]:
    """The fields of that kind by that label, from the top of the page on: forms stand below the others."""
    return [each for each in getattr(test, kind) if each.label == label]


def asked(test: AppTest, name: str) -> str:
    """Query of the address."""
    return "".join(test.query_params.get(name, ""))


@pytest.mark.parametrize("row", CHOSEN.strip().splitlines())
def test_each_choice_is_taken_and_stays(opening: Opening, row: str) -> None:
    page, what, name, chosen = (part.strip() for part in row.split("|"))
    kind, label = what.split(maxsplit=1)
    test = opening(page, "manager")
    for choice, expected in choices(chosen):
        held = fields(test, kind, label)[0]
        value = {"toggle": expected == "yes"}.get(kind, "" if choice == "nothing" else choice)
        test = held.set_value(value).run()
        assert asked(test, name) == expected
    test = test.run()
    assert asked(test, name) == expected
    assert fields(test, kind, label)[0].value == value


@pytest.mark.parametrize("row", SENT.strip().splitlines())
def test_each_time_a_form_is_sent_it_asks_for_what_it_says(opening: Opening, row: str) -> None:
    page, what, name, chosen = (part.strip() for part in row.split("|"))
    label, _, button = what.partition(" / ")
    test = opening(page, "manager")
    for choice, expected in choices(chosen):
        fields(test, "text_input", label)[-1].set_value("" if choice == "nothing" else choice)
        next(each for each in test.button if each.label == button).click()
        test = test.run()
        assert asked(test, name) == expected
    assert fields(test.run(), "text_input", label)[-1].value == expected


def test_a_field_says_what_a_link_put_into_the_address(opening: Opening) -> None:
    test = opening("decks", "manager", deck="T1-deck-1")
    assert [each.value for each in fields(test, "text_input", "Deck")] == ["T1-deck-1"] * 2
    test.query_params["deck"] = "T2-deck-1"
    test = test.run()
    assert [each.value for each in fields(test, "text_input", "Deck")] == ["T2-deck-1"] * 2
    assert asked(test, "deck") == "T2-deck-1"


def test_a_form_that_is_sent_speaks_for_the_fields_above_it_too(opening: Opening) -> None:
    test = opening("decks", "manager", deck="T1-deck-1")
    fields(test, "text_input", "Deck")[-1].set_value("T2-deck-2")
    next(each for each in test.button if each.label == "Show affected hands").click()
    test = test.run()
    assert [each.value for each in fields(test, "text_input", "Deck")] == ["T2-deck-2"] * 2


def test_another_table_is_shown_on_its_newest_day(opening: Opening) -> None:
    test = opening("table", "manager", table="T1", day="2026-11-18")
    assert asked(test, "day") == "2026-11-18"
    test = test.selectbox[0].set_value("T2").run()
    assert (asked(test, "table"), asked(test, "day")) == ("T2", "")

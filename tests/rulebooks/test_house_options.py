"""Options of a house: what is left out, what may be chosen, and what cannot be read."""

from typing import Any

import pytest

from domain.clauses import findings
from domain.rulebooks import BOOKS, BadHouseError, Option, house, newest
from domain.rulebooks.book import NOT_OFFERED, OFFERED
from tests.rulebooks.chosen import chosen

OPTIONS = [(book, name) for book in BOOKS for name in newest(book).options]
CHOICES = [(book, name) for book, name in OPTIONS if newest(book).options[name].kind == "choice"]


def _config(name: str, value: Any) -> dict[str, Any]:
    group, _, option = name.rpartition(".")
    return {group: {option: value}} if group else {option: value}


def _given(option: Option) -> Any:
    if option.kind == "group":
        return {} if option.default == OFFERED else None
    return None if option.default == NOT_OFFERED else option.default


@pytest.mark.parametrize("book", BOOKS)
def test_a_house_that_says_nothing_is_lawful_and_complete(book: str) -> None:
    """Every option has a value, and no default raises a finding."""
    made = house(newest(book))
    assert made.findings == ()
    assert set(made.options) == set(newest(book).options)


@pytest.mark.parametrize(("book", "name"), OPTIONS)
def test_the_default_said_aloud_is_the_default(book: str, name: str) -> None:
    """Giving an option its default changes nothing."""
    said = house(newest(book), _config(name, _given(newest(book).options[name])))
    assert said[name] == house(newest(book))[name]
    assert said.findings == ()


@pytest.mark.parametrize(("book", "name"), CHOICES)
def test_every_value_an_option_allows_loads(book: str, name: str) -> None:
    """Each value listed is taken as it is, and null where the option may be left off; it may raise a finding."""
    option = newest(book).options[name]
    for value in (*option.allowed, *([None] if option.optional else [])):
        assert house(newest(book), _config(name, value))[name] == value


def test_the_same_configuration_is_the_same_house() -> None:
    """However its options are ordered: rules are worked out once for a house."""
    one = house(newest("UTH-MD"), {"trips_table": "B", "blind_table": "B"})
    assert one is house(newest("UTH-MD"), {"blind_table": "B", "trips_table": "B"})


# book | options | the option named | what the sentence says it may be
REFUSED = """
UTH-MA | trips_table=E              | trips_table                | it must be one of A, B, C, D
UTH-MA | trips_table=1              | trips_table                | it must be one of A, B, C, D
UTH-MA | trips_table=["A"]          | trips_table                | it must be one of A, B, C, D
UTH-MA | decks="2"                  | decks                      | it must be one of 1, 2
UTH-MA | decks=2.0                  | decks                      | it must be one of 1, 2
UTH-MA | decks=true                 | decks                      | it must be one of 1, 2
UTH-MA | decks=null                 | decks                      | it must be one of 1, 2
UTH-MA | shuffler=manual            | shuffler                   | it must be one of none, automated, cover-all
UTH-MA | dealing_method=thrown      | dealing_method             | it must be one of manual-shoe, hand, automated-shoe
UTH-MA | cover_all=yes              | cover_all                  | it must be true or false
UTH-MA | cover_all=1                | cover_all                  | it must be true or false
UTH-MA | ante_min=5.00              | ante_min                   | it must be an amount in whole cents, more than zero
UTH-MA | ante_min=0                 | ante_min                   | it must be an amount in whole cents, more than zero
UTH-MA | ante_min=-500              | ante_min                   | it must be an amount in whole cents, more than zero
UTH-MA | ante_min=null              | ante_min                   | it must be an amount in whole cents, more than zero
UTH-MA | payout_cap="50000"         | payout_cap                 | it must be an amount in whole cents, more than zero
UTH-MA | payout_cap=true            | payout_cap                 | it must be an amount in whole cents, more than zero
UTH-MA | progressive=false          | progressive                | it must be an object, or null if not offered
UTH-MA | progressive=5              | progressive                | it must be an object, or null if not offered
UTH-MA | progressive.house_awards=5 | progressive.house_awards   | it must be an object of names and whole cents
UTH-MA | progressive.house_awards={"flush":-1} | progressive.house_awards | it must be an object of names and whole cents
UTH-MA | progressive.house_awards={"flsh":5} | progressive.house_awards  | 'flsh' is not a hand
UTH-MD | progressive.allowed=[] | progressive.allowed | it must be a list of amounts in whole cents
UTH-MA | posted_odds=5              | posted_odds                | it must be wager, then hand, then odds such as 3 to 2
UTH-MA | posted_odds={"trips":5}    | posted_odds                | it must be wager, then hand, then odds such as 3 to 2
UTH-MA | posted_odds={"trips":{"flush":7}} | posted_odds         | it must be wager, then hand, then odds such as 3 to 2, as text
UTH-MA | posted_odds={"trips":{"flush":"7:1"}} | posted_odds     | '7:1' is not a pay-table line
UTH-MD | blind_table=C              | blind_table                | it must be one of A, B
UTH-MD | blind_table=null           | blind_table                | it must be one of A, B
UTH-MD | trips_table=F              | trips_table                | it must be one of A, B, C, D, E
UTH-MD | six_card_table=C           | six_card_table             | it must be one of A, B
UTH-MD | ultimate_pairs_table=G     | ultimate_pairs_table       | it must be one of A, B, C, D, E, F
UTH-MD | bad_beat_table=D           | bad_beat_table             | it must be one of A, B, C
UTH-MD | play_board_table=D         | play_board_table           | it must be one of A, B, C
UTH-MD | progressive.table=E        | progressive.table          | it must be one of A, B, C, D
UTH-MD | progressive.table=null     | progressive.table          | it must be one of A, B, C, D
UTH-MD | progressive.envy_table=E   | progressive.envy_table     | it must be one of A, B, C, D
UTH-MD | progressive.allowed=100    | progressive.allowed        | it must be a list of amounts in whole cents
UTH-MD | progressive.allowed=[0]    | progressive.allowed        | it must be a list of amounts in whole cents
UTH-MD | progressive.allowed=[true] | progressive.allowed        | it must be a list of amounts in whole cents
UTH-MD | progressive.meters=[1]     | progressive.meters         | it must be an object of names and whole cents
UTH-MD | progressive.resets={"main":1.5} | progressive.resets    | it must be an object of names and whole cents
PIK    | bonus5_table=3             | bonus5_table               | it must be one of 1, 2
PIK    | bonus3_table="1"           | bonus3_table               | it must be one of 1, 2, 3
PIK    | max_positions=4            | max_positions              | it must be one of 1, 2, 3
PIK    | match_play.accepted=maybe  | match_play.accepted        | it must be true or false
FAH    | decks=7                    | decks                      | it must be one of 6, 8
FAH    | cut_card_tolerance=101     | cut_card_tolerance         | it must be a whole number of percent, 0 to 100
FAH    | cut_card_tolerance=-1      | cut_card_tolerance         | it must be a whole number of percent, 0 to 100
FAH    | cut_card_tolerance=true    | cut_card_tolerance         | it must be a whole number of percent, 0 to 100
FAH    | house_way.viii=low-only    | house_way.viii             | it must be one of both, high-only
COL    | version=optional           | version                    | it must be one of required, permissible
COL    | version=null               | version                    | it must be one of required, permissible
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in REFUSED.strip().splitlines()]


@pytest.mark.parametrize(("book", "options", "option", "says"), ROWS, ids=[f"{row[0]} {row[1]}" for row in ROWS])
def test_what_cannot_be_read_is_refused_by_name(book: str, options: str, option: str, says: str) -> None:
    """The sentence names the option and says what it may be; the clause is the option's own."""
    with pytest.raises(BadHouseError) as refusal:
        house(newest(book), chosen(options))
    (finding,) = refusal.value.findings
    assert finding.code == "house-option-invalid"
    assert finding.clause == newest(book).options[option].clause
    assert finding.clause in findings()[finding.code].clauses
    assert finding.says.startswith(f"{option} cannot be ")
    assert says in finding.says
    assert finding.clause in str(refusal.value)


# book | options | the names no option has
UNKNOWN = """
UTH-MA | blind_table=A                     | blind_table
UTH-MA | six_card_table=A                  | six_card_table
UTH-MD | cover_all=true                    | cover_all
UTH-MD | progressive.tables=A              | progressive.tables
UTH-MD | trip_table=A envy=B               | envy, trip_table
PIK    | dealer_qualify=true               | dealer_qualify
FAH    | bonus=true                        | bonus
COL    | ante_max=5000                     | ante_max
"""
UNKNOWN_ROWS = [[cell.strip() for cell in row.split("|")] for row in UNKNOWN.strip().splitlines()]


@pytest.mark.parametrize(("book", "options", "names"), UNKNOWN_ROWS, ids=[f"{row[0]} {row[1]}" for row in UNKNOWN_ROWS])
def test_an_unknown_option_is_refused_with_those_there_are(book: str, options: str, names: str) -> None:
    """One finding for each, so that everything can be put right at once."""
    with pytest.raises(BadHouseError) as refusal:
        house(newest(book), chosen(options))
    assert [finding.says.split("'")[1] for finding in refusal.value.findings] == names.split(", ")
    for finding in refusal.value.findings:
        assert finding.code == "house-option-unknown"
        near = [option for name, option in newest(book).options.items() if f"nearest name: {name!r}" in finding.says]
        assert finding.clause == (near[0].clause if near else "")
        assert all(option in finding.says for option in newest(book).options)


def test_everything_wrong_is_said_at_once() -> None:
    """An unknown option and two unreadable ones are three findings."""
    with pytest.raises(BadHouseError) as refusal:
        house(newest("UTH-MA"), {"tripz": "A", "decks": 3, "cover_all": "yes"})
    assert len(refusal.value.findings) == 3


def test_a_dealing_method_may_be_given_beside_the_options() -> None:
    """A round says how it was dealt; it is the same option."""
    assert house(newest("UTH-MA"), {}, "hand")["dealing_method"] == "hand"
    with pytest.raises(BadHouseError):
        house(newest("UTH-MA"), {}, "thrown")


@pytest.mark.parametrize("book", BOOKS)
def test_no_option_takes_a_number_with_a_fraction(book: str) -> None:
    """So that a source that signs its lines, in which numbers are whole, can say every one of them."""
    for name in newest(book).options:
        for value in (1.5, 1.0, [1.5], {"x": 1.5}, {"x": {"y": 1.5}}):
            with pytest.raises(BadHouseError):
                house(newest(book), _config(name, value))

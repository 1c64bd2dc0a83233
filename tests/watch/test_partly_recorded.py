"""Unrecorded facts are not missed: the same lawful days with one kind of fact, one wager or the cards unseen."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.table_day import TableOpened
from domain.facts.wagers import MeterIncremented, MeterRead, MeterReset
from domain.simulation.edits import broken, change, drop
from domain.simulation.scripted import day, round_, seat
from tests.watch.harness import verified

SHUFFLER = {"shuffler": "automated"}
# Without these there is no day and no round to look at.
ALWAYS = {"table-opened", "table-closed", "round-completed"}

# book | dealing method | options | wagers besides those required
Row = tuple[Any, Any, dict[str, Any], dict[str, Any]]
DAYS: list[Row] = [
    ("UTH-MA", "manual-shoe", {}, {"trips": 500}),
    (
        "UTH-MA",
        "automated-shoe",
        {"shuffler": "cover-all", "cover_all": True, "progressive": {}},
        {"trips": 500, "cover_all": 500, "progressive": 500},
    ),
    ("UTH-MD", "hand", SHUFFLER | {"progressive": {"table": "A"}}, {"trips": 500, "progressive": 100}),
    (
        "UTH-MD",
        "automated-shoe",
        SHUFFLER | {"six_card_table": "A", "progressive": {"table": "A"}},
        {"trips": 500, "progressive": 100, "six_card": 500},
    ),
    ("PIK", "manual-shoe", {}, {"bonus3": 500}),
    ("PIK", "automated-shoe", SHUFFLER | {"dealer_stack_delivery": "after-decisions"}, {"bonus3": 500}),
    ("FAH", "manual-shoe", {}, {}),
    ("COL", "hand", SHUFFLER, {"bonus": 100}),
    ("COL", "automated-shoe", SHUFFLER | {"version": "permissible"}, {"bonus": 100}),
]
IDS = [f"{book} {method}" for book, method, _, _ in DAYS]


def _raised(row: Row, **setup: Any) -> list[tuple[str, str]]:
    book, method, options, wagers = row
    rounds = [
        round_(seat(1, **wagers), seat(3, **wagers)),
        round_(seat(2, **wagers), seat(3), new_dealer="dealer-2"),
    ]
    facts = day(book, options, method=method, rounds=rounds, **setup)
    return [(one.code, one.says) for one in verified(facts)]


@pytest.mark.parametrize("row", DAYS, ids=IDS)
def test_a_kind_of_fact_nobody_records_is_not_missed(row: Row) -> None:
    """Every kind the day has, left out and named at the opening."""
    book, method, options, wagers = row
    whole = day(book, options, method=method, rounds=[round_(seat(1, **wagers), seat(3, **wagers))])
    kinds = {name_of(fact).rpartition(".")[0] for fact in whole} - ALWAYS
    found = {kind: raised for kind in sorted(kinds) if (raised := _raised(row, unrecorded=(kind,)))}
    assert found == {}


@pytest.mark.parametrize("row", DAYS, ids=IDS)
def test_a_wager_no_sensor_covers_is_not_missed(row: Row) -> None:
    """Every wager of the game, placed, settled and never seen."""
    book, method, options, wagers = row
    whole = day(book, options, method=method, rounds=[round_(seat(1, **wagers), seat(3, **wagers))])
    kinds = {getattr(fact, "wager", "") or "" for fact in whole} - {""}
    found = {kind: raised for kind in sorted(kinds) if (raised := _raised(row, unseen_wagers=(kind,)))}
    assert found == {}


# book | dealing method | what would show the community cards
STREETLESS: list[tuple[Any, Any, str]] = [
    ("UTH-MA", "manual-shoe", "card-dealt"),
    ("UTH-MD", "manual-shoe", "card-dealt"),
    ("UTH-MA", "automated-shoe", "card-dealt"),
    ("UTH-MD", "automated-shoe", "community-revealed"),
]


def _without_streets(facts: Sequence[Fact]) -> list[Fact]:
    """The terminal sends decisions, and does not say before or after which community cards."""
    return broken(facts, *(change(kind, to={"street": None}) for kind in ("decision-asked", "decision-made")))


@pytest.mark.parametrize(("book", "method", "unread"), STREETLESS)
def test_a_decision_of_no_street_has_no_order_where_no_card_says_it(book: Any, method: Any, unread: str) -> None:
    players = (seat(1, acts="check check play"), seat(2, acts="check check fold"), seat(3, acts="check play"))
    options = SHUFFLER if method == "automated-shoe" else {}
    for out in ((), (unread,)):
        facts = day(book, options, method=method, rounds=[round_(*players)], unrecorded=out)
        assert verified(_without_streets(facts)) == []


def test_a_check_that_ends_a_hand_is_no_finding_where_it_may_have_been_the_last() -> None:
    """Without a record of the community cards, the check may have been the last one."""
    players = (seat(1, acts="check check play"), seat(2, acts="check check fold"))
    for out, found in (((), ["check-treated-as-fold"]), (("community-revealed",), [])):
        facts = day("UTH-MD", SHUFFLER, method="automated-shoe", rounds=[round_(*players)], unrecorded=out)
        checked = _without_streets(broken(facts, drop("decision-made", -1, seat=2)))
        assert [one.code for one in verified(checked)] == found


@pytest.mark.parametrize("reading", ["all", "shown", "none"])
@pytest.mark.parametrize("row", [row for row in DAYS if row[1] == "automated-shoe"], ids=lambda row: row[0])
def test_a_stack_of_no_size_and_no_cards_is_as_many_as_the_game_deals(row: Row, reading: str) -> None:
    """The device says to whom it delivered a stack; cards turned up later are of that stack."""
    book, method, options, wagers = row
    rounds = [round_(seat(1, **wagers), seat(3, **wagers)) for _ in range(2)]
    facts = day(book, options, method=method, rounds=rounds, reading=reading)
    assert verified(broken(facts, change("stack-delivered", to={"size": None, "cards": ()}))) == []


@pytest.mark.parametrize("reading", ["shown", "none"])
@pytest.mark.parametrize("row", DAYS, ids=IDS)
def test_cards_nobody_reads_are_no_finding(row: Row, reading: str) -> None:
    """The reader sees only cards that lie face up, or no card at all."""
    assert _raised(row, reading=reading) == []


KINDS = (("meter-incremented",), ("meter-read",), ("meter-reset",))
RUNNING = [
    round_(
        seat(1, f"T{suit} 9{suit}", "play", progressive=500),
        seat(3, "Qc 8d", "play", progressive=100),
        dealer="Kc Ks",
        community=f"8{suit} 7{suit} 6{suit} Kd 2c",
    )
    for suit in "hs"
]
RISING = {"A": {"main": 20}, "B": {"major": 20, "minor": 10}}


@pytest.mark.parametrize("kinds", [*KINDS, KINDS[0] + KINDS[1], KINDS[1] + KINDS[2], KINDS[0] + KINDS[1] + KINDS[2]])
@pytest.mark.parametrize("table", RISING)
def test_an_award_off_a_meter_that_is_not_recorded_is_not_judged_by_an_old_stand(
    table: str, kinds: tuple[str, ...]
) -> None:
    """A straight flush takes a part of one, and in a second round again; what it stood at, only facts can say."""
    options = {"progressive": {"table": table, "rates": RISING[table]}}
    facts = day("UTH-MD", options, rounds=RUNNING, unrecorded=kinds)
    assert [one.says for one in verified(facts)] == []


@pytest.mark.parametrize("table", RISING)
def test_an_award_off_a_meter_nobody_ever_told_of_is_open(table: str) -> None:
    """The meter's least reset is no stand to go by."""
    told = day("UTH-MD", {"progressive": {"table": table, "rates": RISING[table]}}, rounds=RUNNING)
    facts = [fact for fact in told if not isinstance(fact, MeterIncremented | MeterRead | MeterReset)]
    assert [one.code for one in verified(change(TableOpened, to={"meters_cents": {}})(facts))] == []


# wagers nobody sees | seats of one player with a 3 card bonus, and one without | whether they are found apart
POSITIONS: list[tuple[tuple[str, ...], tuple[int, ...], int, bool]] = [
    ((), (2, 4), 3, False),
    (("ante", "bonus5"), (2, 4), 3, False),
    ((), (2, 4), 0, True),
]


@pytest.mark.parametrize(("unseen", "seats", "between", "found"), POSITIONS)
def test_positions_are_apart_only_where_it_is_seen_whose_lies_between(
    unseen: tuple[str, ...], seats: tuple[int, ...], between: int, found: bool
) -> None:
    played = [seat(number, bonus3=500, player="one") for number in seats]
    played += [seat(between, player="one")] if between else []
    facts = day("PIK", {"max_positions": 3}, rounds=[round_(*played, unlawful=True)], unseen_wagers=unseen)
    assert ("positions-not-adjacent" in [one.code for one in verified(facts)]) == found

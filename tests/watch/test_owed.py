"""Amounts owed in a round that was recorded only in part, or had an irregularity."""

from typing import Any

import pytest

from domain.facts.deal import CardDealt
from domain.facts.payments import RulingGiven
from domain.settlement.outcome import UNDECIDABLE
from domain.simulation.edits import broken, change, drop, insert_after, insert_before, said, where
from domain.simulation.scripted import round_, seat, wrong
from domain.table import day as table_day
from domain.table.irregular import causes
from domain.table.payouts import handed
from domain.table.round import RoundInPlay
from domain.watch.owed import CAUSE_UNKNOWN, CONTRADICTED, owed, worked_out
from domain.watch.owed_vs_paid import (
    AMOUNT,
    BY_RULING,
    CARD,
    CONTRADICTION,
    DECIDED,
    DECISION,
    NO_SENSOR,
    NOT_DEALT_IN,
    NOT_RECORDED,
    coverage,
    why_open,
)
from domain.watch.verifier import Verifier
from tests.simulation.test_uth_irregular_rounds import ROWS, the_day
from tests.watch.harness import Day, recorded
from tests.watch.lawful import day

PAIR = {"dealer": "7c 7d", "community": "Kd 9c 4h 2s Js"}
SEATS = (seat(1, "Kc 4d", "play", trips=500), seat(3, "Ac Qs", "play"))
MD = day("UTH-MD", rounds=[round_(*SEATS, **PAIR)])
MA = day("UTH-MA", rounds=[round_(*SEATS, **PAIR)])


def told(facts: Any, number: int = 1) -> RoundInPlay:
    """The round as the table's day has it."""
    numbered = recorded(facts)
    state = table_day.initial(numbered[0].stream)
    for fact in numbered:
        table_day.evolve(state, fact)
    return state.rounds[number]


# what the record lacks | the day | how often each answer is given
PARTLY: dict[str, tuple[Day, tuple[Any, ...], dict[str, int]]] = {
    "all of it is there": (MD, (), {DECIDED: 7}),
    "the dealer's cards": (MD, (change("card-dealt", to={"card": "??"}, seat=None, face_up=False), change("hand-revealed", to={"cards": ()}, seat=None), change("hands-collected", to={"cards": ()}, of="dealer")), {DECIDED: 1, CARD: 6}),
    "one amount": (MD, (change("wager-placed", to={"cents": None}, seat=1, wager="blind"),), {DECIDED: 6, AMOUNT: 1}),
    "a movement's amount": (MD, (change("wager-paid", to={"cents": None}, seat=1, wager="ante"),), {DECIDED: 6, "a movement's amount was not seen": 1}),
    "what a seat decided, and its play wager": (MD, (drop("decision-made", seat=1), drop("wager-placed", seat=1, wager="play"), drop("wager-paid", seat=1, wager="play"), drop("wager-returned", seat=1, wager="play")), {DECIDED: 4, DECISION: 2}),
    "a wager's sensor": (day("UTH-MD", rounds=[round_(*SEATS, **PAIR)], unseen_wagers=("trips",)), (), {DECIDED: 6}),
    "a required wager's sensor": (day("UTH-MD", rounds=[round_(*SEATS, **PAIR)], unseen_wagers=("blind",)), (), {DECIDED: 5, NO_SENSOR: 2}),
    "the movements": (day("UTH-MD", rounds=[round_(*SEATS, **PAIR)], unrecorded=("wager-paid",)), (), {NOT_RECORDED: 7}),
    "the deal": (day("UTH-MD", rounds=[round_(*SEATS, **PAIR)], unrecorded=("card-dealt",)), (), {DECIDED: 7}),
    "the same card twice": (MD, (change("card-dealt", 1, to={"card": "7c"}, seat=1),), {CONTRADICTION: 7}),
    "one seat's cards": (MD, (drop("card-dealt", seat=3),), {DECIDED: 4, NOT_DEALT_IN: 3}),
}  # fmt: skip


def _edited(made: Day, edits: tuple[Any, ...]) -> RoundInPlay:
    return told(broken(made(), *edits))


@pytest.mark.parametrize("name", PARTLY)
def test_what_is_there_is_decided_and_what_is_missing_is_counted(name: str) -> None:
    """Every wager is either weighed or open, and open for a reason."""
    made, edits, counts = PARTLY[name]
    assert coverage(_edited(made, edits)) == counts


def test_another_games_wager_is_left_to_others() -> None:
    """A wager this book does not know is no part of what is owed."""
    edit = insert_before(where("bets-closed"), said("wager-placed", 1, "bonus3", 500))
    outcomes = owed(_edited(MD, (edit,))).seats[1]
    assert "bonus3" not in outcomes
    assert outcomes["ante"].returned == 2_000


def test_a_card_dealt_twice_leaves_everything_open() -> None:
    """Cards no deck can deal decide nothing."""
    edit = change("card-dealt", 1, to={"card": "7c"}, seat=1)
    outcomes = owed(_edited(MD, (edit,))).seats[1]
    assert {outcome.basis for outcome in outcomes.values()} == {UNDECIDABLE}
    assert outcomes["ante"].needs == (CONTRADICTED,)


def test_a_void_nothing_calls_for_leaves_everything_open() -> None:
    """No text says what a round owes that was voided for nothing."""
    made = worked_out(_edited(MD, (insert_before(where("round-completed"), said("round-voided")),)))
    assert made.open_because == CAUSE_UNKNOWN
    assert not made.must_be_void
    assert why_open(made.settlement.seats[1]["ante"]) == "why the hands were void is not on record"


def test_two_miscounted_hands_are_void_each_by_itself() -> None:
    """UTH-MA 15(d) s1: both go back, the third hand is settled."""
    three = (*SEATS, seat(4, "8h 8s", "play"))
    repeated_deals = day("UTH-MA", rounds=[round_(*three, **PAIR)])
    void = insert_before(where("hand-revealed"), said("hand-voided", 1), said("hand-voided", 3))
    extra = [insert_before(where("hand-revealed"), said("card-dealt", "seat", number, 3, card)) for number, card in ((1, "3c"), (3, "3d"))]  # fmt: skip
    owes = owed(_edited(repeated_deals, (*extra, void))).seats
    assert {wager: outcome.returned for wager, outcome in owes[1].items()} == {
        "ante": 1_000,
        "blind": 1_000,
        "trips": 500,
        "play": 4_000,
    }
    assert owes[3]["play"].returned == 4_000
    assert owes[4]["ante"].returned == 2_000


def test_awards_are_paid_from_the_meter_as_it_stands_with_this_rounds_chips() -> None:
    """UTH-MD 12.D(4): contributions told in the round are on the meter when the first award is paid."""
    options = {"progressive": {"table": "A", "rates": {"main": 20}}}
    seats = seat(1, "Th 9h", "play", progressive=500), seat(3, "Qc 8d", "play", progressive=500)
    made = day("UTH-MD", options=options, rounds=[round_(*seats, dealer="Kc Ks", community="8h 7h 6h Kd 2c")])
    settlement = owed(told(made()))
    assert settlement.seats[1]["progressive"].returned == (1_000_000 + 200) // 10
    assert settlement.meters_after == {"main": 1_000_200 - 100_020}


def test_the_dealers_two_unseen_cards_are_too_many_for_a_replay() -> None:
    """One unseen card is tried, two are left open: a replay has no time for a thousand ways."""
    made = day("PIK", rounds=[round_(seat(2, "9h 9s 9c 9d Js", "play5"), dealer="Qs Qc 8d 5h 2s")])
    hidden = (
        change("hand-revealed", to={"cards": ()}, seat=None),
        change("hands-collected", to={"cards": ()}, of="dealer"),
        change("three-designated", to={"cards": ("Qs", "Qc", "8d")}),
    )
    one = change(CardDealt, -1, to={"card": "??"}, seat=None)
    first = change(CardDealt, 1, to={"card": "??"}, seat=None)
    assert owed(_edited(made, (*hidden, one))).seats[2]["ante"].returned == 2_000
    assert owed(_edited(made, (*hidden, one, first))).seats[2]["ante"].basis == UNDECIDABLE


# How the chips moved | what the player got in all, and what was left lying, of ten dollars
MOVES = {
    "collected": ([("collected", 1_000)], 0, 0),
    "returned": ([("returned", 1_000)], 1_000, 0),
    "paid, and left with the player": ([("paid", 500)], 1_500, 0),
    "paid and returned": ([("paid", 500), ("returned", 1_000)], 1_500, 0),
    "half taken, half returned": ([("collected", 500), ("returned", 500)], 500, 0),
    "half taken": ([("collected", 500)], 0, 500),
    "nothing": ([], 0, 1_000),
    "taken, and given back out of the tray": ([("collected", 1_000), ("returned", 1_000)], 1_000, 0),
    "a win reversed": ([("paid", 500), ("returned", 1_000), ("collected", 500)], 1_000, 0),
    "a coupon kept": ([("paid", 1_000), ("collected", 400), ("returned", 600)], 1_600, 0),
    "paid twice": ([("paid", 500), ("returned", 1_000), ("paid", 500)], 2_000, 0),
}


@pytest.mark.parametrize("name", MOVES)
def test_what_a_player_got_is_told_by_the_movements(name: str) -> None:
    """The stake, less what was collected of it, plus what was paid; what came out of the tray comes on top."""
    moves, back, lying = MOVES[name]
    facts = [said(f"wager-{kind}", 3, "ante", cents) for kind, cents in moves]
    gone = [drop(kind, seat=3, wager="ante") for kind in ("wager-collected",)]
    edits = (*gone, insert_before(where("round-completed"), *facts)) if facts else tuple(gone)
    one = _edited(MA, edits)
    account = handed(one, one.seats[3].wagers["ante"])
    assert account is not None
    assert (account.back, account.lying) == (back, lying)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]} {row[3].kind} {row[3].of} {row[3].stage}")
def test_what_went_wrong_is_read_from_the_facts(row: Any) -> None:
    """Planned irregularities are found, and they void the hands exactly where that was declared."""
    *_, what, becomes = row
    one = told(the_day(row), 2)
    found = {cause.what.kind for cause in causes(one)}
    harmless = what.kind == "device-not-removed" or (what.kind == "jam" and "MA" in row[0] and what.deck)
    healed = what.kind == "wrong-count" and becomes == "played"
    assert what.kind in found or harmless or healed
    if not one.of(RulingGiven):
        assert worked_out(one).must_be_void == becomes.startswith("void")
    assert set(coverage(one)) <= {DECIDED, BY_RULING}


def test_a_planned_jam_is_a_jam() -> None:
    """The shoe that fails in a round is named, with the moment."""
    made = day("PIK", "automated-shoe", {"dealer_stack_delivery": "at-deal"}, [round_(seat(1), seat(3), irregularity=wrong("jam", device="shoe"))])  # fmt: skip
    (cause,) = causes(told(made()))
    assert (cause.what.kind, cause.what.device, cause.what.stage) == ("jam", "shoe", "dealing")


def test_a_verifier_adds_up_what_it_could_weigh() -> None:
    """A round judged again because of a late fact counts once."""
    numbered = recorded(broken(MD(), insert_after(where("round-completed"), said("noted", "late", round=1))))
    verifier = Verifier(numbered[0].stream)
    for fact in numbered:
        verifier.take(fact)
    assert verifier.wagers == {DECIDED: 7}

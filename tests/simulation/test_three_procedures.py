"""The order of a lawful round of each game, step by step, as a dealer's card would list it."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.facts.words import Book, Dealing
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import day, round_, seat
from tests.simulation.steps import steps
from tests.simulation.told import rounds_of

PIK = round_(
    seat(2, "Ah Kd 2c 2d 9h", "play5", bonus3=500),
    seat(4, "Qc Qd 7h 7s 3d", "play3"),
    seat(5, "2h 4c 6s 8d Th", "fold", bonus3=500),
    dealer="As Js 8c 6c 4d",
)
COL = round_(
    seat(1, "Ah Kd 2c", "bet", bonus=100),
    seat(3, "5c 5d 5h", "declare", bonus=100),
    seat(6, "2h 7c 9s", "fold", bonus=100),
    community="Kh 7d 3s",
)
FAH_SEATS = (
    seat(1, "Ah Kd 2c 2d", "split"),
    seat(3, "5c 5d 5h 5c"),
    seat(4, "2h 7c 9s Ks", "surrender"),
    seat(6, "Ac Ad 3c 4c"),
)
BOARD = "Ad 7s 8c 3h Tc"


def told(book: Book, method: Dealing, options: dict[str, Any], plan: RoundPlan) -> Sequence[str]:
    (first, *_) = rounds_of(day(book, options, method=method, rounds=[plan]))
    return steps(first.facts, without=("wager-placed", "round-opened"))


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


PIK_BONUSES = """
    cards-selected 5
    wager-collected 5 bonus3 500
    cards-selected 2
    wager-paid 2 bonus3 500
    wager-returned 2 bonus3 500
"""
PIK_POSITIONS = """
    hand-revealed 5
    wager-collected 5 bonus5 1000
    decision-asked 5
    decision-made 5 fold
    wager-collected 5 ante 1000
    hands-collected 5 5
    hand-revealed 4
    wager-paid 4 bonus5 1000
    wager-returned 4 bonus5 1000
    decision-asked 4
    decision-made 4 play3 1000
    hand-revealed 2
    wager-collected 2 bonus5 1000
    decision-asked 2
    decision-made 2 play5 1000
"""


def test_pik_39_7_and_39_10_e_1_step_by_step_for_all_players() -> None:
    """Dealt from a shoe, the dealer always plays, settled by procedure 1: losers of all, then the others, then cards."""
    dealt = ["card-dealt 2", "card-dealt 4", "card-dealt 5", "card-dealt dealer"] * 5
    settled = """
        hand-revealed
        hand-announced ace high
        three-designated
        hand-announced ace high
        hand-announced 4 pair of queens
        hand-announced 2 pair of twos
        wager-paid 4 ante 1000
        wager-returned 4 ante 1000
        wager-paid 4 play3 1000
        wager-returned 4 play3 1000
        wager-paid 2 ante 1000
        wager-returned 2 ante 1000
        wager-paid 2 play5 1000
        wager-returned 2 play5 1000
        hands-collected 4 5
        hands-collected 2 5
        hands-collected dealer 5
        round-completed
    """
    assert told("PIK", "manual-shoe", {}, PIK) == [
        "bets-closed",
        *dealt,
        "stub-removed 32",
        "stub-discarded",
        *lines(PIK_BONUSES),
        *lines(PIK_POSITIONS),
        *lines(settled),
    ]


def test_pik_39_10_e_1ii_losers_are_collected_before_a_winner_is_paid() -> None:
    """By procedure 1 the winner farthest right waits until the loser farthest left has lost."""
    plan = round_(seat(1, "2h 4c 6s 8d Th", "play5"), seat(3, "Qc Qd 7h 7s 3d", "play5"), dealer="Kc Kd 9c 5h 2s")
    moved = [step for step in told("PIK", "manual-shoe", {}, plan) if step.startswith("wager-")]
    assert [step for step in moved if "bonus5" not in step] == lines("""
        wager-collected 1 ante 1000
        wager-collected 1 play5 1000
        wager-paid 3 ante 1000
        wager-returned 3 ante 1000
        wager-paid 3 play5 1000
        wager-returned 3 play5 1000
    """)


def test_pik_39_9_c_2_and_39_10_e_2_player_by_player_with_a_stack_that_waits() -> None:
    """From an automated shoe, the dealer's stack after the decisions, no qualify, settled by procedure 2."""
    options = {
        "settlement_procedure": 2,
        "dealer_stack_delivery": "after-decisions",
        "dealer_qualifies": True,
    }
    dealt = [step for at in (2, 4, 5) for step in ("stack-dispensed 5", f"stack-delivered {at} 5")]
    settled = """
        stack-delivered dealer 5
        stub-removed 32
        stub-discarded
        hand-revealed
        cover-card-removed layout
        hand-announced ace high
        hand-announced no qualify
        three-designated
        hand-announced ace high
        hand-announced 4 pair of queens
        wager-paid 4 ante 1000
        wager-returned 4 ante 1000
        wager-paid 4 play3 1000
        wager-returned 4 play3 1000
        hands-collected 4 5
        hand-announced 2 pair of twos
        wager-paid 2 ante 1000
        wager-returned 2 ante 1000
        wager-returned 2 play5 1000
        hands-collected 2 5
        hands-collected dealer 5
        round-completed
    """
    assert told("PIK", "automated-shoe", options, PIK) == [
        "bets-closed",
        *dealt,
        "stack-dispensed 5",
        "cover-card-placed dealer-stack",
        *lines(PIK_BONUSES),
        *lines(PIK_POSITIONS),
        *lines(settled),
    ]


def test_pik_39_9_c_1_the_dealers_stack_is_delivered_last_of_the_deal() -> None:
    """Delivered at the deal, the dealer's stack lies there before the stub leaves the shoe."""
    steps_ = told("PIK", "automated-shoe", {"dealer_stack_delivery": "at-deal"}, PIK)
    at = steps_.index("cover-card-placed dealer-stack")
    assert steps_[at - 1 : at + 4] == lines("""
        stack-dispensed 5
        cover-card-placed dealer-stack
        stack-delivered dealer 5
        stub-removed 32
        stub-discarded
    """)


@pytest.mark.parametrize(
    ("book", "plan", "options"),
    [("PIK", PIK, {"shuffler": "automated"}), ("COL", COL, {"shuffler": "automated"})],
    ids=["pik", "col"],
)
def test_dealt_from_the_hand_there_is_no_shoe_to_load_or_empty(
    book: Book, plan: RoundPlan, options: dict[str, Any]
) -> None:
    """A machine shuffles, nobody cuts, cards come from the hand, and the stub goes straight into the rack."""
    facts = day(book, options, method="hand", rounds=[plan])
    names = {step.partition(" ")[0] for step in steps(facts)}
    assert not names & {"shoe-loaded", "stub-removed", "cut-performed", "stack-dispensed"}
    assert {"shuffle-completed", "stub-discarded"} <= names
    (first,) = rounds_of(facts)
    assert {getattr(fact, "source_of_card", "hand") for fact in first.facts} == {"hand"}


def test_col_7_and_10_the_required_version() -> None:
    """From a shoe: a community card after each pass; bet, declaration and fold; the folded bonus in its turn."""
    dealt = ["card-dealt 1", "card-dealt 3", "card-dealt 6", "card-dealt community"] * 3
    rest = """
        stub-removed 40
        stub-discarded
        decision-asked 1
        decision-made 1 play 1000
        card-discarded 1 1
        decision-asked 3
        decision-made 3 declare
        hand-revealed 3
        natural-confirmed 3 yes
        wager-paid 3 ante 5000
        wager-returned 3 ante 1000
        wager-paid 3 bonus 500
        wager-returned 3 bonus 100
        hands-collected 3 3
        decision-asked 6
        decision-made 6 fold
        card-discarded 6 3
        wager-collected 6 ante 1000
        hands-collected 6 3
        community-revealed
        wager-collected 6 bonus 100
        hand-revealed 1
        wager-paid 1 ante 1000
        wager-returned 1 ante 1000
        wager-paid 1 bet 1000
        wager-returned 1 bet 1000
        wager-returned 1 bonus 100
        hands-collected 1 3
        hands-collected community 3
        round-completed
    """
    assert told("COL", "manual-shoe", {}, COL) == ["bets-closed", *dealt, *lines(rest)]


def test_col_9_and_11_the_permissible_version_in_stacks() -> None:
    """The community stack comes last and is spread from the dealer's right; who makes no bet is turned up all the same."""
    plan = round_(seat(1, "Ah Kd 2c", "bet"), seat(3, "5c 6d 9h", "play"), community="Kh 7d 3s")
    assert told("COL", "automated-shoe", {"version": "permissible"}, plan) == lines("""
        bets-closed
        stack-dispensed 3
        stack-delivered 1 3
        stack-dispensed 3
        stack-delivered 3 3
        stack-dispensed 3
        stack-delivered community 3
        slot-assigned right 1
        slot-assigned middle 2
        slot-assigned left 3
        stub-removed 43
        stub-discarded
        decision-asked 1
        decision-made 1 play 1000
        card-discarded 1 1
        decision-asked 3
        decision-made 3 play
        card-discarded 3 1
        community-revealed
        hand-revealed 3
        wager-collected 3 ante 1000
        hands-collected 3 3
        hand-revealed 1
        wager-paid 1 ante 1000
        wager-returned 1 ante 1000
        wager-paid 1 bet 1000
        wager-returned 1 bet 1000
        hands-collected 1 3
        hands-collected community 3
        round-completed
    """)


FAH_ACTS = """
    decision-made 1 split 1000
    hand-set 1 0
    decision-made 3 natural
    hand-revealed 3
    natural-confirmed 3 yes
    wager-paid 3 original 5000
    wager-returned 3 original 1000
    hands-collected 3 4
    decision-made 4 surrender
    wager-collected 4 original 500
    wager-returned 4 original 500
    hand-set 6 2
    discards-collected 6 2
    discards-collected 4 4
    hand-revealed
"""
FAH_DEALT = ["bets-closed", *["card-dealt dealer", *(f"card-dealt {at}" for at in (1, 3, 4, 6))] * 4]


def test_fah_g_and_h_a_round_with_everything_in_it() -> None:
    """A split, a natural, a surrender and a set hand; the losing half goes before the winners are paid."""
    settled = """
        hand-set 2
        discards-collected 2
        card-burned community
        card-dealt community
        card-dealt community
        card-dealt community
        card-dealt community
        card-dealt community
        hand-revealed 6
        hand-revealed 1
        wager-collected 1 original 1000
        hands-collected 1 2
        wager-paid 6 original 1000
        wager-returned 6 original 1000
        hands-collected 6 2
        wager-paid 1 split 1000
        wager-returned 1 split 1000
        hands-collected 1 2
        hands-collected dealer 2
        hands-collected community 5
        round-completed
    """
    plan = round_(*FAH_SEATS, dealer="Kc Ks 9h 4d", community=BOARD)
    assert told("FAH", "manual-shoe", {}, plan) == [*FAH_DEALT, *lines(FAH_ACTS), *lines(settled)]


def test_fah_h_8_a_dealers_natural_ends_the_round_at_once() -> None:
    """The burn and the deal stop; the split's second wager is returned, and settled wagers stay settled."""
    settled = """
        wager-collected 6 original 1000
        wager-collected 1 original 1000
        wager-returned 1 split 1000
        hands-collected 6 2
        hands-collected 1 4
        hands-collected dealer 4
        round-completed
    """
    plan = round_(*FAH_SEATS, dealer="Kc Ks Kc Kd")
    assert told("FAH", "manual-shoe", {}, plan) == [*FAH_DEALT, *lines(FAH_ACTS), *lines(settled)]


def test_stubs_are_counted_every_fifth_round_unless_the_shuffler_counts_or_the_plan_says() -> None:
    """PIK 39.7(e)/s1 and COL 7(e)/s1; a counting shuffler spares it (PIK 39.7(f)/s1, COL 7(f)/s1)."""
    for book in ("PIK", "COL"):
        counted = [
            bool(told_.count("stub-counted 40" if book == "COL" else "stub-counted 32")) for told_ in _days(book)
        ]
        assert counted == [False, False, False, False, True, False, False, False, False, True]
        assert not any("stub-counted" in step for told_ in _days(book, {"shuffler": "counting"}) for step in told_)
    plan = round_(count_stub=True)
    assert any("stub-counted" in step for step in told("COL", "manual-shoe", {}, plan))


def _days(book: Book, options: dict[str, Any] | None = None) -> list[list[str]]:
    three = [round_(seat(1), seat(2), seat(3)) for _ in range(10)]
    return [steps(each.facts) for each in rounds_of(day(book, options, rounds=three))]


def test_two_decks_take_turns_and_the_idle_one_is_shuffled_meanwhile() -> None:
    """Every other round each; its shuffle runs while the other is dealt (PIK 39.2(b)3, PIK 39.2(b)4)."""
    for book in ("PIK", "COL"):
        facts = day(book, {"shuffler": "automated", "decks": 2}, rounds=4)
        played = rounds_of(facts)
        assert [getattr(each.facts[0], "deck") for each in played] == ["T7-deck-1", "T7-deck-2"] * 2  # noqa: B009
        assert all(any("shuffle-completed" in step for step in steps(each.facts)) for each in played[1:])

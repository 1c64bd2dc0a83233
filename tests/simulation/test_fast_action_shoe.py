"""Fast Action's shoe outlasts its rounds: shuffled, cut, burned from, played out; and its marker goes round."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.facts import deal, decks, shuffles, table_day
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.simulation import fast_action_idle, opening
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import day, played, round_, seat
from domain.simulation.table import TableInPlay
from tests.simulation.steps import steps
from tests.simulation.told import recorded, rounds_of

SHORT: dict[str, Any] = {"cards_behind": 297}  # the cutting card comes out in this shoe's first round


def between_rounds(facts: Sequence[Fact]) -> list[list[str]]:
    """The facts before each round, after the one before."""
    found: list[list[str]] = [[]]
    for fact in facts:
        if isinstance(fact, deal.RoundOpened):
            found.append([])
        elif fact.round is None or isinstance(fact, deal.MarkerPlaced):
            found[-1] += steps([fact])
    return found


def three(**rest: Any) -> RoundPlan:
    """A round with players at 2, 4 and 5."""
    return round_(seat(2), seat(4), seat(5), **rest)


def test_the_first_player_to_the_table_is_offered_the_first_cut() -> None:
    """FAH (e)(3)(i); the one asked refuses and the next clockwise takes it (FAH (e)(4))."""
    facts = day("FAH", rounds=[round_(seat(4), seat(2), seat(5), parts={"cut_by": 2, "cut_depth": 40})])
    offered = [step for step in steps(facts) if step.startswith("cut-")]
    refused = [f"cut-{word} {at}" for at in (4, 5) for word in ("offered", "refused")]
    assert offered == [*refused, "cut-offered 2", "cut-performed 2", "cut-completed"]
    (cut,) = [fact for fact in facts if isinstance(fact, shuffles.CutPerformed)]
    assert (cut.depth, cut.of_cards, cut.by) == (40, 312, "player")


def test_the_dealer_cuts_where_no_player_wants_to() -> None:
    """FAH (e)(4): everyone has been asked once."""
    facts = day("FAH", rounds=[three(parts={"cut_by": 0})])
    offered = [step for step in steps(facts) if step.startswith("cut-offered")]
    assert offered == ["cut-offered 2", "cut-offered 4", "cut-offered 5"]
    (cut,) = [fact for fact in facts if isinstance(fact, shuffles.CutPerformed)]
    assert (cut.by, cut.seat) == ("dealer", None)


@pytest.mark.parametrize(
    ("behind", "place", "asked"),
    [
        (296, "seat 5", 5),
        (297, "seat 4", 4),
        (298, "seat 2", 2),
        (299, "dealer", 5),
        (295, "burn", 5),
        (292, "community", 5),
    ],
)
def test_after_the_cutting_card_its_own_player_is_offered_the_cut(behind: int, place: str, asked: int) -> None:
    """FAH (e)(3)(ii) and (iii); a burn or a community card is read as the dealer's, for the far right."""
    facts = day("FAH", rounds=[three(parts={"cards_behind": behind}), three()])
    recorded(facts)
    (reached,) = [fact for fact in facts if isinstance(fact, shuffles.CuttingCardReached)]
    assert f"{reached.position} {reached.seat or ''}".strip() == place
    assert reached.card == "T7-batch-1-cutting"
    before_second = between_rounds(facts)[1]
    assert [step for step in before_second if step.startswith("cut-offered")] == [f"cut-offered {asked}"]
    assert [step.partition(" ")[0] for step in before_second] == [
        "marker-placed",
        "shoe-emptied",
        "discard-rack-emptied",
        "shuffle-started",
        "shuffle-completed",
        "cards-stacked",
        "cut-offered",
        "cut-performed",
        "cut-completed",
        "cutting-card-inserted",
        "shoe-loaded",
        "card-burned",
    ]


def test_a_shuffle_the_house_wants_is_cut_from_the_far_right() -> None:
    """FAH (e)(3)(iv); between two rounds the house may always have one (FAH (e)(1)/s1-any)."""
    facts = day("FAH", rounds=[three(), three(parts={"shuffle_ordered": "new players"})])
    before_second = between_rounds(facts)[1]
    assert before_second.index("shuffle-ordered new players") < before_second.index("cut-offered 5")


def test_a_shuffle_that_is_due_by_the_cutting_card_is_ordered_by_nobody() -> None:
    """FAH (e)(7), (e)(3)(ii): it comes by itself, and the cut is its own player's."""
    facts = day("FAH", rounds=[three(parts={"cards_behind": 298}), three(parts={"shuffle_ordered": "new players"})])
    before_second = between_rounds(facts)[1]
    assert [step for step in before_second if step.startswith(("shuffle-ordered", "cut-offered"))] == ["cut-offered 2"]


def test_the_cutting_card_stands_a_quarter_from_the_back_and_ends_the_shoe_by_itself() -> None:
    """Six decks: 78 cards behind it, eight: 104 (FAH (e)(6)/s2); nobody says when it comes out."""
    for decks_in_shoe, behind in ((6, 78), (8, 104)):
        facts = day("FAH", {"decks": decks_in_shoe}, rounds=[round_(*map(seat, range(1, 7))) for _ in range(16)])
        inserted = [fact for fact in facts if isinstance(fact, shuffles.CuttingCardInserted)]
        reached = [fact for fact in facts if isinstance(fact, shuffles.CuttingCardReached)]
        assert {fact.cards_behind for fact in inserted} == {behind}
        assert len(inserted) - 1 <= len(reached) <= len(inserted)
        assert len(inserted) >= 2


def test_two_batches_take_turns_shoe_by_shoe() -> None:
    """One batch is secured, released, loaded; the other shuffled while it is dealt, without a cut (FAH (b)(4)(iv))."""
    facts = day("FAH", {"shuffler": "batch"}, rounds=[three(parts=SHORT) for _ in range(4)])
    recorded(facts)
    loaded = [fact.deck for fact in facts if isinstance(fact, shuffles.ShoeLoaded)]
    assert loaded == ["T7-batch-2", "T7-batch-1"] * 2
    assert not [fact for fact in facts if isinstance(fact, shuffles.CutPerformed | shuffles.CutOffered)]
    received = [fact for fact in facts if isinstance(fact, decks.DeckReceived)]
    assert [(fact.decks, fact.cards) for fact in received] == [(6, 312)] * 2
    assert len({fact.back_color for fact in received}) == 2
    of_the_first = [
        f"{name_of(fact).rpartition('.')[0]}"
        for fact in facts
        if getattr(fact, "deck", "") == "T7-batch-1" and isinstance(fact, _OF_A_BATCH)
    ]
    assert of_the_first[:6] == [
        "shuffle-started",
        "shuffle-completed",
        "batch-secured",
        "batch-released",
        "shoe-loaded",
        "shoe-emptied",
    ]
    assert all("shuffle-completed" in " ".join(steps(told.facts)) for told in rounds_of(facts))


_OF_A_BATCH = (
    shuffles.ShuffleStarted,
    shuffles.ShuffleCompleted,
    shuffles.BatchSecured,
    shuffles.BatchReleased,
    shuffles.ShoeLoaded,
    shuffles.ShoeEmptied,
)


def test_a_continuous_shoe_is_neither_shuffled_cut_nor_burned_from() -> None:
    """FAH (k)(1): its cards go back after each round; the burn before the community cards stays."""
    facts = day("FAH", {"shuffler": "continuous"}, method="continuous-shoe", rounds=[three(new_dealer="d2"), three()])
    recorded(facts)
    names = {name_of(fact).rpartition(".")[0] for fact in facts}
    assert not names & {"shuffle-started", "cut-offered", "cutting-card-inserted", "cutting-card-reached"}
    assert [fact.reason for fact in facts if isinstance(fact, deal.CardBurned)] == ["community", "community"]
    loaded = [fact.cards for fact in facts if isinstance(fact, shuffles.ShoeLoaded)]
    assert loaded == [312, 22, 22]
    sources = {fact.source_of_card for fact in facts if isinstance(fact, deal.CardDealt)}
    assert sources == {"continuous-shoe"}


def test_a_new_dealer_burns_one_card_and_one_with_a_fresh_shoe_no_second() -> None:
    """FAH (g)(1)/s1 and s2."""
    plans = [three(), three(new_dealer="d2"), three(parts=SHORT | {"shuffle_ordered": "x"}, new_dealer="d3"), three()]
    facts = day("FAH", rounds=plans)
    reasons = [fact.reason for fact in facts if isinstance(fact, deal.CardBurned) and fact.reason != "community"]
    assert reasons == ["shoe", "dealer", "shoe", "shoe"]
    assert not any(fact.face_up for fact in facts if isinstance(fact, deal.CardBurned))


def test_a_house_may_conceal_the_last_card_of_the_stack() -> None:
    """FAH (b)(3): with a card of its own, brought once for each batch and put in with every shoe."""
    facts = day("FAH", {"concealing_card": True}, rounds=[three(parts=SHORT), three()])
    recorded(facts)
    brought = [fact.card for fact in facts if isinstance(fact, decks.CoverCardIntroduced) and fact.role == "conceal"]
    assert brought == ["T7-batch-1-concealing"]
    listed = steps(facts)
    assert listed.count("cover-card-placed shoe-end") == 2
    assert listed.index("cutting-card-inserted") < listed.index("cover-card-placed shoe-end")
    assert not [step for step in steps(day("FAH", rounds=[three()])) if "shoe-end" in step]


# options | the positions the marker stands at from the start, in a table of four with players at 1 and 3
MARKERS = [
    ({}, [0, 1, 2, 3, 4, 0, 1]),
    ({"marker_skips_empty": True}, [0, 1, 3, 0, 1, 3, 0]),
]


@pytest.mark.parametrize(("options", "stands"), MARKERS)
def test_the_marker_goes_round_by_one_place_and_the_deal_begins_there(
    options: dict[str, Any], stands: list[int]
) -> None:
    """FAH (g)(2) and (g)(3)/s2: where nobody wagered at the marker, the next wagered place clockwise is first."""
    facts = day("FAH", options, rounds=[round_(seat(1), seat(3)) for _ in range(6)], positions=4)
    assert _markers(facts) == stands
    firsts = [_first_served(told.facts) for told in rounds_of(facts)]
    clockwise = {0: 0, 1: 1, 2: 3, 3: 3, 4: 0}
    assert firsts == [clockwise[at] for at in stands[:6]]


def test_the_marker_does_not_move_after_a_void_round_nor_where_it_is_forgotten() -> None:
    """FAH (a)(1)(vii); the step that was missed is not made up (FAH (i)(6))."""
    forgotten = round_(seat(1), parts={"marker_stays": True})
    facts = day("FAH", rounds=[round_(seat(1)), forgotten, round_(seat(1))], positions=4)
    assert _markers(facts) == [0, 1, 2]


def _markers(facts: Sequence[Fact]) -> list[int]:
    return [fact.seat or 0 for fact in facts if isinstance(fact, deal.MarkerPlaced)]


def _first_served(facts: Sequence[Fact]) -> int:
    first = next(fact for fact in facts if isinstance(fact, deal.CardDealt))
    return first.seat or 0


def test_no_card_of_a_shoe_comes_oftener_than_its_decks_hold_it() -> None:
    """Every card that left the shoe, burns among them, is one of the six of its kind."""
    facts = day("FAH", rounds=[round_(*map(seat, range(1, 7))) for _ in range(6)])
    gone: dict[str, int] = {}
    for fact in facts:
        if isinstance(fact, deal.CardDealt | deal.CardBurned):
            gone[fact.card] = gone.get(fact.card, 0) + 1
    assert sum(gone.values()) > 180
    assert max(gone.values()) <= 6


@pytest.mark.parametrize("face_up", [True, False])
@pytest.mark.parametrize("options", [{}, {"shuffler": "batch"}], ids=["by hand", "batches"])
def test_idle_cards_are_spread_and_taken_up_again_before_a_player(options: dict[str, Any], face_up: bool) -> None:
    """FAH (e)(8): out of shoe and rack, shown, and washed for a manual shuffle or given to the machine."""

    def without_players(table: TableInPlay) -> None:
        for at in list(table.seated):
            opening.leave(table, at)
        fast_action_idle.idle(table, face_up=face_up)
        fast_action_idle.resume(table, 3, "newcomer", face_up=face_up)

    facts = played("FAH", options, rounds=[three(), without_players, round_(seat(3, player="newcomer"))]).post.facts
    recorded(facts)
    pause = [step.partition(" ")[0] for step in between_rounds(facts)[1]]
    taken_out = ["table-idled", "shoe-emptied", "discard-rack-emptied", "cards-spread", "player-arrived"]
    assert [step for step in pause if step in taken_out] == taken_out
    by_hand = ["cards-washed", "cards-stacked", "game-commenced", "marker-placed", "shuffle-started"]
    machine = ["shuffle-started", "batch-released", "shoe-loaded", "batch-secured", "game-commenced"]
    wanted = machine if options else by_hand
    since = pause[pause.index("player-arrived") :]
    assert [step for step in since if step in wanted][: len(wanted)] == wanted
    assert [fact for fact in facts if isinstance(fact, table_day.TableIdled)]

"""Rounds of Pik-it, Fast Action and Colorado in which something goes wrong, handled as each text has it."""

from typing import Any

import pytest

from domain.facts import deal, decisions, decks, devices, payments, shuffles, table_day
from domain.facts.envelope import Fact
from domain.facts.words import Book, Dealing
from domain.rulebooks import house, newest
from domain.settlement import settle
from domain.settlement.outcome import Outcome
from domain.settlement.played import Irregularity
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import day, round_, seat, wrong
from domain.simulation.uth_in_play import PlanError
from tests.simulation.steps import steps
from tests.simulation.told import Told, closer_owed, recorded, rounds_of
from tests.simulation.told_of_three import ToldOfThree

SHUFFLER = {"shuffler": "automated"}
COUNTING = {"shuffler": "counting"}
TWO_DECKS = {"shuffler": "automated", "decks": 2}
WAITS = {"dealer_stack_delivery": "after-decisions"}
PERMISSIBLE = {"version": "permissible"}

Row = tuple[Book, Dealing, dict[str, Any], Irregularity, str]

# book | method | options | what goes wrong | what becomes of the round
ROWS: list[Row] = [
    ("PIK", "manual-shoe", {}, wrong("card-face-up", ("2c", 3)), "played"),
    ("PIK", "manual-shoe", {}, wrong("card-face-up", ("2c", 3), ("3c", 11)), "void"),
    ("PIK", "hand", SHUFFLER, wrong("card-face-up", ("2c", 0), ("3c", 0)), "void"),
    ("PIK", "automated-shoe", {}, wrong("card-face-up", ("2c", 7)), "played"),
    ("PIK", "automated-shoe", WAITS, wrong("card-face-up", ("2c", 16), ("3c", 17)), "void"),
    ("PIK", "manual-shoe", {}, wrong("card-drawn-in-error", card="2c", used_as="seat:4"), "played"),
    ("PIK", "manual-shoe", {}, wrong("card-drawn-in-error", card="2c", used_as="dealer"), "played"),
    ("PIK", "hand", SHUFFLER, wrong("card-drawn-in-error", card="2c", exposed=True, at_dealt=6), "played"),
    ("PIK", "manual-shoe", {}, wrong("wrong-count", of="seat:4", dealt=6), "void"),
    ("PIK", "hand", SHUFFLER, wrong("wrong-count", of="seat:1", dealt=4, stage="bonus3", at_seat=4), "void"),
    ("PIK", "automated-shoe", {}, wrong("wrong-count", of="seat:1", dealt=6, stage="bonus5", at_seat=2), "void"),
    ("PIK", "manual-shoe", {}, wrong("wrong-count", of="seat:1", dealt=4, stage="decision", at_seat=4), "void"),
    ("PIK", "manual-shoe", {}, wrong("wrong-count", of="dealer", dealt=6, stage="reveal"), "void"),
    ("PIK", "automated-shoe", WAITS, wrong("wrong-count", of="dealer", dealt=4, stage="dealer-stack"), "void"),
    ("PIK", "manual-shoe", {}, wrong("card-exposed", of="dealer"), "void"),
    ("PIK", "manual-shoe", {}, wrong("card-exposed", of="dealer", stage="bonus3", at_seat=1), "void"),
    ("PIK", "manual-shoe", {}, wrong("card-exposed", of="dealer", stage="bonus5", at_seat=2), "void"),
    ("PIK", "hand", SHUFFLER, wrong("card-exposed", of="dealer", stage="decision"), "void"),
    ("PIK", "manual-shoe", {}, wrong("card-exposed", of="dealer", stage="reveal"), "played"),
    ("PIK", "manual-shoe", {}, wrong("card-exposed", of="seat:2"), "played"),
    ("PIK", "manual-shoe", {}, wrong("stub-count", finding="misdealt", of="seat:4", dealt=6), "void"),
    ("PIK", "automated-shoe", WAITS, wrong("stub-count", finding="misdealt", of="dealer", dealt=6), "void"),
    ("PIK", "hand", TWO_DECKS, wrong("stub-count", finding="not-misdealt"), "void"),
    ("PIK", "manual-shoe", {}, wrong("stub-count", finding="not-misdealt", count=53), "void"),
    ("PIK", "manual-shoe", COUNTING, wrong("shuffler-count", count=51), "played"),
    ("PIK", "hand", SHUFFLER, wrong("jam", device="shuffler", stage="before-deal"), "played"),
    ("PIK", "hand", TWO_DECKS, wrong("jam", device="shuffler", deck="idle"), "played"),
    ("PIK", "automated-shoe", {}, wrong("jam", device="shoe", at_dealt=10), "void"),
    ("PIK", "automated-shoe", {}, wrong("jam", device="shoe", stage="before-deal"), "played"),
    ("PIK", "automated-shoe", WAITS, wrong("jam", device="shoe", stage="dealer-stack"), "void"),
    ("PIK", "manual-shoe", SHUFFLER, wrong("device-not-removed", device="automated-shuffler"), "played"),
    ("PIK", "hand", TWO_DECKS, wrong("device-not-removed", device="automated-shuffler"), "played"),
    ("PIK", "automated-shoe", {}, wrong("device-not-removed", device="automated-shoe"), "played"),
    ("COL", "manual-shoe", {}, wrong("card-face-up", ("2c", 3)), "played"),
    ("COL", "hand", SHUFFLER, wrong("card-face-up", ("2c", 3), ("3c", 11)), "void"),
    ("COL", "automated-shoe", {}, wrong("card-face-up", ("2c", 9), ("3c", 10)), "void"),
    ("COL", "manual-shoe", {}, wrong("card-drawn-in-error", card="2c", used_as="community"), "played"),
    ("COL", "manual-shoe", {}, wrong("card-drawn-in-error", card="2c", exposed=True), "played"),
    ("COL", "manual-shoe", {}, wrong("wrong-count", of="seat:4", dealt=2), "void"),
    ("COL", "hand", SHUFFLER, wrong("wrong-count", of="seat:4", dealt=4, stage="decision", at_seat=2), "void"),
    ("COL", "automated-shoe", PERMISSIBLE, wrong("wrong-count", of="community", dealt=2, stage="community"), "void"),
    ("COL", "manual-shoe", {}, wrong("card-exposed", of="community"), "played"),
    ("COL", "manual-shoe", {}, wrong("card-exposed", of="seat:2", stage="decision", at_seat=2), "played"),
    ("COL", "manual-shoe", {}, wrong("stub-count", finding="misdealt", of="community", dealt=4), "void"),
    ("COL", "automated-shoe", {}, wrong("stub-count", finding="not-misdealt"), "void"),
    ("COL", "manual-shoe", COUNTING, wrong("shuffler-count", count=53), "played"),
    ("COL", "hand", SHUFFLER, wrong("jam", device="shuffler", stage="before-deal"), "played"),
    ("COL", "automated-shoe", {}, wrong("jam", device="shoe"), "void"),
    ("COL", "hand", TWO_DECKS, wrong("device-not-removed", device="automated-shuffler"), "played"),
    ("COL", "automated-shoe", {}, wrong("device-not-removed", device="automated-shoe"), "played"),
    ("COL", "manual-shoe", {}, wrong("erroneous-declaration", seat=4), "hand void"),
    ("COL", "manual-shoe", PERMISSIBLE, wrong("fold-not-allowed", seat=1, ruling="collect"), "played"),
    ("COL", "manual-shoe", PERMISSIBLE, wrong("fold-not-allowed", seat=1, ruling="return"), "played"),
    ("FAH", "manual-shoe", {}, wrong("card-face-up", ("2c", 0), ("3c", 5), ("4c", 9)), "played"),
    ("FAH", "manual-shoe", {}, wrong("card-face-up", ("2c", 18)), "played"),
    ("FAH", "manual-shoe", {}, wrong("card-exposed", of="seat:2"), "played"),
    ("FAH", "manual-shoe", {}, wrong("card-exposed", of="dealer"), "played"),
    ("FAH", "manual-shoe", {}, wrong("card-exposed", of="community"), "played"),
    ("FAH", "manual-shoe", {}, wrong("short-hand", seat=2, dealt=3, election="void"), "hand void"),
    ("FAH", "manual-shoe", {}, wrong("short-hand", seat=2, dealt=2, election="complete"), "played"),
    ("FAH", "manual-shoe", {}, wrong("long-hand", seat=2, dealt=5), "played"),
    ("FAH", "manual-shoe", {}, wrong("wrong-count", of="dealer", dealt=5, stage="reveal"), "void"),
    ("FAH", "manual-shoe", {}, wrong("wrong-count", of="dealer", dealt=3), "void"),
    ("FAH", "manual-shoe", {}, wrong("insufficient-cards", stage="dealing", at_dealt=6), "void"),
    ("FAH", "manual-shoe", {}, wrong("insufficient-cards", stage="community", at_dealt=3), "void"),
    ("FAH", "manual-shoe", {"shuffler": "batch"}, wrong("insufficient-cards", stage="community"), "void"),
    ("FAH", "manual-shoe", {}, wrong("marker-not-moved"), "played"),
    ("FAH", "manual-shoe", {}, wrong("natural-undeclared", seat=4), "played"),
    ("FAH", "manual-shoe", {}, wrong("dealer-misset"), "played"),
]  # fmt: skip
VOID = [row for row in ROWS if row[-1] == "void"]
IDS = [f"{book} {method} {what.kind} {what.of} {what.stage} {at}" for at, (book, method, _, what, _) in enumerate(ROWS)]


def the_round(row: Row, **rest: Any) -> RoundPlan:
    """Three players, one of whom is out before the end."""
    book, _, options, what, _ = row
    natural = "9c 9d 9h 9s" if what.kind == "natural-undeclared" else ""
    if book == "PIK":
        seats = [
            seat(1, acts="fold", ante=2_500, bonus3=500, selected=""),
            seat(2, acts="play3", ante=1_000),
            seat(4, acts="play5", ante=1_500, bonus3=100),
        ]
    elif book == "COL":
        goes = "fold" if "version" not in options or what.kind == "fold-not-allowed" else "play"
        seats = [
            seat(1, acts=goes, ante=2_500, bonus=100),
            seat(2, acts="bet", ante=1_000),
            seat(4, "" if what.kind == "erroneous-declaration" else "8c 8d 8h", acts="declare", ante=1_500, bonus=100),
        ]
    else:
        long = what.kind == "long-hand"
        seats = [
            seat(1, acts="surrender", original=2_500),
            seat(2, acts="" if long else "split", original=1_000),
            seat(4, natural, original=1_500),
        ]
    return round_(*seats, irregularity=what, **rest)


def the_day(row: Row, **rest: Any) -> list[Fact]:
    """A round like any other, the one in which it happens, and one after it."""
    book, method, options, *_ = row
    usual = round_(seat(1), seat(2), seat(4))
    return day(book, options, method=method, rounds=[usual, the_round(row, **rest), usual])


def owed(row: Row, told: Told) -> dict[tuple[int, str], Outcome]:
    """Settlement of the round, asked with the irregularity."""
    book, method, options, what, _ = row
    settlement = settle(house(newest(book), options, method), ToldOfThree(told).played(book, what))
    return {(at, wager): out for at, held in settlement.seats.items() for wager, out in held.items()}


@pytest.mark.parametrize("ruling", ["stands", "reversed"])
@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_everybody_gets_what_the_text_gives_and_the_floor_rules(row: Row, ruling: str) -> None:
    """Open wagers of a void round go back; a settled one stands or is reversed as ruled, and the tray comes out right."""
    facts = the_day(row, ruled=ruling)
    recorded(facts)
    one = rounds_of(facts)[1]
    for key, outcome in owed(row, one).items():
        amount = outcome.returned
        if outcome.alternatives is not None and row[3].kind != "fold-not-allowed":
            amount = outcome.alternatives[ruling == "reversed"]
        if amount is None:  # no text says at what: the ruling reverses it or lets it stand
            assert one.got[key] == one.staked[key] or ruling == "stands", key
            continue
        assert one.got[key] == amount, key
        assert outcome.returned is not None or one.of(payments.RulingGiven), key
    becomes = row[-1]
    assert bool(one.of(payments.RoundVoided)) == (becomes == "void")
    assert bool(one.of(payments.HandVoided)) == (becomes == "hand void")
    assert getattr(facts[-1], "closer_cents") == closer_owed(facts)  # noqa: B009 - any fact may be last


@pytest.mark.parametrize("row", VOID, ids=[name for row, name in zip(ROWS, IDS, strict=True) if row in VOID])
def test_a_void_round_returns_collects_and_is_completed(row: Row) -> None:
    """After the word "void" no wager is paid or collected but by a ruling; every card goes; the round ends."""
    one = rounds_of(the_day(row))[1]
    since = steps(one.facts)[[isinstance(fact, payments.RoundVoided) for fact in one.facts].index(True) :]
    assert not [step for step in since if step.startswith(("wager-paid", "wager-collected", "decision"))]
    assert since[-1] == "round-completed"
    taken = [*one.of(payments.HandsCollected), *one.of(decisions.DiscardsCollected)]
    assert sum(getattr(fact, "count", 0) for fact in taken) == sum(map(len, one.cards.values()))


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_cards_are_shuffled_before_they_are_dealt_again(row: Row) -> None:
    """PIK 38.12(a)/s2, COL 14(a)/s2 and all others: no deck is dealt twice without a shuffle, nor uncut by hand."""
    if row[0] == "FAH":
        return  # its shoe outlasts the rounds
    state: dict[str, str] = {}
    playing = ""
    for fact in the_day(row):
        match fact:
            case shuffles.ShuffleStarted():
                state[fact.deck] = "in the shuffle"
            case devices.DeviceFailed():
                state[fact.deck] = "failed"
            case shuffles.ShuffleCompleted():
                state[fact.deck] = "to cut" if fact.method == "manual" else "ready"
            case shuffles.CutCompleted():
                state[fact.deck] = "ready"
            case deal.RoundOpened():
                playing = fact.deck
            case deal.CardDealt() | deal.StackDispensed():
                assert state[playing] in ("ready", "being dealt")
                state[playing] = "being dealt"
            case payments.RoundCompleted():
                state[playing] = "dealt"


def kinds(facts: list[Fact], *wanted: type[Fact]) -> list[type[Fact]]:
    return [type(fact) for fact in facts if isinstance(fact, wanted)]


@pytest.mark.parametrize("book", ["PIK", "COL"])
def test_a_deck_with_a_wrong_number_of_cards_leaves_and_another_comes(book: Book) -> None:
    """PIK 39.7(e)2/s3, COL 7(e)(2)/s3: determined not to be a misdeal, the deck goes when the round is over."""
    facts = the_day((book, "manual-shoe", {}, wrong("stub-count", finding="not-misdealt"), "void"))
    (counted,) = [fact for fact in facts if isinstance(fact, payments.StubCounted)]
    dealt = 4 * (5 if book == "PIK" else 3)
    assert counted.cards == 51 - dealt
    told = kinds(facts, payments.StubCounted, payments.MisdealDetermined, payments.RoundVoided, decks.DeckChanged)
    assert told == [payments.StubCounted, payments.MisdealDetermined, payments.RoundVoided, decks.DeckChanged]
    played = [fact.deck for fact in facts if isinstance(fact, deal.RoundOpened)]
    assert played == ["T7-deck-1", "T7-deck-1", "T7-deck-2"]
    assert [fact.deck for fact in facts if isinstance(fact, decks.DeckInspected)] == ["T7-deck-1", "T7-deck-2"]


@pytest.mark.parametrize("book", ["PIK", "COL"])
def test_a_deck_the_shuffler_counts_wrong_is_not_dealt(book: Book) -> None:
    """PIK 39.7(f)/s2, COL 7(f)/s2."""
    facts = the_day((book, "manual-shoe", COUNTING, wrong("shuffler-count", count=53), "played"))
    counts = [(fact.deck, fact.counted) for fact in facts if isinstance(fact, shuffles.ShuffleCompleted)]
    assert counts == [("T7-deck-1", 52), ("T7-deck-1", 53), ("T7-deck-2", 52), ("T7-deck-2", 52)]
    assert [fact.deck for fact in facts if isinstance(fact, deal.RoundOpened)] == [
        "T7-deck-1",
        "T7-deck-2",
        "T7-deck-2",
    ]


@pytest.mark.parametrize("book", ["PIK", "COL"])
def test_a_device_leaves_before_another_method_is_used(book: Book) -> None:
    """PIK 38.12(g), COL 14(g); a second deck goes with the shuffler, and so does dealing from the hand."""
    row: Row = (book, "hand", TWO_DECKS, wrong("device-not-removed", device="automated-shuffler"), "played")
    facts = the_day(row)
    told = kinds(facts, devices.DeviceFailed, devices.DeviceRemoved, table_day.MethodChanged)
    assert told == [devices.DeviceFailed, devices.DeviceRemoved, table_day.MethodChanged]
    (changed,) = [fact for fact in facts if isinstance(fact, table_day.MethodChanged)]
    assert (changed.dealing_method, changed.shuffling) == ("manual-shoe", "manual")
    assert len({fact.deck for fact in facts if isinstance(fact, deal.RoundOpened) and fact.round != 1}) == 1
    assert "no shuffler" in [fact.reason for fact in facts if isinstance(fact, decks.DeckRemoved)]
    last = rounds_of(facts)[-1]
    assert {getattr(fact, "source_of_card", "") for fact in last.of(deal.CardDealt)} == {"shoe"}


@pytest.mark.parametrize("book", ["PIK", "COL"])
def test_a_jammed_shoe_is_emptied_and_put_right_or_taken_away(book: Book) -> None:
    """PIK 38.12(f), COL 14(f): its cards are shuffled again with those dealt."""
    row: Row = (book, "automated-shoe", {}, wrong("jam", device="shoe"), "void")
    wanted = (devices.DeviceFailed, devices.DeviceEmptied, devices.DeviceRestored, devices.DeviceRemoved)
    kept = kinds(the_day(row), *wanted)
    assert kept == [devices.DeviceFailed, devices.DeviceEmptied, devices.DeviceRestored]
    replaced = the_day(row, parts={"after_jam": "replaced"})
    assert kinds(replaced, *wanted) == [devices.DeviceFailed, devices.DeviceEmptied, devices.DeviceRemoved]
    last = rounds_of(replaced)[-1]
    assert last.of(deal.CardDealt)
    assert not last.of(deal.StackDispensed)


def test_two_cards_face_up_void_nothing_at_fast_action() -> None:
    """FAH (i)(1): each goes into the rack; the hands get the cards behind it."""
    row: Row = ("FAH", "manual-shoe", {}, wrong("card-face-up", ("2c", 0), ("3c", 5)), "played")
    one = rounds_of(the_day(row))[1]
    assert [getattr(fact, "card", "") for fact in one.of(deal.CardFoundFaceUp)] == ["2c", "3c"]
    assert {len(held) for held in one.cards.values()} == {4, 5}


def test_a_short_hand_is_completed_after_the_dealer_has_four_cards_and_before_the_board() -> None:
    """FAH (i)(3); a fourth card given late still makes a natural."""
    what = wrong("short-hand", seat=2, dealt=3, election="complete")
    facts = day("FAH", rounds=[round_(seat(1), seat(2, "8c 8d 8h 8s"), irregularity=what)])
    (one,) = rounds_of(facts)
    listed = steps(one.facts)
    at = listed.index("decision-made 2 complete")
    assert listed[at - 1] in ("card-dealt 1", "card-dealt dealer")
    assert listed[at + 1] == "card-dealt 2"
    assert listed.count("card-dealt dealer") == 4
    assert "decision-made 2 natural" in listed[at:]
    assert one.got[2, "original"] == 6_000


def test_a_dealer_who_set_wrong_sets_right_before_a_card_is_burned() -> None:
    """FAH (h)(9): a supervisor has it set right, and the right two cards play."""
    plan = round_(seat(1), dealer="As Kh Qh Ts", irregularity=wrong("dealer-misset"))
    (one,) = rounds_of(day("FAH", rounds=[plan]))
    sets = [fact for fact in one.facts if isinstance(fact, decisions.HandSet) and fact.seat is None]
    assert [fact.kept for fact in sets] == [("As", "Kh"), ("As", "Ts")]
    listed = steps(one.facts)
    assert "ruling-given set right" in listed[: listed.index("card-burned community")]


def test_of_three_suits_of_one_rank_the_plan_says_which_the_dealer_keeps() -> None:
    """FAH (h)(9)(ii): any two will do, the first two unless told otherwise."""
    for parts, kept in (({}, ("9s", "9h")), ({"dealer_kept": (31, 29)}, ("9s", "9d"))):
        plan = round_(seat(1), dealer="9s 9h 9d Ac", parts=parts)
        (one,) = rounds_of(day("FAH", rounds=[plan]))
        (set_,) = [fact for fact in one.facts if isinstance(fact, decisions.HandSet) and fact.seat is None]
        assert set_.kept == kept


def test_after_a_shoe_that_ran_out_the_entire_set_is_shuffled() -> None:
    """FAH (i)(5), and the marker stays, for a void round is none (FAH (a)(1)(vii))."""
    facts = the_day(("FAH", "manual-shoe", {}, wrong("insufficient-cards", stage="dealing", at_dealt=3), "void"))
    told = kinds(facts, shuffles.ShoeRanOut, payments.RoundVoided, shuffles.ShoeEmptied, shuffles.ShuffleCompleted)
    assert told == [
        shuffles.ShuffleCompleted,
        shuffles.ShoeRanOut,
        payments.RoundVoided,
        shuffles.ShoeEmptied,
        shuffles.ShuffleCompleted,
    ]
    assert [fact.seat for fact in facts if isinstance(fact, deal.MarkerPlaced)] == [None, 1, 2]


@pytest.mark.parametrize(
    ("book", "options", "plan", "says"),
    [
        ("PIK", {}, round_(seat(1, ante=1_000, bonus5=500)), "must equal the ante"),
        ("PIK", {}, round_(seat(1, ante=100)), "posted limits"),
        ("PIK", {}, round_(seat(1, player="p"), seat(2, player="p")), "more positions"),
        ("PIK", {"max_positions": 3}, round_(seat(1, player="p"), seat(3, player="p")), "adjacent"),
        ("PIK", {}, round_(seat(1, acts="check")), "'check' is not an act of this game"),
        ("PIK", {}, round_(seat(7)), "seat numbers must be 1 to 6"),
        ("PIK", {}, round_(seat(1, split=500)), "is not a wager before the deal"),
        ("PIK", {"match_play": None}, round_(seat(1, coupons={"ante": 500})), "accepts no coupons"),
        ("COL", {}, round_(seat(1, bonus=200)), "one \\$1 chip"),
        ("COL", {"bonus_offered": False}, round_(seat(1, bonus=100)), "no bonus"),
        ("COL", PERMISSIBLE, round_(seat(1, acts="fold")), "has no fold"),
        ("FAH", {}, round_(seat(1, "2c 2d 2h 3s", acts="natural")), "cannot natural"),
        ("FAH", {}, round_(seat(1, coupons={"original": 500})), "accepts no coupons"),
        ("COL", {}, round_(irregularity=wrong("jam", device="shoe")), "did not happen"),
        ("FAH", {}, round_(irregularity=wrong("card-face-up", ("2c", 90))), "did not happen"),
        ("PIK", {}, round_(irregularity=wrong("card-exposed", of="dealer", stage="flop")), "did not happen"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_no_dealer_would_deal_is_refused(book: Book, options: dict[str, Any], plan: RoundPlan, says: str) -> None:
    """An unlawful plan is no lawful round, and one in which nothing goes wrong after all proves nothing."""
    with pytest.raises(PlanError, match=says):
        day(book, options, rounds=[plan])

"""Rounds of Ultimate Texas Hold'em in which something goes wrong, handled lawfully by each text."""

from typing import Any

import pytest

from domain.facts import deal, decisions, decks, devices, payments, shuffles, table_day
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.rulebooks import house, newest
from domain.settlement import settle
from domain.settlement.played import Irregularity
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import day, round_, seat, wrong
from domain.simulation.uth_in_play import PlanError
from tests.simulation.told import closer_owed, recorded, rounds_of

SHUFFLER = {"shuffler": "automated"}
TWO_DECKS = {"shuffler": "automated", "decks": 2}
BOX = {"six_card_table": "A"}
PROGRESSIVE = {"progressive": {"table": "A"}}

Row = tuple[str, str, dict[str, Any], Irregularity, str]

# book | method | options | what goes wrong | what becomes of the round: void, void but trips, hand void, played
ROWS: list[Row] = [
    ("UTH-MA", "manual-shoe", {}, wrong("card-face-up", ("2c", 3)), "played"),
    ("UTH-MA", "manual-shoe", {}, wrong("card-face-up", ("2c", 1), ("3c", 4)), "void"),
    ("UTH-MA", "manual-shoe", {}, wrong("card-face-up", ("2c", 1), ("3c", 8)), "void but trips"),
    ("UTH-MA", "hand", SHUFFLER, wrong("card-face-up", ("2c", 9), ("3c", 10)), "void but trips"),
    ("UTH-MA", "automated-shoe", {}, wrong("card-face-up", ("2c", 0), ("3c", 3)), "void"),
    ("UTH-MD", "manual-shoe", PROGRESSIVE, wrong("card-face-up", ("2c", 3)), "played"),
    ("UTH-MD", "manual-shoe", PROGRESSIVE, wrong("card-face-up", ("2c", 1), ("3c", 4)), "void"),
    ("UTH-MD", "hand", SHUFFLER, wrong("card-face-up", ("2c", 1), ("3c", 10)), "void but trips"),
    ("UTH-MD", "automated-shoe", BOX, wrong("card-face-up", ("2c", 1), ("3c", 14)), "void"),
    ("UTH-MA", "manual-shoe", {}, wrong("card-exposed", of="dealer"), "void but trips"),
    ("UTH-MA", "manual-shoe", {}, wrong("card-exposed", of="dealer", stage="dealing"), "void but trips"),
    ("UTH-MA", "automated-shoe", {}, wrong("card-exposed", of="dealer", stage="flop", at_seat=4), "void but trips"),
    ("UTH-MA", "hand", SHUFFLER, wrong("card-exposed", of="dealer", stage="river", at_seat=4), "void but trips"),
    ("UTH-MA", "manual-shoe", {}, wrong("card-exposed", of="dealer", stage="reveal"), "played"),
    ("UTH-MA", "manual-shoe", {}, wrong("card-exposed", of="seat:4"), "played"),
    ("UTH-MD", "manual-shoe", PROGRESSIVE, wrong("card-exposed", of="dealer", stage="river"), "void but trips"),
    ("UTH-MD", "hand", SHUFFLER, wrong("card-exposed", of="dealer", stage="river", at_seat=4), "void but trips"),
    ("UTH-MD", "automated-shoe", BOX, wrong("card-exposed", of="dealer", stage="flop"), "void but trips"),
    ("UTH-MD", "automated-shoe", BOX, wrong("card-exposed", of="dealer", stage="reveal"), "played"),
    ("UTH-MD", "hand", SHUFFLER, wrong("card-exposed", of="community", stage="flop"), "played"),
    ("UTH-MA", "manual-shoe", {}, wrong("card-drawn-in-error", card="2c"), "played"),
    ("UTH-MA", "hand", SHUFFLER, wrong("card-drawn-in-error", card="2c", used_as="dealer"), "played"),
    ("UTH-MA", "manual-shoe", {}, wrong("card-drawn-in-error", card="2c", exposed=True), "played"),
    (
        "UTH-MA",
        "manual-shoe",
        {},
        wrong("card-drawn-in-error", card="2c", exposed=True, used_as="dealer"),
        "void but trips",
    ),
    ("UTH-MD", "manual-shoe", {}, wrong("card-drawn-in-error", card="2c", used_as="community"), "played"),
    ("UTH-MA", "manual-shoe", {}, wrong("wrong-count", of="seat:4", dealt=3), "hand void"),
    ("UTH-MA", "hand", SHUFFLER, wrong("wrong-count", of="seat:1", dealt=1, stage="flop"), "hand void"),
    ("UTH-MA", "automated-shoe", {}, wrong("wrong-count", of="seat:4", dealt=3, stage="preflop"), "hand void"),
    ("UTH-MA", "manual-shoe", {}, wrong("wrong-count", of="dealer", dealt=1), "played"),
    ("UTH-MA", "automated-shoe", {}, wrong("wrong-count", of="dealer", dealt=1), "played"),
    ("UTH-MA", "manual-shoe", {}, wrong("wrong-count", of="dealer", dealt=3), "void"),
    ("UTH-MA", "manual-shoe", {}, wrong("wrong-count", of="dealer", dealt=1, missing_card_face_up=True), "void"),
    ("UTH-MA", "manual-shoe", {}, wrong("wrong-count", of="community", dealt=6), "void"),
    ("UTH-MD", "manual-shoe", PROGRESSIVE, wrong("wrong-count", of="seat:4", dealt=3), "void"),
    ("UTH-MD", "hand", SHUFFLER, wrong("wrong-count", of="dealer", dealt=1, stage="flop"), "void"),
    ("UTH-MD", "hand", SHUFFLER, wrong("wrong-count", of="community", dealt=4), "void"),
    ("UTH-MD", "automated-shoe", BOX, wrong("wrong-count", of="community", dealt=6), "void"),
    ("UTH-MD", "automated-shoe", BOX, wrong("wrong-count", of="six-card-box", dealt=5), "void"),
    (
        "UTH-MA",
        "manual-shoe",
        {},
        wrong("stub-count", finding="misdealt", of="seat:4", dealt=3),
        "void",
    ),
    ("UTH-MA", "automated-shoe", {}, wrong("stub-count", finding="not-misdealt"), "void"),
    ("UTH-MD", "manual-shoe", PROGRESSIVE, wrong("stub-count", finding="misdealt", of="dealer", dealt=3), "void"),
    ("UTH-MD", "hand", TWO_DECKS, wrong("stub-count", finding="not-misdealt", count=53), "void"),
    ("UTH-MD", "automated-shoe", BOX, wrong("stub-count", finding="not-misdealt", count=50), "void"),
    ("UTH-MA", "automated-shoe", {}, wrong("jam", device="shoe", at_dealt=4), "void"),
    ("UTH-MD", "automated-shoe", BOX | PROGRESSIVE, wrong("jam", device="shoe", at_dealt=9), "void"),
    ("UTH-MA", "hand", SHUFFLER, wrong("jam", device="shuffler", deck="playing", stage="before-deal"), "played"),
    ("UTH-MD", "hand", SHUFFLER, wrong("jam", device="shuffler", deck="playing", stage="before-deal"), "void"),
    ("UTH-MA", "hand", TWO_DECKS, wrong("jam", device="shuffler", deck="idle"), "played"),
    ("UTH-MD", "hand", TWO_DECKS, wrong("jam", device="shuffler", deck="idle"), "played"),
    (
        "UTH-MD",
        "hand",
        TWO_DECKS | {"idle_jam_returns_wagers": True},
        wrong("jam", device="shuffler", deck="idle"),
        "void",
    ),
    ("UTH-MA", "automated-shoe", {}, wrong("device-not-removed", device="shoe"), "played"),
    ("UTH-MA", "hand", TWO_DECKS, wrong("device-not-removed", device="shuffler"), "played"),
    ("UTH-MD", "manual-shoe", SHUFFLER, wrong("device-not-removed", device="shuffler"), "played"),
]
IDS = [
    f"{book} {method} {what.kind} {what.of} {what.stage} {number}"
    for number, (book, method, _, what, _) in enumerate(ROWS)
]


def the_round(options: dict[str, Any], what: Irregularity, book: str) -> RoundPlan:
    """Three players, two of them with trips, one of these folding at the river."""
    progressive = {"progressive": 500} if "progressive" in options else {}
    six_card = {"six_card": 500} if "six_card_table" in options else {}
    return round_(
        seat(1, acts="check check fold", ante=2_500, trips=500, **progressive, **six_card),
        seat(2, acts="play:3", ante=1_000),
        seat(4, acts="check check play", ante=1_500, trips=1_000),
        irregularity=what,
    )


def the_day(row: Row) -> list[Fact]:
    """A round like any other, the one in which it happens, and one after it."""
    book, method, options, what, _ = row
    usual = round_(seat(1), seat(2), seat(4))
    return day(book, options, method=method, rounds=[usual, the_round(options, what, book), usual])  # type: ignore[arg-type]


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_everybody_gets_what_the_text_gives(row: Row) -> None:
    """Settlement, asked with the irregularity, owes what the dealer handed back."""
    book, method, options, what, becomes = row
    facts = the_day(row)
    one = rounds_of(facts)[1]
    owed = settle(house(newest(book), options, method), one.played(book, what))
    for number, outcomes in owed.seats.items():
        for wager, outcome in outcomes.items():
            want = one.staked.get((number, wager), 0) if outcome.returned is None else outcome.returned
            assert one.got[number, wager] == want, (number, wager)
    assert bool(one.of(payments.RoundVoided)) == (becomes in ("void", "void but trips"))
    assert bool(one.of(payments.HandVoided)) == (becomes == "hand void")
    assert owed.round_void == (becomes in ("void", "void but trips")) or one.of(payments.RulingGiven)
    counted = next(fact for fact in facts if name_of(fact) == "inventory-counted.1")
    assert counted.cents == closer_owed(facts)  # type: ignore[attr-defined]


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_trips_alone_outlives_a_void(row: Row) -> None:
    """Five community cards are dealt for trips where the text says so, and the hands with trips are shown."""
    *_, becomes = row
    one = rounds_of(the_day(row))[1]
    if becomes == "void but trips":
        assert len(one.cards["community", None]) == 5
        assert [fact.seat for fact in one.of(decisions.HandRevealed)] == [4, 1]  # type: ignore[attr-defined]
    if becomes.startswith("void"):
        assert {wager for _, wager in one.paid} <= ({"trips"} if becomes == "void but trips" else set())


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_cards_are_shuffled_before_they_are_dealt(row: Row) -> None:
    """Whatever went wrong: between two rounds in which a deck was dealt it was shuffled, and cut if by hand."""
    facts = the_day(row)
    assert len(recorded(facts)) == len(facts)
    shuffled: dict[str, str] = {}
    playing = ""
    for fact in facts:
        match fact:
            case shuffles.ShuffleCompleted():
                shuffled[fact.deck] = "to cut" if fact.method == "manual" else "ready"
            case shuffles.CutCompleted():
                shuffled[fact.deck] = "ready"
            case deal.RoundOpened():
                playing = fact.deck
            case deal.CardDealt() | deal.StackDispensed():
                assert shuffled[playing] in ("ready", "being dealt")
                shuffled[playing] = "being dealt"
            case payments.RoundCompleted():
                shuffled[playing] = "dealt"


def test_a_deck_that_is_not_whole_leaves_and_another_comes() -> None:
    """UTH-MD 8.G(2): the entire deck is removed; the next round is dealt from the new one."""
    row = ("UTH-MD", "manual-shoe", {}, wrong("stub-count", finding="not-misdealt"), "void")
    facts = the_day(row)
    bad, new = (fact.deck for fact in facts if isinstance(fact, decks.DeckReceived))
    gone = [f for f in facts if isinstance(f, decks.DeckRemoved) and f.deck == bad]
    assert [f.to for f in gone] == ["destroyed"]
    assert [f.deck for f in facts if isinstance(f, deal.RoundOpened)] == [bad, bad, new]
    (count,) = [f for f in facts if isinstance(f, payments.StubCounted)]
    assert count.cards == 52 - 2 * 4 - 5 - 1


@pytest.mark.parametrize(("book", "says"), [("UTH-MA", devices.DeviceRemoved), ("UTH-MD", devices.DeviceCovered)])
def test_a_device_goes_before_another_method_comes(book: str, says: type[Fact]) -> None:
    """UTH-MA 15(g) removes it, UTH-MD 13.J(1) covers it."""
    row: Row = (book, "manual-shoe", SHUFFLER, wrong("device-not-removed", device="shuffler"), "played")
    kinds = [type(fact) for fact in the_day(row)]
    assert kinds.index(devices.DeviceFailed) < kinds.index(says) < kinds.index(table_day.MethodChanged)


@pytest.mark.parametrize("ruling", ["stands", "reversed"])
def test_what_comes_out_after_settlement_is_ruled_on(ruling: str) -> None:
    """A wrong count found when all is settled: the floor rules whether it stands, and money moves back if not."""
    what = wrong("stub-count", finding="not-misdealt", stage="after-settlement", ruling=ruling, has_ruling=True)
    facts = day("UTH-MD", rounds=[round_(seat(1, acts="play"), seat(3, acts="check check fold"), irregularity=what)])
    (one,) = rounds_of(facts)
    owed = settle(house(newest("UTH-MD")), one.played("UTH-MD", what))
    got = {number: {w: one.got[number, w] for w in held} for number, held in owed.seats.items()}
    assert got == {number: {w: o.returned for w, o in held.items()} for number, held in owed.seats.items()}
    assert [fact.ruling for fact in one.of(payments.RulingGiven)] == [ruling]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (round_(seat(1, acts="fold")), "seat 1 cannot fold at the preflop"),
        (round_(seat(1, acts="check check check")), "seat 1 cannot check at the river"),
        (round_(seat(1, acts="play:2")), "seat 1 cannot play 2 antes at the preflop"),
        (round_(seat(1, ante=500, blind=1_000)), "ante and blind must both be placed, and be equal"),
        (round_(seat(1, bad_beat=500)), "bad_beat is not offered here"),
        (round_(seat(7)), "there is no seat 7"),
        (round_(seat(1, coupons={"ante": 500})), "this house accepts no coupons"),
        (round_(seat(1), irregularity=wrong("jam", device="shoe")), "the jam of the plan did not happen"),
        (round_(seat(1), irregularity=wrong("card-face-up", ("2c", 40))), "the card-face-up of the plan did not happen"),
    ],
)  # fmt: skip
def test_a_plan_nobody_could_deal_lawfully_is_refused(plan: RoundPlan, says: str) -> None:
    with pytest.raises(PlanError, match=says):
        day("UTH-MD", rounds=[plan])

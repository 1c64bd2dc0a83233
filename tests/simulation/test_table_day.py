"""A table's day around its rounds: decks opened and changed, shuffled and counted, people and money."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.facts import deal, decks, payments, shuffles, table_day
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.simulation import opening
from domain.simulation.pace import HOUR
from domain.simulation.scripted import day, played, round_, seat, wrong
from tests.simulation.told import recorded, rounds_of

TWO = {"shuffler": "automated", "decks": 2}


def names(facts: Sequence[Fact], **fields: Any) -> list[str]:
    """The kinds of the facts with these fields, in order."""
    return [
        name_of(fact).removesuffix(".1")
        for fact in facts
        if all(getattr(fact, name, None) == wanted for name, wanted in fields.items())
    ]


def in_order(facts: Sequence[Fact], *kinds: str) -> bool:
    """Whether facts of these kinds come in this order, others between them."""
    rest = iter(names(facts))
    return all(any(kind == name for name in rest) for kind in kinds)


INSPECTED = ("deck-received", "deck-sorted", "deck-inspected", "inspection-verified", "cards-spread", "player-arrived")
MIXED = ("inspection-offered", "cards-turned", "cards-washed", "cards-stacked")
SHUFFLED = ("shuffle-started", "shuffle-completed", "cards-stacked")
LIFTED = ("cover-card-placed", "cut-performed", "cut-completed", "cover-card-removed")
INSERTED = ("cover-card-placed", "cut-performed", "cut-completed", "cover-card-placed")
PLAYED = ("shoe-loaded", "round-opened", "bets-closed", "card-dealt")

# book | options | how it is set up | what is done, in order | what is not done
ROUTES: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...], tuple[str, ...]]] = [
    ("UTH-MA", {}, {}, (*INSPECTED, *MIXED, *SHUFFLED, *LIFTED, *PLAYED), ()),
    ("UTH-MD", {}, {}, (*INSPECTED, *MIXED, *SHUFFLED, *INSERTED, *PLAYED), ()),
    ("UTH-MA", {"shuffler": "automated"}, {}, (*INSPECTED, *MIXED, *SHUFFLED, *PLAYED), ("cut-performed",)),
    ("UTH-MA", {}, {"preinspected": True}, ("deck-received", *SHUFFLED, *LIFTED, *PLAYED), ("deck-inspected", "cards-washed")),
    ("UTH-MD", {}, {"preinspected": True}, (*INSPECTED, *MIXED, *SHUFFLED, *INSERTED, *PLAYED), ()),
    ("UTH-MD", {}, {"preshuffled": True}, ("deck-received", *INSERTED, *PLAYED), ("cards-washed", "shuffle-started")),
    ("UTH-MA", {}, {"preshuffled": True}, ("deck-received", *SHUFFLED, *LIFTED, *PLAYED), ("cards-washed",)),
]  # fmt: skip


@pytest.mark.parametrize(("book", "options", "setup", "done", "not_done"), ROUTES)
def test_a_deck_is_opened_as_its_route_wants_it(
    book: str, options: dict[str, Any], setup: dict[str, Any], done: tuple[str, ...], not_done: tuple[str, ...]
) -> None:
    facts = day(book, options, **setup)  # type: ignore[arg-type]
    assert in_order(facts, *done)
    assert not set(not_done) & set(names(facts))


def test_two_decks_are_opened_each_by_itself_and_alternate() -> None:
    """UTH-MA 2(b), 3(d): shown, mixed and shuffled apart; every other round each; shuffled between; one in the rack."""
    facts = day("UTH-MA", TWO, method="hand", rounds=6)
    one, other = (fact.deck for fact in facts if isinstance(fact, decks.DeckReceived))
    for deck in (one, other):
        assert in_order([f for f in facts if getattr(f, "deck", "") == deck], *INSPECTED[:-1], *MIXED, *SHUFFLED)
    assert [fact.deck for fact in facts if isinstance(fact, deal.RoundOpened)] == [one, other] * 3
    between = [
        f for f in facts if isinstance(f, shuffles.ShuffleCompleted | decks.DiscardRackEmptied | deal.RoundOpened)
    ]
    assert names(between, deck=one)[:7] == [
        "shuffle-completed", "round-opened", "discard-rack-emptied",
        "shuffle-completed", "round-opened", "discard-rack-emptied",
        "shuffle-completed",
    ]  # fmt: skip


# book | method | options | extra | whether the stub is counted
COUNTS = [
    ("UTH-MA", "manual-shoe", {}, {}, True),
    ("UTH-MA", "hand", {"shuffler": "automated"}, {}, True),
    ("UTH-MD", "manual-shoe", {}, {}, True),
    ("UTH-MD", "hand", {"shuffler": "automated"}, {}, True),
    ("UTH-MD", "hand", {"shuffler": "counting"}, {}, False),
    ("UTH-MD", "automated-shoe", {}, {"shoe_reshuffles": True}, False),
]


@pytest.mark.parametrize(("book", "method", "options", "extra", "counted"), COUNTS)
def test_any_five_rounds_have_a_count_unless_a_machine_counts(
    book: str, method: str, options: dict[str, Any], extra: dict[str, Any], counted: bool
) -> None:
    """A sliding window (UTH-MA 7(f) s1, UTH-MD 8.E); a counting device says 52 instead."""
    facts = day(book, options, method=method, rounds=17, **extra)  # type: ignore[arg-type]
    counts = [bool(told.of(payments.StubCounted)) for told in rounds_of(facts)]
    assert all(any(counts[n : n + 5]) for n in range(13)) == counted
    said = {fact.counted for fact in facts if isinstance(fact, shuffles.ShuffleCompleted)}
    assert said == ({None} if counted else {52})


@pytest.mark.parametrize(("method", "hours"), [("hand", 4), ("manual-shoe", 8)])
def test_decks_are_changed_before_their_time_is_over(method: str, hours: int) -> None:
    """UTH-MD 3.C: no round is dealt from a deck older than that."""
    options = TWO if method == "hand" else {}
    facts = day("UTH-MD", options, method=method, rounds=hours * 35)  # type: ignore[arg-type]
    since = {fact.deck: fact.at for fact in facts if isinstance(fact, decks.DeckReceived)}
    assert len(since) > 2 if method == "hand" else len(since) == 2
    playing = ""
    for fact in facts:
        if isinstance(fact, deal.RoundOpened):
            playing = fact.deck
        if isinstance(fact, payments.RoundCompleted):
            assert fact.at - since[playing] < hours * HOUR
    assert facts[-1].at - facts[0].at > hours * HOUR
    assert len(recorded(facts)) == len(facts)


def test_a_deck_that_was_held_keeps_its_four_hours_in_a_shoe() -> None:
    """UTH-MD 3.C(1): once dealt by hand, whatever the cards are dealt from when the shuffler has gone."""
    rounds: list[Any] = [round_() for _ in range(160)]
    rounds[20] = round_(irregularity=wrong("device-not-removed", device="shuffler"))
    facts = day("UTH-MD", TWO, method="hand", rounds=rounds)
    since = {fact.deck: fact.at for fact in facts if isinstance(fact, decks.DeckReceived)}
    playing = ""
    for fact in facts:
        if isinstance(fact, deal.RoundOpened):
            playing = fact.deck
        if isinstance(fact, payments.RoundCompleted):
            assert fact.at - since[playing] < 4 * HOUR
    assert any(isinstance(fact, table_day.MethodChanged) for fact in facts)
    assert facts[-1].at - facts[0].at > 4 * HOUR


def test_an_idle_table_spreads_its_cards_and_opens_them_again() -> None:
    """UTH-MA 4(e): spread, turned up for the player who comes, washed, stacked, shuffled, cut."""

    def pause(table: Any) -> None:
        for number in list(table.seated):
            opening.leave(table, number)
        opening.idle(table)
        opening.resume(table, 2, "player-9")

    facts = day("UTH-MA", rounds=[round_(), pause, round_(seat(2))])
    first = next(n for n, fact in enumerate(facts) if isinstance(fact, table_day.TableIdled))
    assert in_order(facts[first:], "table-idled", "cards-spread", "player-arrived", *MIXED, *SHUFFLED, *LIFTED, *PLAYED)


def test_a_cut_ordered_again_comes_before_the_first_card() -> None:
    facts = day("UTH-MD", rounds=[round_(recut="improper cut", shuffle_ordered="directed")])
    assert in_order(facts, "shuffle-ordered", *SHUFFLED, *INSERTED, "recut-ordered", *INSERTED, *PLAYED)


def test_a_deck_the_machine_finds_short_leaves_before_it_is_dealt() -> None:
    """UTH-MD 5.E."""
    facts = day("UTH-MD", {"shuffler": "counting"}, rounds=[round_(), round_(shuffler_count=51), round_()])
    bad, new = (fact.deck for fact in facts if isinstance(fact, decks.DeckReceived))
    assert [fact.counted for fact in facts if isinstance(fact, shuffles.ShuffleCompleted)] == [52, 51, 52, 52]
    assert in_order([fact for fact in facts if fact.round is None], "deck-removed", "deck-received", "deck-changed")
    assert [fact.deck for fact in facts if isinstance(fact, deal.RoundOpened)] == [bad, new, new]


def test_another_dealer_another_table_of_odds() -> None:
    """People change between rounds, options with notice; the next round is settled by what is in force."""
    facts = day(
        "UTH-MD",
        {"trips_table": "A"},
        rounds=[
            round_(seat(1, "8h 8d", "play", trips=500), community="8c 2h 2s Kd Qc", dealer="Ah 7d"),
            lambda table: opening.choose(table, "trips_table", "E"),
            round_(
                seat(1, "8h 8d", "play", trips=500), community="8c 2h 2s Kd Qc", dealer="Ah 7d", new_dealer="dealer-2"
            ),
        ],
    )
    paid = [fact.cents for fact in facts if isinstance(fact, payments.WagerPaid) and fact.wager == "trips"]
    assert paid == [4_500, 3_500]
    assert in_order(facts, "option-changed", "person-went", "person-came", "round-opened")


def test_chips_come_and_go_by_slip() -> None:
    table = played(
        "UTH-MD",
        rounds=[lambda here: opening.fill(here, "F-1", 200_000), lambda here: opening.credit(here, "C-1", 50_000)],
    )
    closed = table.post.facts[-1]
    assert isinstance(closed, table_day.TableClosed)
    assert closed.closer_cents == table.setup.opener_cents + 150_000 - 4 * opening.BUY_IN_CENTS
    assert closed.rounds == 0


# how the table records | what of it is nowhere in the day
HOLES = [
    ({"unrecorded": ("card-burned", "hand-announced")}, {"card-burned", "hand-announced"}),
    ({"unseen_wagers": ("trips",)}, set()),
    ({"reading": "shown"}, set()),
    ({"reading": "none"}, set()),
]


@pytest.mark.parametrize(("setup", "missing"), HOLES)
def test_a_table_records_what_it_can(setup: dict[str, Any], missing: set[str]) -> None:
    """The opening names the missing sensors; unread values are unknown; the day is written all the same."""
    plan = round_(seat(1, "Ah Ad", "play", trips=500), seat(3, "2c 7d", "check check fold"))
    facts = day("UTH-MA", rounds=[plan], **setup)
    assert not missing & set(names(facts))
    assert len(recorded(facts)) == len(facts)
    seen = {getattr(fact, "wager", "") for fact in facts}
    assert ("trips" in seen) == ("unseen_wagers" not in setup)
    dealt = {fact.card for fact in facts if isinstance(fact, deal.CardDealt) and not fact.face_up}
    assert (dealt == {"??"}) == ("reading" in setup)
    shown = [fact.card for fact in facts if isinstance(fact, deal.CardDealt) and fact.face_up]
    assert ("??" in shown) == (setup.get("reading") == "none")


def test_a_seat_changes_hands_between_rounds() -> None:
    facts = day("UTH-MD", rounds=[round_(seat(2)), round_(seat(2, player="player-9"))])
    second = [fact for fact in facts if name_of(fact) in ("player-left.1", "player-seated.1")]
    assert [(type(fact).__name__, fact.player) for fact in second] == [  # type: ignore[attr-defined]
        ("PlayerSeated", "player-2"),
        ("PlayerLeft", "player-2"),
        ("PlayerSeated", "player-9"),
        ("PlayerLeft", "player-9"),
    ]

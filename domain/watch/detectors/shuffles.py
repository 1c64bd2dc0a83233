"""Shuffles before the deal: at the start, after each round or shoe, and after a fault, a void or an order."""

from domain.facts.decks import CardsStacked
from domain.facts.devices import DeviceEmptied
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.shuffles import BatchReleased, BatchSecured, ShoeLoaded, ShuffleCompleted
from domain.facts.table_day import MethodChanged
from domain.table.day import TableDay
from domain.table.deck import CONTINUOUS, IDLE, OPENING, Deck
from domain.table.deck_shuffles import in_its_round
from domain.watch.deck_queries import (
    fresh,
    in_service,
    may_have_come_ready,
    raised,
    standing,
    well_shuffled,
)
from domain.watch.detecting import DealBegins, Found, watch
from domain.watch.laws import law

SHUFFLE = law(
    "shuffle-missing",
    {
        "opening": "UTH-MA 3(c) s2; UTH-MD 4.D; PIK 39.5(c)/s2; COL 4(c)/s2; FAH (d)(3)/s2",
        "start": "UTH-MA 4(a) s1; UTH-MD 5.A; UTH-MD 5.A(1); PIK 39.6(a)/s1-start; COL 5(a)/s1-start;"
        " FAH (e)(1)/s1-start",
        "idle": "UTH-MA 4(e) s3; UTH-MD 5.H(2); PIK 39.6(e)/s3; COL 5(e)/s3",
        "idle by hand": "FAH (e)(8)(i)",
        "idle by device": "FAH (e)(8)(ii)/s1",
        "round": "UTH-MA 4(a) s1; UTH-MD 5.A; UTH-MD 5.A(2); PIK 39.6(a)/s1-round; COL 5(a)/s1-round",
        "shoe": "FAH (e)(1)/s1-shoe",
        "ordered": "UTH-MD 5.A; UTH-MD 5.A(3)",
        "hand": "PIK 39.8(b)2; COL 8(b)(2)",
    },
)
RESHUFFLE = law(
    "reshuffle-missing",
    {
        "face-up": "UTH-MA 15(b) s2; UTH-MD 13.B; PIK 38.12(a)/s2; COL 14(a)/s2",
        "count": "UTH-MD 13.E; PIK 38.12(c); COL 14(c)",
        "misdealt": "PIK 39.7(e)2/s2; COL 7(e)(2)/s2",
        "exposed": "UTH-MD 13.F; PIK 38.12(d)",
        "shuffler": "UTH-MA 15(e); UTH-MD 13.H(1); UTH-MD 13.H(3); PIK 38.12(e); COL 14(e)",
        "shoe": "UTH-MA 15(f); UTH-MD 13.I(3); PIK 38.12(f); COL 14(f)",
        "shuffler not emptied": "UTH-MD 13.H(3)",
        "shoe not emptied": "UTH-MA 15(f); UTH-MD 13.I(2); PIK 38.12(f); COL 14(f)",
        "cutting card": "FAH (e)(7); FAH (g)(4)",
        "empty shoe": "FAH (i)(5)",
    },
)
MID_ROUND = law("reshuffle-mid-round", "FAH (e)(1)/s1-any")
BY_HAND = law("hand-deal-without-shuffler", "UTH-MA 8(b)(1); UTH-MD 9.A(1); PIK 39.8(b)1; COL 8(b)(1)")
STACKED = law("deck-not-stacked", "UTH-MA 4(a) s2; UTH-MD 5.B; PIK 39.6(a)/s2; COL 5(a)/s2; FAH (e)(1)/s2")
LOADED = law(
    "shoe-loaded-early",
    {
        "manual-shoe": "UTH-MA 7(a) s2; UTH-MD 8.B; PIK 39.7(a)/s2; COL 7(a)/s2; FAH (e)(6)/s3",
        "automated-shoe": "UTH-MA 9(b)(1); UTH-MD 10.A(1); PIK 39.9(b)1; COL 9(b)(1)",
        "cut": "UTH-MD 5.F(2)",
    },
)
UNSECURED = law("batch-unsecured", "FAH (e)(8)(ii)(B)")

_WHY = {
    "face-up": "two cards were found face up",
    "count": "a place received a wrong number of cards",
    "misdealt": "the cards had been misdealt",
    "exposed": "a card of the dealer had been exposed",
    "shuffler": "the shuffler had failed during their shuffle",
    "shoe": "the dealing shoe had failed",
    "cutting card": "the cutting card had been reached",
    "empty shoe": "the shoe had run out",
}


@watch(DealBegins, laws=(SHUFFLE, RESHUFFLE), needs=(ShuffleCompleted,))
def cards_are_shuffled(day: TableDay, deals: Fact) -> Found:
    """Check that no card is dealt before a shuffle that its deck needs."""
    deck = day.decks.at_hand
    if deck is None or day.method == CONTINUOUS:
        return
    owed = _owed(day, deck)
    why = [key for key in deck.reshuffle if RESHUFFLE.cites(day.book, key)]
    if why:
        says = f"{deck.called} was dealt again without a shuffle after {' and '.join(_WHY[key] for key in why)}."
        yield from raised(day, RESHUFFLE, why, deals, says, evidence=[deck.reshuffle[key] for key in why])
        if not day.game.many_rounds_a_shoe:
            return
    if owed:
        says = f"{deck.called} was dealt without a shuffle {_since(deck, owed)}."
        yield from raised(day, SHUFFLE, owed, deals, says)


def _owed(day: TableDay, deck: Deck) -> tuple[str, ...]:
    """Return the reasons why these cards need a shuffle."""
    by_hand = ("hand",) if day.method == "hand" else ()
    ordered = ("ordered",) if deck.ordered is not None else ()
    if day.game.many_rounds_a_shoe and deck.rounds_since_load:
        return ()  # reported when the first card of this shoe was dealt
    if deck.shuffled is None:
        return ordered if may_have_come_ready(day, deck) else (*_first(day, deck), *by_hand, *ordered)
    if not deck.rounds_since_shuffle:
        return ordered
    if day.game.many_rounds_a_shoe:
        return ("shoe",)
    return ("round", *by_hand, *ordered)


def _first(day: TableDay, deck: Deck) -> tuple[str, ...]:
    if deck.cycle == IDLE:
        device = "idle by device" if in_service(day, "shuffler") else "idle by hand"
        return ("idle", device, "start")
    if deck.cycle == OPENING:
        inspected = deck.received is None or deck.received.route == "inspect"
        return ("opening", "start") if inspected else ("start",)
    return ("start",) if deck.new else ("round", "shoe")


def _since(deck: Deck, owed: tuple[str, ...]) -> str:
    if "round" in owed or "shoe" in owed:
        return f"since {'its last round' if 'round' in owed else 'its last shoe'}"
    if deck.ordered is not None:
        return f"although the {deck.ordered.by} had ordered one"
    return "before play"


@watch(DealBegins, laws=(RESHUFFLE,), needs=(DeviceEmptied, ShuffleCompleted))
def cards_left_a_failed_device(day: TableDay, deals: Fact) -> Found:
    """Check that the cards in a failed device are removed, to be shuffled with the others."""
    deck = day.decks.at_hand
    if deck is None or deck.jammed is None or deck.emptied is not None:
        return
    says = (
        f"{deck.called} was dealt again although the cards in {deck.jammed.device} were not removed after its failure."
    )
    yield from raised(day, RESHUFFLE, f"{deck.jammed.kind} not emptied", deck.jammed, says, evidence=[deals])


@watch(ShuffleCompleted, laws=(MID_ROUND,), needs=(RoundCompleted,))
def no_shuffle_within_a_round(day: TableDay, shuffled: ShuffleCompleted) -> Found:
    """Check that Fast Action's cards are not shuffled while a round is played."""
    deck = day.decks.known.get(shuffled.deck)
    if deck is not None and day.method != CONTINUOUS and in_its_round(day.decks, deck):
        says = f"{deck.called} was shuffled while the round dealt from it was being played."
        yield from raised(day, MID_ROUND, "", shuffled, says)


@watch(DealBegins, laws=(BY_HAND,), needs=(MethodChanged, ShuffleCompleted))
def cards_in_hand_come_from_a_machine(day: TableDay, deals: Fact) -> Found:
    """Check that a device shuffled the cards that are dealt from the hand."""
    deck = day.decks.at_hand
    if deck is None or day.method != "hand":
        return
    by_hand = well_shuffled(deck) and deck.shuffled is not None and deck.shuffled.method == "manual"
    if by_hand or (deck.shuffled is None and deck.preshuffled):
        says = f"{deck.called} was dealt from the hand, but no machine had shuffled it."
        shows = [deck.shuffled] if deck.shuffled is not None else []
        yield from raised(day, BY_HAND, "", deals, says, evidence=shows)


@watch(DealBegins, laws=(STACKED,), needs=(CardsStacked,))
def shuffled_cards_are_one_stack(day: TableDay, deals: Fact) -> Found:
    """Check that the cards are one stack after the shuffle, unless the device itself loads the shoe."""
    deck = day.decks.at_hand
    if deck is None or not well_shuffled(deck) or not fresh(day, deck) or deck.shuffled is None:
        return
    loads_itself = deck.loaded is not None and deck.loaded.by == "device"
    if "shoe-loaded" in day.unrecorded and deck.shuffled.method == "device" and day.method != "hand":
        return  # the device may have loaded them into the shoe
    if loads_itself or deck.shuffled.device in {here.device for here in standing(day, "shoe")}:
        return
    if deck.stacked is None or deck.stacked.stacks != 1:
        says = f"{deck.called} was not put together in a single stack after its shuffle."
        shows = [deck.shuffled, *([deck.stacked] if deck.stacked else [])]
        yield from raised(day, STACKED, "", deals, says, evidence=shows)


@watch(DealBegins, laws=(LOADED,), needs=(ShuffleCompleted, ShoeLoaded))
def cards_are_loaded_when_they_are_ready(day: TableDay, deals: Fact) -> Found:
    """Check that cards go into the shoe after their shuffle and any cut."""
    deck = day.decks.at_hand
    if deck is None or deck.loaded is None or not fresh(day, deck) or not well_shuffled(deck):
        return
    at = deck.loaded.sequence
    late: list[Fact] = [deck.shuffled] if deck.shuffled is not None and deck.shuffled.sequence > at else []
    cut = deck.cut
    if cut is not None and cut.performed is cut.first:
        late += [step for step in (cut.performed, cut.completed) if step is not None and step.sequence > at]
    if deck.inserted is not None and day.game.many_rounds_a_shoe and deck.inserted.sequence > at:
        late.append(deck.inserted)
    if late:
        says = f"{deck.called} went into the shoe before its shuffle and any cut were complete."
        keys = (day.method, "cut") if late[-1] is not deck.shuffled else (day.method,)
        yield from raised(day, LOADED, keys, deck.loaded, says, evidence=[*late, deals])


@watch(DealBegins, laws=(UNSECURED,), needs=(BatchSecured, BatchReleased))
def an_unshown_batch_was_secured(day: TableDay, deals: Fact) -> Found:
    """Check that a batch not shown after an idle table was secured in the shuffler and released."""
    deck = day.decks.at_hand
    if deck is None or day.decks.idled is None or deck.cycle == IDLE or not fresh(day, deck):
        return
    if in_service(day, "shuffler") and deck.shuffled is not None and (deck.secured is None or deck.released is None):
        says = f"{deck.called} came from the shuffler into play without being secured and released."
        yield from raised(day, UNSECURED, "", deals, says, evidence=[deck.shuffled])

"""Miscounted decks must leave the table; devices must leave or be covered before another method is used."""

from domain.facts.decisions import HandRevealed
from domain.facts.decks import CoverCardPlaced, CoverCardRemoved
from domain.facts.devices import DeviceRemoved
from domain.facts.envelope import Fact
from domain.facts.payments import StubCounted
from domain.facts.shuffles import ShuffleCompleted
from domain.facts.table_day import DeviceHere
from domain.spoken import number_of, plain
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch import round_order
from domain.watch.deck_queries import STACKS, raised, reshuffling, standing
from domain.watch.detecting import DealBegins, Found, judge, watch
from domain.watch.laws import law

STAYED = law(
    "deck-not-removed",
    {
        "manual-shoe": "UTH-MA 7(f)(2) s3; UTH-MD 8.G(2); PIK 39.7(e)2/s3; COL 7(e)(2)/s3",
        "hand": "UTH-MA 7(f)(2) s3; UTH-MA 8(e) s2; UTH-MD 9.E(2); PIK 39.7(e)2/s3; PIK 39.8(e)/s2;"
        " COL 7(e)(2)/s3; COL 8(e)/s2",
        "automated-shoe": "UTH-MA 7(f)(2) s3; UTH-MA 9(e) s2; UTH-MD 10.E(2); PIK 39.7(e)2/s3; PIK 39.9(e)/s2;"
        " COL 7(e)(2)/s3; COL 9(e)/s2",
        "device": "UTH-MD 5.E; PIK 39.7(f)/s2; COL 7(f)/s2",
    },
)
BAD = law("bad-deck-in-play", "UTH-MD 5.I")
DEVICE = law("device-not-removed", "UTH-MA 15(g); UTH-MD 13.J(1); UTH-MD 13.J(2); PIK 38.12(g); COL 14(g)")
COVER = law("cover-card-missing", "PIK 39.2(c); PIK 39.9(c)/s3")
LIFTED = law("cover-card-misplaced", "PIK 39.10(d)/s5")


@watch(DealBegins, laws=(STAYED, BAD))
def wrong_decks_leave(day: TableDay, deals: Fact) -> Found:
    """Check that a deck with a wrong count, by the stub or the shuffler, is not dealt from again."""
    deck = day.decks.at_hand
    if deck is None or deck.miscounted is None:
        return
    counted = deck.miscounted
    if isinstance(counted, StubCounted):
        says = f"{deck.called} was dealt again although the stub count did not match the cards dealt."
        yield from raised(day, STAYED, day.method, deals, says, evidence=[counted])
        return
    law_here = BAD if reshuffling(day) and BAD.cites(day.book) else STAYED
    many = number_of(counted.counted, "card")
    says = f"{deck.called} was dealt although the device had counted {many} in it instead of {deck.size}."
    yield from raised(day, law_here, "device" if law_here is STAYED else "", deals, says, evidence=[counted])


@watch(ShuffleCompleted, laws=(DEVICE,), needs=(DeviceRemoved,))
def no_hand_shuffle_beside_a_shuffler(day: TableDay, shuffled: ShuffleCompleted) -> Found:
    """Check that the shuffler leaves before a hand shuffle; in Maryland, that a failed one is covered or marked."""
    before = day.decks.last_shuffle
    if shuffled.method != "manual" or (before is not None and before.method == "manual" and not day.decks.device_lost):
        return
    for here in standing(day, "shuffler"):
        if _in_the_way(day, here):
            says = f"Cards were shuffled by hand while the shuffler {here.device} {_stood(day)}."
            yield from raised(day, DEVICE, "", shuffled, says, evidence=_failure(day, here))
            return


@watch(DealBegins, laws=(DEVICE,), needs=(DeviceRemoved,))
def no_other_dealing_beside_an_automated_shoe(day: TableDay, deals: Fact) -> Found:
    """Check that the automated shoe leaves, or is covered or marked, before cards are dealt another way."""
    decks = day.decks
    if day.method == STACKS or STACKS not in decks.methods or decks.rounds_by_method:
        return
    for here in standing(day, "shoe"):
        if here.device not in decks.installed_since and _in_the_way(day, here):
            says = f"Cards were dealt another way while the automated shoe {here.device} {_stood(day)}."
            yield from raised(day, DEVICE, "", deals, says, evidence=_failure(day, here))
            return


def _in_the_way(day: TableDay, here: DeviceHere) -> bool:
    if not day.game.cover_is_enough:
        return True
    told_of = not {"device-covered", "device-signed"} & day.unrecorded
    return told_of and here.device in day.decks.failing and here.device not in day.decks.out_of_use


def _stood(day: TableDay) -> str:
    return "had failed and was neither covered nor marked" if day.game.cover_is_enough else "was at the table"


def _failure(day: TableDay, here: DeviceHere) -> list[Fact]:
    failed = day.decks.failing.get(here.device)
    return [failed] if failed is not None else []


@judge(COVER, needs=(CoverCardPlaced,))
def the_dealers_stack_is_covered(told: RoundInPlay) -> Found:
    """Check that a cover card is on the stack that the automated shoe dispensed for the dealer."""
    if told.method != STACKS or not told.dealer.dealt:
        return
    if not any(placed.on == "dealer-stack" for placed in told.of(CoverCardPlaced)):
        says = "The dealer's stack was delivered without a cover card on it."
        yield from round_order.raised(told, COVER, "", told.dealer.dealt[0], says)


@judge(LIFTED, needs=(CoverCardRemoved, HandRevealed))
def the_dealers_cover_card_goes_to_the_layout(told: RoundInPlay) -> Found:
    """Check that the dealer's cover card is placed next to the shoe when the cards are shown."""
    if told.method != STACKS or told.voided:
        return
    shown = next((shown for shown in told.of(HandRevealed) if shown.seat is None), None)
    if shown is None or not any(placed.on == "dealer-stack" for placed in told.of(CoverCardPlaced)):
        return
    lifted = told.of(CoverCardRemoved)
    if not lifted:
        says = "The cover card on the dealer's stack was not placed next to the shoe when the cards were shown."
        yield from round_order.raised(told, LIFTED, "", shown, says)
    elif lifted[0].to != "layout":
        says = f"The cover card on the dealer's stack went to the {plain(lifted[0].to)} instead of the layout."
        yield from round_order.raised(told, LIFTED, "", lifted[0], says, evidence=[shown])

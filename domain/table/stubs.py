"""The stub and the balance of a deck: what left it in a round, and what ought to be left.

Every card of the deck is dealt, burned, set aside or in the stub. Whatever was not recorded leaves the balance open.
"""

import msgspec

from domain.facts.deal import (
    CardBurned,
    CardDealt,
    CardDrawnInError,
    CardFoundFaceUp,
    CardSetAside,
    StackDelivered,
    StackDispensed,
)
from domain.facts.devices import DeviceFailed
from domain.facts.payments import HandVoided, MisdealDetermined, RoundVoided, StubCounted
from domain.table.played import BOX_CARDS, CARDS, in_play
from domain.table.round import Round
from domain.table.spots import Spot

DECK = 52
STACKS = "automated-shoe"


class Stub(msgspec.Struct, frozen=True, gc=False):
    """A count of the stub beside what the round left of the deck."""

    counted: StubCounted
    expected: int | None  # none where the record does not say how many cards were dealt
    misdealt: bool  # a place got another number of cards than the game deals it, and nobody had seen it before
    determined: MisdealDetermined | None  # what the dealer found

    @property
    def mismatch(self) -> bool:
        """Whether stub and table together are not the deck."""
        return self.expected is not None and self.counted.cards != self.expected

    @property
    def wrong(self) -> bool:
        """Whether the count showed the dealer another number than it should."""
        return self.mismatch or self.misdealt

    @property
    def deck_wrong(self) -> bool:
        """Whether the deck itself holds another number of cards, by the balance or by the dealer's own finding."""
        if self.expected is not None:
            return self.mismatch
        return self.determined is not None and not self.determined.misdealt


def stub(told: Round) -> Stub | None:
    """The round's last count of the stub; kept with the round until another fact comes in."""
    if StubCounted not in told.told:
        return None
    found: Stub | None = told.worked_out.get("stub")
    if found is None:
        found = told.worked_out["stub"] = _stub(told)
    return found


def _stub(told: Round) -> Stub:
    counted = told.of(StubCounted)[-1]
    void = told.of(RoundVoided)
    # A stack the device was about to put out when the round was called off is in nobody's count.
    cut_short = told.method == STACKS and bool(void) and void[0].sequence < counted.sequence
    left = None if cut_short else left_the_deck(told)
    noticed = told.voided or HandVoided in told.told
    determined = told.of(MisdealDetermined)
    return Stub(
        counted,
        None if left is None else DECK - left,
        not noticed and bool(wrong_places(told)),
        determined[-1] if determined else None,
    )


def left_the_deck(told: Round) -> int | None:
    """How many cards left the deck in this round; none where that was not recorded."""
    if any(failed.kind == "shoe" for failed in told.of(DeviceFailed)):
        return None  # cards stuck in the device are in no count
    dealt = _dealt(told)
    removed = _removed(told)
    if dealt is None or removed is None:
        return None
    burned = len(told.of(CardBurned))
    if "card-burned" in told.unrecorded and burns_are_due(told):
        return None
    return dealt + burned + removed


def burns_are_due(told: Round) -> bool:
    """Whether this game burns cards as it is dealt here (UTH-MA 10(b) s1, UTH-MD 11.C(1))."""
    return told.book == "UTH-MA" or (told.book == "UTH-MD" and told.method == "hand") or told.book == "FAH"


def _dealt(told: Round) -> int | None:
    stacks = told.method == STACKS
    if "card-dealt" in told.unrecorded or (stacks and "stack-delivered" in told.unrecorded):
        return _prescribed(told)
    delivered = _delivered(told)
    if delivered is None:
        return None
    dispensed = sum(stack.size for stack in told.of(StackDispensed))
    cut_short = told.voided and CARDS[told.book][1] > 0
    if stacks and not told.dealer.dealt and (cut_short or not dispensed):
        return None  # the dealer's stack may wait in the device
    return len(told.of(CardDealt)) + max(delivered, dispensed)


def _delivered(told: Round) -> int | None:
    total = 0
    for stack in told.of(StackDelivered):
        size = len(stack.cards) if stack.size is None else stack.size
        if not size:
            return None
        total += size
    return total


def _prescribed(told: Round) -> int | None:
    """What is dealt to so many hands, where nobody records the cards: the sum every dealer knows."""
    if told.voided or "wager-placed" in told.unrecorded or told.book == "FAH":
        return None
    each, dealer, community = CARDS[told.book]
    box = BOX_CARDS if told.method == STACKS and told.house.options.get("six_card_table") else 0
    return each * len(in_play(told)) + dealer + community + box


def _removed(told: Round) -> int | None:
    """Cards put aside without being dealt; none where it cannot be told whether one was dealt after all."""
    found = [fact.card for fact in told.of(CardFoundFaceUp)]
    drawn = [fact.card for fact in told.of(CardDrawnInError) if fact.exposed]
    aside = [fact.card for fact in told.of(CardSetAside)]
    away = found + drawn
    if not away and not aside:
        return 0
    dealt = {fact.card for fact in told.of(CardDealt)}
    if "??" in away or "??" in aside:
        return None
    away += [card for card in aside if card not in away and card not in dealt]
    return sum(card not in dealt for card in away)


def wrong_places(told: Round) -> list[Spot]:
    """The places with another number of cards than the game deals them; those of a void round, with too many."""
    if told.unrecorded & {"card-dealt", "stack-delivered"}:
        return []
    each, dealer, community = CARDS[told.book]
    due = [(spot, each) for spot in in_play(told)]
    due += [(told.dealer, dealer), (told.community, community), (told.box, BOX_CARDS if told.box.dealt else 0)]
    return [spot for spot, size in due if spot.dealt and _differs(told, spot, size)]


def _differs(told: Round, spot: Spot, size: int) -> bool:
    held = len(spot.cards)
    return held > size or (held < size and not told.voided)

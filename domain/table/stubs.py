"""The stub and the balance of a deck: the cards that left it in a round, and how many should be left.

Every card of the deck is dealt, burned, set aside or in the stub. If any of these is unrecorded, the balance is open.
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
from domain.table.played import in_play, required_unseen
from domain.table.round import RoundInPlay
from domain.table.spots import BOX_CARDS, Spot

DECK = 52
STACKS = "automated-shoe"


class Stub(msgspec.Struct, frozen=True, gc=False):
    """A count of the stub, and what the round should have left of the deck."""

    counted: StubCounted
    expected: int | None  # None if the record does not say how many cards were dealt
    misdealt: bool  # a place got a wrong number of cards, unnoticed until the count
    determined: MisdealDetermined | None  # the dealer's determination

    @property
    def mismatch(self) -> bool:
        """Whether stub and table together differ from a full deck."""
        return self.expected is not None and self.counted.cards != self.expected

    @property
    def wrong(self) -> bool:
        """Whether the count showed the dealer a wrong number."""
        return self.mismatch or self.misdealt

    @property
    def deck_wrong(self) -> bool:
        """Whether the deck itself holds a wrong number of cards, by the balance or by the dealer's determination."""
        if self.expected is not None:
            return self.mismatch
        return self.determined is not None and not self.determined.misdealt


def stub(told: RoundInPlay) -> Stub | None:
    """Return the round's last count of the stub, cached until another fact comes in."""
    if StubCounted not in told.told:
        return None
    found: Stub | None = told.worked_out.get("stub")
    if found is None:
        found = told.worked_out["stub"] = _stub(told)
    return found


def _stub(told: RoundInPlay) -> Stub:
    counted = told.of(StubCounted)[-1]
    void = told.of(RoundVoided)
    # A stack that the device was about to deliver when the round was called off is in no count.
    cut_short = told.method == STACKS and bool(void) and void[0].sequence < counted.sequence
    left = None if cut_short else left_the_deck(told)
    expected = DECK - left if left is not None else None if cut_short else _beside_a_waiting_stack(told, counted)
    noticed = told.voided or HandVoided in told.told
    determined = told.of(MisdealDetermined)
    return Stub(
        counted,
        expected,
        not noticed and bool(wrong_places(told)),
        determined[-1] if determined else None,
    )


def _beside_a_waiting_stack(told: RoundInPlay, counted: StubCounted) -> int | None:
    """Return what should be left while the dealer's stack waits; None if the count fits with or without that stack."""
    waits = told.method == STACKS and told.game.stacks_board_first and told.voided
    if not waits or not _all_but_the_dealer_served(told):
        return None
    delivered, removed = _delivered(told), _removed(told)
    if delivered is None or removed is None or told.of(CardDealt):
        return None
    left = DECK - delivered - removed
    due = left - told.game.cards[1]
    return None if counted.cards in (left, due) else due


def _all_but_the_dealer_served(told: RoundInPlay) -> bool:
    """Return whether the device delivered every stack but the dealer's, according to the record."""
    if told.dealer.dealt or told.unrecorded & {"card-dealt", "stack-delivered"} or required_unseen(told):
        return False
    if any(failed.kind in ("shoe", "table-reader") for failed in told.of(DeviceFailed)):
        return False
    each, _, community = told.game.cards
    box = BOX_CARDS if told.house.options.get("six_card_table") else 0
    hands = all(len(spot.cards) == each for spot in in_play(told))
    return hands and len(told.community.cards) == community and len(told.box.cards) == box


def left_the_deck(told: RoundInPlay) -> int | None:
    """Return how many cards left the deck in this round; None if unrecorded."""
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


def burns_are_due(told: RoundInPlay) -> bool:
    """Return whether this game burns cards with this dealing method (UTH-MA 10(b) s1, UTH-MD 11.C(1))."""
    return told.game.always_burns or (told.game.burns_by_hand and told.method == "hand")


def _dealt(told: RoundInPlay) -> int | None:
    stacks = told.method == STACKS
    if "card-dealt" in told.unrecorded or (stacks and "stack-delivered" in told.unrecorded):
        return _prescribed(told)
    delivered = _delivered(told)
    if delivered is None:
        return None
    dispensed = sum(stack.size for stack in told.of(StackDispensed))
    cut_short = told.voided and told.game.cards[1] > 0
    if stacks and not told.dealer.dealt and (cut_short or not dispensed):
        return None  # the dealer's stack may wait in the device
    return len(told.of(CardDealt)) + max(delivered, dispensed)


def _delivered(told: RoundInPlay) -> int | None:
    total = 0
    for stack in told.of(StackDelivered):
        size = len(stack.cards) if stack.size is None else stack.size
        if not size:
            return None
        total += size
    return total


def _prescribed(told: RoundInPlay) -> int | None:
    """Return the number of cards dealt where the table does not record cards; None if no one says to how many hands."""
    if told.voided or required_unseen(told) or told.game.many_rounds_a_shoe:
        return None
    each, dealer, community = told.game.cards
    box = BOX_CARDS if told.method == STACKS and told.house.options.get("six_card_table") else 0
    return each * len(in_play(told)) + dealer + community + box


def _removed(told: RoundInPlay) -> int | None:
    """Return the cards set aside without being dealt; None if one may have been dealt after all."""
    found = [fact.card for fact in told.of(CardFoundFaceUp)]
    drawn = [fact.card for fact in told.of(CardDrawnInError) if fact.exposed]
    aside = [fact.card for fact in told.of(CardSetAside)]
    away = found + drawn
    if not away and not aside:
        return 0
    dealt = {fact.card for fact in told.of(CardDealt)}
    if "??" in away or "??" in aside:
        return None
    if told.game.many_rounds_a_shoe and not dealt.isdisjoint(away):
        return None  # another deck holds the same card, and no one can say which of the two was dealt
    away += [card for card in aside if card not in away and card not in dealt]
    return sum(card not in dealt for card in away)


def wrong_places(told: RoundInPlay) -> list[Spot]:
    """Return the places with a wrong number of cards; in a void round, only those with too many."""
    if told.unrecorded & {"card-dealt", "stack-delivered"}:
        return []
    each, dealer, community = told.game.cards
    due = [(spot, each) for spot in in_play(told)]
    due += [(told.dealer, dealer), (told.community, community), (told.box, BOX_CARDS if told.box.dealt else 0)]
    return [spot for spot, size in due if spot.dealt and _differs(told, spot, size)]


def _differs(told: RoundInPlay, spot: Spot, size: int) -> bool:
    held = len(spot.cards)
    return held > size or (held < size and not told.voided)

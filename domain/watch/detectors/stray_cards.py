"""Cards out of turn: found face up, drawn in error, short and long hands, and play after a dealer's natural."""

from domain.cards import UNKNOWN
from domain.facts.deal import CardBurned, CardDealt, CardDrawnInError, CardFoundFaceUp, CardSetAside, StackDelivered
from domain.facts.decisions import DecisionMade, HandSet
from domain.facts.envelope import Fact
from domain.facts.payments import HandVoided
from domain.settlement.fast_action import CARDS_A_HAND, is_natural
from domain.spoken import number_of, plain
from domain.table.counts import deal_is_told
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.table.stubs import burns_are_due
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import raised

FACE_UP = law(
    "face-up-card-used",
    {
        "found": "UTH-MA 15(b) s1; UTH-MD 13.A; PIK 38.12(a)/s1; FAH (i)(1); COL 14(a)/s1",
        "drawn and seen": "PIK 38.12(b); COL 14(b)",
    },
)
NOT_USED = law("drawn-card-not-used", "UTH-MA 15(c); UTH-MD 13.D; PIK 38.12(b); COL 14(b)")
SHORT = law("short-hand-mishandled", "FAH (i)(3)")
LONG = law("long-hand-mishandled", "FAH (i)(4)")
PLAYED_ON = law("dealer-natural-played-on", "FAH (h)(8)/s1")

UNSEEN = "??"


@judge(FACE_UP)
def cards_found_face_up_are_put_aside(told: RoundInPlay) -> Found:
    """Check that a card found face up goes to the discard rack and not into a hand."""
    for fact in told.of(CardFoundFaceUp):
        used = _dealt_after(told, fact, fact.card)
        if fact.to == "discard-rack" and used is None:
            continue
        where = "was dealt" if used is not None else f"went to the {plain(fact.to)}"
        says = f"The {fact.card} found face up {where} instead of going to the discard rack."
        yield from raised(told, FACE_UP, "found", used or fact, says, evidence=[fact])


@judge(FACE_UP)
def cards_drawn_and_seen_are_put_aside(told: RoundInPlay) -> Found:
    """Check that a card drawn in error and seen is treated as one found face up."""
    for fact in told.of(CardDrawnInError):
        used = _dealt_after(told, fact, fact.card) if fact.exposed else None
        if used is not None:
            says = f"The {fact.card}, drawn in error and seen, was dealt instead of being put aside."
            yield from raised(told, FACE_UP, "drawn and seen", used, says, evidence=[fact], basis="reading")


def _dealt_after(told: RoundInPlay, fact: Fact, card: str) -> Fact | None:
    """Return the fact that deals this card later; in a shoe, it may be another copy of the card."""
    if card == UNSEEN or told.game.fast_action:
        return None
    later: list[CardDealt | StackDelivered] = [*told.of(CardDealt), *told.of(StackDelivered)]
    later = sorted((each for each in later if each.sequence > fact.sequence), key=lambda each: each.sequence)
    for each in later:
        if card == each.card if isinstance(each, CardDealt) else card in each.cards:
            return each
    return None


@judge(NOT_USED)
def cards_drawn_unseen_are_used(told: RoundInPlay) -> Found:
    """Check that a card drawn in error and not seen is used as the next card."""
    for fact in told.of(CardDrawnInError):
        if fact.exposed:
            continue
        after = _next_card(told, fact)
        if after is None or (isinstance(after, CardDealt) and after.to == "community" and _burned_unseen(told)):
            continue
        aside = isinstance(after, CardSetAside)
        other = _cards_of(after)
        if not aside and (fact.card == UNSEEN or UNSEEN in other or not other or fact.card in other):
            continue
        where = "was set aside" if aside else "was not the next card to leave the deck"
        says = f"A card drawn in error and not seen {where}, although it must be used next."
        yield from raised(told, NOT_USED, "", after, says, evidence=[fact])


def _burned_unseen(told: RoundInPlay) -> bool:
    """Whether an unrecorded card was burned before the community cards, which may be the drawn one."""
    return "card-burned" in told.unrecorded and burns_are_due(told)


def _next_card(told: RoundInPlay, fact: Fact) -> Fact | None:
    """Return the next card that leaves the deck or is set aside."""
    later: list[Fact] = [
        each
        for kind in (CardDealt, StackDelivered, CardBurned, CardSetAside)
        for each in told.of(kind)
        if each.sequence > fact.sequence
    ]
    return min(later, key=lambda each: each.sequence, default=None)


def _cards_of(fact: Fact) -> tuple[str, ...]:
    if isinstance(fact, StackDelivered):
        return fact.cards
    return (fact.card,) if isinstance(fact, CardDealt | CardBurned | CardSetAside) else ()


@judge(SHORT, needs=(DecisionMade,))
def short_hands_are_completed_or_let_go(told: RoundInPlay) -> Found:
    """Check that a player dealt fewer than four cards releases the hand, or gets the rest after the others."""
    if told.voided or not deal_is_told(told):
        return
    elected = {made.seat: made for made in told.of(DecisionMade) if made.decision in ("void", "complete")}
    void = {hand.seat for hand in told.of(HandVoided)}
    for spot in told.wagering:
        made = elected.get(spot.seat)
        held = len(spot.cards)
        if made is None and 0 < held < CARDS_A_HAND and spot.seat not in void:
            shows = _acted(told, spot) or spot.dealt[-1]
            yield from _short(
                told, spot, shows, f"was dealt {number_of(held, 'card')} and was neither released nor completed"
            )
        elif made is not None and made.decision == "void" and _as_dealt(spot, made):
            yield from _short(told, spot, made, "was released as short although it had its four cards")
        elif made is not None and made.decision == "complete":
            yield from _completed(told, spot, made)


def _as_dealt(spot: Spot, made: DecisionMade) -> bool:
    return sum(fact.sequence < made.sequence for fact in spot.dealt) >= CARDS_A_HAND


def _completed(told: RoundInPlay, spot: Spot, made: DecisionMade) -> Found:
    added = [fact for fact in spot.dealt if fact.sequence > made.sequence]
    if len(spot.cards) < CARDS_A_HAND:
        yield from _short(told, spot, made, "was to be completed and was not")
        return
    if not added:
        return
    first = added[0]
    waiting = [other for other in (*told.wagering, told.dealer) if other is not spot]
    unserved = [other for other in waiting if _had(other, first) < min(CARDS_A_HAND, len(other.cards))]
    if unserved:
        yield from _short(told, spot, first, "was completed before all others had four cards")
    elif any(fact.sequence < first.sequence for fact in told.community.dealt):
        yield from _short(told, spot, first, "was completed after the community cards")


def _had(spot: Spot, fact: Fact) -> int:
    return sum(dealt.sequence < fact.sequence for dealt in spot.dealt)


def _acted(told: RoundInPlay, spot: Spot) -> Fact | None:
    facts: list[Fact] = [fact for fact in told.of(HandSet) if fact.seat == spot.seat]
    facts += [fact for fact in told.of(DecisionMade) if fact.seat == spot.seat]
    return min(facts, key=lambda fact: fact.sequence, default=None)


def _short(told: RoundInPlay, spot: Spot, trigger: Fact, what: str) -> Found:
    says = f"Seat {spot.seat}'s hand {what}."
    yield from raised(told, SHORT, "", trigger, says, seat=spot.seat, evidence=spot.dealt)


@judge(LONG)
def long_hands_keep_two_cards(told: RoundInPlay) -> Found:
    """Check that a player dealt more than four cards discards down to one two-card hand, and that play continues."""
    if told.voided or not deal_is_told(told):
        return
    void = {hand.seat: hand for hand in told.of(HandVoided)}
    for spot in told.wagering:
        if len(spot.cards) <= CARDS_A_HAND:
            continue
        split = spot.choice == "split" or bool(spot.second)
        hand = void.get(spot.seat)
        let_go = next((m for m in told.of(DecisionMade) if m.seat == spot.seat and m.decision == "void"), None)
        if not split and hand is None and let_go is None:
            continue
        trigger = hand or let_go or _acted(told, spot) or spot.dealt[-1]
        what = "was split" if split else "was declared void"
        says = (
            f"Seat {spot.seat} was dealt {number_of(len(spot.cards), 'card')} and its hand {what}, "
            "but it must play on with one two-card hand."
        )
        yield from raised(told, LONG, "", trigger, says, seat=spot.seat, evidence=spot.dealt)


@judge(PLAYED_ON)
def nothing_is_dealt_behind_a_natural(told: RoundInPlay) -> Found:
    """Check that no card is burned or dealt to the community area after the dealer's natural."""
    cards = tuple(told.dealer.cards)
    if UNKNOWN in cards[:CARDS_A_HAND] or not is_natural(cards):
        return
    burned = next((fact for fact in told.of(CardBurned) if fact.reason == "community"), None)
    dealt = next(iter(told.community.dealt), None)
    shows = min((each for each in (burned, dealt) if each is not None), key=lambda each: each.sequence, default=None)
    if shows is None:
        return
    what = "a card was burned" if shows is burned else "community cards were dealt"
    says = f"The dealer held a natural, but {what}. The wagers on the table must be collected and the round must end."
    yield from raised(told, PLAYED_ON, "", shows, says, evidence=told.dealer.dealt)

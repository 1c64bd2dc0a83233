"""Cards turned up: the dealer's not too early, and every hand before it is settled."""

from domain.facts.decisions import DecisionMade, DiscardsCollected, HandRevealed, NaturalConfirmed
from domain.facts.envelope import Fact
from domain.facts.payments import RoundVoided
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import before, course, raised
from domain.watch.values import DEALER

EARLY = law("dealer-revealed-early", "UTH-MA 10(f) s1; UTH-MD 11.G(1); PIK 39.10(d)/s1; FAH (h)(7)/s1")
NOT_REVEALED = law(
    "hand-not-revealed",
    {
        "dealer": "UTH-MA 10(f) s2; UTH-MD 11.G(1)",
        "player": "UTH-MA 10(h) s1; UTH-MD 11.H(2)(a)",
        "bonus": "PIK 39.10(c)1",
        "required": "COL 10(d)",
        "permissible": "COL 11(d)",
        "required, declared": "COL 10(b)(3)(i)/s1",
        "permissible, declared": "COL 11(b)(2)(i)/s1",
    },
)
_DECIDED = frozenset({"decision-made", "hand-set"})  # facts that show that a player is done
_FINAL = ("play", "play3", "play5", "fold", "surrender", "split", "natural")


@judge(EARLY)
def dealer_opens_last(told: RoundInPlay) -> Found:
    """Check that the dealer's cards stay closed until all have decided, or at Fast Action until discards are racked."""
    opened = course(told).shown.get(DEALER)
    if opened is None:
        return
    later = _still_to_come(told, opened)
    if later is not None:
        what = "had decided" if isinstance(later, DecisionMade) else "had finished discarding"
        says = f"The dealer's cards were opened before seat {later.seat} {what}."
        yield from raised(told, EARLY, "", opened, says, seat=later.seat, evidence=[later])
    elif seat := _pending(told, opened):
        says = f"The dealer's cards were opened before seat {seat} had decided; the round was then declared void."
        yield from raised(told, EARLY, "", opened, says, seat=seat)


def _still_to_come(told: RoundInPlay, opened: Fact) -> DecisionMade | DiscardsCollected | None:
    for made in told.of(DecisionMade):
        if made.sequence > opened.sequence and made.decision in _FINAL:
            return made
    for gone in told.of(DiscardsCollected):
        if gone.seat is not None and gone.sequence > opened.sequence:
            return gone
    return None


def _pending(told: RoundInPlay, opened: Fact) -> int:
    """Return a seat still to decide when a round became void after the dealer's reveal."""
    if not before(opened, next(iter(told.of(RoundVoided)), None)) or not _DECIDED.isdisjoint(told.unrecorded):
        return 0
    went = course(told)
    pending = [
        spot.seat for spot in course(told).wagering if spot.dealt and not spot.choice and spot.seat not in went.apart
    ]
    return next(iter(pending), 0)


@judge(NOT_REVEALED, needs=(HandRevealed,), games=("ultimate",))
def compared_hands_lie_open(told: RoundInPlay) -> Found:
    """Check that at Ultimate the dealer's two cards and those of each player with a play wager are turned up."""
    if told.voided:
        return
    went, seats, deadline = course(told), course(told).playing, course(told).comparing
    opened = went.shown.get(DEALER)
    if deadline is not None and not before(opened, deadline) and (seats or _someone_folded(told)):
        says = "The dealer's two cards were not turned up before the wagers were settled."
        yield from raised(told, NOT_REVEALED, "dealer", deadline, says)
    for seat in seats:
        first = went.compared.get(seat)
        if first is not None and not before(went.shown.get(seat), first):
            says = f"Seat {seat}'s wagers were settled before its two cards were turned up."
            yield from raised(told, NOT_REVEALED, "player", first, says, seat=seat)


def _someone_folded(told: RoundInPlay) -> bool:
    return any(spot.choice == "fold" and spot.seat not in course(told).apart for spot in course(told).wagering)


@judge(NOT_REVEALED, needs=(HandRevealed,), games=("pik-it",))
def five_cards_lie_open(told: RoundInPlay) -> Found:
    """Check that Pik-it's five cards are opened before the 5 card bonus is settled and the player decides."""
    if told.voided:
        return
    went = course(told)
    for spot in course(told).wagering:
        if spot.seat in went.apart or not spot.dealt:
            continue
        signs: list[Fact | None] = [went.first.get((spot.seat, "bonus5")), went.decided.get(spot.seat)]
        first = min((sign for sign in signs if sign is not None), key=lambda fact: fact.sequence, default=went.ends)
        if first is not None and not before(went.shown.get(spot.seat), first):
            says = f"Seat {spot.seat}'s five cards were not opened before its 5 card bonus and its decision."
            yield from raised(told, NOT_REVEALED, "bonus", first, says, seat=spot.seat)


@judge(NOT_REVEALED, needs=(HandRevealed,), games=("colorado",))
def colorado_hands_lie_open(told: RoundInPlay) -> Found:
    """Check that two cards are turned up before their wagers are settled, and all three of a declared hand."""
    if told.voided:
        return
    for spot in course(told).wagering:
        if spot.choice == "declare":
            yield from _declared(told, spot)
        elif spot.seat not in course(told).apart and (spot.choice == "play" or (not spot.choice and spot.kept)):
            first = course(told).first_of(spot.seat, ("ante", "bet", "bonus"))
            if first is not None and not before(course(told).shown.get(spot.seat), first):
                says = f"Seat {spot.seat}'s wagers were settled before its two cards were turned up."
                yield from raised(told, NOT_REVEALED, told.house["version"], first, says, seat=spot.seat)


def _declared(told: RoundInPlay, spot: Spot) -> Found:
    went = course(told)
    confirmed = next((fact for fact in told.of(NaturalConfirmed) if fact.seat == spot.seat), None)
    signs: list[Fact | None] = [went.first.get((spot.seat, "ante")), confirmed]
    first = min((sign for sign in signs if sign is not None), key=lambda fact: fact.sequence, default=went.ends)
    shown = went.shown.get(spot.seat)
    whole = isinstance(shown, HandRevealed) and len(shown.cards) in (0, 3)
    if first is not None and not (whole and before(shown, first)):
        says = f"Seat {spot.seat} declared an instant winner without turning up all three cards first."
        yield from raised(told, NOT_REVEALED, f"{told.house['version']}, declared", first, says, seat=spot.seat)

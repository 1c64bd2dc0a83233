"""Irregularities at Ultimate Texas Hold'em, and their effect under each of the two texts."""

from domain.cards import UNKNOWN
from domain.rulebooks import House
from domain.settlement.outcome import CERTAIN, READING
from domain.settlement.played import Irregularity, PlayedRound, Seat
from domain.settlement.void import Effect, Uncovered, Unruled, Void


def effect(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect of one irregularity under the house's book."""
    found = EFFECTS.get(what.kind, _none)(house, played, what)
    if isinstance(found, Void) and what.stage == "after-settlement" and not what.has_ruling:
        # No clause reverses settled wagers: they need a review, of one hand or of the round.
        return Unruled(found.clause, seat=found.seat) if found.seat is not None else Uncovered(found.clause)
    return found


def _massachusetts(house: House) -> bool:
    return house.game.text == "UTH-MA"


# The streets of decisions, in order; before them nobody has decided.
_STREETS = ("preflop", "flop", "river")
_BEFORE_DECISIONS = ("before-deal", "dealing")


def _pending(played: PlayedRound, what: Irregularity) -> bool:
    """Return whether anyone still had to fold or play."""
    if what.pending_seats is not None:
        return bool(what.pending_seats)
    if what.stage in _BEFORE_DECISIONS or any(not seat.choice and not seat.left for seat in played.seats):
        return True
    return what.stage in _STREETS and any(
        seat.choice and _decided_on(seat) > _STREETS.index(what.stage) for seat in played.seats
    )


def _decided_on(seat: Seat) -> int:
    """Return the street of a seat's fold or play, from the multiple of the play wager."""
    ante, play = seat.wagers.get("ante"), seat.wagers.get("play")
    if seat.choice == "fold":
        return 2
    if not ante or play is None:
        return 0
    return 0 if play >= 3 * ante else 1 if play >= 2 * ante else 2


def _face_up(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect: one card is set aside; a second voids all but trips, once everyone has two cards."""
    if len(what.found) < 2:
        return None
    found = sorted(what.found, key=lambda card: (card.when == "after-initial", card.after_cards or 0))[1]
    after_initial = found.when == "after-initial" or (
        not found.when and (found.after_cards or 0) >= _initial_cards(house, played)
    )
    untold = ("trips",) if any(not card.when and card.after_cards is None for card in what.found) else ()
    if _massachusetts(house):
        keeps = {"trips": "UTH-MA 15(b) s3"} if after_initial and not untold else {}
        return Void("UTH-MA 15(b) s2", keeps=keeps, hangs_on_time=untold)
    keeps = {"trips": "UTH-MD 13.C"} if after_initial and not untold else {}
    return Void("UTH-MD 13.B", basis=CERTAIN, keeps=keeps, hangs_on_time=untold)


def _initial_cards(house: House, played: PlayedRound) -> int:
    """Return how many cards are dealt when each player and the dealer have their two.

    Maryland's automated shoe deals the box and the community area first (UTH-MD 10.B(1), 10.B(2)).
    """
    hands = 2 * (len(played.seats) + 1)
    if _massachusetts(house) or house["dealing_method"] != "automated-shoe":
        return hands
    return hands + 5 + (4 if house.offers("six_card") else 0)


def _exposed(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect: a dealer's card seen before all decide voids all but trips; other cards are not covered."""
    if what.of != "dealer":
        return Uncovered("UTH-MA 15(a) s1" if _massachusetts(house) else "UTH-MD 13.F")
    return _dealer_card_seen(house) if _pending(played, what) else None


def _dealer_card_seen(house: House) -> Void:
    if _massachusetts(house):
        return Void("UTH-MA 15(a) s1", keeps={"trips": "UTH-MA 15(a) s2"})
    return Void("UTH-MD 13.F", keeps={"trips": "UTH-MD 13.G"}, names=("ante", "blind", "play"))


def _drawn_in_error(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect: unseen, the card is the next card; seen, only the dealer's is covered by a clause."""
    if not what.exposed:
        return None
    if what.used_as == "dealer" and _pending(played, what):
        return _dealer_card_seen(house)
    return Uncovered("UTH-MA 15(c)" if _massachusetts(house) else "UTH-MD 13.D")


def _wrong_count(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect: Massachusetts voids one hand, or all for a dealer beyond repair; Maryland voids all."""
    if not _massachusetts(house):
        # The text omits the six card box beside players, dealer and community: it is treated as they are.
        return Void("UTH-MD 13.E", basis=READING if what.of == "six-card-box" else CERTAIN)
    if what.of_seat is not None:
        return Void("UTH-MA 15(d) s1", seat=what.of_seat)
    if what.of != "dealer":
        return Unruled("UTH-MA 15(d) s1")  # the community area is not mentioned
    short = what.dealt is not None and what.dealt < 2
    curable = short and not what.missing_card_face_up and what.deck_correct
    return None if curable else Void("UTH-MA 15(d) s2")


def _stub_count(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect of a wrong count: all hands are void, and trips is returned like the rest."""
    misdealt = what.finding == "misdealt"
    if _massachusetts(house):
        clause = "UTH-MA 7(f)(2) s2" if misdealt else "UTH-MA 7(f)(2) s3"
        basis = READING
    else:
        section = {"manual-shoe": "8.G", "hand": "9.E", "automated-shoe": "10.E"}[house["dealing_method"]]
        clause = f"UTH-MD {section}({1 if misdealt else 2})"
        basis = CERTAIN
    return Void(clause, basis=basis)


def _jam(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect: a jammed dealing shoe voids the round; a jammed shuffler voids it only in Maryland."""
    massachusetts = _massachusetts(house)
    if what.device == "shoe":
        if what.stage == "before-deal" and any(card != UNKNOWN for card in played.community):
            return None  # it jammed and was repaired before this round
        return Void("UTH-MA 15(f)") if massachusetts else Void("UTH-MD 13.I(1)", basis=CERTAIN)
    if massachusetts:
        return None
    if what.deck == "idle":
        return Void("UTH-MD 13.H(2)") if house["idle_jam_returns_wagers"] else Uncovered("UTH-MD 13.H(2)", READING)
    return Void("UTH-MD 13.H(2)", basis=CERTAIN)


def _none(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return no effect: a fault of procedure that does not change the round's money."""
    return None


EFFECTS = {
    "card-face-up": _face_up,
    "card-exposed": _exposed,
    "card-drawn-in-error": _drawn_in_error,
    "wrong-count": _wrong_count,
    "stub-count": _stub_count,
    "jam": _jam,
    "device-not-removed": _none,
}

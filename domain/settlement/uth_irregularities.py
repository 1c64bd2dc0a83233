"""What goes wrong at Ultimate Texas Hold'em, and what each of the two texts makes of it."""

from domain.cards import UNKNOWN
from domain.rulebooks import House
from domain.settlement.outcome import CERTAIN, READING
from domain.settlement.played import Irregularity, Round, Seat
from domain.settlement.void import Effect, Uncovered, Unruled, Void


def effect(house: House, played: Round, what: Irregularity) -> Effect:
    """The effect of one irregularity under the house's book."""
    found = EFFECTS.get(what.kind, _none)(house, played, what)
    if isinstance(found, Void) and what.stage == "after-settlement" and not what.has_ruling:
        # No clause unwinds wagers that are settled: a matter for review, of one hand or of the round.
        return Unruled(found.clause, seat=found.seat) if found.seat is not None else Uncovered(found.clause)
    return found


def _massachusetts(house: House) -> bool:
    return house.game.text == "UTH-MA"


# The streets on which decisions are made, in their order; before them nobody has decided.
_STREETS = ("preflop", "flop", "river")
_BEFORE_DECISIONS = ("before-deal", "dealing")


def _pending(played: Round, what: Irregularity) -> bool:
    """Whether anyone had still to fold or play."""
    if what.pending_seats is not None:
        return bool(what.pending_seats)
    if what.stage in _BEFORE_DECISIONS or any(not seat.choice and not seat.left for seat in played.seats):
        return True
    return what.stage in _STREETS and any(
        seat.choice and _decided_on(seat) > _STREETS.index(what.stage) for seat in played.seats
    )


def _decided_on(seat: Seat) -> int:
    """The street of a seat's fold or play: the multiple of the play wager tells it."""
    ante, play = seat.wagers.get("ante"), seat.wagers.get("play")
    if seat.choice == "fold":
        return 2
    if not ante or play is None:
        return 0
    return 0 if play >= 3 * ante else 1 if play >= 2 * ante else 2


def _face_up(house: House, played: Round, what: Irregularity) -> Effect:
    """One card is set aside and play goes on; a second voids all, trips excepted once everyone has two cards."""
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


def _initial_cards(house: House, played: Round) -> int:
    """How many cards lie when each player and the dealer have their two.

    Maryland's automated shoe deals the box and the community area first (UTH-MD 10.B(1), 10.B(2)).
    """
    hands = 2 * (len(played.seats) + 1)
    if _massachusetts(house) or house["dealing_method"] != "automated-shoe":
        return hands
    return hands + 5 + (4 if house.offers("six_card") else 0)


def _exposed(house: House, played: Round, what: Irregularity) -> Effect:
    """A dealer's card seen before everyone has folded or played voids all but trips; no other card's is covered."""
    if what.of != "dealer":
        return Uncovered("UTH-MA 15(a) s1" if _massachusetts(house) else "UTH-MD 13.F")
    return _dealer_card_seen(house) if _pending(played, what) else None


def _dealer_card_seen(house: House) -> Void:
    if _massachusetts(house):
        return Void("UTH-MA 15(a) s1", keeps={"trips": "UTH-MA 15(a) s2"})
    return Void("UTH-MD 13.F", keeps={"trips": "UTH-MD 13.G"}, names=("ante", "blind", "play"))


def _drawn_in_error(house: House, played: Round, what: Irregularity) -> Effect:
    """Unseen, the card is the next card. Seen, no clause covers it unless it is the dealer's."""
    if not what.exposed:
        return None
    if what.used_as == "dealer" and _pending(played, what):
        return _dealer_card_seen(house)
    return Uncovered("UTH-MA 15(c)" if _massachusetts(house) else "UTH-MD 13.D")


def _wrong_count(house: House, played: Round, what: Irregularity) -> Effect:
    """Massachusetts voids the one hand, and all when the dealer cannot be made right; Maryland voids all."""
    if not _massachusetts(house):
        # The six card box is not named beside players, dealer and community: it is treated as they are.
        return Void("UTH-MD 13.E", basis=READING if what.of == "six-card-box" else CERTAIN)
    if what.of_seat is not None:
        return Void("UTH-MA 15(d) s1", seat=what.of_seat)
    if what.of != "dealer":
        return Unruled("UTH-MA 15(d) s1")  # the community area is not mentioned
    short = what.dealt is not None and what.dealt < 2
    curable = short and not what.missing_card_face_up and what.deck_correct
    return None if curable else Void("UTH-MA 15(d) s2")


def _stub_count(house: House, played: Round, what: Irregularity) -> Effect:
    """A wrong count voids all hands, and trips goes back like the rest."""
    misdealt = what.finding == "misdealt"
    if _massachusetts(house):
        clause = "UTH-MA 7(f)(2) s2" if misdealt else "UTH-MA 7(f)(2) s3"
        basis = READING
    else:
        section = {"manual-shoe": "8.G", "hand": "9.E", "automated-shoe": "10.E"}[house["dealing_method"]]
        clause = f"UTH-MD {section}({1 if misdealt else 2})"
        basis = CERTAIN
    return Void(clause, basis=basis)


def _jam(house: House, played: Round, what: Irregularity) -> Effect:
    """A dealing shoe that jams in a round voids it. A shuffler's jam costs the round in Maryland alone."""
    massachusetts = _massachusetts(house)
    if what.device == "shoe":
        if what.stage == "before-deal" and any(card != UNKNOWN for card in played.community):
            return None  # it jammed before this round and was put right
        return Void("UTH-MA 15(f)") if massachusetts else Void("UTH-MD 13.I(1)", basis=CERTAIN)
    if massachusetts:
        return None
    if what.deck == "idle":
        return Void("UTH-MD 13.H(2)") if house["idle_jam_returns_wagers"] else Uncovered("UTH-MD 13.H(2)", READING)
    return Void("UTH-MD 13.H(2)", basis=CERTAIN)


def _none(house: House, played: Round, what: Irregularity) -> Effect:
    """A fault of procedure that leaves the round's money alone."""
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

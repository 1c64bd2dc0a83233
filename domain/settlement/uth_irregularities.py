"""What goes wrong at Ultimate Texas Hold'em, and what each of the two texts makes of it."""

from domain.rulebooks import House
from domain.settlement.played import Irregularity, Round
from domain.settlement.void import Effect, Uncovered, Unruled, Void


def effect(house: House, played: Round, what: Irregularity) -> Effect:
    """The effect of one irregularity under the house's book."""
    found = EFFECTS[what.kind](house, played, what)
    if isinstance(found, Void) and what.stage == "after-settlement" and not what.has_ruling:
        return Uncovered(found.clause)  # no clause unwinds wagers that are settled: a matter for review
    return found


def _massachusetts(house: House) -> bool:
    return house.book.book == "UTH-MA"


def _pending(played: Round, what: Irregularity) -> bool:
    """Whether anyone had still to fold or play."""
    if what.pending_seats is not None:
        return bool(what.pending_seats)
    return any(not seat.choice and not seat.left for seat in played.seats)


def _face_up(house: House, played: Round, what: Irregularity) -> Effect:
    """One card is set aside and play goes on; a second voids all, trips excepted once everyone has two cards."""
    if len(what.found) < 2:
        return None
    found = sorted(what.found, key=lambda card: (card.when == "after-initial", card.after_cards or 0))[1]
    initial_cards = 2 * (len(played.seats) + 1)
    after_initial = found.when == "after-initial" or (not found.when and (found.after_cards or 0) >= initial_cards)
    if _massachusetts(house):
        return Void("UTH-MA 15(b) s2", keeps={"trips": "UTH-MA 15(b) s3"} if after_initial else {})
    return Void("UTH-MD 13.B", basis="certain", keeps={"trips": "UTH-MD 13.C"} if after_initial else {})


def _exposed(house: House, played: Round, what: Irregularity) -> Effect:
    """A dealer's card seen before everyone has folded or played voids all but trips."""
    if what.of != "dealer" or not _pending(played, what):
        return None
    return _dealer_card_seen(house)


def _dealer_card_seen(house: House) -> Void:
    if _massachusetts(house):
        return Void("UTH-MA 15(a) s1", keeps={"trips": "UTH-MA 15(a) s2"})
    return Void("UTH-MD 13.F", keeps={"trips": "UTH-MD 13.G"})


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
        return Void("UTH-MD 13.E", basis="certain")
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
        basis = "reading"
    else:
        section = {"manual-shoe": "8.G", "hand": "9.E", "automated-shoe": "10.E"}[house["dealing_method"]]
        clause = f"UTH-MD {section}({1 if misdealt else 2})"
        basis = "certain"
    return Void(clause, basis=basis)


def _jam(house: House, played: Round, what: Irregularity) -> Effect:
    """A dealing shoe that jams in a round voids it. A shuffler's jam costs the round in Maryland alone."""
    massachusetts = _massachusetts(house)
    if what.device == "shoe":
        if what.stage == "before-deal" and played.community:
            return None  # it jammed before this round and was put right
        return Void("UTH-MA 15(f)") if massachusetts else Void("UTH-MD 13.I(1)", basis="certain")
    if massachusetts or (what.deck == "idle" and not house["idle_jam_returns_wagers"]):
        return None
    return Void("UTH-MD 13.H(2)", basis="reading" if what.deck == "idle" else "certain")


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

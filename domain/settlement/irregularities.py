"""What goes wrong at Pik-it, Fast Action and Colorado, and what each text makes of it.

Where a wager was already settled when a round became void, no text says whether it is reversed: `settled_before`
tells which those are, and a ruling says what becomes of them.
"""

from collections.abc import Callable

from domain.rulebooks import House
from domain.settlement import colorado, fast_action, pikit
from domain.settlement.outcome import READING, Outcome
from domain.settlement.played import Irregularity, Round, Seat
from domain.settlement.void import Effect, Settled, Uncovered, Void

Rule = Callable[[House, Round, Irregularity], Effect]


def _none(_: House, __: Round, ___: Irregularity) -> Effect:
    """A fault of procedure, or one whose remedy leaves the round's money alone."""
    return None


def _second_face_up(clause: str) -> Rule:
    """One card is set aside; a second voids all hands."""
    return lambda _house, _played, what: Void(clause) if len(what.found) > 1 else None


def _drawn_in_error(clause: str) -> Rule:
    """Unseen, the card is the next card. Seen, it is read as a card found face up: set aside, and play goes on."""
    return lambda _house, _played, what: Uncovered(clause, READING) if what.exposed else None


def _always(effect: Effect) -> Rule:
    return lambda _house, _played, _what: effect


def _stub(misdealt: str, not_misdealt: str) -> Rule:
    return lambda _house, _played, what: Void(misdealt if what.finding == "misdealt" else not_misdealt)


def _shoe_jam(clause: str) -> Rule:
    """A jammed dealing shoe voids the round; a jammed shuffler only has the cards reshuffled."""

    def rule(_: House, played: Round, what: Irregularity) -> Effect:
        dealt_anew = what.stage == "before-deal" and any(seat.choice for seat in played.seats)
        return Void(clause) if what.device == "shoe" and not dealt_anew else None

    return rule


def _pik_exposed(_: House, __: Round, what: Irregularity) -> Effect:
    """A dealer's card seen before the reveal voids all hands; of a player's card the text says nothing."""
    if what.of != "dealer":
        return Uncovered("PIK 38.12(d)")
    revealed = what.stage in ("reveal", "before-settlement", "after-settlement")
    return None if revealed else Void("PIK 38.12(d)")


def _fah_exposed(_: House, __: Round, what: Irregularity) -> Effect:
    """A player's card is turned down and play goes on; a dealer's or community card is not covered."""
    return None if what.of_seat is not None else Uncovered("FAH (i)(2)")


def _fah_wrong_count(_: House, __: Round, what: Irregularity) -> Effect:
    """A player's wrong count is the player's election; the dealer's is not covered and read as a void round."""
    return Void("FAH (i)(3)") if what.of_seat is None else None


EFFECTS: dict[str, dict[str, Rule]] = {
    "PIK": {
        "card-face-up": _second_face_up("PIK 38.12(a)/s2"),
        "card-exposed": _pik_exposed,
        "card-drawn-in-error": _drawn_in_error("PIK 38.12(b)"),
        "wrong-count": _always(Void("PIK 38.12(c)")),
        "stub-count": _stub("PIK 39.7(e)2/s2", "PIK 39.7(e)2/s3"),
        "jam": _shoe_jam("PIK 38.12(f)"),
        "shuffler-count": _none,  # the deck leaves the table before the next deal
        "device-not-removed": _none,
    },
    "FAH": {
        "card-face-up": _none,  # however many: FAH (i)(1) voids nothing
        "card-exposed": _fah_exposed,
        "short-hand": _none,  # the seat's own election settles it
        "long-hand": _none,
        "wrong-count": _fah_wrong_count,
        "insufficient-cards": _always(Void("FAH (i)(5)")),
        "marker-not-moved": _none,
        "natural-undeclared": _none,
        "dealer-misset": _none,
    },
    "COL": {
        "card-face-up": _second_face_up("COL 14(a)/s2"),
        "card-exposed": _always(Uncovered("COL 14(c)")),
        "card-drawn-in-error": _drawn_in_error("COL 14(b)"),
        "wrong-count": _always(Void("COL 14(c)")),
        "stub-count": _stub("COL 7(e)(2)/s2", "COL 7(e)(2)/s3"),
        "jam": _shoe_jam("COL 14(f)"),
        "shuffler-count": _none,
        "device-not-removed": _none,
        "erroneous-declaration": _none,  # only this hand is void, and the cards show it: COL 14(d)
        "fold-not-allowed": _none,
    },
}


def effect(house: House, played: Round, what: Irregularity) -> Effect:
    """The effect of one irregularity under the house's book."""
    return EFFECTS[house.book.book][what.kind](house, played, what)


def settled_before(house: House, played: Round, what: Irregularity) -> Settled:
    """Which wagers were settled when the round became void, and what they had been settled at."""
    return {seat.seat: _SETTLED[house.book.book](house, played, seat, what) for seat in played.seats}


_DECISION_PASS = ("bonus5", "decision")
_AFTER_DECISIONS = ("dealer-stack", "dealer-set", "reveal", "before-settlement")


def _pik_settled(house: House, played: Round, seat: Seat, what: Irregularity) -> dict[str, Outcome]:
    """Bonus passes run from the highest seat down, and the seat being served has been settled."""
    at_seat = what.at_seat
    # Where nobody wrote down when it was noticed, the decisions on record say it.
    stage = what.stage or ("reveal" if all(each.choice for each in played.seats) else "dealing")
    if stage == "after-settlement":
        return pikit.settle(house, played).seats[seat.seat]
    served = at_seat is None or seat.seat >= at_seat
    settled: dict[str, Outcome] = {}
    if stage in (*_DECISION_PASS, *_AFTER_DECISIONS) or (stage == "bonus3" and served):
        settled |= pikit.three_card_bonus(house, seat)
    if stage in _AFTER_DECISIONS or (stage in _DECISION_PASS and served):
        settled |= pikit.five_card_bonus(house, seat)
        if seat.choice == "fold":
            settled |= pikit.folded(seat)
    return settled


def _fah_settled(house: House, _: Round, seat: Seat, what: Irregularity) -> dict[str, Outcome]:
    """Naturals are paid and surrenders halved before the dealer's cards are opened."""
    if what.stage in ("before-deal", "dealing") or seat.choice not in ("natural", "surrender"):
        return {}
    return fast_action.before_dealer(house, seat)


def _col_settled(house: House, played: Round, seat: Seat, what: Irregularity) -> dict[str, Outcome]:
    """Folds and declared instant winners are settled at the decision; a folded seat's bonus waits for the showdown."""
    if what.stage == "after-settlement":
        return colorado.settle(house, played).seats[seat.seat]
    if seat.choice not in ("fold", "declare"):
        return {}
    outcomes = colorado.before_showdown(house, seat, what.ruling)
    if seat.choice == "fold":
        outcomes.pop("bonus", None)
    return outcomes


_SETTLED = {"PIK": _pik_settled, "FAH": _fah_settled, "COL": _col_settled}

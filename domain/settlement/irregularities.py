"""Irregularities at Pik-it, Fast Action and Colorado, and their effect under each text.

No text says whether a void round reverses wagers settled earlier. `settled_before` returns those, and a ruling decides
what becomes of them.
"""

from collections.abc import Callable

from domain.cards import UNKNOWN
from domain.games.game import Kind
from domain.rulebooks import House
from domain.settlement import fast_action, pikit
from domain.settlement.outcome import READING, RULING, Outcome, ruling
from domain.settlement.played import Cards, Irregularity, PlayedRound, Seat
from domain.settlement.void import Effect, Settled, Uncovered, Void

Rule = Callable[[House, PlayedRound, Irregularity], Effect]
SettleAlone = Callable[[Seat, Cards], dict[str, Outcome]]  # one seat's wagers, against these dealer's cards
WagersSettled = Callable[[House, PlayedRound, Seat, Irregularity], set[str]]
Amounts = Callable[[House, PlayedRound, Seat, SettleAlone], dict[str, Outcome]]


def _none(_: House, __: PlayedRound, ___: Irregularity) -> Effect:
    """Return no effect: a fault of procedure, or one whose remedy does not change the round's money."""
    return None


def _second_face_up(clause: str) -> Rule:
    """Return the rule by which one card is set aside and a second voids all hands."""
    return lambda _house, _played, what: Void(clause) if len(what.found) > 1 else None


def _drawn_in_error(clause: str) -> Rule:
    """Return the rule: an unseen card is the next card; a seen one is read as found face up and set aside."""
    return lambda _house, _played, what: Uncovered(clause, READING) if what.exposed else None


def _always(effect: Effect) -> Rule:
    return lambda _house, _played, _what: effect


def _stub(misdealt: str, not_misdealt: str) -> Rule:
    return lambda _house, _played, what: Void(misdealt if what.finding == "misdealt" else not_misdealt)


def _shoe_jam(clause: str) -> Rule:
    """Return the rule: a jammed dealing shoe voids the round; a jammed shuffler only has the cards reshuffled."""

    def rule(_: House, played: PlayedRound, what: Irregularity) -> Effect:
        dealt_again = what.stage == "before-deal" and any(seat.choice for seat in played.seats)
        return Void(clause) if what.device == "shoe" and not dealt_again else None

    return rule


def _pik_exposed(_: House, __: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect: a dealer's card seen before the reveal voids all hands; the text omits a player's card."""
    if what.of != "dealer":
        return Uncovered("PIK 38.12(d)")
    revealed = what.stage in ("reveal", "before-settlement", "after-settlement")
    return None if revealed else Void("PIK 38.12(d)")


def _fah_exposed(_: House, __: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect of an exposed card: a player's is turned down and play continues; others are not covered."""
    return None if what.of_seat is not None else Uncovered("FAH (i)(2)")


def _fah_wrong_count(_: House, __: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect of a wrong count: the player elects; the dealer's is not covered and read as a void round."""
    return Void("FAH (i)(3)", RULING) if what.of_seat is None else None


EFFECTS: dict[Kind, dict[str, Rule]] = {
    "pik-it": {
        "card-face-up": _second_face_up("PIK 38.12(a)/s2"),
        "card-exposed": _pik_exposed,
        "card-drawn-in-error": _drawn_in_error("PIK 38.12(b)"),
        "wrong-count": _always(Void("PIK 38.12(c)")),
        "stub-count": _stub("PIK 39.7(e)2/s2", "PIK 39.7(e)2/s3"),
        "jam": _shoe_jam("PIK 38.12(f)"),
        "shuffler-count": _none,  # the deck leaves the table before the next deal
        "device-not-removed": _none,
    },
    "fast-action": {
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
    "colorado": {
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


def effect(house: House, played: PlayedRound, what: Irregularity) -> Effect:
    """Return the effect of one irregularity; none if the game lacks its subject, as Fast Action has no stub."""
    return EFFECTS[house.game.kind].get(what.kind, _none)(house, played, what)


def settled_before(house: House, played: PlayedRound, what: Irregularity, settle_alone: SettleAlone) -> Settled:
    """Return the wagers settled before the round became void, with their outcomes."""
    wagers_settled, amounts = _SETTLED[house.game.kind]
    settled = {}
    for seat in played.seats:
        told = None if what.settled is None else set(what.settled.get(seat.seat, ()))
        wagers = (wagers_settled(house, played, seat, what) if told is None else told) & seat.wagers.keys()
        outcomes = amounts(house, played, seat, settle_alone) if wagers else {}
        settled[seat.seat] = {wager: outcomes[wager] for wager in wagers}
    return settled


def _in_the_deal(what: Irregularity) -> bool:
    """Return whether it happened before anyone could decide; anything recorded afterward was void too."""
    return what.stage in ("before-deal", "dealing") or (what.kind == "card-face-up" and not what.stage)


def _pik_settled(house: House, played: PlayedRound, seat: Seat, what: Irregularity) -> set[str]:
    """Return a seat's settled wagers: both bonus passes run from the highest seat down (PIK 39.10(b)/s1, 39.10(c))."""
    folded = {"ante"} if seat.choice == "fold" else set()
    if what.stage == "after-settlement":
        return set(seat.wagers)
    if _in_the_deal(what) and not _found_in_the_last_stack(house, played, what):
        return set()
    served = what.at_seat is None or seat.seat >= what.at_seat
    if what.stage == "bonus3":
        passed = what.at_seat is None or seat.seat > what.at_seat
        return {"bonus3"} if passed or (served and seat.selected) else set()
    if what.stage in ("bonus5", "decision"):
        return {"bonus3", "bonus5"} | folded if served else {"bonus3"}
    if what.stage in ("dealer-stack", "reveal", "before-settlement"):
        return {"bonus3", "bonus5"} | folded
    # The time was not written down; the players' recorded decisions show it.
    decided = any(each.choice for each in played.seats)
    return ({"bonus3"} if decided or seat.selected else set()) | ({"bonus5"} | folded if seat.choice else set())


def _found_in_the_last_stack(house: House, played: PlayedRound, what: Irregularity) -> bool:
    """Return whether a card turned up in a dealer's stack delivered after the decisions (PIK 39.9(c)2)."""
    if house["dealer_stack_delivery"] != "after-decisions" or what.stage:
        return False
    return any((found.after_cards or 0) >= 5 * len(played.seats) for found in what.found)


def _pik_amounts(house: House, played: PlayedRound, seat: Seat, settle_alone: SettleAlone) -> dict[str, Outcome]:
    """Return amounts on a miscounted hand; apart from the three selected cards and a fold, no text gives any."""
    unknown = {wager: ruling("PIK 38.12(c)") for wager in seat.wagers}
    fold = pikit.folded(seat) if seat.choice == "fold" else {}
    if len(seat.cards) != 5:
        seen = bool(seat.selected) and UNKNOWN not in seat.selected
        return unknown | (pikit.three_card_bonus(house, seat) if seen else {}) | fold
    if len(played.dealer) == 5:
        return settle_alone(seat, played.dealer)
    bonuses = settle_alone(seat, (UNKNOWN,) * 5)
    return unknown | {wager: bonuses[wager] for wager in ("bonus3", "bonus5") if wager in bonuses} | fold


def _fah_settled(_: House, __: PlayedRound, seat: Seat, what: Irregularity) -> set[str]:
    """Return naturals paid and surrenders halved before the dealer's cards are opened (FAH (h)(2), (h)(6))."""
    if what.stage == "after-settlement":
        return set(seat.wagers)
    early = seat.choice in ("natural", "surrender") and not _in_the_deal(what)
    return {"original"} if early else set()


def _fah_amounts(house: House, played: PlayedRound, seat: Seat, settle_alone: SettleAlone) -> dict[str, Outcome]:
    board = len(played.community) in (0, house.book.value("community_cards"))  # a dealer's natural gets none
    if seat.choice in ("set", "split") and not (board and len(played.dealer) == fast_action.CARDS_A_HAND):
        return {wager: ruling("FAH (i)(3)") for wager in seat.wagers}
    return settle_alone(seat, played.dealer)


def _col_settled(house: House, _: PlayedRound, seat: Seat, what: Irregularity) -> set[str]:
    """Return folds and declared instant winners, settled at the decision; a folded bonus waits for the showdown.

    The permissible version has no fold: its wagers on the table are still open (COL 11(b)).
    """
    if what.stage == "after-settlement":
        return set(seat.wagers)
    if _in_the_deal(what):
        return set()
    if seat.choice == "declare":
        return set(seat.wagers)
    return {"ante", "bet"} if seat.choice == "fold" and house["version"] == "required" else set()


def _col_amounts(_: House, played: PlayedRound, seat: Seat, settle_alone: SettleAlone) -> dict[str, Outcome]:
    miscounted = len(seat.cards) != 3 if seat.choice == "declare" else len(played.community) != 3
    if miscounted and seat.choice != "fold":
        return {wager: ruling("COL 14(c)") for wager in seat.wagers}
    return settle_alone(seat, ())


_SETTLED: dict[Kind, tuple[WagersSettled, Amounts]] = {
    "pik-it": (_pik_settled, _pik_amounts),
    "fast-action": (_fah_settled, _fah_amounts),
    "colorado": (_col_settled, _col_amounts),
}

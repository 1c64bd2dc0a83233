"""The actions of the case format, book by book, with their effect on a seat's hand."""

from collections.abc import Callable

import msgspec

from domain.cards import UNKNOWN, cards, show
from domain.games.game import Kind
from domain.rulebooks import House
from domain.settlement.case_line import RawAction, Texts
from domain.settlement.played import Cards


class BadCaseError(ValueError):
    """A case line that cannot be read; the message says what is wrong and where."""


class CaseSeat(msgspec.Struct):
    """A seat while its actions are being read."""

    wagers: dict[str, int | None]
    cards: Cards
    where: str
    choice: str = ""
    kept: Cards = ()
    second: Cards = ()
    selected: Cards = ()
    left: bool = False


# Against the text, but found on some records: two play wagers on one hand (PIK 39.3(b)/s1-exclusive), a bet before an
# instant winner is declared (COL 10(b)(3)(i)/s2, COL 11(b)(2)(i)/s2).
_FORBIDDEN_YET_PLACED = frozenset({("play3", "play5"), ("play5", "play3"), ("play", "declare")})

Act = Callable[[House, RawAction, CaseSeat], None]


def act(house: House, action: RawAction, hand: CaseSeat) -> None:
    """Apply one action to the hand."""
    book, known_actions = house.book.book, ACTIONS[house.game.kind]
    if action.action == "abandon":
        hand.left = True
    elif action.action in known_actions:
        if hand.choice and (hand.choice, action.action) not in _FORBIDDEN_YET_PLACED:
            raise BadCaseError(f"{hand.where}{action.action} comes after {hand.choice}, but a hand is decided once")
        known_actions[action.action](house, action, hand)
    else:
        known = ", ".join((*known_actions, "abandon"))
        raise BadCaseError(f"{hand.where}{book} has no action {action.action!r}: choose one of {known}")


def padded(held: Cards, size: int) -> Cards:
    """Return these cards, filled up with unknown ones for those not written down."""
    return held + (UNKNOWN,) * (size - len(held))


def _stake(action: RawAction, hand: CaseSeat, wager: str, multiple: int | None, of: str = "ante") -> None:
    """Place the wager that goes with an action; without an amount, use the only amount the rules allow."""
    if action.cents is not msgspec.UNSET:
        if action.cents is not None and action.cents < 0:
            raise BadCaseError(f"{hand.where}{wager} is {action.cents}: write an amount in whole cents, or null")
        hand.wagers[wager] = action.cents
        return
    base = hand.wagers.get(of)
    hand.wagers[wager] = None if multiple is None or base is None else base * multiple


def _check(_: House, __: RawAction, ___: CaseSeat) -> None:
    """A check defers the decision and changes nothing."""


def _chosen(choice: str) -> Act:
    """Return an action that only makes a decision."""

    def chosen(_: House, __: RawAction, hand: CaseSeat) -> None:
        hand.choice = choice

    return chosen


def _uth_play(_: House, action: RawAction, hand: CaseSeat) -> None:
    """Apply a play: one multiple is allowed on the flop and one at the river, but two before the flop."""
    _stake(action, hand, "play", {"flop": 2, "river": 1}.get(action.street))
    hand.choice = "play"


def _pik_select(_: House, action: RawAction, hand: CaseSeat) -> None:
    hand.selected = cards(action.selected or ())


def _pik_play(wager: str) -> Act:
    def play(house: House, action: RawAction, hand: CaseSeat) -> None:
        _stake(action, hand, wager, house[f"{wager}_multiple"])
        hand.choice = wager

    return play


def _kept(action: RawAction, hand: CaseSeat) -> Cards:
    """Return the two kept cards: as written, or what the discards leave of the hand."""
    if action.kept is not None:
        return _two(action.kept, hand)
    left = list(hand.cards) if action.discarded is not None else []
    for gone in cards(action.discarded or ()):
        if gone not in left:
            raise BadCaseError(f"{hand.where}{show([gone])} was discarded but never dealt")
        left.remove(gone)
    if len(left) > 2:
        raise BadCaseError(f"{hand.where}{show(left)} are left after the discards, but only two are kept")
    return padded(tuple(left), 2)


def _two(texts: Texts | None, hand: CaseSeat) -> Cards:
    """Return two cards of the hand; each unknown one may be any unknown card of it."""
    held = cards(texts or ())
    if len(held) > 2:
        raise BadCaseError(f"{hand.where}{show(held)} are {len(held)} cards, but only two are kept")
    for one in set(held) - {UNKNOWN}:
        if held.count(one) > hand.cards.count(one) + (hand.cards.count(UNKNOWN) if one not in hand.cards else 0):
            raise BadCaseError(f"{hand.where}{show([one])} was kept but never dealt")
    return padded(held, 2)


def _fah_set(_: House, action: RawAction, hand: CaseSeat) -> None:
    hand.choice, hand.kept = "set", _kept(action, hand)


def _fah_split(_: House, action: RawAction, hand: CaseSeat) -> None:
    _stake(action, hand, "split", 1, of="original")
    hand.choice, hand.kept, hand.second = "split", _two(action.first, hand), _two(action.second, hand)


def _fah_completed(_: House, action: RawAction, hand: CaseSeat) -> None:
    """Complete a short hand: the cards still missing are the ones that were added."""
    held = tuple(known for known in hand.cards if known != UNKNOWN)
    if len(held) < 4 and isinstance(action.added, list) and all(isinstance(text, str) for text in action.added):
        held = (*held, *cards(action.added))
    hand.cards = padded(held, 4)


def _col_play(house: House, action: RawAction, hand: CaseSeat) -> None:
    """Apply a play: the required version always has its bet, the permissible one only where it was placed."""
    if house["version"] == "required" or action.cents is not msgspec.UNSET:
        _stake(action, hand, "bet", 1)
    hand.choice, hand.kept = "play", _kept(action, hand)


def _col_declare(_: House, action: RawAction, hand: CaseSeat) -> None:
    """Apply a declaration, which turns the cards up: those not written down before become known."""
    shown = cards(action.cards or ())
    if shown and len(shown) == len(hand.cards) and all(one in shown for one in hand.cards if one != UNKNOWN):
        hand.cards = shown
    hand.choice = "declare"


_UTH: dict[str, Act] = {"check": _check, "play": _uth_play, "fold": _chosen("fold")}
ACTIONS: dict[Kind, dict[str, Act]] = {
    "ultimate": _UTH,
    "pik-it": {
        "select3": _pik_select,
        "play3": _pik_play("play3"),
        "play5": _pik_play("play5"),
        "fold": _chosen("fold"),
    },
    "fast-action": {
        "set": _fah_set,
        "split": _fah_split,
        "surrender": _chosen("surrender"),
        "natural": _chosen("natural"),
        "short-void": _chosen("short-void"),
        "short-complete": _fah_completed,
    },
    "colorado": {"play": _col_play, "fold": _chosen("fold"), "declare": _col_declare},
}

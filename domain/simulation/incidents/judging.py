"""Hands announced, paid or compared wrongly, and dealer's hands whose qualification is misjudged."""

from domain.facts.decisions import HandAnnounced, HandRevealed, ThreeDesignated
from domain.facts.payments import WagerPaid
from domain.hands.heard import heard
from domain.simulation.edits import Edit, said
from domain.simulation.incidents.changes import after, before, gone, told
from domain.simulation.incidents.incident import Staging, incident
from domain.simulation.incidents.scene import PlayedStretch, UntouchedWager, Woven
from domain.simulation.incidents.settings import choosing
from domain.simulation.incidents.stage import by_book, dealt, holding, numbers, plain
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

_FIVE = ("king high", "pair of fours", "two pair, nines and fours", "three nines", "ten-high straight")
_THREE = ("king high", "pair of fours", "three nines", "nine-high flush")


@incident(
    "hand-misranked",
    ("UTH-MA", "UTH-MD", "PIK", "FAH"),
    "The dealer announces another hand than a player's cards make, and settles it by the cards.",
    clauses={
        "": "UTH-MA 1 (Hand); UTH-MA 10(h) s1; UTH-MD 11.H(2)(b); PIK 39.4(e); FAH (a)(1)(iv)",
        "1": "PIK 39.10(e)1i",
        "2": "PIK 39.10(e)2i",
    },
)
def announced_as_another(scene: PlayedStretch) -> Woven:
    """Return the stretch with a hand announced wrongly but settled rightly."""
    keys = (str(scene.house["settlement_procedure"]),) if scene.book == "PIK" else ()
    if scene.book == "FAH":  # there nobody has to announce it
        shown = scene.any_of(HandRevealed, seat=lambda seat: seat is not None, cards=lambda cards: len(cards) == 2)
        word = said("hand-announced", "five aces", shown.seat)
        return scene.woven(after(shown, word), seat=shown.seat)
    announced = scene.any_of(HandAnnounced, seat=lambda seat: seat is not None)
    words = _FIVE if announced.of_cards == 5 else _THREE
    other = scene.choose([each for each in words if _kind(each) != _kind(announced.hand)])
    return scene.woven(told(announced, hand=other), seat=announced.seat, keys=keys)


def _kind(words: str) -> str:
    """Return the kind of hand in these words, without ranks: pair, flush, nine high."""
    held = heard(words)
    return held.category if held is not None else words


@incident(
    "hand-misranked/paid",
    ("COL",),
    "An ante is paid as a hand its five cards do not make.",
    code="hand-misranked",
    clauses='COL 1 "Hand"',
    besides=("paid-above-floor",),
    staging=lambda table, plan, _: _two_pair(plan),
)
def paid_as_another(scene: PlayedStretch) -> Woven:
    """Return the stretch with an ante paid as a better hand."""
    seat = scene.seats()[0]
    held = scene.wagers(seat=seat, wager="ante")[0]
    table = scene.house.table("main")
    scene.wants(held.paid and not held.coupon)
    if table is None:
        raise LookupError("this house has no pay table for ante and bet, so there is no game to play")
    paid = next(move for move in held.moves if isinstance(move, WagerPaid))
    cents = table.lines["three_of_a_kind"].winnings(held.stake)
    return scene.woven(told(paid, cents=cents), seat=seat, wager="ante")


def _two_pair(plan: RoundPlan) -> RoundPlan:
    plan = holding(plain(plan), numbers(plan)[0], "9c 4d 2c", "play")
    return dealt(plan, community="9h 4s Kd")


def _close_call(own: str, dealers: str, board: str, act: str, **fields: str) -> Staging:
    """Return the staging in which one player's hand has the dealer's rank and is higher by one card."""

    def staging(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
        plan = holding(plain(plan), numbers(plan)[0], own, act)
        return dealt(plan, dealer=dealers, **({"community": board} if board else {}))

    return staging


@incident(
    "winner-misjudged",
    ("UTH-MA", "UTH-MD", "PIK", "FAH"),
    "A player's hand is higher by its second highest card, and the dealer takes the wagers.",
    clauses="UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1; FAH (c)(3)/s1",
    staging=by_book(
        {
            "UTH-MA": _close_call("Kc 8d", "Ks 7d", "Kd 4h 3s 2c 2d", "play"),
            "UTH-MD": _close_call("Kc 8d", "Ks 7d", "Kd 4h 3s 2c 2d", "play"),
            "PIK": _close_call("Kc Kd 4h 9s 2c", "Kh Ks 4d 8s 2d", "", "play5"),
            "FAH": _close_call("Kc Qd 6c 8s", "Kd Js 4c 3h", "Kh 4d 8s 2c 5d", "set"),
        }
    ),
    besides=("winner-collected", "push-mishandled", "settlement-procedure-wrong", "settlement-basis-wrong"),
)
def the_lower_hand_wins(scene: PlayedStretch) -> Woven:
    """Return the stretch with the wagers of a slightly higher hand taken."""
    seat = scene.seats()[0]
    wanted = ("ante", "blind", "play", "play5", "original")
    edits: list[Edit] = []
    for held in scene.wagers(seat=seat, wager=lambda wager: wager in wanted):
        scene.wants(not held.coupon and (held.paid or held.returned))
        edits += taken(held)
    return scene.woven(*edits, seat=seat)


def taken(held: UntouchedWager) -> list[Edit]:
    """Return the edits that collect a stake that was paid or returned."""
    first, *rest = held.moves
    word = said("wager-collected", held.seat, held.wager, held.stake)
    return [before(first, word), gone(first, *rest)]


@incident(
    "dealer-qualification-misjudged",
    ("PIK",),
    "The dealer says that the hand does not qualify, and its cards do.",
    clauses='PIK 39.1 "Qualifying hand"; PIK 39.10(d)/s2-qualify',
    setting=choosing(dealer_qualifies=True),
)
def qualifies_after_all(scene: PlayedStretch) -> Woven:
    """Return the stretch with a qualifying dealer's hand announced as not qualifying but settled as qualifying."""
    announced = scene.first(HandAnnounced, seat=None, of_cards=5)
    scene.wants(not scene.has(HandAnnounced, hand="no qualify"))
    designated = scene.first(ThreeDesignated)
    scene.wants(scene.place(announced) < scene.place(designated))
    return scene.woven(before(designated, said("hand-announced", "no qualify")))

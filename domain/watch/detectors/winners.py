"""The higher of two hands: the settlement of a seat's main wagers shows how its hand was judged."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from domain.cards import UNKNOWN
from domain.facts.payments import WagerCollected, WagerPaid, WagerReturned
from domain.hands.ranked import told_apart
from domain.hands.standard import PAIR, category
from domain.house_way import acceptable
from domain.money import PUSH
from domain.settlement.pikit import least_qualifying_value
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.owed import owed
from domain.watch.rankings import FIVE, SEVENTEEN, THREE
from domain.watch.round_order import MAIN, Move, course, raised
from domain.watch.settled_how import LEFT, PAID, TAKEN, as_owed, handled
from domain.watch.values import DEALER, MadeHand, hand_of, made, three_of_five

MISJUDGED = law(
    "winner-misjudged",
    {
        **FIVE,
        **THREE,
        **SEVENTEEN,
        "same category": "UTH-MA 5(c) s1; UTH-MD 6.E(1); PIK 39.4(d)/s1; FAH (c)(3)/s1",
        "identical": "UTH-MA 5(c) s2; UTH-MD 6.E(2); PIK 39.4(d)/s2; FAH (c)(3)/s2; FAH (a)(1)(ii)",
        "suit": "UTH-MA 1 (Suit); UTH-MD 6.C; PIK 39.4(a)/s2; FAH (c)(1)/s3",
    },
)
QUALIFICATION = law("dealer-qualification-misjudged", 'PIK 39.1 "Qualifying hand"')
OTHER_HANDS = law("settlement-basis-wrong", 'PIK 39.1 "Hand"')

HIGHER, EQUAL, LOWER = "higher", "equal", "lower"
_PLAIN = {HIGHER: PAID, EQUAL: LEFT, LOWER: TAKEN}
Handled = dict[str, str]  # by wager: paid, left or taken


class Compared(msgspec.Struct, gc=False):
    """A hand against the dealer's: how its wagers are settled for each result, and how they were."""

    own: MadeHand
    dealers: MadeHand
    expected: Mapping[str, Handled]
    seen: Handled

    @property
    def relation(self) -> str:
        """The result by the cards."""
        return relation(self.own, self.dealers)

    def taken_for(self) -> str:
        """Return the wrong result that the settlement of all these wagers shows; nothing if one was not seen."""
        if self.seen == self.expected[self.relation]:
            return ""
        return next((result for result, handled in self.expected.items() if handled == self.seen), "")


def relation(own: MadeHand, dealers: MadeHand) -> str:
    """Return whether the first hand is higher, equal or lower."""
    return HIGHER if own.value > dealers.value else LOWER if own.value < dealers.value else EQUAL


@judge(
    MISJUDGED,
    OTHER_HANDS,
    QUALIFICATION,
    needs=(WagerCollected, WagerPaid, WagerReturned),
    games=("ultimate", "pik-it", "fast-action"),
)
def the_higher_hand_wins(told: RoundInPlay) -> Found:
    """Check that each hand is compared with the dealer's by rank, and that its wagers follow."""
    if told.voided:
        return
    for spot, compared in _comparisons(told):
        taken_for = compared.taken_for()
        if not taken_for:
            if told.game.pik_it and compared.seen == _with_the_dealer_otherwise(told, compared):
                yield from _qualification(told, spot, compared)
                return  # the dealer's hand is one mistake, whatever the number of seats
            continue
        if _by_the_other_hands(told, spot) == taken_for:
            yield from _other_hands(told, spot, compared)
            continue
        yield from _misjudged(told, spot, compared, taken_for)


def _comparisons(told: RoundInPlay) -> Iterator[tuple[Spot, Compared]]:
    away = course(told).apart
    if told.game.fast_action:
        spots = [spot for spot in course(told).wagering if spot.choice in ("set", "split") and spot.seat not in away]
        wrong = [spot for spot in spots if not _all_as_owed(told, spot, ("original", "split"))]
        if wrong and _dealer_set_right(told):
            for spot in wrong:
                yield from ((spot, compared) for compared in _fast_action(told, spot))
        return
    for seat in course(told).playing:
        spot = told.seats[seat]
        if _all_as_owed(told, spot, MAIN):
            continue
        compared = _pikit(told, spot) if told.game.pik_it else _ultimate(told, spot)
        if compared is not None:
            yield spot, compared


def _all_as_owed(told: RoundInPlay, spot: Spot, wagers: Iterable[str]) -> bool:
    """Whether all of these got what they are owed, so that there is nothing to compare."""
    settlement, held = owed(told), spot.wagers
    return all(as_owed(settlement, spot.seat, held[wager]) for wager in wagers if wager in held)


def _ultimate(told: RoundInPlay, spot: Spot) -> Compared | None:
    own, dealers = hand_of(told, spot.seat), hand_of(told, DEALER)
    wagers = spot.wagers
    if own is None or dealers is None or not ("ante" in wagers and "blind" in wagers and "play" in wagers):
        return None
    table = told.house.table("blind")
    blind_wins = table is not None and table.lines[own.category] != PUSH
    expected = _expected(category(dealers.value) >= PAIR, blind_wins)
    return Compared(own, dealers, expected, {name: handled(wagers[name]) for name in ("ante", "blind", "play")})


def _expected(qualifies: bool, blind_wins: bool) -> Mapping[str, Handled]:
    """Return how ante, blind and play are settled for each result at Ultimate."""
    won, lost, even = {"blind": PAID if blind_wins else LEFT, "play": PAID}, {"blind": TAKEN, "play": TAKEN}, LEFT
    rest = {HIGHER: won, EQUAL: {"blind": even, "play": even}, LOWER: lost}
    return {result: {"ante": plain if qualifies else LEFT, **rest[result]} for result, plain in _PLAIN.items()}


def _pikit(told: RoundInPlay, spot: Spot) -> Compared | None:
    play = spot.choice if spot.choice in spot.wagers else next(iter(spot.wagers.keys() & {"play3", "play5"}), "")
    order = "three" if play == "play3" else "five"
    own = hand_of(told, spot.seat) if play == spot.choice else _of_five(told, spot, order)
    dealers = hand_of(told, DEALER, order)
    if own is None or dealers is None or not play or "ante" not in spot.wagers:
        return None
    void = play == "play5" and told.house["dealer_qualifies"] and not _qualifies(told)
    expected = {result: {"ante": plain, play: LEFT if void else plain} for result, plain in _PLAIN.items()}
    return Compared(own, dealers, expected, {name: handled(spot.wagers[name]) for name in ("ante", play)})


def _with_the_dealer_otherwise(told: RoundInPlay, compared: Compared) -> Handled:
    """Return how the wagers would be settled if the dealer's qualification were the opposite."""
    plain = _PLAIN[compared.relation]
    if not told.house["dealer_qualifies"] or plain == LEFT:
        return {}
    return {"ante": plain, "play5": LEFT if _qualifies(told) else plain}


def _qualification(told: RoundInPlay, spot: Spot, compared: Compared) -> Found:
    does = _qualifies(told)
    first, parts = _wrong(told, spot, compared)
    says = (
        f"Seat {spot.seat}'s play 5 was settled as if the dealer's {compared.dealers.name} "
        f"{'did not qualify' if does else 'qualified'}, but it {'does' if does else 'does not'}."
    )
    yield from raised(told, QUALIFICATION, "", first, says, **parts | {"seat": None, "wager": ""})


def _qualifies(told: RoundInPlay) -> bool:
    five = hand_of(told, DEALER, "five")
    return five is not None and five.value >= least_qualifying_value(told.house)


def _by_the_other_hands(told: RoundInPlay, spot: Spot) -> str:
    """Return the result by the wrong hands: five cards for a play 3, three for a play 5."""
    order = "five" if spot.choice == "play3" else "three"
    own, dealers = _of_five(told, spot, order), hand_of(told, DEALER, order)
    return relation(own, dealers) if own is not None and dealers is not None else ""


def _of_five(told: RoundInPlay, spot: Spot, order: str) -> MadeHand | None:
    return three_of_five(told, spot.seat) if order == "three" else made(order, spot.cards, (5,))


def _dealer_set_right(told: RoundInPlay) -> bool:
    """Whether the dealer plays two cards that the house way allows; if not, those are the thing to review."""
    pair = tuple(sorted(told.dealer.kept))
    if UNKNOWN in told.dealer.cards:
        return False
    decided = acceptable(told.dealer.cards, told.house["house_way.viii"], told.house["house_way.ix"])
    return decided is not None and (pair in decided[1] or pair in decided[2])


def _fast_action(told: RoundInPlay, spot: Spot) -> Iterator[Compared]:
    """Return each hand against the dealer's; each half of a split has its own wager."""
    dealers, board = hand_of(told, DEALER), told.community.cards
    copy = TAKEN if told.house["copy_hand_rule"] == "lose" else LEFT
    results = {HIGHER: PAID, LOWER: TAKEN, EQUAL: copy}
    halves = {"original": spot.kept, "split": spot.second if spot.choice == "split" else ()}
    for wager, half in halves.items():
        own = made("seventeen", (*half, *board), (7,)) if half else None
        if own is not None and dealers is not None and wager in spot.wagers:
            expected = {result: {wager: what} for result, what in results.items()}
            yield Compared(own, dealers, expected, {wager: handled(spot.wagers[wager])})


def _misjudged(told: RoundInPlay, spot: Spot, compared: Compared, taken_for: str) -> Found:
    own, dealers, true = compared.own, compared.dealers, compared.relation
    if true == EQUAL:
        keys = ["identical", "suit"]
    elif own.category == dealers.category:
        keys = ["same category"]
    else:
        keys = [f"{own.order} {own.category}", f"{own.order} {dealers.category}"]
    names = told_apart(own.categories, own.value, dealers.value)
    says = (
        f"Seat {spot.seat}'s {names[0]} is {_SAYS[true]} the dealer's {names[1]}, "
        f"but its wagers were settled as if it were {_SAYS[taken_for].split()[0]}."
    )
    first, parts = _wrong(told, spot, compared)
    yield from raised(told, MISJUDGED, keys, first, says, **parts)


_SAYS = {HIGHER: "higher than", EQUAL: "identical to", LOWER: "lower than"}


def _other_hands(told: RoundInPlay, spot: Spot, compared: Compared) -> Found:
    many = "three" if spot.choice == "play3" else "five"
    other = "five" if many == "three" else "three"
    says = f"Seat {spot.seat} plays {many} cards against {many}, but was settled as its {other} against {other}."
    first, parts = _wrong(told, spot, compared)
    yield from raised(told, OTHER_HANDS, "", first, says, **parts)


def _wrong(told: RoundInPlay, spot: Spot, compared: Compared) -> tuple[Move, dict[str, Any]]:
    """Return the first movement that contradicts the cards, and the parts of its finding: a reading of the payment."""
    right = compared.expected[compared.relation]
    went = course(told)
    wrong = [went.first[spot.seat, name] for name, what in compared.seen.items() if what != right[name]]
    first = min(wrong, key=lambda move: move.sequence)
    wager = "" if len(compared.seen) > 1 else first.wager
    return first, {"seat": spot.seat, "wager": wager, "evidence": wrong, "basis": "reading"}

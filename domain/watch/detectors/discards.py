"""Cards set, discarded and given up: the right number, collected in order, and no late surrender."""

from collections.abc import Iterator, Sequence

from domain.facts.decisions import CardDiscarded, DecisionMade, DiscardsCollected, HandSet
from domain.facts.envelope import Fact
from domain.spoken import number_of
from domain.table.counts import deal_is_told
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import course, raised
from domain.watch.values import DEALER

COUNT = law(
    "discard-count-wrong",
    {
        "required play": 'COL 1 "Discard"; COL 10(b)(1)/s2',
        "required fold": "COL 10(b)(2)/s1",
        "permissible play": 'COL 1 "Discard"; COL 11(b)(1)/s2',
        "set": "FAH (a)(1)(ix); FAH (h)(1)/s1",
        "discarded": "FAH (h)(1)/s2",
        "split": "FAH (h)(3)/s2",
        "collected": "FAH (h)(5)/s2",
        "surrendered": "FAH (h)(6)/s1",
        "surrender collected": "FAH (h)(6)/s3",
        "dealer set": "FAH (h)(7)/s1",
        "dealer discards": "FAH (h)(7)/s2",
    },
)
LATE = law("surrender-late", "FAH (h)(6)/s1")
OUT_OF_ORDER = law("collection-out-of-order", "FAH (h)(5)/s1")

_KEPT = 2  # two cards play on with the community cards


def _put_down(told: RoundInPlay, seat: int) -> list[CardDiscarded]:
    return [fact for fact in told.of(CardDiscarded) if fact.seat == seat]


def _put(seat: int, many: int | None, due: int) -> str:
    return f"Seat {seat} discarded {number_of(many, 'card')}, but must discard {due}."


def _many(facts: Sequence[CardDiscarded]) -> int:
    return sum(max(fact.count, len(fact.cards)) for fact in facts)


@judge(COUNT, needs=(CardDiscarded,), games=("colorado",))
def colorado_discards(told: RoundInPlay) -> Found:
    """Check that a player who stays in discards one of three cards, and a player who folds discards all three."""
    if told.voided:
        return
    went, version = course(told), told.house["version"]
    for spot in course(told).wagering:
        if spot.seat in went.apart or not spot.dealt:
            continue
        facts, held = _put_down(told, spot.seat), len(spot.cards)
        due = held if spot.choice == "fold" else held - _KEPT
        if _many(facts) == due:
            continue
        shows = facts[-1] if facts else went.decided.get(spot.seat, went.ends)
        if shows is not None:
            what = "folding" if spot.choice == "fold" else "playing on"
            says = f"Seat {spot.seat} discarded {_many(facts)} of its {held} cards when {what}, but must discard {due}."
            yield from raised(told, COUNT, f"{version} {spot.choice}", shows, says, seat=spot.seat)


@judge(COUNT, needs=(DecisionMade, HandSet), games=("fast-action",))
def fast_action_sets_two(told: RoundInPlay) -> Found:
    """Check that a hand is set with two cards, a split with two and two, and a surrendered hand with none."""
    if told.voided:
        return
    for spot in course(told).wagering:
        if spot.seat in course(told).apart or len(spot.cards) < _KEPT:
            continue
        made = [fact for fact in told.of(HandSet) if fact.seat == spot.seat]
        for key, shows, says in _set_wrong(told, spot, made[-1] if made else None):
            yield from raised(told, COUNT, key, shows, says, seat=spot.seat)
    yield from _dealer_sets_two(told)


def _set_wrong(told: RoundInPlay, spot: Spot, made: HandSet | None) -> Iterator[tuple[str, Fact, str]]:
    seat, down = spot.seat, _put_down(told, spot.seat)
    match spot.choice:
        case "set" if made is not None:
            due = _due(told, spot, made.discarded or _many(down), _KEPT)
            if len(made.kept) != _KEPT or made.second:
                yield "set", made, f"Seat {seat} did not set its hand with two cards."
            if made.discarded not in (None, due):
                yield "discarded", made, _put(seat, made.discarded, due)
            elif down and _many(down) != due:
                yield "discarded", down[-1], _put(seat, _many(down), due)
        case "split":
            if made is not None and ((len(made.kept), len(made.second)) != (_KEPT, _KEPT) or made.discarded):
                yield "split", made, f"Seat {seat} did not split its hand two and two."
            elif down:
                many = number_of(_many(down), "card")
                yield "split", down[-1], f"Seat {seat} split its hand and also discarded {many}."
        case "surrender":
            if down and _many(down) != _due(told, spot, _many(down)):
                says = f"Seat {seat} discontinued but discarded only {_many(down)} of its {len(spot.cards)} cards."
                yield "surrendered", down[-1], says
        case "":
            opened = course(told).shown.get(DEALER)
            if opened is not None:
                yield "set", opened, f"The dealer's cards were opened although seat {seat} had not set its hand."


def _due(told: RoundInPlay, spot: Spot, many: int, kept: int = 0) -> int:
    """Return the number of cards to discard: all but those kept, and more from a long hand (FAH (i)(4))."""
    due = len(spot.cards) - kept
    return max(due, many) if not deal_is_told(told) else due


def _dealer_sets_two(told: RoundInPlay) -> Found:
    made = [fact for fact in told.of(HandSet) if fact.seat is None]
    held = len(told.dealer.cards)
    if made and held >= _KEPT and (len(made[-1].kept) != _KEPT or made[-1].discarded not in (None, held - _KEPT)):
        says = f"The dealer's hand was set with {len(made[-1].kept)} cards instead of two of {held}."
        yield from raised(told, COUNT, "dealer set", made[-1], says)
    elif not made and told.community.dealt and held >= _KEPT:
        says = "The community cards were dealt before the dealer's hand was set."
        yield from raised(told, COUNT, "dealer set", told.community.dealt[0], says)


# The number of cards a hand keeps, by its player's decision.
_KEEPS = {"set": _KEPT, "surrender": 0}


@judge(COUNT, needs=(DecisionMade, DiscardsCollected, HandSet), games=("fast-action",))
def fast_action_discards_are_counted(told: RoundInPlay) -> Found:
    """Check that two discards come from each hand set, four from one given up, none from a natural or split."""
    if told.voided or not told.of(DiscardsCollected):
        return
    went = course(told)
    for spot in course(told).wagering:
        if spot.seat in went.apart or len(spot.cards) < _KEPT:
            continue
        facts = [fact for fact in told.of(DiscardsCollected) if fact.seat == spot.seat]
        many = sum(fact.count for fact in facts)
        due = _due(told, spot, many, _KEEPS[spot.choice]) if spot.choice in _KEEPS else 0
        shows = facts[-1] if facts else went.shown.get(DEALER, went.ends)
        if many != due and shows is not None and spot.choice:
            were = number_of(many, "discard was", "discards were")
            says = f"{were} collected from seat {spot.seat} instead of {due}."
            keys = ["collected"]
            if spot.choice == "surrender":
                keys.append("surrender collected")
            elif spot.choice == "split":
                keys.append("split")
            yield from raised(told, COUNT, keys, shows, says, seat=spot.seat)
    yield from _dealers_discards(told)


def _dealers_discards(told: RoundInPlay) -> Found:
    made = [fact for fact in told.of(HandSet) if fact.seat is None]
    facts = [fact for fact in told.of(DiscardsCollected) if fact.seat is None]
    many, due = sum(fact.count for fact in facts), len(told.dealer.cards) - _KEPT
    if made and due >= 0 and many != due:
        says = f"{number_of(many, 'discard')} of the dealer went to the rack instead of {due}."
        yield from raised(told, COUNT, "dealer discards", facts[-1] if facts else made[-1], says)


@judge(LATE)
def no_surrender_after_the_discards(told: RoundInPlay) -> Found:
    """Check that a player discontinues before the dealer begins to collect the discards."""
    begun = next((fact for fact in told.of(DiscardsCollected) if fact.seat is not None), None)
    if begun is None:
        return
    for made in told.of(DecisionMade):
        if made.decision == "surrender" and made.sequence > begun.sequence:
            says = f"Seat {made.seat} discontinued after the dealer had begun to collect the discards."
            yield from raised(told, LATE, "", made, says, seat=made.seat, evidence=[begun])


@judge(OUT_OF_ORDER)
def discards_from_the_right(told: RoundInPlay) -> Found:
    """Check that discards are collected counterclockwise from the dealer's right; a surrendered hand may go at once."""
    last: DiscardsCollected | None = None
    for fact in told.of(DiscardsCollected):
        spot = told.seats.get(fact.seat or 0)
        if fact.seat is None or (spot is not None and spot.choice == "surrender"):
            continue
        if last is not None and last.seat is not None and fact.seat > last.seat:
            says = (
                f"Seat {fact.seat}'s discards were collected after seat {last.seat}'s, but the order is from the right."
            )
            yield from raised(told, OUT_OF_ORDER, "", fact, says, seat=fact.seat, evidence=[last])
        last = fact

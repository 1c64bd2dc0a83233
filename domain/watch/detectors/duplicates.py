"""A card is not seen more often than the decks in play hold it: in a round, and over a whole shoe."""

from collections.abc import Iterator

from domain.cards import UNKNOWN, show
from domain.facts.deal import CardBurned
from domain.facts.envelope import Fact
from domain.table.day import TableDay
from domain.table.deck_rounds import spots
from domain.table.round import Round
from domain.table.spots import CODE, Spot
from domain.watch import at_the_table, course
from domain.watch.at_the_table import CONTINUOUS, FAST_ACTION, the_round
from domain.watch.detecting import Found, RoundEnds, judge, watch
from domain.watch.laws import law

DUPLICATED = law("card-duplicated", "UTH-MA 2(a); UTH-MD 3.A(1); PIK 39.2(a)/s1; COL 2(a)/s1; FAH (b)(1)/s1")


@judge(DUPLICATED, by_cards=True)
def no_card_is_there_twice(told: Round) -> Found:
    """In one round a card is seen no oftener than there are decks."""
    held = int(told.house["decks"]) if told.book == FAST_ACTION else 1
    seen = [*told.dealer.cards, *told.community.cards, *told.box.cards]
    for spot in told.seats.values():
        seen += spot.cards
    if CardBurned in told.told:
        seen += [CODE[burned.card] for burned in told.of(CardBurned)]
    if len(seen) - len(set(seen)) < held:  # not one card can be there once too often
        return
    too_many = sorted({card for card in seen if card != UNKNOWN and seen.count(card) > held})
    if too_many:
        trigger, places = _where(told, too_many[0])
        times = "twice" if held == 1 else f"{seen.count(too_many[0])} times"
        others = f"; also {' '.join(show([card]) for card in too_many[1:])}" if too_many[1:] else ""
        says = f"{show([too_many[0]])} was seen {times}: {' and '.join(places)}{others}."
        yield from course.raised(told, DUPLICATED, "", trigger, says)


def _where(told: Round, card: int) -> tuple[Fact, list[str]]:
    """Where a card was seen, and the fact that brought it to the last of these places."""
    shown: list[tuple[Fact, str]] = []
    for name, spot in _named(told):
        shown += [(fact, name) for fact in _brought(spot, card)]
    shown += [(burned, "burned") for burned in told.of(CardBurned) if CODE[burned.card] == card]
    if not shown:  # nobody records the deal: it was seen when the hands were turned up or collected
        return told.facts[-1], [name for name, spot in _named(told) if card in spot.cards]
    shown.sort(key=lambda pair: pair[0].sequence)
    return shown[-1][0], [name for _, name in shown]


def _brought(spot: Spot, card: int) -> Iterator[Fact]:
    """The facts that dealt this card here; one shown later, the last fact that dealt here."""
    for place, held in enumerate(spot.cards):
        if held == card and spot.dealt:
            yield spot.dealt[place] if len(spot.dealt) == len(spot.cards) else spot.dealt[-1]


def _named(told: Round) -> Iterator[tuple[str, Spot]]:
    for number in sorted(told.seats):
        yield f"at seat {number}", told.seats[number]
    yield "in the dealer's hand", told.dealer
    yield "among the community cards", told.community
    yield "in the six card box", told.box


@watch(RoundEnds, laws=(DUPLICATED,), by_cards=True)
def no_card_comes_out_too_often(day: TableDay, ends: Fact) -> Found:
    """Over all rounds of one shoe a card is seen no oftener than the shoe's decks hold it."""
    told, deck = the_round(day), day.decks.at_hand
    if deck is None or day.book != FAST_ACTION or day.method == CONTINUOUS or not deck.out:
        return
    held = deck.decks if deck.received is not None else int(told.house["decks"])
    now = [card for spot in spots(told) for card in spot.cards if card != UNKNOWN]
    doubled = len(now) - len(set(now))
    late = {card for card in now if deck.out[card] >= held - doubled}
    too_many = sorted(card for card in late if now.count(card) <= held < deck.out[card] + now.count(card))
    if too_many:
        each = ", ".join(f"{show([card])} {deck.out[card] + now.count(card)} times" for card in too_many)
        says = f"Out of this shoe of {held} decks came {each}."
        yield from at_the_table.raised(day, DUPLICATED, "", ends, says, round=told.number)

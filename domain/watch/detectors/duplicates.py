"""Duplicate cards: a card seen more often than the decks in play hold it, in a round or over a whole shoe."""

from collections.abc import Iterator

from domain.cards import UNKNOWN, show
from domain.facts.deal import CardBurned
from domain.facts.envelope import Fact
from domain.facts.shuffles import ShoeLoaded, ShuffleCompleted
from domain.spoken import listed, number_of, times
from domain.table.day import TableDay
from domain.table.deck import CONTINUOUS
from domain.table.deck_rounds import spots
from domain.table.round import RoundInPlay
from domain.table.spots import CODE, Spot, codes
from domain.watch import deck_queries, round_order
from domain.watch.deck_queries import the_round
from domain.watch.detecting import Found, RoundEnds, judge, watch
from domain.watch.laws import law
from domain.watch.repeated_deals import impossible

DUPLICATED = law("card-duplicated", "UTH-MA 2(a); UTH-MD 3.A(1); PIK 39.2(a)/s1; COL 2(a)/s1; FAH (b)(1)/s1")


@judge(DUPLICATED, by_cards=True)
def no_card_is_there_twice(told: RoundInPlay) -> Found:
    """Check that no card is seen more often in one round than there are decks."""
    if told.repeats:
        yield from _repeats(told)
    too_many = sorted(impossible(told))
    if too_many:
        facts = _bringing(told, too_many[0])  # the deal is unrecorded, so use hands turned up or collected
        others = f"; also {' '.join(show([card]) for card in too_many[1:])}" if too_many[1:] else ""
        says = f"{show([too_many[0]])} was seen {_where(told, too_many[0])}{others}."
        yield from round_order.raised(
            told, DUPLICATED, "", facts[-1] if facts else told.facts[-1], says, evidence=facts
        )


def _repeats(told: RoundInPlay) -> Found:
    """Report repeated deals as one finding: most often, a source sent a line again under a new key."""
    shown: dict[str, list[Fact]] = {}
    for fact in told.repeats:
        where, spot = next((name, spot) for name, spot in _named(told) if spot is _place(told, fact))
        cards = _cards_of(fact)
        facts = [dealt for dealt in spot.dealt if any(card in _cards_of(dealt) for card in cards)]
        shown[f"{show(cards)} {where}"] = [*facts, fact]
    says = (
        f"The deal of {listed(list(shown))} was recorded twice. With one of the records, the number of cards is right, "
        "so the round is judged by one: a source sent a line again under a new key, or the deck holds a card twice."
    )
    evidence = [fact for facts in shown.values() for fact in facts]
    yield from round_order.raised(told, DUPLICATED, "", told.repeats[-1], says, evidence=evidence, basis="reading")


def _place(told: RoundInPlay, fact: Fact) -> Spot:
    return told.spot(getattr(fact, "to", "dealer"), getattr(fact, "seat", None))


def _cards_of(fact: Fact) -> list[int]:
    return codes(getattr(fact, "cards", None) or (getattr(fact, "card", "??"),))


def _bringing(told: RoundInPlay, card: int) -> list[Fact]:
    """Return the facts that brought a card, in order."""
    facts = [fact for _, spot in _named(told) for fact in _brought(spot, card)]
    facts += [burned for burned in told.of(CardBurned) if CODE[burned.card] == card]
    return sorted(facts, key=lambda fact: fact.sequence)


def _where(told: RoundInPlay, card: int) -> str:
    """Return how often and where a card was seen, each place once with its count."""
    held = {name: spot.cards.count(card) for name, spot in _named(told)}
    held["among the burned cards"] = sum(CODE[burned.card] == card for burned in told.of(CardBurned))
    each = [name if number == 1 else f"{times(number)} {name}" for name, number in held.items() if number]
    return each[0] if len(each) == 1 else f"{times(sum(held.values()))}: {listed(each)}"


def _brought(spot: Spot, card: int) -> Iterator[Fact]:
    """Return the facts that dealt this card here; for a card shown later, the last fact that dealt here."""
    for place, held in enumerate(spot.cards):
        if held == card and spot.dealt:
            yield spot.dealt[place] if len(spot.dealt) == len(spot.cards) else spot.dealt[-1]


def _named(told: RoundInPlay) -> Iterator[tuple[str, Spot]]:
    for number in sorted(told.seats):
        yield f"at seat {number}", told.seats[number]
    yield "in the dealer's hand", told.dealer
    yield "among the community cards", told.community
    yield "in the six card box", told.box


@watch(RoundEnds, laws=(DUPLICATED,), needs_one_of=(ShoeLoaded, ShuffleCompleted), by_cards=True)
def no_card_comes_out_too_often(day: TableDay, ends: Fact) -> Found:
    """Check that no card is seen more often over all rounds of a shoe than its decks hold it."""
    told, deck = the_round(day), day.decks.at_hand
    if deck is None or not day.game.many_rounds_a_shoe or day.method == CONTINUOUS or not deck.out:
        return
    held = deck.decks if deck.received is not None else int(told.house["decks"])
    now = [card for spot in spots(told) for card in spot.cards if card != UNKNOWN]
    doubled = len(now) - len(set(now))
    late = {card for card in now if deck.out[card] >= held - doubled}
    too_many = sorted(card for card in late if now.count(card) <= held < deck.out[card] + now.count(card))
    if too_many:
        each = ", ".join(f"{show([card])} {times(deck.out[card] + now.count(card))}" for card in too_many)
        says = f"The following came from this shoe of {number_of(held, 'deck')}: {each}."
        yield from deck_queries.raised(day, DUPLICATED, "", ends, says, round=told.number)

"""Missing cards: a deck hides cards longer than a complete deck would."""

from domain.facts.envelope import Fact
from domain.table.day import TableDay
from domain.table.deck_rounds import dealt_order, drawn_at_random, read_at_the_deal
from domain.table.seen import listed, with_round
from domain.watch.deck_queries import raised, the_round
from domain.watch.detecting import Found, RoundEnds, watch
from domain.watch.laws import law

MISSING = law("deck-composition-wrong", "UTH-MA 2(a); UTH-MD 3.A(1); PIK 39.2(a)/s1; COL 2(a)/s1")


@watch(RoundEnds, laws=(MISSING,), by_cards=True)
def every_card_comes_in_the_end(day: TableDay, ends: Fact) -> Found:
    """Report cards unseen for so long that a complete deck hides them less than once in a million such stretches.

    The code is the deck's composition, not the stub count, because a deck with the right number of cards can lack one
    card and hold another twice.
    """
    told, deck = the_round(day), day.decks.at_hand
    if deck is None or not deck.seen.may_be:
        return
    order = dealt_order(told)
    now = with_round(deck.seen, read_at_the_deal(told, order), drawn=drawn_at_random(deck, told, order))
    if not now.suspicious:
        return
    first = now.first or ends  # one round is too short a stretch
    says = (
        f"{deck.called} has not shown {listed(now.unseen)} in {now.rounds} rounds, from round {first.round} to "
        f"round {told.number}. A complete deck hides cards that long less than once in a million times."
    )
    came = () if deck.received is None else (deck.received,)
    yield from raised(day, MISSING, "", ends, says, round=told.number, evidence=[*came, first])

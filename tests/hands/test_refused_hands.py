"""A card nobody saw and a hand no deck deals have no rank, wherever in the hand the trouble stands."""

from collections.abc import Callable, Sequence

import pytest

from domain.cards import UNKNOWN, cards
from domain.hands import multideck, six_card, standard, three_card
from domain.hands.ranked import ImpossibleHandError, UnknownCardError

SEVEN = {"mixed suits": cards("As Kd 9h 7c 4s 3d 2h"), "five of a suit": cards("As Ks 9s 7s 4s 3d 2h")}
FLUSH_OF_SEVEN = cards("As Ks 9s 7s 4s 3s 2s")

RANKERS: list[tuple[str, Callable[[Sequence[int]], object], tuple[int, ...]]] = [
    ("standard.value", standard.value, (5, 6, 7)),
    ("standard.best", standard.best, (5, 6, 7)),
    ("standard.of_five", standard.of_five, (5,)),
    ("multideck.value", multideck.value, (5, 6, 7)),
    ("multideck.best", multideck.best, (5, 6, 7)),
    ("multideck.of_five", multideck.of_five, (5,)),
    ("three_card.of_three", three_card.of_three, (3,)),
    ("three_card.value", three_card.value, (3, 4, 5)),
    ("three_card.best", three_card.best, (3, 5)),
    ("six_card.value", six_card.value, (6,)),
    ("six_card.best", six_card.best, (6,)),
    ("six_card.line", six_card.line, (6,)),
]
IDS = [name for name, _, _ in RANKERS]


@pytest.mark.parametrize(("name", "ranker", "sizes"), RANKERS, ids=IDS)
def test_an_unseen_card_is_noticed_in_every_place(
    name: str, ranker: Callable[[Sequence[int]], object], sizes: tuple[int, ...]
) -> None:
    """One unseen card or several, before, among or behind the seen ones."""
    for hand in (*SEVEN.values(), FLUSH_OF_SEVEN):
        for size in sizes:
            for hidden in range(1, 1 << size):
                blanked = [UNKNOWN if hidden >> place & 1 else card for place, card in enumerate(hand[:size])]
                with pytest.raises(UnknownCardError):
                    ranker(blanked)


@pytest.mark.parametrize(("name", "ranker", "sizes"), RANKERS, ids=IDS)
def test_too_few_and_too_many_cards_are_refused(
    name: str, ranker: Callable[[Sequence[int]], object], sizes: tuple[int, ...]
) -> None:
    """A hand has the cards its game deals; three cards are chosen from as many as there are."""
    too_many = () if name in ("three_card.value", "three_card.best") else (max(sizes) + 1,)
    for deck in (cards("As Kd 9h 7c 4s 3d 2h Qc"), cards("As Ks 9s 7s 4s 3s 2s Qs")):
        for size in (min(sizes) - 1, *too_many):
            with pytest.raises(ImpossibleHandError):
                ranker(deck[:size])
        with pytest.raises(ImpossibleHandError):
            ranker(())


# what | cards | the rankers of one deck that notice
TWICE = [
    ("in a flush", "As As Ks 9s 7s", (standard.value, standard.best, standard.of_five)),
    ("in six of a suit", "As As Ks 9s 7s 4s", (standard.value, standard.best, six_card.value)),
    ("in seven cards with a flush", "As Ks 9s 7s 4s 3d 3d", (standard.value, standard.best)),
    ("as a pair", "As As Kd 9h 7c", (standard.best, standard.of_five)),
    ("as a pair of seven", "As Kd 9h 7c 4s 3d As", (standard.best,)),
    ("five times", "As As As As As", (standard.value, standard.best, standard.of_five)),
    ("among three", "As As Kd", (three_card.of_three, three_card.value, three_card.best)),
    ("among five, of which three", "As Kd 9h 7c As", (three_card.value, three_card.best)),
]


@pytest.mark.parametrize(("what", "hand", "noticing"), TWICE, ids=[row[0] for row in TWICE])
def test_a_card_that_stands_twice_is_no_hand_of_one_deck(
    what: str, hand: str, noticing: tuple[Callable[[Sequence[int]], object], ...]
) -> None:
    """One deck has each card once."""
    for ranker in noticing:
        with pytest.raises(ImpossibleHandError):
            ranker(cards(hand))


def test_several_decks_have_a_card_several_times() -> None:
    """A hand that one deck cannot deal is a pair in Fast Action."""
    assert multideck.best(cards("As As Kd 9h 7c")).category == "pair"


def test_five_of_a_rank_are_no_hand_of_one_deck() -> None:
    """Five of a rank among six or seven cards are refused by the ranks alone."""
    for hand in ("As Ac Ad Ah As Kd", "As Ac Ad Ah As Kd 2c"):
        with pytest.raises(ImpossibleHandError):
            standard.value(cards(hand))

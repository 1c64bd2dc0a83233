"""Cards never seen: judged together, rarely wrong, and soon enough right."""

from math import comb
from random import Random

import pytest

from domain.table.seen import ALPHA, DECK, LEVELS, MOST_UNSEEN, UNIT, SeenCards, after, with_round


def first_levels(drawn: int) -> dict[int, int]:
    """After how many rounds of so many cards each number of unseen cards reaches its level."""
    seen, found = SeenCards(), dict[int, int]()
    while len(found) < MOST_UNSEEN:
        seen = with_round(seen, range(drawn))
        for n, (bound, level) in enumerate(zip(seen.bounds, LEVELS, strict=True), 1):
            if bound <= level:
                found.setdefault(n, seen.rounds)
    return found


def chance_of_unseen(at_least: int, drawn: int, rounds: int) -> float:
    """The probability that a whole deck hides so many cards, by inclusion and exclusion."""
    return float(
        sum(
            (-1) ** (n - at_least)
            * comb(n - 1, at_least - 1)
            * comb(DECK, n)
            * (comb(DECK - n, drawn) / comb(DECK, drawn)) ** rounds
            for n in range(at_least, 30)
        )
    )


@pytest.mark.parametrize("drawn", [5, 9, 13, 20, 27])
def test_a_whole_deck_raises_a_finding_less_than_once_in_a_million_stretches(drawn: int) -> None:
    """Worked out exactly at the first round of each level: later rounds of a stretch can only say the same again."""
    false = sum(chance_of_unseen(n, drawn, rounds) for n, rounds in first_levels(drawn).items())
    assert 0 < false < ALPHA / UNIT


def test_a_fixed_number_of_rounds_would_raise_false_alarms() -> None:
    """Thirteen cards a round hide one of a whole deck for twenty-five rounds in every thirtieth stretch."""
    assert chance_of_unseen(1, 13, 25) > 1 / 30


def test_twenty_thousand_rounds_with_a_whole_deck_are_silent() -> None:
    chance, seen, stretches = Random(7), SeenCards(), 0  # noqa: S311 - a seed, so that a failure repeats
    for _ in range(20_000):
        seen = with_round(seen, chance.sample(range(DECK), 20))
        assert not seen.suspicious
        seen = after(seen)
        stretches += not seen.rounds
    assert stretches > 1_500


# cards read a round | cards the deck lacks | the round that shows it
SHOWN = [(20, 1, 39), (20, 4, 15), (13, 1, 65), (13, 4, 25), (5, 1, 183)]


@pytest.mark.parametrize(("drawn", "lacking", "round_"), SHOWN)
def test_missing_cards_show_in_the_round_their_number_makes_unlikely(drawn: int, lacking: int, round_: int) -> None:
    """All other cards have been seen: as many unseen cards as the deck lacks."""
    present = range(lacking, DECK)
    chance, seen = Random(1), with_round(SeenCards(), present[:drawn])  # noqa: S311 - a seed, so that a failure repeats
    while not seen.suspicious:
        seen = with_round(seen, chance.sample(present, drawn))
    assert seen.rounds <= round_
    assert set(range(lacking)) <= set(seen.unseen)


def test_a_stretch_ends_when_every_card_has_been_seen() -> None:
    whole = with_round(with_round(SeenCards(), range(30)), range(30, DECK))
    assert after(whole) == SeenCards()
    assert after(with_round(SeenCards(), range(30))).rounds == 1

"""Findings over several rounds: decks not shuffled, decks that lack a card, shoes that hold one too often."""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from domain.cards import DECK, card, show
from domain.facts.deal import CardDealt, RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected
from domain.facts.shuffles import ShuffleCompleted
from domain.facts.table_day import TableOpened
from domain.facts.words import Book, Dealing
from domain.simulation.edits import broken, change
from domain.simulation.scripted import day, round_, seat
from domain.watch.finding import Finding
from tests.watch.harness import verified

SEATS = (seat(1), seat(3), seat(4))
NEW = tuple(card(rank + suit) for suit in "shdc" for rank in "A23456789TJQK")


def shuffled(chance: Random, deck: Sequence[int] = DECK) -> str:
    """A deck in an order chance gives it, as a plan writes it."""
    return " ".join(show([each]) for each in chance.sample(deck, len(deck)))


def found(code: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings of a code."""
    return [finding for finding in findings if finding.code == code]


def dealt(book: Book, orders: Sequence[str], method: Dealing = "manual-shoe") -> list[Finding]:
    """The findings of a day of rounds dealt from decks in these orders."""
    rounds = [round_(*SEATS, order=order) for order in orders]
    options = {} if method == "manual-shoe" else {"shuffler": "automated"}
    return verified(day(book, options, method=method, rounds=rounds))


@pytest.mark.parametrize("book", ["UTH-MA", "UTH-MD", "PIK", "COL"])
def test_fifty_rounds_of_a_shuffled_deck_are_silent(book: Book) -> None:
    chance = Random(book)  # noqa: S311 - a seed, so that a failure repeats
    findings = dealt(book, [shuffled(chance) for _ in range(50)])
    assert not [one for one in findings if one.code in ("shuffle-missing", "deck-composition-wrong", "card-duplicated")]


@pytest.mark.parametrize("book", ["UTH-MA", "UTH-MD", "PIK", "COL"])
@pytest.mark.parametrize("method", ["manual-shoe", "hand"])
@pytest.mark.parametrize("order", [NEW, NEW[::-1], NEW[24:] + NEW[:24]], ids=["as new", "upside down", "cut"])
def test_a_new_deck_dealt_as_it_came_shows_in_the_first_round(
    book: Book, method: Dealing, order: Sequence[int]
) -> None:
    """Cutting leaves all but one of the neighbors together."""
    missing = found("shuffle-missing", dealt(book, [show(order)], method))
    assert [one.round for one in missing] == [1]
    assert "a neighbor of their suit" in missing[0].says


def test_stacks_of_an_automated_shoe_say_nothing_of_their_order() -> None:
    assert not found("shuffle-missing", dealt("PIK", [show(NEW)], "automated-shoe"))


def test_cards_picked_up_and_dealt_again_unshuffled_show_in_the_next_round() -> None:
    """The hands lie together as they were collected, the last on top."""
    chance = Random(5)  # noqa: S311 - a seed, so that a failure repeats
    first = shuffled(chance).split()
    facts = day("UTH-MA", {}, rounds=[round_(*SEATS, order=" ".join(first))])
    picked = [text for fact in facts if isinstance(fact, HandsCollected) for text in fact.cards]
    again = [*picked[::-1], *(text for text in first if text not in picked)]
    missing = found("shuffle-missing", dealt("UTH-MA", [" ".join(first), " ".join(again)]))
    assert [one.round for one in missing] == [2]
    assert "in the previous round" in missing[0].says


def same_again(many: int) -> list[Fact]:
    """A day whose rounds are all dealt from a deck in the same order."""
    order = shuffled(Random(7))  # noqa: S311 - a seed, so that a failure repeats
    return list(day("UTH-MA", {}, rounds=[round_(*SEATS, order=order) for _ in range(many)]))


@pytest.mark.parametrize("told", ["no shuffle on record", "shuffled without effect", "shuffles unrecorded"])
def test_an_unshuffled_round_is_told_once(told: str) -> None:
    """By the record if it has no shuffle, and else by the order of the cards; rounds in a row are one finding."""
    facts = same_again(4)
    if told == "shuffles unrecorded":
        facts = broken(facts, change(TableOpened, to={"unrecorded": ("shuffle-completed",)}))
        facts = [fact for fact in facts if not isinstance(fact, ShuffleCompleted)]
    elif told == "no shuffle on record":
        second = next(at for at, fact in enumerate(facts) if isinstance(fact, RoundOpened) and at) + 1
        facts = [fact for at, fact in enumerate(facts) if at < second or not isinstance(fact, ShuffleCompleted)]
    (one,) = found("shuffle-missing", verified(facts))
    assert one.round == 2
    assert one.says.endswith(". It lasted for 3 rounds, up to round 4.")


@pytest.mark.parametrize(("neighbors", "rounds"), [(8, []), (9, [2])])
def test_nine_old_neighbors_among_thirteen_cards_are_too_many(neighbors: int, rounds: list[int]) -> None:
    """The second round repeats the first; of its cards only the first are read, one more than the old neighbors."""
    facts, read = list[Fact](), 0
    for fact in same_again(2):
        if isinstance(fact, CardDealt) and fact.round == 2:
            read += 1
            facts.append(fact if read <= neighbors + 1 else msgspec.structs.replace(fact, card="??"))
        else:
            facts.append(fact)
    missing = found("shuffle-missing", verified(facts))
    assert [one.round for one in missing] == rounds
    assert all(one.says.startswith("9 of 13 cards followed a card they were next to") for one in missing)


@pytest.mark.parametrize(
    ("book", "lacks", "within"),
    [
        ("UTH-MA", "7h", 60),
        ("PIK", "7h As", 30),
        ("COL", "7h As", 60),
        ("COL", "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc", 30),
    ],
)
def test_cards_that_never_come_show_that_the_deck_lacks_them(book: Book, lacks: str, within: int) -> None:
    """The missing cards lie at the bottom of every deck, where no card is dealt from."""
    chance = Random(book)  # noqa: S311 - a seed, so that a failure repeats
    rest = [each for each in DECK if show([each]) not in lacks.split()]
    orders = [f"{shuffled(chance, rest)} {lacks}" for _ in range(within)]
    first = found("deck-composition-wrong", dealt(book, orders))[0]
    named = " ".join(sorted(lacks.split(), key=card)[:8]) + (" and 2 more" if len(lacks.split()) > 8 else "")
    assert first.says.startswith(f"Deck T7-deck-1 has not shown {named} in ")


@pytest.mark.parametrize("book", ["UTH-MA", "PIK", "COL"])
@pytest.mark.parametrize("told", [True, False], ids=["no shuffle on record", "shuffled without effect"])
def test_rounds_found_unshuffled_say_nothing_of_cards_that_never_come(book: Book, told: bool) -> None:
    """The chance that a deck hides cards supposes a shuffle before each round; here the same cards come for 60 rounds."""
    order = shuffled(Random(book))  # noqa: S311 - a seed, so that a failure repeats
    facts = day(book, {}, rounds=[round_(*SEATS, order=order) for _ in range(60)])
    if told:
        facts = [facts[0], *(fact for at, fact in enumerate(facts) if at and not isinstance(fact, ShuffleCompleted))]
    codes = {one.code for one in verified(facts)}
    assert "shuffle-missing" in codes
    assert "deck-composition-wrong" not in codes


def test_a_card_seen_eight_times_out_of_six_decks_is_one_too_many() -> None:
    """Four in the first round of a shoe and four in the second; each round by itself is possible."""
    facts = day("FAH", {}, rounds=[round_(seat(1, "As As As As"), seat(3)), round_(seat(1, "As As 3d 2d"), seat(3))])
    assert not found("card-duplicated", verified(facts))
    more = broken(facts, change("card-dealt", to={"card": "As"}, round=2, card="3d"))
    (twice,) = found("card-duplicated", verified(more))
    assert twice.round == 2
    assert "As 8 times" in twice.says


def test_a_fresh_shoe_counts_its_cards_anew() -> None:
    """The same aces, with a shuffle between them."""
    fresh = round_(seat(1, "As As As 2d"), seat(3), parts={"shuffle_ordered": "directed"})
    findings = verified(day("FAH", {}, rounds=[round_(seat(1, "As As As As"), seat(3)), fresh]))
    assert not found("card-duplicated", findings)

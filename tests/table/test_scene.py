"""Scenes of a round: they end where the round ends, go on by one fact each, and show nobody a card he may not see."""

import re
from functools import cache

import msgspec
import pytest

from domain.cards import show
from domain.simulation.edits import EVERY, broken, change
from domain.simulation.houses import METHODS
from domain.table.round import RoundInPlay
from domain.table.scene import FACE_DOWN, FeltScene, scenes, veiled
from domain.watch.verifier import Verifier
from tests.watch.harness import recorded
from tests.watch.lawful import day

BOOKS = [
    ("UTH-MA", "manual-shoe"),
    ("UTH-MD", "automated-shoe"),
    ("PIK", "hand"),
    ("FAH", "manual-shoe"),
    ("COL", "automated-shoe"),
]


@cache
def told(book: str, method: str) -> RoundInPlay:
    """The first round of a lawful day."""
    verifier = Verifier("", remembers=None)
    facts = recorded(day(book, method)())
    verifier.day.stream = facts[0].stream
    for fact in facts:
        verifier.take(fact)
    return verifier.day.rounds[1]


def faces(scene: FeltScene) -> dict[str, str]:
    """The faces of the cards by place, as text."""
    places = {"dealer": scene.dealer, "community": scene.community, "box": scene.box}
    places |= {f"seat {number}": place for number, place in scene.seats.items()}
    return {name: " ".join(card.face for card in place.cards) for name, place in places.items()}


@pytest.mark.parametrize(("book", "method"), BOOKS)
def test_the_last_scene_is_the_round_as_it_ended(book: str, method: str) -> None:
    round_ = told(book, method)
    row = scenes(round_)
    assert [scene.sequence for scene in row] == [fact.sequence for fact in round_.facts]
    expected = {"dealer": round_.dealer, "community": round_.community, "box": round_.box}
    expected |= {f"seat {number}": spot for number, spot in round_.seats.items()}
    assert faces(row[-1]) == {name: show(spot.cards) for name, spot in expected.items()}
    assert row[-1].over
    assert not row[0].over
    assert all(place.taken for place in row[-1].seats.values())
    assert not any(place.taken for place in row[0].seats.values())
    assert {number: len(place.chips) for number, place in row[-1].seats.items()} == {
        number: len(spot.wagers) for number, spot in round_.seats.items()
    }


@pytest.mark.parametrize(("book", "method"), BOOKS)
def test_a_scene_shows_nothing_that_came_out_later(book: str, method: str) -> None:
    before: dict[str, int] = {}
    for scene in scenes(told(book, method)):
        now = {name: len(held.split()) for name, held in faces(scene).items()}
        grown = [name for name, count in now.items() if count > before.get(name, 0)]
        assert len(grown) <= 1
        assert not grown or grown[0] == scene.touched
        assert all(now.get(name, 0) >= count for name, count in before.items())
        before = now


@pytest.mark.parametrize(("book", "method"), BOOKS)
def test_a_veiled_scene_has_the_face_of_no_card_the_table_had_not_seen(book: str, method: str) -> None:
    hidden_somewhere = False
    for scene in scenes(told(book, method)):
        shown = veiled(scene)
        for whole, seen in zip(
            (scene.dealer, scene.community, scene.box, *scene.seats.values()),
            (shown.dealer, shown.community, shown.box, *shown.seats.values()),
            strict=True,
        ):
            for card, face in zip(whole.cards, seen.cards, strict=True):
                assert face.face == (card.face if card.open else FACE_DOWN)
                hidden_somewhere |= not card.open
                named = card.face in shown.says.replace(".", " ").replace("(", " ").split()
                elsewhere = any(card.face in held.split() for held in faces(shown).values())
                assert card.open or card.face == "??" or not named or elsewhere
    assert hidden_somewhere


@pytest.mark.parametrize(("book", "method"), [(book, each) for book, all_of in METHODS.items() for each in all_of])
def test_the_words_of_a_veiled_scene_name_no_card_before_the_table_has_seen_it(book: str, method: str) -> None:
    """Wherever it lies: on its way to a place, under the burned ones, or put aside."""
    veils, named_openly = 0, 0
    seen: set[str] = set()
    for scene in scenes(told(book, method)):
        lie = [
            card for place in (scene.dealer, scene.community, scene.box, *scene.seats.values()) for card in place.cards
        ]
        seen |= {card.face for card in lie if card.open}
        hidden = {card.face for card in lie if not card.open}
        named = set(re.findall(r"\b[2-9TJQKA][cdhs]\b", veiled(scene).says))
        assert named <= seen - hidden, scene.says
        named_openly += bool(named)
        veils += veiled(scene).says != scene.says
    assert named_openly
    assert veils


def test_a_card_that_was_seen_though_it_lies_nowhere_is_named_and_one_that_was_burned_unseen_is_not() -> None:
    burned = broken(day("UTH-MA")(), change("card-burned", nth=1, to={"card": "8s"}))
    verifier = Verifier("T7/2026-11-18", remembers=None)
    for fact in recorded(burned):
        verifier.take(fact)
    [scene] = [each for each in scenes(verifier.day.rounds[1]) if "burned (8s)" in each.says]
    assert veiled(scene).says == "Some cards were not shown, and your role may not see them."
    found = msgspec.structs.replace(scene, says="8s was found face up and put aside.", seen=frozenset({"8s"}))
    assert veiled(found).says == found.says


def test_a_revealed_hand_lies_open_from_then_on_and_a_folded_one_does_not() -> None:
    row = scenes(told("UTH-MA", "manual-shoe"))
    revealed = next(place for place, scene in enumerate(row) if "dealer's hand was turned up" in scene.says)
    assert not any(card.open for card in row[revealed - 1].dealer.cards)
    assert all(card.open for scene in row[revealed:] for card in scene.dealer.cards)


def test_a_card_nobody_saw_looks_unknown_until_somebody_shows_it() -> None:
    unread = broken(day("UTH-MA")(), change("card-dealt", nth=EVERY, to={"card": "??"}, face_up=False))
    verifier = Verifier("T7/2026-11-18", remembers=None)
    for fact in recorded(unread):
        verifier.take(fact)
    row = scenes(verifier.day.rounds[1])
    revealed = next(place for place, scene in enumerate(row) if "dealer's hand was turned up" in scene.says)
    assert {card.face for card in row[revealed - 1].dealer.cards} == {"??"}
    assert "??" not in {card.face for card in row[revealed].dealer.cards}
    assert all(card.open for card in row[revealed].dealer.cards)

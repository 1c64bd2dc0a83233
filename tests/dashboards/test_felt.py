"""The felt: well-formed whatever people are called, every card and chip on it, nothing on it that is not to be seen."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.room import Card, Chips, FeltPlace, FeltScene
from dashboards.felt import felt, told
from domain.table.scene import scenes, veiled
from tests.table.test_scene import BOOKS
from tests.table.test_scene import told as round_of


def words(svg: str) -> list[str]:
    """Every text in the picture."""
    return [
        element.text or ""
        for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 - our own
    ]


def scene(place: FeltPlace, says: str = "A scene.") -> FeltScene:
    """A scene with one seat taken."""
    empty = FeltPlace()
    return FeltScene(1, 0, "T7-pit", says, "seat 2", empty, empty, empty, {2: place})


@pytest.mark.parametrize(("book", "method"), BOOKS)
def test_every_card_that_is_open_stands_in_the_picture_and_in_its_words(book: str, method: str) -> None:
    for each in scenes(round_of(book, method)):
        shown = felt(each, 6)
        assert words(shown).count("?") == 0
        for place in (each.dealer, each.community, *each.seats.values()):
            for card in place.cards:
                assert card.face[0].replace("T", "10") in words(shown)
                assert card.face[0].replace("T", "10") in told(each)


@pytest.mark.parametrize(("book", "method"), BOOKS)
def test_a_veiled_scene_draws_backs_and_no_faces_that_are_hidden(book: str, method: str) -> None:
    for each in scenes(round_of(book, method)):
        places = (each.dealer, each.community, each.box, *each.seats.values())
        cards = [card for place in places for card in place.cards]
        drawn = ET.fromstring(felt(veiled(each), 6))  # noqa: S314 - our own
        kinds = [element.get("class") for element in drawn.iter("{http://www.w3.org/2000/svg}rect")]
        assert kinds.count("back") == sum(not card.open for card in cards)
        assert kinds.count("face") == sum(card.open for card in cards)


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs", "Cc")), max_size=40))
def test_whatever_a_player_is_called_is_words_and_nothing_else(name: str) -> None:
    evil = scene(FeltPlace((Card("Ah", open=True),), (Chips("ante", 1_000, "lying"),), name, name), name)
    assert any(name in text for text in words(felt(evil, 6)))
    assert "<script" not in felt(scene(FeltPlace(player="<script>alert(1)</script>")), 6)


STATES = """
lying     None  0     | ante not seen
lying     1050  0     | ante $10.50
collected 1000  0     | ante $10 collected
returned  1000  0     | ante $10 returned
paid      1000  2500  | ante $10 paid $25
withdrawn 0     0     | ante $0 withdrawn
"""


@pytest.mark.parametrize("row", STATES.strip().splitlines())
def test_a_wager_says_in_words_what_became_of_it(row: str) -> None:
    held, _, says = row.partition("|")
    state, cents, paid = held.split()
    chips = Chips("ante", None if cents == "None" else int(cents), state, int(paid))
    assert says.strip() in words(felt(scene(FeltPlace(chips=(chips,))), 6))


def test_an_unknown_card_looks_unknown() -> None:
    shown = felt(scene(FeltPlace((Card("??", open=False), Card("", open=False)))), 6)
    assert words(shown).count("?") == 1
    assert 'class="unknown"' in shown
    assert 'class="back"' in shown
    assert "an unseen card" in shown

"""Cards as people write them and as numbers."""

import pytest

from domain.cards import ACE, DECK, KING, SPADES, TWO, UNKNOWN, BadCardError, card, cards, rank, show, suit


def test_every_card_is_read_as_it_is_shown() -> None:
    """Fifty-two texts for fifty-two cards, and two question marks for a card nobody saw."""
    texts = [show([number]) for number in DECK]
    assert len(set(texts)) == 52
    assert [card(text) for text in texts] == list(DECK)
    assert card("??") == UNKNOWN
    assert show([UNKNOWN]) == "??"


def test_a_card_has_a_rank_and_a_suit() -> None:
    """The two of clubs is the lowest number, the ace of spades the highest."""
    assert (rank(card("As")), suit(card("As"))) == (ACE, SPADES)
    assert (card("2c"), card("As")) == (0, 51)
    assert sorted({rank(number) for number in DECK}) == list(range(TWO, ACE + 1))
    assert [show([number]) for number in DECK if rank(number) == KING] == ["Kc", "Kd", "Kh", "Ks"]


def test_cards_are_read_from_a_line_or_a_list() -> None:
    """The order is the order of the deal."""
    assert cards("Ah ?? Td") == cards(["Ah", "??", "Td"]) == (card("Ah"), UNKNOWN, card("Td"))
    assert show(cards("Ah ?? Td")) == "Ah ?? Td"
    assert cards("") == ()


@pytest.mark.parametrize("text", ["", "A", "AH", "ah", "10h", "1h", "Ax", "Ah ", "AhKd", "?", "Joker"])
def test_a_text_that_names_no_card_is_refused_with_how_to_write_one(text: str) -> None:
    """A guess is never made: a ten is T, suits are small letters."""
    with pytest.raises(BadCardError, match="is not a card: write a rank of 23456789TJQKA and a suit of cdhs"):
        card(text)

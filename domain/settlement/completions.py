"""Every possible arrangement of a round's unseen cards.

A part of a round is one list of its cards. A seat's kept, split and selected cards are some of its own. So their unseen
ones are drawn from the seat's own cards first, and from the deck only if the seat's own cards are unseen too.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb

from domain.cards import DECK, UNKNOWN
from domain.rulebooks import House
from domain.settlement.played import Cards, PlayedRound, Seat, all_cards, with_parts

Part = tuple[int, str]  # (seat, field) of a seat's cards, (0, field) of the table's

TABLE = 0
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_OWN = ("kept", "second", "selected")  # fields whose cards are among the seat's own


def cards_of(played: PlayedRound, part: Part) -> Cards:
    """Return the cards of one part of the round."""
    number, field = part
    cards: Cards = getattr(played if number == TABLE else played.seat(number), field)
    return cards


def in_step(played: PlayedRound) -> PlayedRound:
    """Return the round with each known kept, split or selected card also known in its hand."""
    seats = tuple([_seat_in_step(seat) for seat in played.seats])
    dealer = played.dealer
    if played.dealer_kept and UNKNOWN in dealer:
        dealer = _with_own(dealer, _known(played.dealer_kept))
    return with_parts(played, seats=seats, dealer=dealer)


def _seat_in_step(seat: Seat) -> Seat:
    if UNKNOWN not in seat.cards or not (seat.kept or seat.second or seat.selected):
        return seat
    return with_parts(seat, cards=_with_own(seat.cards, _claimed(seat)))


def _known(*lists: Cards) -> Counter[int]:
    return Counter(card for cards in lists for card in cards if card != UNKNOWN)


def _claimed(seat: Seat) -> Counter[int]:
    """Return the cards this seat must hold: kept and split cards are separate, selected ones may be any of them."""
    return _known(seat.kept, seat.second) | _known(seat.selected)


def _with_own(cards: Cards, claimed: Counter[int]) -> Cards:
    missing = iter((claimed - _known(cards)).elements())
    return tuple(next(missing, UNKNOWN) if card == UNKNOWN else card for card in cards)


def left_over(house: House, played: PlayedRound) -> Counter[int]:
    """Return the cards not seen anywhere, each as often as the decks still hold it."""
    left = dict.fromkeys(DECK, house["decks"] if house.game.fast_action else 1)
    for card in all_cards(played):
        if card != UNKNOWN:
            left[card] -= 1
    return Counter({card: copies for card, copies in left.items() if copies > 0})


def ways(played: PlayedRound, blanks: Sequence[Part], left: Counter[int]) -> int:
    """Return an upper bound on the ways to fill these parts, counting duplicates of a card once."""
    total = 1
    for part in blanks:
        free, hidden, unseen = _sources(played, part)
        total *= sum(
            comb(len(free), own) * comb(len(left) + (unseen - own - 1 if max(left.values()) > 1 else 0), unseen - own)
            for own in range(min(unseen, len(free)) + 1)
            if unseen - own <= hidden
        )
    return total


def completions(played: PlayedRound, blanks: Sequence[Part], left: Counter[int]) -> Iterator[PlayedRound]:
    """Yield every arrangement of these parts; the other unseen cards are filled arbitrarily."""
    if not blanks:
        yield filled_anyhow(played, left)
        return
    if not any(field in _OWN for _, field in blanks):
        yield from _drawn(played, filled_anyhow(played, left), blanks, left)
        return
    part, *later = blanks
    cards = cards_of(played, part)
    for choice in _choices(played, part, left):
        drawn = iter(choice)
        whole = tuple(next(drawn) if card == UNKNOWN else card for card in cards)
        filled = in_step(_with_cards(played, part, whole))
        yield from completions(filled, later, left - (_seen(filled) - _seen(played)))


def _drawn(
    played: PlayedRound, anyhow: PlayedRound, blanks: Sequence[Part], left: Counter[int]
) -> Iterator[PlayedRound]:
    """Yield every way to draw these parts from the deck; other cards stay as in `anyhow`, even if drawn twice.

    So a hand that does not matter may hold a card twice: `apart` rearranges such a round.
    """
    part, *later = blanks
    cards = cards_of(played, part)
    for choice in _draws(left, cards.count(UNKNOWN)):
        new = iter(choice)
        filled = _with_cards(anyhow, part, tuple(next(new) if card == UNKNOWN else card for card in cards))
        if later:
            yield from _drawn(played, filled, later, left - Counter(choice))
        else:
            yield filled


def apart(played: PlayedRound, filled: PlayedRound, blanks: Sequence[Part], left: Counter[int]) -> PlayedRound:
    """Return a round filled one way, with everything that does not matter kept off the drawn cards."""
    for part in blanks:
        played = _with_cards(played, part, cards_of(filled, part))
    return filled_anyhow(played, left - _seen(played))


def _seen(played: PlayedRound) -> Counter[int]:
    return _known(played.dealer, played.community, played.six_card_box, *(seat.cards for seat in played.seats))


def _sources(played: PlayedRound, part: Part) -> tuple[list[int], int, int]:
    """Return the seat's own known cards that may be among these, the most from the deck, and the number unseen."""
    number, field = part
    cards = cards_of(played, part)
    unseen = cards.count(UNKNOWN)
    if number == TABLE or field not in _OWN:
        return [], unseen, unseen
    seat = played.seat(number)
    apart = {"kept": seat.second, "second": seat.kept}.get(field, ())
    free = _known(seat.cards) - _known(cards, apart)
    return sorted(free.elements()), seat.cards.count(UNKNOWN), unseen


def _choices(played: PlayedRound, part: Part, left: Counter[int]) -> Iterator[Cards]:
    free, hidden, unseen = _sources(played, part)
    for own in range(max(0, unseen - hidden), min(unseen, len(free)) + 1):
        for held in sorted(set(combinations(free, own))):
            for drawn in _draws(left, unseen - own):
                yield (*held, *drawn)


def _draws(left: Counter[int], size: int) -> Iterator[Cards]:
    kinds = sorted(left)
    if size < 2 or max(left.values()) == 1:
        yield from combinations(kinds, size)
        return
    for drawn in combinations_with_replacement(kinds, size):
        if all(drawn.count(card) <= left[card] for card in set(drawn)):
            yield drawn


def _with_cards(played: PlayedRound, part: Part, cards: Cards) -> PlayedRound:
    number, field = part
    if number == TABLE:
        return with_parts(played, **{field: cards})
    seats = tuple(with_parts(each, **{field: cards}) if each.seat == number else each for each in played.seats)
    return with_parts(played, seats=seats)


def filled_anyhow(played: PlayedRound, left: Counter[int]) -> PlayedRound:
    """Return the round with the remaining unseen cards, which do not matter, filled arbitrarily."""
    pool = (card for card in sorted(left) for _ in range(left[card]))  # most rounds take none of them
    seats = tuple([_seat_filled(seat, pool) for seat in played.seats])
    table = {field: _filled(getattr(played, field), pool) for field in ("dealer", "community", "six_card_box")}
    return with_parts(played, seats=seats, **table)


def _seat_filled(seat: Seat, pool: Iterator[int]) -> Seat:
    whole = _filled(seat.cards, pool)
    if whole is seat.cards and UNKNOWN not in (*seat.kept, *seat.second, *seat.selected):
        return seat
    return with_parts(seat, cards=whole, **{field: _of_its_own(getattr(seat, field), whole) for field in _OWN})


def _filled(cards: Cards, source: Iterator[int]) -> Cards:
    if UNKNOWN not in cards:
        return cards
    return tuple([next(source) if card == UNKNOWN else card for card in cards])


def _of_its_own(cards: Cards, whole: Cards) -> Cards:
    """Return kept, split or selected cards, filling unseen ones from the seat's own."""
    return _filled(cards, (_known(whole) - _known(cards)).elements()) if UNKNOWN in cards else cards


def missing(played: PlayedRound, blanks: Sequence[Part]) -> list[str]:
    """Return the unseen cards by name: "the dealer's second card", "seat 3's first card"."""
    names = {"dealer": "the dealer's", "community": "the", "six_card_box": "the six card box's"}
    found = []
    for number, field in blanks:
        cards = cards_of(played, (number, field))
        owner = names[field] if number == TABLE else f"seat {number}'s"
        kind = {"community": "community card", "kept": "kept card", "second": "split card"}.get(field, "card")
        found += [f"{owner} {_ORDINALS[place]} {kind}" for place, card in enumerate(cards) if card == UNKNOWN]
    return found

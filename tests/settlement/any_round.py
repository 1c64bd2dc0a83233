"""Rounds drawn at random over the options, side wagers and decisions of every book."""

import random
from typing import Any

from domain.cards import DECK
from domain.house_way import is_natural
from domain.house_way import kept as house_way_pair
from domain.rulebooks import BOOKS, House, house, newest
from domain.settlement import PlayedRound, Seat

_MD_SIDE = {"ultimate_pairs": 500, "bad_beat": 500, "play_the_board": 500, "progressive": 100, "six_card": 500}
_METERS = {"A": ("main",), "B": ("major", "minor"), "C": ("mega", "major", "minor"), "D": ("mega", "major", "minor")}


def any_round(book: str, chance: random.Random) -> tuple[House, PlayedRound]:
    """A lawful house of this book and a round it could have dealt."""
    return _MAKERS[book](chance)


def _uth_seats(chance: random.Random, dealt: list[int], side: dict[str, int]) -> tuple[Seat, ...]:
    seats = []
    numbers = sorted(chance.sample(range(1, 7), chance.randint(1, 4)))
    for number in numbers:
        ante = 100 * chance.randint(5, 400)
        wagers: dict[str, int | None] = {"ante": ante, "blind": ante}
        if chance.random() < 0.7:
            wagers["trips"] = 100 * chance.randint(5, 100)
        wagers |= {wager: cents for wager, cents in side.items() if chance.random() < 0.5}
        choice = "fold" if chance.random() < 0.3 else "play"
        if choice == "play":
            wagers["play"] = ante * chance.choice((1, 2, 3, 4))
        seats.append(Seat(number, wagers, (dealt.pop(), dealt.pop()), choice))
    return tuple(seats)


def _uth_ma(chance: random.Random) -> tuple[House, PlayedRound]:
    dealt = chance.sample(DECK, 52)
    config = {"trips_table": chance.choice("ABCD"), "cover_all": True, "shuffler": "cover-all"}
    played = PlayedRound(
        "UTH-MA",
        _uth_seats(chance, dealt, {"cover_all": 500}),
        dealer=(dealt.pop(), dealt.pop()),
        community=tuple(dealt[:5]),
    )
    return house(newest("UTH-MA"), config, "automated-shoe"), played


def _uth_md(chance: random.Random) -> tuple[House, PlayedRound]:
    """Tables whose lines name no suit, so that suits can be renamed."""
    dealt = chance.sample(DECK, 52)
    table = chance.choice("ABCD")
    config: dict[str, Any] = {
        "trips_table": chance.choice("ABCDE"),
        "blind_table": chance.choice("AB"),
        "six_card_table": "B",
        "ultimate_pairs_table": chance.choice("ABCF"),
        "bad_beat_table": chance.choice("ABC"),
        "play_board_table": chance.choice("ABC"),
        "progressive": {
            "table": table,
            "meters": {name: 100 * chance.randint(30_000, 200_000) for name in _METERS[table]},
            "envy_holder_must_wager": chance.random() < 0.5,
        },
    }
    played = PlayedRound(
        "UTH-MD",
        _uth_seats(chance, dealt, _MD_SIDE),
        dealer=(dealt.pop(), dealt.pop()),
        community=tuple(dealt[:5]),
        six_card_box=tuple(dealt[5:9]),
    )
    return house(newest("UTH-MD"), config, "automated-shoe"), played


def _pik(chance: random.Random) -> tuple[House, PlayedRound]:
    dealt = chance.sample(DECK, 52)
    config = {
        "dealer_qualifies": chance.random() < 0.5,
        "play3_multiple": chance.choice((1, 2)),
        "play5_multiple": chance.choice((1, 2)),
        "bonus5_table": chance.choice((1, 2)),
        "bonus3_table": chance.choice((1, 2, 3)),
    }
    seats = []
    for number in sorted(chance.sample(range(1, 8), chance.randint(1, 4))):
        own = tuple(dealt.pop() for _ in range(5))
        ante = 100 * chance.randint(5, 400)
        wagers: dict[str, int | None] = {"ante": ante, "bonus5": ante}
        if chance.random() < 0.6:
            wagers["bonus3"] = 100 * chance.randint(1, 50)
        choice = chance.choice(("play3", "play5", "fold"))
        if choice != "fold":
            wagers[choice] = ante * int(config[f"{choice}_multiple"])
        seats.append(Seat(number, wagers, own, choice, selected=tuple(chance.sample(own, 3))))
    played = PlayedRound("PIK", tuple(seats), dealer=tuple(dealt.pop() for _ in range(5)))
    return house(newest("PIK"), config), played


def _fah(chance: random.Random) -> tuple[House, PlayedRound]:
    decks = chance.choice((6, 8))
    dealt = chance.sample(DECK * decks, 60)
    config = {"decks": decks, "copy_hand_rule": chance.choice(("lose", "push"))}
    seats = []
    for number in sorted(chance.sample(range(1, 8), chance.randint(1, 4))):
        own = tuple(dealt.pop() for _ in range(4))
        wagers: dict[str, int | None] = {"original": 100 * chance.randint(5, 400)}
        choice = "natural" if is_natural(own) else chance.choice(("set", "set", "split", "surrender"))
        if choice == "split":
            wagers["split"] = wagers["original"]
        first, second = own[:2], own[2:]
        seats.append(Seat(number, wagers, own, choice, kept=first, second=second if choice == "split" else ()))
    dealer = tuple(dealt.pop() for _ in range(4))
    board = () if is_natural(dealer) else tuple(dealt[:5])
    pair = () if is_natural(dealer) else house_way_pair(dealer) or ()
    return house(newest("FAH"), config), PlayedRound(
        "FAH", tuple(seats), dealer=dealer, community=board, dealer_kept=pair
    )


def _col(chance: random.Random) -> tuple[House, PlayedRound]:
    dealt = chance.sample(DECK, 52)
    version = chance.choice(("required", "permissible"))
    config = {"version": version, "v2_pair_of_tens": chance.choice(("push", "pay"))}
    seats = []
    for number in sorted(chance.sample(range(1, 9), chance.randint(1, 4))):
        own = tuple(dealt.pop() for _ in range(3))
        ante = 100 * chance.randint(5, 400)
        wagers: dict[str, int | None] = {"ante": ante}
        if chance.random() < 0.5:
            wagers["bonus"] = 100
        choice = chance.choice(("play", "play", "play", "declare", *(("fold",) if version == "required" else ())))
        if choice == "play":
            wagers["bet"] = ante
        seats.append(Seat(number, wagers, own, choice, kept=own[:2] if choice == "play" else ()))
    return house(newest("COL"), config), PlayedRound("COL", tuple(seats), community=tuple(dealt[:3]))


_MAKERS = {"UTH-MA": _uth_ma, "UTH-MD": _uth_md, "PIK": _pik, "FAH": _fah, "COL": _col}
assert tuple(_MAKERS) == BOOKS

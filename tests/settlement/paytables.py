"""Pay tables as they are printed, one test a line: hands down the side, a table's clause over each column.

The first line names the clauses, the second the house option that selects each table; every other line is a hand
and its odds: `50 to 1`, `50 for 1`, `$100,000`, `10% of main`, `push` or `lost`. A second text says which cards make each hand.
"""

from fractions import Fraction
from typing import Any

import pytest

from domain.clauses import clause as clause_of

STAKE = 6  # dollars: 3 to 2 comes out even on it
METERS = {"main": 25_000, "mega": 60_000, "major": 7_000, "minor": 900}  # dollars on each when the round is settled


def _rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("|")] for row in text.strip().splitlines() if row.strip()]


def handed_back(odds: str, stake: int) -> Fraction:
    """Dollars that a line hands back on a stake of so many dollars, the stake included."""
    if odds in ("push", "lost"):
        return Fraction(stake if odds == "push" else 0)
    if "% of " in odds:
        percent, meter = odds.split("% of ")
        return Fraction(METERS[meter]) * int(percent) / 100
    if odds.startswith("$"):
        return Fraction(odds[1:].replace(",", "")) + stake
    wins, word, per = odds.replace(",", "").split()
    return stake * Fraction(int(wins), int(per)) + (stake if word == "to" else 0)


def pay_lines(book: str, wager: str, deals: str, table: str, stake: int = STAKE) -> list[Any]:
    """Every cell of a pay table as a round, named by its clause, hand and odds."""
    names, *hands = _rows(deals)
    cards = {row[0]: dict(zip(names, row, strict=True)) for row in hands}
    (_, *clauses), (_, *houses), *lines = _rows(table)
    params = []
    for hand, *cells in lines:
        for clause, house, odds in zip(clauses, houses, cells, strict=True):
            clause_of(clause)
            line = {name: held for name, held in cards[hand].items() if name not in ("hand", "own")}
            placed = f"{wager} {stake}" if wager not in ("ante", "blind", "play") else ""
            line |= {
                "book": book,
                "clause": clause,
                "says": f"{hand} {odds}",
                "house": house,
                "seats": f"1: {cards[hand]['own']} ante {stake} blind {stake} {placed} play 4x",
                "returns": f"1 {wager} {float(handed_back(odds, stake)):.2f}",
                "by": "" if odds == "push" else f"1 {wager} {clause}",
            }
            params.append(pytest.param(line, id=f"{clause}: {hand} {odds}"))
    return params


# The player's hand against a dealer with a pair or better that is lower, the last one apart.
BEATS_THE_DEALER = """
hand            | own   | dealer | community
royal flush     | Ah Kh | 9s 9c  | Qh Jh Th 7c 7d
straight flush  | 9h 8h | 2s 2c  | Qh Jh Th 7c 7d
four of a kind  | 8h 8s | Kc Jd  | 8c 8d Kh 5s 2c
full house      | Kd Ks | Jc Jd  | 8c 8d Kh 5s 2c
flush           | Jh 3h | Kc Ks  | Ah 9h 4h Kd 2c
straight        | Jc Td | Kd Qs  | 9c 8d 7h 2s Kc
three of a kind | 8h Ah | Kc Jd  | 8c 8d Kh 5s 2c
two pair        | Kc Ad | Jc Jd  | 8c 8d Kh 5s 2c
pair            | Ad Ac | Kd Qs  | Kh 9d 7c 4s 2c
high card       | Ac Td | Qd Jd  | Kh 9d 7c 4s 2c
"""

"""Maryland's envy bonus: who holds an envy hand, who is paid for it, how often and by which table."""

from typing import Any

import pytest

from domain.clauses import clause as clause_of
from tests.rulecard import check, lines

# Amounts in dollars for each other player's hand, by the progressive wager of the player who receives.
TABLES = """
clause           | table | recipient | royal flush | straight flush
UTH-MD 12.D(6)(a) | A    | 1         | 1000        | 300
UTH-MD 12.D(6)(b) | B    | 1         | 1000        | 300
UTH-MD 12.D(6)(c) | C    | 1         | 1000        | 300
UTH-MD 12.D(6)(d) | D    | 1         | 1000        | 300
UTH-MD 12.D(7)(a) | A    | 5         | 5000        | 1500
UTH-MD 12.D(7)(b) | B    | 5         | 5000        | 1500
UTH-MD 12.D(7)(c) | C    | 5         | 5000        | 1500
UTH-MD 12.D(7)(d) | D    | 5         | 5000        | 1500
"""
HOLDERS = {"royal flush": "As Ks", "straight flush": "9s 8s", "four of a kind": "Qh Qd"}


def _cells() -> list[Any]:
    (*_, royal, straight), *rows = [[cell.strip() for cell in row.split("|")] for row in TABLES.strip().splitlines()]
    params = []
    for clause, table, recipient, *amounts in rows:
        clause_of(clause)
        for hand, amount in zip((royal, straight, "four of a kind"), (*amounts, "0"), strict=True):
            line = {
                "book": "UTH-MD",
                "says": hand,
                "house": f"progressive.table=A progressive.envy_table={table}",
                "dealer": "2h 2d",
                "community": "Qs Js Ts Qc 4d",
                "seats": f"1: 3c 6d ante 5 blind 5 progressive {recipient} play 1x / 4: {HOLDERS[hand]} ante 5 blind 5 play 4x",
                "returns": f"1 envy {amount}",
                "by": f"1 envy {clause}" if amount != "0" else "",
            }
            params.append(pytest.param(line, id=f"{clause}: {hand} ${amount}"))
    return params


@pytest.mark.parametrize("line", _cells())
def test_each_line_of_the_envy_tables(line: dict[str, str]) -> None:
    """UTH-MD 1.B(3): a straight flush or better of another player; four of a kind is no envy hand."""
    check(line)


BOARD = "Qs Js Ts 3c 4d"  # As Ks royal, 9s 8s straight flush
MUST = "progressive.table=A progressive.envy_holder_must_wager=true"
MAY = "progressive.table=A progressive.envy_holder_must_wager=false"

CARD = f"""
clause                                    | says                                                          | house  | community      | dealer | seats                                                                                                                           | returns
UTH-MD 1.B(2); UTH-MD 11.J(2)(e)          | the recipient need not win anything else                      | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 progressive 5 play 4x                                     | 1 envy 1000 progressive 0 ante 0 / 4 envy 0
UTH-MD 12.D(5)(a)                         | the amount goes by the recipient's wager, not the holder's    | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 5 play 1x / 4: As Ks ante 5 blind 5 progressive 1 play 4x                                     | 1 envy 5000 / 4 envy 0
UTH-MD 12.D(5)(a)                         | no amount is printed for a $3 wager: a ruling                 | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 3 play 1x / 4: As Ks ante 5 blind 5 progressive 1 play 4x                                     | 1 envy -
UTH-MD 11.J(2)(e)(i)                      | a player without a progressive wager gets none                | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 play 1x / 2: 6h 7c ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 play 4x                 | 1 ante 0 / 2 envy 1000
UTH-MD 11.J(2)(e)(i)                      | no other player holds one: nothing                            | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: Ah Kd ante 5 blind 5 progressive 1 play 4x                                     | 1 envy 0 / 4 envy 0
UTH-MD 11.J(2)(e)(iii)                    | two holders pay twice                                         | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 3: 9s 8s ante 5 blind 5 play 4x / 4: As Ks ante 5 blind 5 play 4x                 | 1 envy 1300
UTH-MD 11.J(2)(e)(iii)                    | two holders pay each other                                    | {MAY}  | {BOARD}        | 2h 2d  | 3: 9s 8s ante 5 blind 5 progressive 5 play 4x / 4: As Ks ante 5 blind 5 progressive 1 play 4x                                     | 3 envy 5000 / 4 envy 300
UTH-MD 11.J(2)(e)(iv)                     | none for the player's own hand                                | {MAY}  | {BOARD}        | 2h 2d  | 4: As Ks ante 5 blind 5 progressive 5 play 4x                                                                                     | 4 envy 0
UTH-MD 11.J(2)(e)(iv)                     | none for the dealer's hand                                    | {MAY}  | {BOARD}        | As Ks  | 1: 6c 7d ante 5 blind 5 progressive 5 play 1x                                                                                     | 1 envy 0
UTH-MD 1.B(3)                             | a royal on the board is each other player's, not the dealer's | {MAY}  | As Ks Qs Js Ts | 9h 9d  | 1: 2c 2d ante 5 blind 5 progressive 5 play 1x / 3: 5c 5d ante 5 blind 5 play 1x / 5: 6c 6d ante 5 blind 5 progressive 1 play 1x     | 1 envy 10000 / 5 envy 2000
UTH-MD 1.B(3)                             | a straight flush is the least: a flush is none                | {MAY}  | Qs Js 7s 3c 4d | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 5 play 1x / 4: As Ks ante 5 blind 5 play 4x                                                   | 1 envy 0
UTH-MD 11.J(2)(e)(ii)                     | the holder must wager, and did                                | {MUST} | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 progressive 5 play 4x                                     | 1 envy 1000
UTH-MD 11.J(2)(e)(ii)                     | the holder must wager, and did not                            | {MUST} | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 play 4x                                                   | 1 envy 0
UTH-MD 11.J(2)(e)(ii)                     | the holder need not wager                                     | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 play 4x                                                   | 1 envy 1000
UTH-MD 11.J(2)(e)(ii)                     | must wager: the board's royal counts for those who wagered    | {MUST} | As Ks Qs Js Ts | 9h 9d  | 1: 2c 2d ante 5 blind 5 progressive 5 play 1x / 3: 5c 5d ante 5 blind 5 play 1x / 5: 6c 6d ante 5 blind 5 progressive 1 play 1x     | 1 envy 5000 / 5 envy 1000
UTH-MD 11.J(2)(e)(i); UTH-MD 11.F(3)(b)   | a folded holder's cards are racked: no envy                   | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 progressive 5 fold                                        | 1 envy 0 / 4 progressive 10000
UTH-MD 11.J(2)(e)(i); UTH-MD 11.F(3)(a)   | a folded holder whose cards wait under trips: envy            | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 trips 5 fold                                              | 1 envy 1000
UTH-MD 11.J(2)(e)(i)                      | a folded recipient is paid for another's hand                 | {MAY}  | {BOARD}        | 2h 2d  | 1: 6c 7d ante 5 blind 5 progressive 1 fold / 4: As Ks ante 5 blind 5 play 4x                                                      | 1 envy 1000 progressive 0 ante 0
UTH-MD 1.B(6)                             | hole and flop: a straight flush made on the river is none     | {MAY} progressive.cards=hole-and-flop | Qs Js 3c Ts 4d | 2h 2d | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 play 4x                            | 1 envy 0
"""


@pytest.mark.parametrize("line", lines("UTH-MD", CARD))
def test_envy_is_paid_for_another_players_hand(line: dict[str, str]) -> None:
    """Holder, recipient and amount, with every choice of the house."""
    check(line)


def test_a_folded_holder_under_the_six_card_bonus_is_shown_and_counts() -> None:
    """UTH-MD 11.F(3)(c): the folded hand waits under the six card bonus too."""
    house = f"{MAY} six_card_table=A dealing_method=automated-shoe"
    line = {"book": "UTH-MD", "says": "", "house": house, "dealer": "2h 2d", "community": BOARD, "box": "7c 8d 9h 2c"}
    seats = "1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 six_card 5 fold"
    check(line | {"seats": seats, "returns": "1 envy 1000 / 4 six_card 0"})

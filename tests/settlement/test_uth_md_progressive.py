"""Maryland's progressive: its four tables, meters by turn with their resets, and the hands that win it."""

import pytest

from domain.clauses import clause as clause_of
from domain.rulebooks import house, newest
from tests.rulecard import check, lines
from tests.settlement.paytables import BEATS_THE_DEALER, METERS, pay_lines


def _with_meters(*names: str) -> str:
    held = ",".join(f'"{name}":{METERS[name] * 100}' for name in names)
    return "progressive.meters={" + held + "}"


A = f"progressive.table=A {_with_meters('main')}"
B = f"progressive.table=B {_with_meters('major', 'minor')}"
C = f"progressive.table=C {_with_meters('mega', 'major', 'minor')}"
D = f"progressive.table=D {_with_meters('mega', 'major', 'minor')}"

TABLES = f"""
hand            | UTH-MD 12.D(1)(a) | UTH-MD 12.D(1)(b) | UTH-MD 12.D(1)(c) | UTH-MD 12.D(1)(d)
house           | {A}               | {B}               | {C}               | {D}
royal flush     | 100% of main      | 100% of major     | 100% of mega      | 100% of mega
straight flush  | 10% of main       | 100% of minor     | 100% of major     | 100% of major
four of a kind  | 300 to 1          | 300 for 1         | 100% of minor     | 100% of minor
full house      | 50 to 1           | 50 for 1          | 50 for 1          | 50 for 1
flush           | 40 to 1           | 40 for 1          | 40 for 1          | 40 for 1
straight        | 30 to 1           | 30 for 1          | 30 for 1          | 30 for 1
three of a kind | 9 to 1            | 9 for 1           | 10 for 1          | 9 for 1
two pair        | lost              | lost              | lost              | lost
pair            | lost              | lost              | lost              | lost
"""


@pytest.mark.parametrize(
    "line",
    [
        *pay_lines("UTH-MD", "progressive", BEATS_THE_DEALER, TABLES, stake=1),
        *pay_lines("UTH-MD", "progressive", BEATS_THE_DEALER, TABLES, stake=5),
    ],
)
def test_each_line_of_the_four_tables(line: dict[str, str]) -> None:
    """UTH-MD 11.J(2)(d): `to` leaves the stake out and brings it back, `for` has it in; a meter pays itself alone."""
    check(line)


TURNS = """
clause            | says                                                    | house                                                                                                    | dealer | community      | seats                                                                                                                                   | returns                                                      | meters
UTH-MD 12.D(4)    | the far right royal takes the meter, the next its reset | progressive.table=A progressive.meters={"main":2500000} progressive.resets={"main":1100000}               | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 10 blind 10 progressive 5 play 1x / 5: 6c 6d ante 10 blind 10 progressive 1 play 1x                                        | 5 progressive 25000 / 1 progressive 11000                    | main 11000
UTH-MD 12.D(4)    | two straight flushes: a tenth, then a tenth of the rest | progressive.table=A progressive.meters={"main":2500000}                                                  | 2h 2d  | Qs Js Ts 9s 3c | 1: 8s 2c ante 10 blind 10 progressive 5 play 1x / 5: Ks 6d ante 10 blind 10 progressive 5 play 1x                                        | 5 progressive 2500 / 1 progressive 2250                      | main 20250
UTH-MD 12.D(4)    | a tenth first makes the royal's whole smaller           | progressive.table=A progressive.meters={"main":2500000}                                                  | 2h 2d  | Qs Js Ts 3c 4d | 1: As Ks ante 10 blind 10 progressive 5 play 1x / 5: 9s 8s ante 10 blind 10 progressive 5 play 1x                                        | 5 progressive 2500 / 1 progressive 22500                     | main 10000
UTH-MD 12.D(4)    | a royal first leaves a tenth of the reset               | progressive.table=A progressive.meters={"main":2500000}                                                  | 2h 2d  | Qs Js Ts 3c 4d | 5: As Ks ante 10 blind 10 progressive 5 play 1x / 1: 9s 8s ante 10 blind 10 progressive 5 play 1x                                        | 5 progressive 25000 / 1 progressive 1000                     | main 9000
UTH-MD 12.D(4)    | a folded hand's turn is at the end of the round         | progressive.table=A progressive.meters={"main":2500000}                                                  | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 10 blind 10 progressive 5 play 1x / 5: 6c 6d ante 10 blind 10 trips 5 progressive 5 fold                                   | 1 progressive 25000 / 5 progressive 10000                    | main 10000
UTH-MD 12.D(4)    | a tenth is whole cents; the rest stays on the meter     | progressive.table=A progressive.meters={"main":1000009}                                                  | 2h 2d  | Qs Js Ts 3c 4d | 1: 9s 8s ante 10 blind 10 progressive 5 play 1x                                                                                          | 1 progressive 1000                                           | main 9000.09
UTH-MD 12.D(4)    | each meter is its own: mega, major and minor in a round | progressive.table=C progressive.meters={"mega":6000000,"major":700000,"minor":90000}                      | Qc Qd  | Qs Js Ts 8c 8d | 1: As Ks ante 10 blind 10 progressive 5 play 1x / 3: 9s 8s ante 10 blind 10 progressive 5 play 1x / 5: 8h Jd ante 10 blind 10 progressive 5 play 1x | 5 progressive 250 / 3 progressive 7000 / 1 progressive 60000 | mega 10000 major 1000 minor 900
UTH-MD 12.D(4)    | two quads: the minor, then its reset                    | progressive.table=D progressive.meters={"mega":6000000,"major":700000,"minor":90000} progressive.resets={"minor":30000} | 2h 2d  | 9s 9h 9c 9d 4d | 1: As Ks ante 10 blind 10 progressive 1 play 1x / 5: 8h Jd ante 10 blind 10 progressive 5 play 1x                                        | 5 progressive 900 / 1 progressive 300                        | minor 300 mega 60000
UTH-MD 12.D(4)    | without meters given they stand at their resets         | progressive.table=B                                                                                       | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 10 blind 10 progressive 5 play 1x                                                                                          | 1 progressive 1000                                           | major 1000 minor 250
UTH-MD 12.D(1)(b) | a meter pays a $1 wager as much as a $5 one             | progressive.table=B progressive.meters={"major":700000}                                                  | 9h 9d  | As Ks Qs Js Ts | 1: 2c 2d ante 10 blind 10 progressive 1 play 1x                                                                                          | 1 progressive 7000                                           | major 1000
UTH-MD 12.D(2)    | one award: quads pay their line, not the trips in them  | progressive.table=A                                                                                       | Kc Jd  | 8c 8d Kh 5s 2c | 1: 8h 8s ante 10 blind 10 progressive 1 play 4x                                                                                          | 1 progressive 301                                            | main 10000
UTH-MD 11.J(1)    | paid on a hand that loses to the dealer                 | progressive.table=A                                                                                       | Jc Td  | 9c 8d 7h 2s Kc | 1: 6h 5h ante 10 blind 10 progressive 1 play 3x                                                                                          | 1 progressive 31 ante 0 play 0                               | main 10000
UTH-MD 11.J(1)    | paid on a folded hand by the cards it was dealt         | progressive.table=D                                                                                       | Kc 9d  | Qh Qs Qd 5c 2h | 6: 4c 3s ante 10 blind 10 progressive 1 fold                                                                                             | 6 progressive 9 ante 0                                       |
UTH-MD 1.B(6)     | two pair is no progressive hand                         | progressive.table=C                                                                                       | 9c 9d  | Qh Qs 4d 5c 2h | 6: 4c 3s ante 10 blind 10 progressive 1 play 1x                                                                                          | 6 progressive 0                                              |
UTH-MD 1.B(6)     | best of seven: the turn makes the flush                 | progressive.table=A progressive.cards=best-of-seven                                                      | 9c 9d  | Qh Jh 4d 5h 2s | 6: 4h 3h ante 10 blind 10 progressive 1 play 1x                                                                                          | 6 progressive 41                                             |
UTH-MD 1.B(6)     | hole and flop: the turn does not count                  | progressive.table=A progressive.cards=hole-and-flop                                                      | 9c 9d  | Qh Jh 4d 5h 2s | 6: 4h 3h ante 10 blind 10 progressive 1 play 1x                                                                                          | 6 progressive 0                                              |
UTH-MD 1.B(6)     | hole and flop: a flush on the flop counts               | progressive.table=A progressive.cards=hole-and-flop                                                      | 9c 9d  | Qh Jh 5h 4d 2s | 6: 4h 3h ante 10 blind 10 progressive 1 play 1x                                                                                          | 6 progressive 41                                             |
UTH-MD 7.F(3)     | where none is offered only a ruling can settle it       |                                                                                                           | 9c 9d  | Qh Jh 5h 4d 2s | 6: 4h 3h ante 10 blind 10 progressive 1 play 1x                                                                                          | 6 progressive -                                              |
"""


@pytest.mark.parametrize("line", lines("UTH-MD", TURNS))
def test_progressive_hands_are_paid_by_the_meter_at_their_turn(line: dict[str, str]) -> None:
    """Meters shrink, fall back to their resets, and are looked at when the player's turn comes."""
    check(line)


def test_a_progressive_on_a_folded_hand_is_a_reading() -> None:
    """UTH-MD 11.J(1) is silent on folds: the amount is answered, and marked as read so."""
    line = {"book": "UTH-MD", "says": "", "house": "progressive.table=D", "dealer": "Kc 9d"}
    seats = "6: 4c 3s ante 10 blind 10 progressive 1 fold"
    check(
        line
        | {"community": "Qh Qs Qd 5c 2h", "seats": seats, "returns": "6 progressive 9", "sure": "6 progressive reading"}
    )


# Each printed least, and a cent under it.
RESETS = """
UTH-MD 12.D(3)(b)(i)      | A | main  | 10000
UTH-MD 12.D(3)(b)(ii)(1)  | B | major | 1000
UTH-MD 12.D(3)(b)(ii)(2)  | B | minor | 250
UTH-MD 12.D(3)(b)(iii)(1) | C | mega  | 10000
UTH-MD 12.D(3)(b)(iii)(2) | C | major | 1000
UTH-MD 12.D(3)(b)(iii)(3) | C | minor | 250
UTH-MD 12.D(3)(b)(iv)(1)  | D | mega  | 10000
UTH-MD 12.D(3)(b)(iv)(2)  | D | major | 1000
UTH-MD 12.D(3)(b)(iv)(3)  | D | minor | 250
"""
_RESETS = [[cell.strip() for cell in row.split("|")] for row in RESETS.strip().splitlines()]


@pytest.mark.parametrize(("clause", "table", "meter", "least"), _RESETS, ids=[row[0] for row in _RESETS])
def test_a_meter_may_not_fall_back_below_its_printed_least(clause: str, table: str, meter: str, least: str) -> None:
    """The least is allowed, a cent under it is a finding, and where nothing is given the least is what it falls to."""
    clause_of(clause)
    cents = int(least) * 100

    def found(reset: int) -> list[tuple[str, str]]:
        config = {"progressive": {"table": table, "resets": {meter: reset}}}
        return [(finding.code, finding.clause) for finding in house(newest("UTH-MD"), config).findings]

    assert found(cents) == []
    assert found(cents - 1) == [("meter-reset-too-low", clause)]
    board = {"mega": "As Ks Qs Js Ts", "main": "As Ks Qs Js Ts", "major": "Qs Js Ts 9s 3c", "minor": "9s 9h 9c 9d 4d"}
    if table == "B":
        board |= {"major": "As Ks Qs Js Ts", "minor": "Qs Js Ts 9s 3c"}
    own, dealer = ("8s 2c", "2h 2d") if board[meter] == "Qs Js Ts 9s 3c" else ("7c 7d", "2h 2d")
    line = {"book": "UTH-MD", "says": "", "house": f"progressive.table={table}", "dealer": dealer}
    seats = f"1: {own} ante 10 blind 10 progressive 1 play 1x"
    check(
        line
        | {"community": board[meter], "seats": seats, "returns": f"1 progressive {least}", "meters": f"{meter} {least}"}
    )

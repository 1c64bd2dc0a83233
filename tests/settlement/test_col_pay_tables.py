"""Colorado's pay tables: every line of both versions, the pairs that lose, push and win, and the bonus beside them."""

from typing import Any

import pytest

from domain.clauses import clause as clause_of
from domain.rulebooks import house, newest
from domain.settlement import settle
from tests.rulecard import case_of, check, lines
from tests.settlement.paytables import handed_back

REQUIRED = """
hand                   | dealt    | community | COL 12(b)/Payout Odds | COL 12(d)/Bonus Payout
royal flush            | As Ks 2d | Qs Js Ts  | 500 to 1              | 10,000 to 1
straight flush         | 5s 4s Kd | 3s 2s As  | 100 to 1              | 1000 to 1
four of a kind         | 2s 2h Kd | 2d 2c Ah  | 40 to 1               | 100 to 1
full house             | 2s 2h Kd | 2d 3c 3h  | 11 to 1               | 50 to 1
flush                  | 7s 5s Kd | 4s 3s 2s  | 8 to 1                | 25 to 1
straight               | 5d 4c Kd | 3s 2h Ah  | 5 to 1                | 15 to 1
three of a kind        | 2s 2h Kd | 2d 4c 5h  | 3 to 1                | 3 to 1
two pair               | 3s 3h Kd | 2d 2c 4h  | 2 to 1                | 1 to 1
pair of aces           | As Ah Kd | 2d 4c 5h  | 1 to 1                | push
pair of kings          | Ks Kh 3d | 2d 4c 5h  | 1 to 1                | push
pair of queens         | Qs Qh 3d | 2d 4c 5h  | 1 to 1                | push
pair of jacks          | Js Jh 3d | 2d 4c 5h  | 1 to 1                | push
pair of tens           | Ts Th 3d | 2d 4c 5h  | 1 to 1                | lost
pair of nines          | 9s 9h 3d | 2d 4c 5h  | push                  | lost
pair of eights         | 8s 8h 3d | 2d 4c 5h  | push                  | lost
pair of sevens         | 7s 7h 3d | 2d 4c 5h  | push                  | lost
pair of sixes          | 6s 6h 3d | 2d 4c 8h  | lost                  | lost
pair of twos           | 2s 2h 3d | 9d 4c 8h  | lost                  | lost
ace high               | As Kh 3d | Qd 4c 8h  | lost                  | lost
queen king ace two     | Qs Kh 9d | Ad 2c 3h  | lost                  | lost
"""

PERMISSIBLE = """
hand                   | dealt    | community | COL 13(b)/Payout Odds | COL 13(d)/Bonus Payout
royal flush            | As Ks 2d | Qs Js Ts  | 500 to 1              | 10,000 to 1
straight flush         | 5s 4s Kd | 3s 2s As  | 100 to 1              | 1000 to 1
four of a kind         | 2s 2h Kd | 2d 2c Ah  | 25 to 1               | 100 to 1
full house             | 2s 2h Kd | 2d 3c 3h  | 10 to 1               | 50 to 1
flush                  | 7s 5s Kd | 4s 3s 2s  | 8 to 1                | 25 to 1
straight               | 5d 4c Kd | 3s 2h Ah  | 5 to 1                | 15 to 1
three of a kind        | 2s 2h Kd | 2d 4c 5h  | 3 to 1                | 3 to 1
two pair               | 3s 3h Kd | 2d 2c 4h  | 2 to 1                | 1 to 1
pair of aces           | As Ah Kd | 2d 4c 5h  | 1 to 1                | push
pair of kings          | Ks Kh 3d | 2d 4c 5h  | 1 to 1                | push
pair of queens         | Qs Qh 3d | 2d 4c 5h  | 1 to 1                | push
pair of jacks          | Js Jh 3d | 2d 4c 5h  | 1 to 1                | push
pair of tens           | Ts Th 3d | 2d 4c 5h  | push                  | lost
pair of nines          | 9s 9h 3d | 2d 4c 5h  | push                  | lost
pair of eights         | 8s 8h 3d | 2d 4c 5h  | lost                  | lost
pair of sevens         | 7s 7h 3d | 2d 4c 5h  | lost                  | lost
pair of twos           | 2s 2h 3d | 9d 4c 8h  | lost                  | lost
ace high               | As Kh 3d | Qd 4c 8h  | lost                  | lost
"""

# Declared from the three cards dealt: the ante and the bonus are paid, and there is no bet.
INSTANT = """
three-card straight flush | 7s 6s 5s | 5 to 1 | 5 to 1
ace king queen suited     | As Ks Qs | 5 to 1 | 5 to 1
four three two suited     | 4s 3s 2s | 5 to 1 | 5 to 1
three aces                | As Ah Ad | 5 to 1 | 5 to 1
three twos                | 2s 2h 2d | 5 to 1 | 5 to 1
"""
SECTION = {"required": ("COL 12(b)", "COL 12(d)"), "permissible": ("COL 13(b)", "COL 13(d)")}


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split("|")]


def played(version: str, card: str) -> list[Any]:
    """Each row as a round of ten dollars ante and bet, and a dollar of bonus."""
    head, *rows = map(_cells, card.strip().splitlines())
    params = []
    for hand, dealt, community, main, bonus in rows:
        returned = f"1 ante {handed_back(main, 10)} bet {handed_back(main, 10)} bonus {handed_back(bonus, 1)}"
        line = {
            "book": "COL",
            "clause": "",
            "says": hand,
            "house": f"version={version}",
            "community": community,
            "seats": f"1: {dealt} ante 10 bonus 1 keep {dealt[:5]} bet",
            "returns": returned,
            "by": f"1 bonus {clause_of(head[4]).id}" + (f" / 1 ante {clause_of(head[3]).id}" if " to " in main else ""),
            "sure": "1 bonus certain",
        }
        params.append(pytest.param(line, id=f"{head[3]}; {head[4]}: {hand}"))
    return params


@pytest.mark.parametrize("line", played("required", REQUIRED))
def test_the_required_version_pays_each_line(line: dict[str, str]) -> None:
    """COL 12(b) pays ante and bet each, COL 12(d) the bonus; COL 10(e)/s1 and COL 10(f)/s1 say what loses and pushes."""
    check(line)


@pytest.mark.parametrize("line", played("permissible", PERMISSIBLE))
def test_the_permissible_version_pays_each_line(line: dict[str, str]) -> None:
    """COL 13(b) pays ante and bet each, COL 13(d) the bonus; COL 11(e)/s1 and COL 11(f)/s1 say what loses and pushes."""
    check(line)


@pytest.mark.parametrize("version", SECTION)
@pytest.mark.parametrize("row", INSTANT.strip().splitlines(), ids=lambda row: row.partition("|")[0].strip())
def test_a_declared_instant_winner_is_paid_on_ante_and_bonus(version: str, row: str) -> None:
    """COL 12(b)/Payout Odds, COL 12(d)/Bonus Payout, COL 13(b)/Payout Odds, COL 13(d)/Bonus Payout: five to one."""
    _, dealt, main, bonus = _cells(row)
    line = {"book": "COL", "clause": "", "says": "", "house": f"version={version}", "community": "9c Jd Kd"}
    line |= {"seats": f"1: {dealt} ante 10 bonus 1 declare"}
    declared = {"required": "COL 10(b)(3)(i)/s4", "permissible": "COL 11(b)(2)(i)/s4"}[version]
    paid_bonus = {"required": "COL 12(d)/Bonus Payout", "permissible": "COL 13(d)/Bonus Payout"}[version]
    line |= {"returns": f"1 ante {handed_back(main, 10)} bonus {handed_back(bonus, 1)}", "sure": "certain"}
    check(line | {"by": f"1 ante {declared} / 1 bonus {paid_bonus}"})


CARD = """
clause                                    | says                                                  | house                                    | community | seats                                         | returns                        | by                            | sure
COL 10(f)/s1; COL 1 "Push"                | nines on the board push for everybody                 |                                          | 9s 9h Kd  | 1: Ac 4h 2s ante 15 bonus 1 keep Ac 4h bet / 2: Qc Jh 3s ante 10 keep Qc Jh bet | 1 ante 15 bet 15 bonus 0 / 2 ante 10 bet 10 | 1 ante COL 10(f)/s1 | certain
COL 11(f)/s1; COL 1 "Push"                | in the permissible version too                        | version=permissible                      | 9s 9h Kd  | 1: Ac 4h 2s ante 15 bonus 1 keep Ac 4h bet    | 1 ante 15 bet 15 bonus 0       | 1 bet COL 11(f)/s1            | 1 ante certain
COL 10(e)/s1; COL 10(e)/s2                | below sevens ante and bet are collected               |                                          | 6s 9h Kd  | 1: 6c 4h 2s ante 15 keep 6c 4h bet            | 1 ante 0 bet 0                 | 1 bet COL 10(e)/s1            | certain
COL 11(e)/s1; COL 11(e)/s2                | below nines ante and bet are collected                | version=permissible                      | 8s 9h Kd  | 1: 8c 4h 2s ante 15 keep 8c 4h bet            | 1 ante 0 bet 0                 | 1 bet COL 11(e)/s1            | certain
COL 11(f)/s1; COL 13(b)/Payout Odds       | tens push by the procedure, for a ruling each time    | version=permissible                      | Td Kh 4c  | 1: Ts 7d 2c ante 10 bonus 1 keep Ts 7d bet    | 1 ante 10 bet 10 bonus 0       | 1 ante COL 11(f)/s1           | 1 ante ruling / 1 bet ruling / 1 bonus certain
COL 11(f)/s1; COL 13(b)/Payout Odds       | tens are paid by the list where the house reads it so | version=permissible v2_pair_of_tens=pay  | Td Kh 4c  | 1: Ts 7d 2c ante 10 bonus 1 keep Ts 7d bet    | 1 ante 20 bet 20 bonus 0       | 1 ante COL 13(b)/Payout Odds  | 1 ante ruling / 1 bonus certain
COL 11(f)/s1                              | nines push all the same                               | version=permissible v2_pair_of_tens=pay  | 9d Kh 4c  | 1: 9s 7d 2c ante 10 bonus 1 keep 9s 7d bet    | 1 ante 10 bet 10 bonus 0       |                               | certain
COL 12(b)/Payout Odds                     | in the required version tens are paid for certain     | v2_pair_of_tens=push                     | Td Kh 4c  | 1: Ts 7d 2c ante 10 bonus 1 keep Ts 7d bet    | 1 ante 20 bet 20 bonus 0       |                               | certain
COL 11(g); COL 11(b)(1)/s1                | without a bet the ante alone is paid                  | version=permissible                      | Kh 6h 2h  | 1: Ah 9h 3c ante 10 bonus 1 keep Ah 9h        | 1 ante 90 bonus 26             | 1 ante COL 13(b)/Payout Odds  | certain
COL 11(e)/s1                              | and alone lost                                        | version=permissible                      | Kc 6h 2h  | 1: Ah 9h 3c ante 10 bonus 1 keep Ah 9h        | 1 ante 0 bonus 0               |                               | certain
COL 10(g)/s1                              | ante and bet are each paid on their own amount        |                                          | 2d 4c 5h  | 1: As Ah Kd ante 12.34 keep As Ah bet         | 1 ante 24.68 bet 24.68         |                               | certain
COL 1 "Hand"; COL 10(d)(1)                | the discarded ace pairs nothing                       |                                          | Ks 9s 2d  | 1: As Ah 5s ante 20 bonus 1 keep As 5s bet    | 1 ante 0 bet 0 bonus 0         |                               |
COL 1 "Hand"; COL 11(d)(1)                | all five play: no better four of the board            | version=permissible                      | Ks Qs 2d  | 1: As Js Ts ante 20 bonus 1 keep As Js bet    | 1 ante 0 bet 0 bonus 0         |                               |
COL 10(d)(1)                              | two kept cards make a royal with the three            |                                          | Ks Qs Ts  | 1: As Js 2d ante 20 keep As Js bet            | 1 ante 10020 bet 10020         |                               |
COL 6a(d)                                 | the bonus wins nothing for a hand that pushes         |                                          | 2d 4c 9h  | 1: 9s 3h 5d ante 20 bonus 1 keep 9s 3h bet    | 1 ante 20 bet 20 bonus 0       |                               |
COL 6a(d); COL 6a(c)                      | a winning hand may push its bonus                     |                                          | Jd Kh 4c  | 1: Js 8d 3c ante 20 bonus 1 keep Js 8d bet    | 1 ante 40 bet 40 bonus 1       | 1 bonus COL 12(d)/Bonus Payout |
COL 6a(c); COL 12(d)                      | a bonus of two chips is paid on what it is            |                                          | 2d 4c 5h  | 1: 2s 2h Kd ante 20 bonus 2 keep 2s 2h bet    | 1 ante 80 bet 80 bonus 8       |                               |
COL 6a(a)                                 | a bonus where none is offered: no text says           | bonus_offered=false                      | 2d 4c 5h  | 1: 2s 2h Kd ante 20 bonus 1 keep 2s 2h bet    | 1 ante 80 bet 80 bonus -       | 1 bonus COL 6a(a)             | 1 bonus ruling / 1 ante certain
COL 10(b)(2)/s2                           | a fold loses the ante, and the bonus by a reading     |                                          | 8s 8h 2c  | 1: Kd 7h 2s ante 25 bonus 1 fold              | 1 ante 0 bonus 0               | 1 ante COL 10(b)(2)/s2        | 1 ante certain / 1 bonus reading
COL 10(b)(2)/s2                           | a folded bonus goes back where the house says so      | fold_bonus=return                        | 8s 8h 2c  | 1: Kd 7h 2s ante 25 bonus 1 fold              | 1 ante 0 bonus 1               |                               | 1 ante certain / 1 bonus reading
COL 10(b)(2)/s2                           | a folded hand wins nothing on the board               |                                          | 8s 8h 8c  | 1: 8d 7h 2s ante 25 bonus 1 fold              | 1 ante 0 bonus 0               |                               |
COL 11(b)                                 | the permissible version has no fold: for a ruling     | version=permissible                      | 8s 8h 2c  | 1: Kd 7h 2s ante 25 bonus 1 fold              | 1 ante - bonus 0               | 1 ante COL 11(b)              | 1 ante ruling / 1 bonus reading
COL 6(b)/s2                               | a player who left without a bet folds                 |                                          | 8s 8h 2c  | 1: Kd 7h 2s ante 25 bonus 1 left              | 1 ante 0 bonus 0               | 1 ante COL 6(b)/s2            | reading
COL 6(b)/s2                               | in the permissible version no text says               | version=permissible                      | 8s 8h 2c  | 1: Kd 7h 2s ante 25 bonus 1 left              | 1 ante - bonus -               | 1 ante COL 6(b)/s2            | ruling
COL 6(b)/s2                               | one who left a bet on the table is settled            |                                          | 8s 8h 2c  | 1: Kd Kh 2s ante 25 keep Kd Kh bet left       | 1 ante 75 bet 75               |                               | certain
COL 10(b)                                 | nobody saw the decision                               |                                          | 8s 8h 2c  | 1: Kd Kh 2s ante 25 bonus 1                   | 1 ante ? bonus ?               |                               |
COL 11(b)                                 | nobody saw it in the permissible version              | version=permissible                      | 8s 8h 2c  | 1: Kd Kh 2s ante 25                           | 1 ante ?                       | 1 ante COL 11(b)              |
"""


@pytest.mark.parametrize("line", lines("COL", CARD))
def test_main_wagers_and_bonus_of_colorado(line: dict[str, str]) -> None:
    """Ante and bet together, the bonus for itself, in both versions."""
    check(line)


@pytest.mark.parametrize("bonus", ["", "bonus 1"])
@pytest.mark.parametrize(("keep", "ante"), [("Ks Kh", 50_00), ("9d 4c", 0)])
def test_a_bonus_changes_no_other_wager(bonus: str, keep: str, ante: int) -> None:
    """COL 6a(d): with it and without it ante and bet come back the same; the far right is settled first
    (COL 10(d)(2), COL 11(d)(2))."""
    line = {"book": "COL", "says": "", "house": "", "community": "8s 5h 2c"}
    case = case_of(
        line | {"seats": f"1: {keep} 3s ante 25 {bonus} keep {keep} bet / 5: Qd 7d 6d ante 5 keep Qd 7d bet"}
    )
    for version in SECTION:
        settlement = settle(house(newest("COL"), {"version": version}), case.played)
        assert [settlement.seats[1][wager].returned for wager in ("ante", "bet")] == [ante, ante]
        assert settlement.order == (5, 1)


@pytest.mark.parametrize("version", SECTION)
def test_odds_may_be_posted_above_the_lists_and_never_below(version: str) -> None:
    """COL 12(b), COL 12(d), COL 13(b), COL 13(d): "at no less than the following odds"."""
    main, bonus = SECTION[version]
    low = {"main": {"flush": "7 to 1"}, "bonus": {"straight": "14 to 1"}}
    found = house(newest("COL"), {"version": version, "posted_odds": low}).findings
    assert {(finding.code, finding.clause) for finding in found} == {
        ("pay-table-below-floor", f"{main}/Payout Odds"),
        ("pay-table-below-floor", f"{bonus}/Bonus Payout"),
    }
    line = {"book": "COL", "says": "", "house": "", "community": "4s 3s 2s"}
    case = case_of(line | {"seats": "1: 7s 5s Kd ante 10 bonus 1 keep 7s 5s bet"})
    high = {"version": version, "posted_odds": {"main": {"flush": "9 to 1"}, "bonus": {"flush": "30 to 1"}}}
    posted = house(newest("COL"), high)
    assert not posted.findings
    returned = {wager: one.returned for wager, one in settle(posted, case.played).seats[1].items()}
    assert returned == {"ante": 100_00, "bet": 100_00, "bonus": 31_00}

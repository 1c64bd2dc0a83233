"""Colorado's instant winners: declared, not declared, wrongly declared; and the most payable on one hand."""

import pytest

from domain.rulebooks import house, newest
from domain.settlement import settle
from domain.settlement.case_format import from_object
from domain.settlement.played import with_parts
from tests.rulecard import case_of, check, lines

DECLARED = """
clause                                    | says                                                   | house                                                      | community | seats                                          | returns                  | by                                   | sure
COL 10(b)(3)(i)/s4; COL 3(c)(1)           | a suited run, declared, pays the ante 5 to 1           |                                                            | Ah Jd 9s  | 1: 5c 6c 7c ante 20 bonus 1 declare            | 1 ante 120 bonus 6       | 1 ante COL 10(b)(3)(i)/s4            | certain
COL 11(b)(2)(i)/s4; COL 3(c)(2)           | three of a kind, declared, in the other version        | version=permissible                                        | Ah Jd 9s  | 1: Qs Qh Qd ante 15 bonus 1 declare            | 1 ante 90 bonus 6        | 1 ante COL 11(b)(2)(i)/s4            | certain
COL 1 "Instant winner"; COL 10(b)(3)(ii)  | three queens nobody declared are two pair on the board |                                                            | 8s 8h 2c  | 1: Qs Qh Qd ante 15 bonus 1 keep Qs Qh bet     | 1 ante 45 bet 45 bonus 2 | 1 ante COL 12(b)/Payout Odds         | certain
COL 1 "Instant winner"; COL 11(b)(2)(ii)  | a suited run nobody declared is what it makes          | version=permissible                                        | 8s 8h 2c  | 1: 5c 6c 7c ante 15 bonus 1 keep 6c 7c         | 1 ante 0 bonus 0         | 1 ante COL 11(e)/s1                  | certain
COL 3(c)(1)                               | queen king ace of a suit are a run                     |                                                            | 8s 8h 2c  | 1: Kc Ac Qc ante 20 declare                    | 1 ante 120               |                                      | certain
COL 3(c)(1); COL 14(d)                    | king ace two of a suit are none                        |                                                            | 8s 8h 3c  | 1: Kc Ac 2c ante 20 bonus 1 declare            | 1 ante 0 bonus 1         | 1 ante COL 14(d)                     | 1 ante certain
COL 3(c)(1); COL 14(d)                    | a run of two suits is none                             |                                                            | 8s 8h 3c  | 1: 5c 6c 7d ante 20 bonus 1 declare            | 1 ante 0 bonus 1         | 1 ante COL 14(d)                     | 1 ante certain
COL 3(c)(1); COL 14(d)                    | three suited cards with a gap are none                 |                                                            | 8s 8h 3c  | 1: 5c 6c 8c ante 20 bonus 1 declare            | 1 ante 0 bonus 1         | 1 bonus COL 14(d)                    | 1 ante certain / 1 bonus reading
COL 3(c)(2); COL 14(d)                    | a pair is none                                         |                                                            | 8s 8h 3c  | 1: 5c 5d 8c ante 20 bonus 1 declare            | 1 ante 0 bonus 1         |                                      |
COL 3(c)(1); COL 3(a)/s2                  | ace two three of a suit: no run by the text, a ruling  |                                                            | 8s 8h 3c  | 1: Ad 2d 3d ante 20 bonus 1 declare            | 1 ante 0 bonus 1         | 1 ante COL 14(d)                     | ruling
COL 3(c)(1); COL 3(a)/s2                  | a run where the house reads it so, still for a ruling  | instant_winner_ace_low=true                                | 8s 8h 3c  | 1: Ad 2d 3d ante 20 bonus 1 declare            | 1 ante 120 bonus 6       | 1 ante COL 10(b)(3)(i)/s4            | ruling
COL 3(c)(1); COL 3(a)/s2                  | with the bonus collected, if it is none                | erroneous_declaration_bonus=collect                        | 8s 8h 3c  | 1: Ad 2d 3d ante 20 bonus 1 declare            | 1 ante 0 bonus 0         |                                      | ruling
COL 3(c)(1)                               | the reading of the ace leaves two three four alone     | instant_winner_ace_low=true                                | 8s 8h 3c  | 1: 4d 2d 3d ante 20 bonus 1 declare            | 1 ante 120 bonus 6       |                                      | certain
COL 3(c)(1)                               | and ace two three of two suits                         | instant_winner_ace_low=true                                | 8s 8h Kc  | 1: Ad 2d 3c ante 20 bonus 1 declare            | 1 ante 0 bonus 1         |                                      | 1 ante certain
COL 14(d)                                 | the bonus of a wrong declaration collected             | erroneous_declaration_bonus=collect                        | 8s 8h 2c  | 1: Ac Kc Jc ante 25 bonus 1 declare            | 1 ante 0 bonus 0         | 1 bonus COL 14(d)                    | 1 ante certain / 1 bonus reading
COL 14(d)                                 | only that hand is void: the others are settled         | version=permissible                                        | 8s 8h 2c  | 1: Ac Kc Jc ante 25 declare / 2: Kd Kh 3s ante 10 keep Kd Kh bet | 1 ante 0 / 2 ante 30 bet 30 |                 |
COL 10(b)(3)(i)/s2                        | a bet placed with an instant winner goes back          |                                                            | 8s 8h 2c  | 1: 5c 6c 7c ante 20 keep 5c 6c bet declare     | 1 ante 120 bet 20        | 1 bet COL 10(b)(3)(i)/s2             | 1 ante certain / 1 bet reading
COL 11(b)(2)(i)/s2                        | in the other version too                               | version=permissible                                        | 8s 8h 2c  | 1: 5c 6c 7c ante 20 keep 5c 6c bet declare     | 1 ante 120 bet 20        | 1 bet COL 11(b)(2)(i)/s2             | 1 bet reading
COL 14(d)                                 | a bet placed with a wrong declaration goes back        |                                                            | 8s 8h 2c  | 1: 5c 6c 9c ante 20 keep 5c 6c bet declare     | 1 ante 0 bet 20          |                                      | 1 bet reading
"""

LIMIT = """
clause                                    | says                                                   | house                                                      | community | seats                                          | returns                                 | by                       | sure
COL 12(c)/s1                              | 100,000 won are cut to 50,000, half on each wager      | payout_cap=5000000                                         | Qs Js Ts  | 1: As Ks 2d ante 100 bonus 1 keep As Ks bet    | 1 ante 25100 bet 25100 bonus 10001      | 1 ante COL 12(c)/s1      | 1 ante reading / 1 bonus certain
COL 12(c)/s1                              | without a limit they are paid whole                    | payout_cap=null                                            | Qs Js Ts  | 1: As Ks 2d ante 100 bonus 1 keep As Ks bet    | 1 ante 50100 bet 50100 bonus 10001      | 1 ante COL 12(b)/Payout Odds | certain
COL 12(c)/s1                              | 50,000 exactly are not cut                             | payout_cap=5000000                                         | Qs Js Ts  | 1: As Ks 2d ante 50 keep As Ks bet             | 1 ante 25050 bet 25050                  | 1 ante COL 12(b)/Payout Odds | certain
COL 12(c)/s1                              | a dollar more of ante is cut to the limit              | payout_cap=5000000                                         | Qs Js Ts  | 1: As Ks 2d ante 51 keep As Ks bet             | 1 ante 25051 bet 25051                  | 1 bet COL 12(c)/s1       | reading
COL 12(c)/s1                              | a cent that will not share goes to the last wager      | payout_cap=5000001                                         | Qs Js Ts  | 1: As Ks 2d ante 100 keep As Ks bet            | 1 ante 25100 bet 25100.01               |                          |
COL 12(c)/s1                              | each hand has its own limit                            | payout_cap=5000000 max_positions=2                         | Qs Js Ts  | 1: As Ks 2d ante 60 keep As Ks bet / 2: 9s 8s 3d ante 60 keep 9s 8s bet | 1 ante 25060 bet 25060 / 2 ante 6060 bet 6060 | |
COL 12(c)/s1                              | a higher limit cuts less                               | payout_cap=7500000                                         | Qs Js Ts  | 1: As Ks 2d ante 100 keep As Ks bet            | 1 ante 37600 bet 37600                  |                          | reading
COL 13(c)/s1                              | the permissible version has the same limit             | version=permissible payout_cap=5000000                     | Qs Js Ts  | 1: As Ks 2d ante 100 bonus 1 keep As Ks bet    | 1 ante 25100 bet 25100 bonus 10001      | 1 bet COL 13(c)/s1       | 1 bet reading
COL 13(c)/s1                              | an ante without a bet has all of it                    | version=permissible payout_cap=5000000                     | Qs Js Ts  | 1: As Ks 2d ante 200 keep As Ks                | 1 ante 50200                            | 1 ante COL 13(c)/s1      | reading
COL 12(c)/s1                              | an instant winner is payable on the hand: cut as well  | payout_cap=5000000                                         | 9c Jd Kd  | 1: 5c 6c 7c ante 20000 bonus 1 declare         | 1 ante 70000 bonus 6                    | 1 ante COL 12(c)/s1      | 1 ante reading / 1 bonus certain
COL 13(c)/s1                              | in the permissible version too                         | version=permissible payout_cap=5000000                     | 9c Jd Kd  | 1: 5c 6c 7c ante 20000 declare                 | 1 ante 70000                            | 1 ante COL 13(c)/s1      | reading
COL 12(c)/s1                              | a bet nobody saw the amount of may bring it to the limit | payout_cap=5000000                                       | Qs Js Ts  | 1: As Ks 2d ante 60 keep As Ks bet ?           | 1 ante ? bet ?                          |                          |
COL 12(c)/s1                              | or may not, as big as the ante                         | payout_cap=5000000                                         | Qs Js Ts  | 1: As Ks 2d ante 50 keep As Ks bet ?           | 1 ante 25050 bet ?                      |                          |
"""


@pytest.mark.parametrize("line", lines("COL", DECLARED))
def test_instant_winners(line: dict[str, str]) -> None:
    """Three of a kind or a suited run among the three dealt, if the player says so."""
    check(line)


@pytest.mark.parametrize("line", lines("COL", LIMIT))
def test_the_most_payable_on_one_hand(line: dict[str, str]) -> None:
    """The winnings of ante and bet together, shared by their size; stakes and bonus outside it."""
    check(line)


def test_the_cards_turned_up_to_declare_are_seen() -> None:
    """COL 10(b)(3)(i)/s1: nobody had seen the hand before, and now everybody has."""
    declared = {"action": "declare", "cards": ["5c", "6c", "7c"]}
    seat = {"seat": 1, "wagers": {"ante": 2000}, "cards": ["5c"], "actions": [declared]}
    case = from_object({"rulebook": "COL", "seats": [seat], "community": ["Ah", "Jd", "9s"]})
    assert settle(case.house, case.played).seats[1]["ante"].returned == 120_00


def test_a_limit_is_shared_by_what_each_wager_won() -> None:
    """COL 12(c)/s1: a bet of three antes, wrongly placed, bears three quarters of the cut."""
    line = {"book": "COL", "says": "", "house": "payout_cap=5000000", "community": "Qs Js Ts"}
    case = case_of(line | {"seats": "1: As Ks 2d ante 100 keep As Ks bet"})
    seat = with_parts(case.played.seats[0], wagers={"ante": 100_00, "bet": 300_00})
    outcomes = settle(case.house, with_parts(case.played, seats=(seat,))).seats[1]
    assert {wager: one.returned for wager, one in outcomes.items()} == {"ante": 12_600_00, "bet": 37_800_00}


@pytest.mark.parametrize(("version", "section"), [("required", "12"), ("permissible", "13")])
@pytest.mark.parametrize(("cap", "allowed"), [(4_999_999, False), (5_000_000, True), (7_500_000, True)])
def test_a_limit_under_50000_dollars_is_not_permitted(version: str, section: str, cap: int, allowed: bool) -> None:
    """COL 12(c)/s1, COL 13(c)/s1: it is reported, and the rounds played under it are settled by it all the same."""
    found = house(newest("COL"), {"version": version, "payout_cap": cap}).findings
    wanted = [] if allowed else [("payout-cap-too-low", f"COL {section}(c)/s1")]
    assert [(finding.code, finding.clause) for finding in found] == wanted


@pytest.mark.parametrize(("version", "clause"), [("required", "COL 12(c)/s2"), ("permissible", "COL 13(c)/s2")])
def test_a_limit_that_was_decreased_cuts_the_rounds_played_under_it_alone(version: str, clause: str) -> None:
    """COL 12(c)/s2, COL 13(c)/s2: the round is settled under the limit of which notice was in force."""
    line = {"book": "COL", "says": clause, "house": "", "community": "Qs Js Ts"}
    case = case_of(line | {"seats": "1: As Ks 2d ante 100 keep As Ks bet"})
    before, after = (house(newest("COL"), {"version": version, "payout_cap": cap}) for cap in (7_500_000, 5_000_000))
    assert [settle(each, case.played).seats[1]["ante"].returned for each in (before, after)] == [37_600_00, 25_100_00]

"""Amounts owed on the wagers of Pik-it, Fast Action and Colorado: paid, collected, pushed and limited wrongly."""

from collections.abc import Iterator
from typing import Any

from domain.simulation.edits import Edit, drop, insert_before, repeat, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case, Day
from tests.watch.lawful import day
from tests.watch.settled_how import edits, left, paid, parted, taken

PIK, FAH, COL = "PIK", "FAH", "COL"


def a_payment(number: int, wager: str, cents: int) -> Edit:
    """Pay something at the end of the round, on any wager."""
    return insert_before(where("round-completed"), said("wager-paid", number, wager, cents))


# Pik-it: seat 2 wins with two pair, seat 4 with a pair of aces of three, seat 6 loses; seat 5 folds.
SEATS = (
    seat(2, "9h 9s 4c 4d Js", "play5", bonus3=500, selected="9h 9s Js"),
    seat(4, "As Ah 9d 8c 6h", "play3", bonus3=500, selected="As Ah 9d"),
    seat(5, "Kh Kc 8h 7h 3s", "fold", bonus3=500, selected="Kh Kc 8h"),
    seat(6, "Jd Th 6c 3c 2d", "play5", bonus3=500, selected="Jd Th 6c"),
)
PAIR = "Qs Qc 8d 5h 2s"
ONE, TWO = (
    day(PIK, rounds=[round_(*SEATS, dealer=PAIR)]),
    day(PIK, options={"settlement_procedure": 2}, rounds=[round_(*SEATS, dealer=PAIR)]),
)
QUALIFIES = {"dealer_qualifies": True}
NO_QUALIFY = day(PIK, options=QUALIFIES, rounds=[round_(*SEATS, dealer="Qs Tc 8d 5h 3d")])
HIGH_CARD = day(
    PIK,
    options=QUALIFIES,
    rounds=[round_(seat(1, "Ts 9c 7d 5s 3h", "play5"), seat(3, "Ks 9h 8h 7c 3c", "play3"), dealer="Qc Jc 6d 5h 2s")],
)
TIED = day(PIK, rounds=[round_(seat(2, "Ks Kh 9d 8c 4c", "play3"), dealer="Kc Kd 9s 5h 2s")])
# Three cards win for seat 1 what five would lose.
THREE = day(PIK, rounds=[round_(seat(1, "9h 8c 7d Ks 3s", "play3"), dealer="Ad Jd 6d 4d 2c")])
POOR = day(PIK, rounds=[round_(seat(1, "As Ah Kh Qh 4c", "fold", bonus3=500, selected="As Kh 4c"), dealer=PAIR)])
TWO_ROUNDS = day(PIK, rounds=[round_(*SEATS, dealer=PAIR), round_(seat(2), seat(3))])

HIGHER, LOWER = "PIK 39.11(a)/s1", "PIK 39.11(a)/s1"
PIKIT = [
    Case(f"{HIGHER}; PIK 39.10(e)1iii", "wager-underpaid", ONE, paid(2, "ante", 500, 1_000), 2_000, 1_500),
    Case(f"{HIGHER}; PIK 39.10(e)1iii", "winner-collected", ONE, taken(4, "play3", 1_000), 2_000, 0),
    Case(f"{LOWER}; PIK 39.10(e)1ii", "loser-not-collected", ONE, left(6, "play5", 1_000), 0, 1_000),
    Case(f"{LOWER}; PIK 39.10(e)1ii", "loser-paid", ONE, paid(6, "ante", 1_000, 1_000), 0, 2_000),
    Case(f"{HIGHER}; PIK 39.10(e)2ii", "wager-overpaid", TWO, paid(2, "play5", 2_000, 1_000), 2_000, 3_000),
    Case(f"{LOWER}; PIK 39.10(e)2ii", "loser-paid", TWO, paid(6, "play5", 1_000, 1_000), 0, 2_000),
    Case("PIK 39.3(b)/s2; PIK 39.10(c)4", "folded-wager-not-collected", ONE, left(5, "ante", 1_000), 0, 1_000),
    Case("PIK 39.3(b)/s2", "winner-collected", ONE, taken(5, "bonus3", 500), 1_000, 0),
    Case("PIK 39.10(f)/ante", "wager-underpaid", NO_QUALIFY, paid(2, "ante", 500, 1_000), 2_000, 1_500),
    Case("PIK 39.10(f)/ante", "loser-not-collected", HIGH_CARD, left(1, "ante", 1_000), 0, 1_000),
    Case("PIK 39.10(f)/play5; PIK 39.11(a)/s2", "push-mishandled", NO_QUALIFY, paid(2, "play5", 1_000, 1_000), 1_000, 2_000),
    Case("PIK 1.13Y(d)2ii", "winner-unpaid", NO_QUALIFY, left(4, "play3", 1_000), 2_000, 1_000),
    Case("PIK 1.13Y(d)2ii", "settlement-basis-wrong", NO_QUALIFY, left(4, "play3", 1_000)),
    Case("PIK 39.4(d)/s2", "push-mishandled", TIED, taken(2, "ante", 1_000), 1_000, 0),
    Case('PIK 39.1 "Hand"', "settlement-basis-wrong", THREE, taken(1, "play3", 1_000)),
    Case('PIK 39.1 "3 card bonus wager"', "settlement-basis-wrong", POOR, paid(1, "bonus3", 100_000, 500)),
    Case(HIGHER, "paid-without-wager", ONE, a_payment(5, "play5", 1_000), 0, 1_000),
    Case('PIK 39.1 "Round of play"', "wager-unsettled", ONE, drop("wager-collected", seat=6, wager="play5"), 0, 0),
    Case('PIK 39.1 "Round of play"', "round-not-closed", TWO_ROUNDS, drop("round-completed", 1)),
]  # fmt: skip


# What each table of the 3 card bonus pays for a flush.
THREE_CARD_TABLES = (
    (1, 3, "PIK 39.11(c)/Pay Table 1"),
    (2, 3, "PIK 39.11(c)/Pay Table 2"),
    (3, 4, "PIK 39.11(c)/Pay Table 3"),
)


def pikit_bonuses() -> Iterator[Case]:
    """A flush of five and a straight of three by every table, short, above the table and twice."""
    for letter, odds, table in ((1, 8, "PIK 39.11(b)/Pay Table 1"), (2, 6, "PIK 39.11(b)/Pay Table 2")):
        told = day(PIK, options={"bonus5_table": letter}, rounds=[round_(seat(1, "Ah 9h 7h 4h 2h", "play5"), seat(3, "Kc 7d 6s 4s 3c", "play5"), dealer=PAIR)])  # fmt: skip
        clauses, owed = f"{table}; PIK 39.11(b)/s1", 1_000 * (odds + 1)
        yield Case(clauses, "wager-underpaid", told, paid(1, "bonus5", 1_000, 1_000), owed, 2_000)
        yield Case(clauses, "paid-above-floor", told, paid(1, "bonus5", 9_000, 1_000), owed, 10_000)
        yield Case(clauses, "loser-paid", told, paid(3, "bonus5", 1_000, 1_000), 0, 2_000)
        twice = repeat(where("wager-paid", seat=1, wager="bonus5"))
        yield Case("PIK 39.11(b)/s1", "wager-paid-twice", told, twice, owed, owed + 1_000 * odds)
    for letter, odds, table in THREE_CARD_TABLES:
        told = day(PIK, options={"bonus3_table": letter}, rounds=[round_(seat(1, "Ah 9h 4h Kc 7d", "play5", bonus3=500, selected="Ah 9h 4h"), seat(3, "Kd 8s 6s 4s 3c", "play5", bonus3=500, selected="Kd 8s 4s"), dealer=PAIR)])  # fmt: skip
        clauses, owed = f"{table}; PIK 39.11(c)/s1", 500 * (odds + 1)
        yield Case(clauses, "wager-underpaid", told, paid(1, "bonus3", 500, 500), owed, 1_000)
        yield Case(clauses, "winner-unpaid", told, left(1, "bonus3", 500), owed, 500)
        yield Case(clauses, "loser-not-collected", told, left(3, "bonus3", 500), 0, 500)
        twice = repeat(where("wager-paid", seat=1, wager="bonus3"))
        yield Case("PIK 39.11(c)/s1", "wager-paid-twice", told, twice, owed, owed + 500 * odds)


# Fast Action: a natural, a hand that wins, one that loses, a copy, a surrender; then a dealer's natural and a split.
def fast(*seats: Any, dealer: str = "Ac Kh 6d 2s", community: str = "Qd 8c 5h 3s 9c", **options: Any) -> Day:
    """A day with one round of Fast Action."""
    return day(FAH, options=options, rounds=[round_(*seats, dealer=dealer, community=community)])


SHOWDOWN = fast(
    seat(1, "7s 7d 7h 7c", "natural"),
    seat(2, "Qc Qs 4d 2h", "set", kept="Qc Qs"),
    seat(3, "Jc 7h 4s 2c", "set", kept="Jc 7h"),
    seat(4, "Ad Ks 6h 2d", "set", kept="Ad Ks"),
    seat(5, "Th 7c 4d 2s", "surrender"),
)
DEALERS_NATURAL = fast(
    seat(1, "Kh 9d Ad Qs", "split", kept="Kh 9d", second="Ad Qs"),
    seat(3, "Qc Jd 4d 2h", "set", kept="Qc Jd"),
    dealer="Ks Kc Kd Kh",
)

COPY = "FAH (a)(1)(ii); FAH (c)(3)/s2; FAH (h)(11)/s2"
FAST = [
    Case("FAH (h)(2)/s2", "wager-underpaid", SHOWDOWN, paid(1, "original", 1_000, 1_000), 6_000, 2_000),
    Case("FAH (h)(2)/s2", "winner-collected", SHOWDOWN, taken(1, "original", 1_000), 6_000, 0),
    Case("FAH (h)(6)/s2", "surrender-amount-wrong", SHOWDOWN, parted(5, "original", 700, 300), 500, 300),
    Case("FAH (h)(12)/s1", "wager-overpaid", SHOWDOWN, paid(2, "original", 2_000, 1_000), 2_000, 3_000),
    Case("FAH (h)(12)/s1", "winner-unpaid", SHOWDOWN, left(2, "original", 1_000), 2_000, 1_000),
    Case("FAH (h)(11)/s1", "loser-not-collected", SHOWDOWN, left(3, "original", 1_000), 0, 1_000),
    Case("FAH (h)(11)/s1", "loser-paid", SHOWDOWN, paid(3, "original", 1_000, 1_000), 0, 2_000),
    Case(COPY, "loser-not-collected", SHOWDOWN, left(4, "original", 1_000), 0, 1_000),
    Case(COPY, "loser-paid", SHOWDOWN, paid(4, "original", 1_000, 1_000), 0, 2_000),
    Case("FAH (h)(8)/s1", "loser-not-collected", DEALERS_NATURAL, left(3, "original", 1_000), 0, 1_000),
    Case("FAH (h)(8)/s2", "push-mishandled", DEALERS_NATURAL, taken(1, "split", 1_000), 1_000, 0),
    Case("FAH (h)(12)/s1", "paid-without-wager", SHOWDOWN, a_payment(3, "split", 1_000), 0, 1_000),
    Case("FAH (a)(1)(vii)", "wager-unsettled", SHOWDOWN, drop("wager-collected", seat=3), 0, 0),
    Case("FAH (a)(1)(vii)", "round-not-closed", day(FAH, rounds=[round_(seat(1), seat(3)), round_(seat(2), seat(4))]), drop("round-completed", 1)),
]  # fmt: skip

# Colorado, in both versions: seat 1 wins with two pair, seat 2 pushes with nines, seat 3 loses, seat 4 folds or stays,
# seat 5 declares trips, seat 6 declares in error.
COMMUNITY = "Kh 9c 4d"
VERSIONS = {"required": "10", "permissible": "11"}
RULES = {"required": "12", "permissible": "13"}


def colorado(version: str, *more: Any, community: str = COMMUNITY, **options: Any) -> Day:
    """A day with one round of Colorado."""
    act = "play" if version == "required" else "bet"
    seats = (
        seat(1, "Kc 4h 2s", act, kept="Kc 4h", bonus=100),
        seat(2, "9d Jc 6s", act, kept="9d Jc", bonus=100),
        seat(3, "Qc Jd 6c", act, kept="Qc Jd", bonus=100),
        *more,
    )
    return day(COL, options={"version": version} | options, rounds=[round_(*seats, community=community)])


def colorados() -> Iterator[Case]:
    """The two versions print the same procedure in two sections."""
    for version, section in VERSIONS.items():
        rules = RULES[version]
        told = colorado(version, seat(5, "7s 7d 7h", "declare", bonus=100), seat(6, "Ac Qh Jh", "declare", bonus=100))
        wins = f"COL {section}(g)/s1" if version == "required" else "COL 11(g)"
        main, bonus = f"COL {rules}(b)/Payout Odds", f"COL {rules}(d)/Bonus Payout"
        won, push = f"{wins}; COL {rules}(b); {main}", f'COL {section}(f)/s1; COL {section}(f)/s2; COL 1 "Push"; {main}'
        declared = f"COL {section}(b)({'3' if version == 'required' else '2'})(i)/s4"
        lost = f"COL {section}(e)/s1; COL {section}(e)/s2; {main}"
        yield Case(won, "wager-underpaid", told, paid(1, "ante", 1_000, 1_000), 3_000, 2_000)
        yield Case(won, "paid-above-floor", told, paid(1, "bet", 3_000, 1_000), 3_000, 4_000)
        yield Case(won, "winner-collected", told, taken(1, "ante", 1_000), 3_000, 0)
        yield Case(push, "push-mishandled", told, taken(2, "ante", 1_000), 1_000, 0)
        yield Case(lost, "loser-not-collected", told, left(3, "ante", 1_000), 0, 1_000)
        yield Case(lost, "loser-paid", told, paid(3, "bet", 1_000, 1_000), 0, 2_000)
        yield Case(f"COL 6a(c); COL {rules}(d); {bonus}", "winner-unpaid", told, left(1, "bonus", 100), 200, 100)
        yield Case(
            f"COL 6a(c); COL {rules}(d); {bonus}", "paid-above-floor", told, paid(1, "bonus", 500, 100), 200, 600
        )
        yield Case(bonus, "loser-paid", told, paid(3, "bonus", 100, 100), 0, 200)
        yield Case(f"{declared}; {main}", "wager-underpaid", told, paid(5, "ante", 3_000, 1_000), 6_000, 4_000)
        yield Case("COL 14(d)", "loser-not-collected", told, left(6, "ante", 1_000), 0, 1_000)
        yield Case("COL 14(d)", "push-mishandled", told, taken(6, "bonus", 100), 100, 0)
        yield Case(wins, "paid-without-wager", told, a_payment(5, "bet", 1_000), 0, 1_000)
        yield Case(f"COL {rules}(d)", "paid-without-wager", told, edits(drop("wager-placed", seat=1, wager="bonus")))
        yield Case(
            'COL 1 "Round of play"', "wager-unsettled", told, drop("wager-collected", seat=3, wager="bonus"), 0, 0
        )
        undeclared = colorado(version, seat(4, "Qs Qh Qd", "play" if version == "required" else "bet", kept="Qs Qh", bonus=100), community="Kh 8c 5d")  # fmt: skip
        item = f"COL {section}(b)({'3' if version == 'required' else '2'})(ii)"
        yield Case(f'{item}; COL 1 "Instant winner"', "instant-winner-undeclared-paid", undeclared, paid(4, "ante", 5_000, 1_000), 2_000, 6_000)  # fmt: skip
        royal = seat(4, "As Ks 2d", "play" if version == "required" else "bet", kept="As Ks", ante=10_000, bonus=100)
        capped = day(COL, options={"version": version, "payout_cap": 5_000_000}, rounds=[round_(royal, community="Qs Js Ts")])  # fmt: skip
        yield Case(
            f"COL {rules}(c)/s1", "cap-exceeded", capped, paid(4, "ante", 5_000_000, 10_000), 5_020_000, 7_520_000
        )
        yield Case(
            f"COL {rules}(c)/s1", "wager-underpaid", capped, paid(4, "ante", 1_000_000, 10_000), 5_020_000, 3_520_000
        )


FOLDED = colorado("required", seat(4, "8d 7h 2c", "fold", bonus=100))
ALONG = day(COL, rounds=[round_(seat(4, "Td 6h 2c", "play", kept="Td 6h", bonus=100), community="Tc 8s 4h")])
MORE = [
    Case("COL 10(b)(2)/s2", "folded-wager-not-collected", FOLDED, left(4, "ante", 1_000), 0, 1_000),
    Case("COL 10(b)(2)/s2", "folded-wager-not-collected", FOLDED, left(4, "bonus", 100), 0, 100),
    Case("COL 6a(d)", "settlement-basis-wrong", ALONG, edits(taken(4, "ante", 1_000), taken(4, "bet", 1_000))),
    Case('COL 1 "Round of play"', "round-not-closed", day(COL, rounds=[round_(seat(1), seat(3)), round_(seat(2), seat(4))]), drop("round-completed", 1)),
]  # fmt: skip

CASES = [*PIKIT, *pikit_bonuses(), *FAST, *colorados(), *MORE]

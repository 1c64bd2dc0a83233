"""Hands announced, designated or paid as others than their cards make: every hand of every list, once."""

from collections.abc import Iterator
from functools import partial

from domain.simulation.edits import change, insert_after, said, where
from domain.simulation.scripted import day, round_, seat
from tests.watch.harness import Case, Day
from tests.watch.settled_how import left, paid, taken

MISRANKED = "hand-misranked"

# own cards | the five on the board | announced | the two hands, by their place in the lists of five-card hands
FIVE = """
Ah Kh | Qh Jh Th 2c 3d | ace-high flush            | 1 5
9h 8h | 7h 6h 5h 2c Kd | nine-high straight        | 2 6
9c 9d | 9h 9s 4c 2d Kd | nines full of fours       | 3 4
9c 9d | 9h 4s 4c 2d Kd | three nines               | 4 7
Ah 9h | 7h 4h 2h Kc Qd | ace high                  | 5
9c 8d | 7h 6s 5c 2d Kd | pair of nines             | 6 9
9c 9d | 9h 4s 2c Kd 7h | two pair, nines and fours | 7 8
Kc 4d | Kd 4h 9s 2c 7d | pair of kings             | 8 9
Kc 8d | Kd 4h 9s 2c 7d | king high                 | 9
Kc 8d | Kd 4h 9s 2c 7d | pair of queens            | 9 rank
Ac 2d | 3h 4s 5c Kd 9h | ace-high straight         | 6 ace
Qc Kd | Ah 2s 3c 9d 7h | ace-high straight         | 6 ace
"""
# five cards | announced | the two hands, by their place in Pik-it's lists of five and of three cards
PIKIT_FIVE = """
Ah Kh Qh Jh Th | ace-high flush            | 1 5
9h 8h 7h 6h 5h | nine-high straight        | 2 6
9c 9d 9h 9s 4c | nines full of fours       | 3 4
9c 9d 9h 4s 4c | three nines               | 4 7
Ah 9h 7h 4h 2h | ace high                  | 5
9c 8d 7h 6s 5c | pair of nines             | 6 9
9c 9d 9h 4s 2c | two pair, nines and fours | 7 8
Kc Kd 4d 4h 9s | pair of kings             | 8 9
Kc Kd 4h 9s 2c | king high                 | 9
Kc Kd 4h 9s 2c | pair of queens            | 9 rank
Ac 2d 3h 4s 5c | ace-high straight         | 6 ace
"""
PIKIT_THREE = """
Ah Kh Qh 4c 2d | ace-high straight  | 1 4
9h 8h 7h Kc 2d | nine-high straight | 2 4
9c 9d 9h Kc 2d | pair of nines      | 3 6
9c 8d 7h Kc 2d | nine-high flush    | 4 5
Kh 9h 4h 8c 2d | king high          | 5
Kh Kd 4h 8c 2s | king high          | 6
Ac 2d 3h 9s Kc | ace-high straight  | 4 ace
"""
# two kept cards | the board | announced | the two hands, by their place in Fast Action's list
SEVENTEEN = """
Ah Ah | Ah Ah Ah 2c 3d | royal flush                          | i ii
Ah Kh | Qh Jh Th 2c 3d | flush with four aces                 | ii iii
9h 9h | 9h 9h 4h 2c 3d | nine-high straight flush             | iii iv
9h 8h | 7h 6h 5h 2c Kd | flush with nines full of fours       | iv v
9h 9h | 9h 4h 4h 2c Kd | five nines                           | v vi
9h 9c | 9d 9s 9h 2c Kd | flush with three nines               | vi vii
9h 9h | 9h 4h 2h Kc Qd | flush with two pair, nines and fours | vii viii
9h 9h | 4h 4h 2h Kc Qd | flush with a pair of nines           | viii ix
9h 9h | 7h 4h 2h Kc Qd | four nines                           | ix x
9h 9c | 9d 9s 4h 2c Kd | nines full of fours                  | x xi
9h 9c | 9d 4s 4h 2c Kd | nine-high flush                      | xi xii
Ah 9h | 7h 4h 2h Kc Qd | ace-high straight                    | xii xiii
9c 8d | 7h 6s 5c 2d Kd | three nines                          | xiii xiv
9c 9d | 9h 4s 2c Kd 7h | two pair, nines and fours            | xiv xv
Kc 4d | Kd 4h 9s 2c 7d | pair of kings                        | xv xvi
Kc 8d | Kd 4h 9s 2c 7d | king high                            | xvi xvii
Kc 9d | Qh 7s 4c 3d 2h | queen high                           | xvii rank
Ac 2d | 3h 4s 5c Kd 9h | ace-high straight                    | xiii ace
"""
# own cards | the box | paid, to 1 | the two hands, by their place in Maryland's list for six cards
SIX = """
Ah Kh | Qh Jh Th 2c |  200 | 1 2
9h 8h | 7h 6h 5h 2c |   15 | 2 5
9c 9d | 9h 9s 4c 2d |   20 | 3 4
9c 9d | 9h 4s 4c 2d |    5 | 4 7
Ah 9h | 7h 4h 2h Kc |   10 | 5 6
9c 8d | 7h 6s 5c 2d |    5 | 6 7
9c 9d | 9h 4s 2c Kd |   10 | 7 6
Ad Kd | Qd Jd Td 9d | 1000 | 8 1
"""
# three cards, the first two kept | the board | paid on the ante, to 1 | the two hands, by their place in the list
COLORADO = """
Ah Kh 2c | Qh Jh Th | 100 | 1 2
9h 8h 2c | 7h 6h 5h |   8 | 2 5
9c 9d 2c | 9h 9s 4c |  11 | 3 4
9c 9d 2c | 9h 4s 4c |   3 | 4 7
Ah 9h 3c | 7h 4h 2h |   5 | 5 6
9c 8d 2c | 7h 6s 5c |   3 | 6 7
9c 9d 2c | 9h 4s 3c |   2 | 7 8
Kc 4d 2c | Kd 4h 9s |   1 | 8 9
Kc 8d 2c | Kd 4h 9s |   2 | 9 8
9c 8d 2c | 9d 4h Ks |   1 | 9 rank
"""
RANK = {"UTH-MA": "5(a) s1", "UTH-MD": "6.A", "PIK": "39.4(a)/s1", "FAH": "(c)(1)/s1", "COL": "3(a)/s1"}
ACE = {"UTH-MA": "5(a) s2", "UTH-MD": "6.B", "PIK": "39.4(a)/s3", "FAH": "(c)(1)/s2", "COL": "3(a)/s2"}
LISTED = {
    "UTH-MA": "5(b)({})",
    "UTH-MD": "6.D({})",
    "PIK": "39.4(b){}",
    "PIK three": "39.4(c){}",
    "FAH": "(c)(2)({})",
    "COL": "3(b)({})",
    "UTH-MD six": "6.F({})",
}
WHOSE = {
    "UTH-MA": "UTH-MA 1 (Hand); UTH-MA 10(h) s1",
    "UTH-MD": "UTH-MD 11.H(2)(b); UTH-MD 11.H(2)(c)",
    "PIK": "PIK 39.4(e); PIK 39.10(e)1i",
    "FAH": "FAH (a)(1)(iv)",
    "COL": 'COL 1 "Hand"; COL 10(d)(1)',
}


def clauses(listed: str, hands: str) -> str:
    """The clauses of these hands and of what else is mistaken, and whose hand it is."""
    book = listed.split(maxsplit=1)[0]
    special = {"rank": RANK[book], "ace": ACE[book]}
    cited = [f"{book} {special.get(hand) or LISTED[listed].format(hand)}" for hand in hands.split()]
    return "; ".join([*cited, *([] if listed == "UTH-MD six" else [WHOSE[book]])])


def rows(table: str) -> Iterator[list[str]]:
    """The cells of a table."""
    return ([cell.strip() for cell in row.split("|")] for row in table.strip().splitlines())


def ultimate(book: str) -> Iterator[Case]:
    """A player's hand announced as another."""
    for own, board, words, hands in rows(FIVE):
        a_day = partial(day, book, rounds=[round_(seat(2, own, "play"), community=board)])
        yield Case(clauses(book, hands), MISRANKED, a_day, change("hand-announced", seat=2, to={"hand": words}))


def pikit() -> Iterator[Case]:
    """A player's five or three cards announced as another hand."""
    for listed, table, act in (("PIK", PIKIT_FIVE, "play5"), ("PIK three", PIKIT_THREE, "play3")):
        for held, words, hands in rows(table):
            a_day = partial(day, "PIK", rounds=[round_(seat(2, held, act))])
            yield Case(clauses(listed, hands), MISRANKED, a_day, change("hand-announced", seat=2, to={"hand": words}))


def fast_action() -> Iterator[Case]:
    """A hand announced, which at this game nobody has to, as another."""
    for kept, board, words, hands in rows(SEVENTEEN):
        held = f"{kept} 6c 8s"
        plan = round_(seat(2, held, "set", kept=kept), dealer="Js 6d 5d 3c", community=board)
        say = insert_after(where("hand-revealed", seat=2), said("hand-announced", words, 2))
        yield Case(clauses("FAH", hands), MISRANKED, partial(day, "FAH", rounds=[plan]), say)


def six_cards() -> Iterator[Case]:
    """A six card bonus paid as another hand."""
    for own, box, odds, hands in rows(SIX):
        plan = round_(seat(2, own, "play", trips=500, six_card=500), box=box)
        a_day = partial(day, "UTH-MD", {"six_card_table": "A"}, method="automated-shoe", rounds=[plan])
        yield Case(clauses("UTH-MD six", hands), MISRANKED, a_day, paid(2, "six_card", 500 * int(odds), 500))


def colorado() -> Iterator[Case]:
    """An ante paid as another hand."""
    for held, board, odds, hands in rows(COLORADO):
        plan = round_(seat(2, held, "play", kept=held[:5]), community=board)
        yield Case(
            clauses("COL", hands),
            MISRANKED,
            partial(day, "COL", rounds=[plan]),
            paid(2, "ante", 1000 * int(odds), 1000),
        )


UTH_DAY = {"rounds": [round_(seat(2, "Kc 4d", "play"), dealer="9c 7c", community="Kd 9h Qs 2c 3d")]}
MA: Day = partial(day, "UTH-MA", **UTH_DAY)
MD: Day = partial(day, "UTH-MD", **UTH_DAY)
PIKIT = [round_(seat(2, "Kc Kd 4h 9s 2c", "play5"), dealer="9c 9d 7c 5h 3h")]
PIK_1 = partial(day, "PIK", rounds=PIKIT)
PIK_2 = partial(day, "PIK", {"settlement_procedure": 2}, rounds=PIKIT)
NO_PAIR = change("hand-announced", seat=None, of_cards=5, to={"hand": "nine high"})
WHEEL = partial(day, "COL", rounds=[round_(seat(2, "Ac 2d 9c", "play", kept="Ac 2d"), community="3h 4s 5d")])
TWO_TENS = round_(
    seat(1, "Th 8c 2d", "play", kept="Th 8c"), seat(3, "Td 8s 2h", "play", kept="Td 8s"), community="Tc Kh 4c"
)
FLUSHES = round_(seat(1, "Ah 9h 7h 4h 2h", "play5"), seat(3, "As 9s 7s 4s 2s", "play5"), dealer="Qd Qc 8d 5h 3s")
PERMISSIBLE = partial(
    day,
    "COL",
    {"version": "permissible"},
    rounds=[round_(seat(2, "Kc 8d 2c", "play", kept="Kc 8d"), community="Kd 4h 9s")],
)

CASES = [
    *ultimate("UTH-MA"),
    *ultimate("UTH-MD"),
    *pikit(),
    *fast_action(),
    *six_cards(),
    *colorado(),
    Case("UTH-MD 7.F(4)(a); UTH-MD 6.F(8)", MISRANKED, *list(six_cards())[-1][2:4]),
    Case("UTH-MA 10(f) s2; UTH-MA 1 (Hand)", MISRANKED, MA, NO_PAIR),
    Case("UTH-MD 11.G(2); UTH-MD 11.G(3)", MISRANKED, MD, NO_PAIR),
    Case("PIK 39.10(d)/s1; PIK 39.10(d)/s2-announce; PIK 39.4(e)", MISRANKED, PIK_1, NO_PAIR),
    Case("PIK 39.10(d)/s4", MISRANKED, PIK_1, change("hand-announced", of_cards=3, to={"hand": "nine high"})),
    Case("PIK 39.10(d)/s3", MISRANKED, PIK_1, change("three-designated", to={"cards": ("9c", "7c", "5h")})),
    Case("PIK 39.10(d)/s3", MISRANKED, PIK_1, change("three-designated", to={"cards": ("9c", "9d", "9h")})),
    Case("PIK 39.10(e)2i", MISRANKED, PIK_2, change("hand-announced", seat=2, to={"hand": "pair of queens"})),
    Case("COL 3(a)/s2; COL 3(b)(6)", MISRANKED, WHEEL, taken(2, "ante", 1000)),
    Case("COL 3(a)/s3; COL 3(b)(9)", MISRANKED, partial(day, "COL", rounds=[TWO_TENS]), left(1, "ante", 1000)),
    Case('COL 11(d)(1); COL 1 "Hand"', MISRANKED, PERMISSIBLE, paid(2, "ante", 2000, 1000)),
    Case(
        "PIK 39.4(b)4; PIK 39.4(b)5", MISRANKED, partial(day, "PIK", rounds=[FLUSHES]), paid(1, "bonus5", 10_000, 1000)
    ),
]

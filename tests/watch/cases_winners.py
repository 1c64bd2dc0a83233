"""Two hands compared and the wrong one taken to be higher, as the settlement of the main wagers shows."""

from collections.abc import Iterator
from functools import partial

from domain.simulation.scripted import day, round_, seat
from tests.watch.cases_hands import LISTED, rows
from tests.watch.harness import Case, Day, Edit
from tests.watch.settled_how import edits, left, paid, taken

MISJUDGED = "winner-misjudged"

# own cards | the dealer's | the board | by the cards | the clauses, in Massachusetts and in Maryland
ULTIMATE = """
Kc 8d | Ks 7d | Kd 4h 3s 2c 2d | higher | 5(c) s1 | 6.E(1)
Kc 7d | Ks 8d | Kd 4h 3s 2c 2d | lower  | 5(c) s1 | 6.E(1)
Kc 8c | Ks 8s | Kd Ah 9s 2c 4d | equal  | 5(c) s2; 1 (Suit) | 6.E(2); 6.C
"""
# own cards | the dealer's | the board | the two hands of the list, of which the player's comes first
KINDS = """
Ah Kh | 9s 9c | Qh Jh Th 9d 3d | 1 7
8h 7h | As Ac | 6h 5h 4h Ad 2c | 2 7
9c 9d | As Ad | 9h 9s Ac 2d Kd | 3 4
9c 9d | Ah Kh | 9h 4h 4s 2h Kd | 4 5
Ah 9h | 8s 6c | 7h 5h 4h Kc Qd | 5 6
9c 8d | Ah As | 7h 6s 5c Ad Kd | 6 7
9c 9d | Kh 4c | 9h 4s 2c Kd 7h | 7 8
Kc 4d | Qc 9c | Qd 4h Ks 2c 7d | 8 9
Kc 8d | Ah Qc | Kd 4h 9s 2c 7d | 9
"""
# own five cards | the dealer's five | by the cards | play | clauses of Pik-it
PIKIT = """
Kc Kd 4h 9s 2c | Kh Ks 4d 8s 2d | higher | play5 | 39.4(d)/s1
Kc Kd 4h 8s 2c | Kh Ks 4d 9d 2d | lower  | play5 | 39.4(d)/s1
Kc Kd 4h 9s 2c | Kh Ks 4d 9d 2d | equal  | play5 | 39.4(d)/s2; 39.4(a)/s2
9c 8d 7h Ks 2c | Kh 9h 4h 8c 2d | higher | play3 | 39.4(c)4; 39.4(c)5
9c 9d 9h Ks 2c | Jh Th 9s 8c 2d | higher | play3 | 39.4(c)3; 39.4(c)4
Ah Kh Qh As Ad | 9c 9d 9h Ks 2c | higher | play3 | 39.4(c)1; 39.4(c)3
9h 8h 7h 9c 9d | 8c 8d 8s Ks 2c | higher | play3 | 39.4(c)2; 39.4(c)3
Kh Kd 4h 8c 2s | Ah 9h 4d Jc 2d | higher | play3 | 39.4(c)6
Ah Kh Qh Jh Th | 9c 9d 9h Ks 2c | higher | play5 | 39.4(b)1; 39.4(b)7
9h 8h 7h 6h 5h | Tc Td Th Ts 2c | higher | play5 | 39.4(b)2; 39.4(b)3
9c 9d 9h 9s 4c | 8c 8d 8h 5s 5c | higher | play5 | 39.4(b)3; 39.4(b)4
9c 9d 9h 4s 4c | Ad Qd 8d 6d 2d | higher | play5 | 39.4(b)4; 39.4(b)5
Ah Kh Qh 4h 2h | 9c 8d 7c 6s 5c | higher | play5 | 39.4(b)5; 39.4(b)6
9c 8c 7c 6s 5d | Tc Td Th Ks 2c | higher | play5 | 39.4(b)6; 39.4(b)7
9c 9d 9h 4s 2c | Kc Kd 4d 4h Js | higher | play5 | 39.4(b)7; 39.4(b)8
Kc Kd 4d 4h 9s | Qc Qd 8h 7s 2c | higher | play5 | 39.4(b)8; 39.4(b)9
Kc Kd 4h 9s 2c | Ac Qd 8h 7s 2d | higher | play5 | 39.4(b)9
"""
# two kept cards | the two the house way keeps of these and 4c 3h | the board | by the cards | clauses of Fast Action
FAST_ACTION = """
Kc Qd | Kd Js | Kh 4d 8s 2c 5d | higher | (c)(3)/s1
Kc Ts | Kd Js | Kh 4d 8s 2c 5d | lower  | (c)(3)/s1
Kc Kd | Ks Kh | 4h 8h 9s 2c Jd | equal  | (c)(3)/s2; (a)(1)(ii); (c)(1)/s3
Ah Ah | 6s 6d | Ah Ah Ah 6c 3d | higher | (c)(2)(i); (c)(2)(xi)
Ah Kh | 9s 9c | Qh Jh Th 9d 3d | higher | (c)(2)(ii); (c)(2)(xiv)
9h 9h | Ts Tc | 9h 9h 4h Td 3d | higher | (c)(2)(iii); (c)(2)(xi)
9h 8h | As Ac | 7h 6h 5h Ad Kd | higher | (c)(2)(iv); (c)(2)(xiv)
9h 9h | Ts Tc | 9h 4h 4h Tc Td | higher | (c)(2)(v); (c)(2)(x)
9h 9c | Ts Tc | 9d 9s 9h Tc Td | higher | (c)(2)(vi); (c)(2)(x)
9h 9h | Ts Tc | 9h 4h 2h Tc Td | higher | (c)(2)(vii); (c)(2)(x)
9h 9h | Ts Tc | 4h 4h 2h Tc Td | higher | (c)(2)(viii); (c)(2)(x)
9h 9h | Ts Tc | 7h 4h 2h Tc Td | higher | (c)(2)(ix); (c)(2)(x)
9h 9c | Ts Tc | 9d 9s 4h 4c Td | higher | (c)(2)(x); (c)(2)(xi)
9h 9c | Ah Kh | 9d 4s 4h 2h 7h | higher | (c)(2)(xi); (c)(2)(xii)
Ah 9h | 6c 5c | 7h 4h 3h Kc Qd | higher | (c)(2)(xii); (c)(2)(xiii)
9c 8d | As Ac | 7h 6s 5c Ad Kd | higher | (c)(2)(xiii); (c)(2)(xiv)
9c 9d | Ks Kc | 9h 4s 2c 2d 7h | higher | (c)(2)(xi); (c)(2)(xv)
9c 9d | As Kc | 9h 4s 2c Kd 7h | higher | (c)(2)(xiv); (c)(2)(xvi)
Kc 4d | As Ac | Kd 4h 9s 2c 7d | higher | (c)(2)(xv); (c)(2)(xvi)
Kc 8d | As Qc | Kd 4h 9s 2c 7d | higher | (c)(2)(xvi); (c)(2)(xvii)
"""


def other_way(result: str, wagers: dict[str, int]) -> Edit:
    """Settled as if the hands lay the other way round; equal ones as if the player's were higher."""
    if result == "higher":
        return edits(*(taken(2, wager, cents) for wager, cents in wagers.items()))
    return edits(*(paid(2, wager, cents, cents) for wager, cents in wagers.items()))


def ultimate() -> Iterator[Case]:
    """Ante, blind and play settled against the cards; a blind that beats the dealer with less than a straight stays."""
    for own, dealer, board, result, *cited in rows(ULTIMATE):
        plan = round_(seat(2, own, "play"), dealer=dealer, community=board)
        for book, clauses in zip(("UTH-MA", "UTH-MD"), cited, strict=True):
            if result == "higher":
                edit = other_way(result, {"ante": 1000, "blind": 1000, "play": 4000})
            else:
                edit = edits(other_way(result, {"ante": 1000, "play": 4000}), left(2, "blind", 1000))
            names = "; ".join(f"{book} {clause.strip()}" for clause in clauses.split(";"))
            yield Case(names, MISJUDGED, partial(day, book, rounds=[plan]), edit)
    for own, dealer, board, hands in rows(KINDS):
        plan = round_(seat(2, own, "play"), dealer=dealer, community=board)
        for book in ("UTH-MA", "UTH-MD"):
            names = "; ".join(f"{book} {LISTED[book].format(hand)}" for hand in hands.split())
            qualifies = "Ah Qc" not in dealer
            wagers = {"ante": 1000} if qualifies else {}
            edit = other_way("higher", wagers | {"blind": 1000, "play": 4000})
            yield Case(names, MISJUDGED, partial(day, book, rounds=[plan]), edit)


def pikit() -> Iterator[Case]:
    """Ante and play settled against the cards."""
    for own, dealer, result, play, cited in rows(PIKIT):
        plan = round_(seat(2, own, play), dealer=dealer)
        names = "; ".join(f"PIK {clause.strip()}" for clause in cited.split(";"))
        edit = other_way(result, {"ante": 1000, play: 1000})
        yield Case(names, MISJUDGED, partial(day, "PIK", rounds=[plan]), edit)


def fast_action() -> Iterator[Case]:
    """One wager against the dealer's two cards."""
    for kept, dealer, board, result, cited in rows(FAST_ACTION):
        plan = round_(seat(2, f"{kept} 6c 8s", "set", kept=kept), dealer=f"{dealer} 4c 3h", community=board)
        names = "; ".join(f"FAH {clause.strip()}" for clause in cited.split(";"))
        yield Case(names, MISJUDGED, partial(day, "FAH", rounds=[plan]), other_way(result, {"original": 1000}))


def qualifier(own: str, dealer: str) -> Day:
    """A round of the version in which the dealer has to qualify."""
    return partial(day, "PIK", {"dealer_qualifies": True}, rounds=[round_(seat(2, own, "play5"), dealer=dealer)])


BY_FIVE = round_(seat(2, "9c 8d 7h Ks 2c", "play3"), dealer="Kh Kd 4h 8c 2d")

CASES = [
    *ultimate(),
    *pikit(),
    *fast_action(),
    Case(
        'PIK 39.1 "Qualifying hand"',
        "dealer-qualification-misjudged",
        qualifier("9h 9s 4c 4d Js", "As Kc 8d 5h 2s"),
        left(2, "play5", 1000),
    ),
    Case(
        'PIK 39.1 "Qualifying hand"',
        "dealer-qualification-misjudged",
        qualifier("9h 9s 4c 4d Js", "As Qc Jd 9c 7s"),
        paid(2, "play5", 1000, 1000),
    ),
    Case(
        'PIK 39.1 "Hand"',
        "settlement-basis-wrong",
        partial(day, "PIK", rounds=[BY_FIVE]),
        other_way("higher", {"ante": 1000, "play3": 1000}),
    ),
]

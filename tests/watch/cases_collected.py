"""Cards collected too early, too late, in another order, or not at all."""

from functools import partial

from domain.simulation.edits import drop, move_after, move_before, swap, where
from domain.simulation.scripted import day, round_, seat
from tests.watch.harness import Case, Day

LEFT, EARLY, ORDER = "cards-not-collected", "hand-collected-early", "collection-out-of-order"

UTH_SEATS = (
    seat(1, "8h 6c", "check check fold"),
    seat(2, "9h 8d", "check check fold", trips=500),
    seat(3, "Kc 4d", "check check play"),
    seat(5, "Qd Qc", "play"),
)
BOARD = {"dealer": "7c 7d", "community": "Kd 9c 4h 2s 3s"}
MA = partial(day, "UTH-MA", rounds=[round_(*UTH_SEATS, **BOARD)])
MD = partial(day, "UTH-MD", rounds=[round_(*UTH_SEATS, **BOARD)])
MD_BOX = partial(
    day,
    "UTH-MD",
    {"six_card_table": "A"},
    method="automated-shoe",
    rounds=[round_(seat(2, "9h 8d", "check check fold", trips=500, six_card=500), seat(3, "Kc 4d", "play"), **BOARD)],
)
# Nines full, then four sevens: the higher hand stays open instead of the lower one.
COVER = partial(
    day,
    "UTH-MA",
    {"cover_all": True, "shuffler": "cover-all"},
    rounds=[
        round_(
            seat(1, "7c 7d", "play", cover_all=500),
            seat(3, "9d Kh", "play", cover_all=500),
            dealer="Ah Qs",
            community="9c 9h 7h 7s 2d",
        )
    ],
)
PIKIT = [
    round_(
        seat(1, "Jd Th 6c 3c 2d", "fold"),
        seat(2, "9h 9s 4c 4d Js", "play5"),
        seat(4, "As Ah 9d 8c 4h", "play3"),
        dealer="Qs Qc 8d 5h 2s",
    )
]
PIK_1 = partial(day, "PIK", rounds=PIKIT)
PIK_2 = partial(day, "PIK", {"settlement_procedure": 2}, rounds=PIKIT)
FAH = partial(
    day,
    "FAH",
    rounds=[
        round_(
            seat(1, "7s 7d 7h 7c", "natural"),
            seat(2, "Kc Kd 6c 8s", "set", kept="Kc Kd"),
            seat(4, "Ah Jd 3c 5s", "set", kept="Ah Jd"),
            dealer="9c 9d 4c 3h",
            community="Tc 8d 6s 5h 2h",
        )
    ],
)
TAKES_ALL = partial(day, "FAH", rounds=[round_(seat(2, "Kc Kd 6c 8s", "set", kept="Kc Kd"), dealer="Qs Qc Qd Qh")])
COL_SEATS = (
    seat(1, "5c 6c 7c", "declare"),
    seat(2, "Ks Kh 8d", "play", kept="Ks Kh"),
    seat(3, "Qs Jc 2d", "play", kept="Qs Jc"),
    seat(4, "9d 9s 3c", "play", kept="9d 9s"),
    seat(5, "Js Jd 2h", "play", kept="Js Jd"),
)
COL_BOARD = "Td 8h 4s"
REQUIRED = partial(day, "COL", rounds=[round_(*COL_SEATS, seat(6, "Qd 6h 2c", "fold"), community=COL_BOARD)])
PERMISSIBLE = partial(day, "COL", {"version": "permissible"}, rounds=[round_(*COL_SEATS, community=COL_BOARD)])


def left(clauses: str, a_day: Day, seat_: int | None, of: str = "seat") -> Case:
    """A hand nobody picks up."""
    return Case(clauses, LEFT, a_day, drop("hands-collected", seat=seat_, of=of))


CASES = [
    left("UTH-MA 10(e)(2)(ii)", MA, 1),
    Case("UTH-MA 10(e)(2)(ii)", LEFT, MA, move_after(where("hands-collected", seat=1), where("hand-revealed", seat=5))),
    left("UTH-MD 11.F(3)(b); UTH-MD 11.F(3)(d)", MD, 1),
    left("UTH-MA 10(h) s3", MA, 5),
    Case("UTH-MA 10(h) s3", LEFT, MA, move_after(where("hands-collected", seat=5), where("hands-collected", seat=3))),
    left("UTH-MD 11.K", MD, 3),
    left("UTH-MD 11.K", MD, None, "dealer"),
    left("PIK 39.10(c)4", PIK_1, 1),
    left("PIK 39.10(e)1iv", PIK_1, 2),
    left("PIK 39.10(e)2iii", PIK_2, 2),
    Case("PIK 39.10(e)2iii", LEFT, PIK_2, move_after(where("hands-collected", seat=4), where("hands-collected", seat=2))),
    left("FAH (h)(2)/s2", FAH, 1),
    left("FAH (h)(11)/s2", FAH, 4),
    left("FAH (h)(12)/s2", FAH, 2),
    left("FAH (h)(8)/s3", TAKES_ALL, 2),
    left("FAH (h)(8)/s3", TAKES_ALL, None, "dealer"),
    left("COL 10(b)(2)/s3", REQUIRED, 6),
    left("COL 10(b)(3)(i)/s4", REQUIRED, 1),
    left("COL 11(b)(2)(i)/s4", PERMISSIBLE, 1),
    left("COL 10(e)/s3", REQUIRED, 3),
    left("COL 11(e)/s3", PERMISSIBLE, 3),
    left("COL 10(f)/s2", REQUIRED, 4),
    left("COL 11(f)/s2", PERMISSIBLE, 4),
    Case("COL 10(f)/s2", LEFT, REQUIRED, move_after(where("hands-collected", seat=4), where("hands-collected", seat=3))),
    left("COL 10(g)/s2", REQUIRED, 2),
    left("COL 10(g)/s2", REQUIRED, None, "community"),
    left("COL 11(h)", PERMISSIBLE, 2),
    left("COL 11(h)", PERMISSIBLE, None, "community"),
    Case("UTH-MA 10(e)(2)(i)", EARLY, MA, move_after(where("hands-collected", seat=2), where("decision-made", seat=2, street="river"))),
    Case("UTH-MD 11.F(3)(a)", EARLY, MD, move_after(where("hands-collected", seat=2), where("decision-made", seat=2, street="river"))),
    Case("UTH-MD 11.F(3)(c)", EARLY, MD_BOX, move_before(where("hands-collected", seat=2), where("wager-collected", seat=2, wager="six_card"))),
    Case("UTH-MA 13(h)a", EARLY, COVER, move_before(where("hands-collected", seat=3), where("hand-revealed", seat=1))),
    Case("UTH-MA 13(i); UTH-MA 13(h)a", EARLY, COVER, move_before(where("hands-collected", seat=1), where("wager-paid", seat=3, wager="cover_all"))),
    Case("UTH-MA 10(i)", ORDER, MA, swap(where("hands-collected", seat=5), where("hands-collected", seat=3))),
    Case("UTH-MD 11.K", ORDER, MD, swap(where("hands-collected", seat=5), where("hands-collected", seat=3))),
    Case("PIK 39.10(g)", ORDER, PIK_1, swap(where("hands-collected", seat=4), where("hands-collected", seat=2))),
    Case("PIK 39.10(e)/s3", ORDER, PIK_1, move_before(where("hands-collected", of="dealer"), where("hands-collected", seat=2))),
    Case("COL 10(h)", ORDER, REQUIRED, swap(where("hands-collected", seat=5), where("hands-collected", seat=2))),
    Case("COL 11(i)", ORDER, PERMISSIBLE, swap(where("hands-collected", seat=5), where("hands-collected", seat=2))),
]  # fmt: skip

"""Decisions: asked in order, by everybody, once; and what a check, a fold and a declaration may not be."""

from functools import partial

from domain.simulation.edits import change, drop, insert_after, insert_before, move_before, said, swap, where
from domain.simulation.scripted import day, round_, seat
from tests.watch.harness import Case, Edit
from tests.watch.settled_how import edits

UTH = (
    seat(1, "9h 8h", "check check fold"),
    seat(3, "Kc 4d", "check check play"),
    seat(5, "Qd Qc", "play"),
)
BOARD = {"dealer": "7c 7d", "community": "Kd 9c 4h 2s 3s"}
MA = partial(day, "UTH-MA", rounds=[round_(*UTH, **BOARD)])
MD = partial(day, "UTH-MD", rounds=[round_(*UTH, **BOARD)])

PIK = partial(
    day,
    "PIK",
    rounds=[round_(seat(2, "9h 9s 4c 4d Js", "play5"), seat(4, "Ks Kh 9d 8c 4h", "play3"), dealer="7c 7d Qs 5h 2s")],
)
REQUIRED = partial(
    day,
    "COL",
    rounds=[round_(seat(1, "5c 6c 7c", "declare"), seat(3, "Ks 8d 2h", "play"), community="Td 9h 3s")],
)
PERMISSIBLE = partial(
    day,
    "COL",
    {"version": "permissible"},
    rounds=[round_(seat(1, "5c 6c 7c", "declare"), seat(3, "Ks 8d 2h", "play"), community="Td 9h 3s")],
)


def asked_last(street: str | None, first: int, last: int) -> Edit:
    """Two seats are asked, and answer, the wrong way round."""
    about = {"street": street} if street else {}
    return edits(
        swap(where("decision-asked", seat=first, **about), where("decision-asked", seat=last, **about)),
        swap(where("decision-made", seat=first, **about), where("decision-made", seat=last, **about)),
    )


def not_asked(seat: int, street: str) -> Edit:
    """A seat is passed over on one street."""
    return edits(drop("decision-asked", seat=seat, street=street), drop("decision-made", seat=seat, street=street))


def checked_and_taken(seat: int, street: str) -> Edit:
    """A seat that checked has its cards and its ante taken before the next street."""
    after = where("decision-made", seat=seat, street=street)
    return edits(
        drop("decision-asked", seat=seat, street=lambda held: _later(held, street)),
        drop("decision-made", seat=seat, street=lambda held: _later(held, street)),
        drop("wager-collected", seat=seat),
        drop("hands-collected", seat=seat),
        insert_after(
            after,
            said("wager-collected", seat, "ante", 1000),
            said("wager-collected", seat, "blind", 1000),
            said("hands-collected", seat, count=2),
        ),
    )


def _later(street: str, than: str) -> bool:
    order = ("preflop", "flop", "river")
    return order.index(street) > order.index(than)


NO_DECISION_AT_THE_RIVER = edits(drop("decision-asked", seat=3, street="river"), drop("decision-made", seat=3, street="river"), drop("wager-placed", seat=3, wager="play"))  # fmt: skip
CHECKED_AT_THE_RIVER = edits(
    change("decision-made", seat=3, street="river", to={"decision": "check", "cents": None}),
    drop("wager-placed", seat=3, wager="play"),
    drop("wager-paid", seat=3, wager="play"),
    drop("wager-returned", seat=3, wager="play"),
)
FOLDED_AND_PLAYED = insert_after(where("decision-made", seat=3, street="river"), said("decision-made", 3, "fold", "river"))  # fmt: skip
NO_PIK_DECISION = edits(drop("decision-asked", seat=2), drop("decision-made", seat=2), drop("wager-placed", seat=2, wager="play5"), drop("wager-paid", seat=2, wager="play5"), drop("wager-returned", seat=2, wager="play5"))  # fmt: skip
PIK_WITHDRAWN = edits(
    drop("decision-made", seat=2),
    drop("wager-placed", seat=2, wager="play5"),
    drop("hand-announced", seat=2),
    drop("wager-paid", seat=2, wager=lambda wager: wager != "bonus5"),
    drop("wager-returned", seat=2, wager=lambda wager: wager != "bonus5"),
    drop("hands-collected", seat=2),
    insert_after(
        where("decision-asked", seat=2),
        said("wager-collected", 2, "ante", 1000),
        said("hands-collected", 2, count=5),
    ),
)
BOTH_PLAYS = insert_after(where("wager-placed", seat=2, wager="play5"), said("wager-placed", 2, "play3", 1000))
PIK_FOLD_AND_PLAY = insert_before(where("wager-placed", seat=2, wager="play5"), said("decision-made", 2, "fold"))
BET_AND_DECLARED = insert_before(where("decision-made", seat=1), said("wager-placed", 1, "bet", 1000))
A_FOLD = change("decision-made", seat=3, to={"decision": "fold"})

CASES = [
    Case("UTH-MA 10(a) s2", "decision-out-of-order", MA, asked_last("preflop", 1, 3)),
    Case("UTH-MD 11.B", "decision-out-of-order", MD, asked_last("preflop", 1, 3)),
    Case("UTH-MA 10(c) s1", "decision-out-of-order", MA, asked_last("flop", 1, 3)),
    Case("UTH-MD 11.D", "decision-out-of-order", MD, asked_last("flop", 1, 3)),
    Case("UTH-MA 10(e)", "decision-out-of-order", MA, edits(
        move_before(where("decision-asked", seat=3, street="river"), where("decision-asked", seat=1, street="river")),
        move_before(where("decision-made", seat=3, street="river"), where("decision-asked", seat=1, street="river")),
        move_before(where("wager-placed", seat=3, wager="play"), where("decision-asked", seat=1, street="river")),
    )),
    Case("UTH-MD 11.F", "decision-out-of-order", MD, edits(
        move_before(where("decision-asked", seat=3, street="river"), where("decision-asked", seat=1, street="river")),
        move_before(where("decision-made", seat=3, street="river"), where("decision-asked", seat=1, street="river")),
        move_before(where("wager-placed", seat=3, wager="play"), where("decision-asked", seat=1, street="river")),
    )),
    Case("UTH-MA 10(a) s2", "decision-out-of-order", MA, not_asked(1, "preflop")),
    Case("UTH-MD 11.D", "decision-out-of-order", MD, not_asked(3, "flop")),
    Case("UTH-MA 1 (Check); UTH-MA 10(a)(2)", "check-treated-as-fold", MA, checked_and_taken(1, "preflop")),
    Case("UTH-MD 1.B(1); UTH-MD 11.B(2)(b)", "check-treated-as-fold", MD, checked_and_taken(1, "preflop")),
    Case("UTH-MA 1 (Check); UTH-MA 10(c)(2)", "check-treated-as-fold", MA, checked_and_taken(1, "flop")),
    Case("UTH-MD 1.B(1); UTH-MD 11.D(2)(b)", "check-treated-as-fold", MD, checked_and_taken(1, "flop")),
    Case("UTH-MA 10(e)", "decision-missing", MA, NO_DECISION_AT_THE_RIVER),
    Case("UTH-MD 11.F", "decision-missing", MD, NO_DECISION_AT_THE_RIVER),
    Case("UTH-MA 10(e)", "river-check-accepted", MA, CHECKED_AT_THE_RIVER),
    Case("UTH-MD 11.F", "river-check-accepted", MD, CHECKED_AT_THE_RIVER),
    Case("UTH-MA 1 (Fold)", "decision-conflicting", MA, FOLDED_AND_PLAYED),
    Case("UTH-MD 1.B(4)", "decision-conflicting", MD, FOLDED_AND_PLAYED),
    Case("PIK 39.3(b)/s1; PIK 39.10(c)3", "decision-missing", PIK, NO_PIK_DECISION),
    Case('PIK 39.1 "Fold"; PIK 39.3(b)/s1; PIK 39.10(c)3', "decision-missing", PIK, PIK_WITHDRAWN),
    Case("PIK 39.3(b)/s1-exclusive", "decision-conflicting", PIK, BOTH_PLAYS),
    Case("PIK 39.3(b)/s1", "decision-conflicting", PIK, PIK_FOLD_AND_PLAY),
    Case("COL 10(b)", "decision-out-of-order", REQUIRED, asked_last(None, 1, 3)),
    Case("COL 11(b)", "decision-out-of-order", PERMISSIBLE, asked_last(None, 1, 3)),
    Case("COL 10(b)(3)(i)/s2", "decision-conflicting", REQUIRED, BET_AND_DECLARED),
    Case("COL 11(b)(2)(i)/s2", "decision-conflicting", PERMISSIBLE, BET_AND_DECLARED),
    Case("COL 11(b)", "fold-not-allowed", PERMISSIBLE, A_FOLD),
]  # fmt: skip

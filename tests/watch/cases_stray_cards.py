"""Cards found face up or drawn in error and not handled so; short and long hands; a natural that was played on."""

from typing import Any

from domain.settlement.played import Irregularity
from domain.simulation.edits import change, drop, insert_after, insert_before, move_before, said, where
from domain.simulation.scripted import round_, seat, wrong
from tests.watch.harness import Case, Day
from tests.watch.lawful import day
from tests.watch.settled_how import edits

MA, MD, PIK, FAH, COL = "UTH-MA", "UTH-MD", "PIK", "FAH", "COL"
BOOKS = (MA, MD, PIK, COL)


def stray(book: str, what: Irregularity) -> Day:
    """A round in which a card turns up out of turn."""
    acts = {MA: "check check play", MD: "check check play", PIK: "play5", COL: "play"}.get(book, "")
    seats = (seat(number, acts=acts) for number in (1, 2, 4))
    return day(book, rounds=[round_(*seats, irregularity=what)])


FOUND = wrong("card-face-up", ("2c", 3))
DRAWN = wrong("card-drawn-in-error", card="2c")
SEEN = wrong("card-drawn-in-error", card="2c", exposed=True)
DEALT_ALL_THE_SAME = change("card-dealt", 4, to={"card": "2c"})
NOT_RACKED = change("card-found-face-up", to={"to": "layout"})
ANOTHER = change("card-drawn-in-error", to={"card": "9s"})
PUT_ASIDE = insert_after(where("card-drawn-in-error"), said("card-set-aside", "2c"))

FACE_UP = {MA: "UTH-MA 15(b) s1", MD: "UTH-MD 13.A", PIK: "PIK 38.12(a)/s1", COL: "COL 14(a)/s1"}
UNUSED = {MA: "UTH-MA 15(c)", MD: "UTH-MD 13.D", PIK: "PIK 38.12(b)", COL: "COL 14(b)"}
USED = {PIK: "PIK 38.12(b)", COL: "COL 14(b)"}
STRAY = [
    *(Case(clause, "face-up-card-used", stray(book, FOUND), DEALT_ALL_THE_SAME) for book, clause in FACE_UP.items()),
    Case("FAH (i)(1)", "face-up-card-used", stray(FAH, FOUND), NOT_RACKED),
    *(Case(clause, "drawn-card-not-used", stray(book, DRAWN), ANOTHER) for book, clause in UNUSED.items()),
    *(Case(clause, "drawn-card-not-used", stray(book, DRAWN), PUT_ASIDE) for book, clause in UNUSED.items()),
    *(Case(clause, "face-up-card-used", stray(book, SEEN), _used) for book, clause in USED.items() for _used in (change("card-dealt", -1, to={"card": "2c"}),)),
]  # fmt: skip


def fast(what: Irregularity | None = None, **cards: Any) -> Day:
    """A round of Fast Action."""
    return day(FAH, rounds=[round_(seat(1), seat(2), seat(4), irregularity=what, **cards)])


LET_GO = fast(wrong("short-hand", seat=2, dealt=3, election="void"))
COMPLETED = fast(wrong("short-hand", seat=2, dealt=3, election="complete"))
LONG = fast(wrong("long-hand", seat=2, dealt=5))
NO_ELECTION = edits(drop("decision-made", decision="complete"), drop("card-dealt", -1, to="seat", seat=2))
TOO_LATE = move_before(where("card-dealt", -1, to="seat", seat=2), where("round-completed"))
TOO_EARLY = edits(
    move_before(where("decision-made", decision="complete"), where("card-dealt", -1, to="dealer")),
    move_before(where("card-dealt", -1, to="seat", seat=2), where("card-dealt", -1, to="dealer")),
)
NATURAL = day(FAH, rounds=[round_(seat(1), seat(2), dealer="Ks Kc Kd Kh")])
BOARD = insert_before(where("round-completed"), said("card-dealt", "community", None, 1, "2c", True))
BURN = insert_before(where("round-completed"), said("card-burned", "community"))
FAST = [
    Case("FAH (i)(3)", "short-hand-mishandled", COMPLETED, NO_ELECTION),
    Case("FAH (i)(3)", "short-hand-mishandled", COMPLETED, TOO_LATE),
    Case("FAH (i)(3)", "short-hand-mishandled", COMPLETED, TOO_EARLY),
    Case("FAH (i)(3)", "short-hand-mishandled", day(FAH), insert_before(where("hand-set", seat=1), said("decision-made", 1, "void"))),
    Case("FAH (i)(4)", "long-hand-mishandled", LONG, insert_before(where("round-completed"), said("hand-voided", 2))),
    Case("FAH (i)(4)", "long-hand-mishandled", LONG, insert_before(where("hand-set", seat=2), said("decision-made", 2, "split"))),
    Case("FAH (h)(8)/s1", "dealer-natural-played-on", NATURAL, BOARD),
    Case("FAH (h)(8)/s1", "dealer-natural-played-on", NATURAL, BURN),
]  # fmt: skip

ERROR = day(COL, rounds=[round_(seat(1, "Ac Qh Jh", "declare"), seat(3, "Kc Qd 5s", "play"))])
PLAYED_ON = [
    Case("COL 14(d)", "hand-not-voided", ERROR, insert_before(where("community-revealed"), said("decision-made", 1, "play"))),
]  # fmt: skip

CASES = [*STRAY, *FAST, *PLAYED_ON]

"""Hands that are void and were played on, voids not handed back, voids for nothing, and what only a ruling can say."""

from collections.abc import Iterator
from typing import Any

from domain.settlement.played import Irregularity
from domain.simulation.edits import change, drop, insert_after, insert_before, said, where
from domain.simulation.scripted import round_, seat, wrong
from tests.watch.harness import Case, Day
from tests.watch.lawful import day
from tests.watch.settled_how import edits, left

MA, MD, PIK, FAH, COL = "UTH-MA", "UTH-MD", "PIK", "FAH", "COL"
HAND, SHOE, STACKS = "hand", "manual-shoe", "automated-shoe"
TWO_DECKS = {"shuffler": "automated", "decks": 2}


def uth(book: str, what: Irregularity, method: str = SHOE, **options: Any) -> Day:
    """One player who folds at the river, one who plays early and one late; trips at two of them."""
    plan = round_(
        seat(1, acts="check check fold", ante=2_500, trips=500),
        seat(2, acts="play:3"),
        seat(4, acts="check check play", ante=1_500, trips=1_000),
        irregularity=what,
    )
    return day(book, method, options, [plan])


def pikit(what: Irregularity, method: str = SHOE, **options: Any) -> Day:
    """Three players of Pik-it, one of whom folds."""
    seats = seat(1, acts="play5", bonus3=500), seat(3, acts="fold"), seat(4, acts="play3", bonus3=500)
    return day(PIK, method, options, [round_(*seats, irregularity=what)])


def colorado(what: Irregularity, method: str = SHOE, **options: Any) -> Day:
    """Three players of Colorado, one of whom folds."""
    seats = seat(1, acts="play", bonus=100), seat(3, acts="fold"), seat(4, acts="play")
    return day(COL, method, options, [round_(*seats, irregularity=what)])


def fast(what: Irregularity | None, *seats: Any, **cards: Any) -> Day:
    """Fast Action."""
    return day(FAH, rounds=[round_(*(seats or (seat(1), seat(2), seat(4))), irregularity=what, **cards)])


FACE_UP = wrong("card-face-up", ("2c", 1), ("3c", 4))
LATE_FACE_UP = wrong("card-face-up", ("2c", 1), ("3c", 10))
SEEN = wrong("card-exposed", of="dealer")
THREE = wrong("wrong-count", of="seat:4", dealt=3)
DEALERS_THREE = wrong("wrong-count", of="dealer", dealt=3)
MISDEALT = wrong("stub-count", finding="misdealt", of="seat:4", dealt=3)
JAM = wrong("jam", device="shoe", at_dealt=4)
SIX_CARDS = wrong("wrong-count", of="seat:4", dealt=6)
SIX_FOUND = wrong("stub-count", finding="misdealt", of="seat:4", dealt=6)
FOUR_CARDS = wrong("wrong-count", of="seat:4", dealt=4)
FOUR_FOUND = wrong("stub-count", finding="misdealt", of="seat:4", dealt=4)
JAM_OF_THREE = wrong("jam", device="shoe")

# The clause that voids | and any other that says so | the day on which it does
VOIDING: list[tuple[str, str, Day]] = [
    ("UTH-MA 7(f)(2) s2", "", uth(MA, MISDEALT)),
    ("UTH-MA 15(a) s1", "", uth(MA, SEEN)),
    ("UTH-MA 15(b) s2", "", uth(MA, FACE_UP)),
    ("UTH-MA 15(d) s2", "", uth(MA, DEALERS_THREE)),
    ("UTH-MA 15(f)", "", uth(MA, JAM, STACKS)),
    ("UTH-MD 8.G(1)", "", uth(MD, MISDEALT)),
    ("UTH-MD 9.E(1)", "", uth(MD, MISDEALT, HAND)),
    ("UTH-MD 10.E(1)", "", uth(MD, MISDEALT, STACKS)),
    ("UTH-MD 13.B", "", uth(MD, FACE_UP)),
    ("UTH-MD 13.E", "", uth(MD, THREE)),
    ("UTH-MD 13.F", "", uth(MD, SEEN)),
    ("UTH-MD 13.I", "", uth(MD, JAM, STACKS)),
    ("PIK 39.7(e)2/s2", "", pikit(SIX_FOUND)),
    ("PIK 38.12(a)/s2", "", pikit(FACE_UP)),
    ("PIK 38.12(c)", "", pikit(SIX_CARDS)),
    ("PIK 38.12(d)", "", pikit(SEEN)),
    ("PIK 38.12(f)", "", pikit(JAM_OF_THREE, STACKS, dealer_stack_delivery="at-deal")),
    ("FAH (i)(5)", "", fast(wrong("insufficient-cards", stage="dealing"))),
    ("COL 7(e)(2)/s2", "", colorado(FOUR_FOUND)),
    ("COL 14(a)/s2", "", colorado(FACE_UP)),
    ("COL 14(c)", "", colorado(FOUR_CARDS)),
    ("COL 14(f)", "", colorado(JAM_OF_THREE, STACKS)),
]  # fmt: skip
RETURNED_BY = {"UTH-MD 13.I": "UTH-MD 13.I(1)"}


def played_on() -> Iterator[Case]:
    """The round was never declared void; and it was, and a wager went back short."""
    short = change("wager-returned", 1, to={"cents": lambda cents: cents - 100})
    for clause, besides, told in VOIDING:
        both = "; ".join(filter(None, (clause, besides)))
        yield Case(both, "round-not-voided", told, drop("round-voided"))
        yield Case(RETURNED_BY.get(clause, clause), "void-wager-not-returned", told, short)


# A stub that is not as large as it should be, though nothing was misdealt: counted before anything was settled, and
# when all was.
ONE_SHORT = change("stub-counted", to={"cards": lambda cards: cards - 1})
COUNTED_LATE = insert_before(where("round-completed"), said("stub-counted", 20))


def counted(book: str, method: str, **options: Any) -> Day:
    """An ordinary round whose stub is counted."""
    acts = {PIK: "play5", COL: "play"}.get(book, "check check play")
    return day(book, method, options, [round_(seat(1, acts=acts), seat(3, acts=acts), count_stub=True)])


# Clauses | the day
NOT_WHOLE: list[tuple[str, Day]] = [
    ("UTH-MA 7(f)(2) s3", counted(MA, SHOE)),
    ("UTH-MA 7(f)(2) s3; UTH-MA 8(e) s2", counted(MA, HAND)),
    ("UTH-MA 7(f)(2) s3; UTH-MA 9(e) s2", counted(MA, STACKS)),
    ("UTH-MD 8.G(2)", counted(MD, SHOE)),
    ("UTH-MD 9.E(2)", counted(MD, HAND)),
    ("UTH-MD 10.E(2)", counted(MD, STACKS)),
    ("PIK 39.7(e)2/s3", counted(PIK, SHOE)),
    ("PIK 39.7(e)2/s3; PIK 39.8(e)/s2", counted(PIK, HAND)),
    ("PIK 39.7(e)2/s3; PIK 39.9(e)/s2", counted(PIK, STACKS, dealer_stack_delivery="at-deal")),
    ("COL 7(e)(2)/s3", counted(COL, SHOE)),
    ("COL 7(e)(2)/s3; COL 8(e)/s2", counted(COL, HAND)),
    ("COL 7(e)(2)/s3; COL 9(e)/s2", counted(COL, STACKS)),
]


def not_whole() -> Iterator[Case]:
    """Played on behind the count; and counted when all was settled, which only a ruling answers."""
    for clauses, told in NOT_WHOLE:
        yield Case(clauses, "round-not-voided", told, ONE_SHORT)
        yield Case(clauses.partition(";")[0], "ruling-needed", told, edits(drop("stub-counted"), COUNTED_LATE))


VOID_HAND = uth(MA, THREE)
SHUFFLER_JAM = uth(MD, wrong("jam", device="shuffler", deck="playing", stage="before-deal"), HAND)
SHORT = wrong("short-hand", seat=2, dealt=3, election="void")
LET_GO = fast(SHORT)
HANDS = [
    Case("UTH-MA 15(d) s1", "hand-not-voided", VOID_HAND, drop("hand-voided")),
    Case("UTH-MA 15(d) s1", "void-wager-not-returned", VOID_HAND, change("wager-returned", 1, to={"cents": 100}, seat=4)),
    Case("UTH-MD 13.H(2)", "void-wager-not-returned", SHUFFLER_JAM, change("wager-returned", 1, to={"cents": 100})),
    Case("UTH-MD 13.H(2)", "void-wager-not-returned", SHUFFLER_JAM, drop("round-voided")),
    Case("FAH (i)(3)", "void-wager-not-returned", LET_GO, change("wager-returned", to={"cents": 400}, seat=2)),
]  # fmt: skip

# Trips outlives the void: returned like the rest, or settled on a board nobody completed.
SEEN_MA, SEEN_MD = uth(MA, SEEN), uth(MD, SEEN)
LATE_MA, LATE_MD = uth(MA, LATE_FACE_UP), uth(MD, LATE_FACE_UP)
NO_BOARD = edits(
    drop("card-dealt", to="community"), drop("card-burned"), left(1, "trips", 500), left(4, "trips", 1_000)
)
TRIPS = [
    Case("UTH-MA 15(a) s2", "void-trips-unsettled", SEEN_MA, left(4, "trips", 1_000), 0, 1_000),
    Case("UTH-MA 15(b) s3", "void-trips-unsettled", LATE_MA, left(4, "trips", 1_000), 0, 1_000),
    Case("UTH-MD 13.G", "void-trips-unsettled", SEEN_MD, left(4, "trips", 1_000), 0, 1_000),
    Case("UTH-MD 13.C", "void-trips-unsettled", LATE_MD, left(4, "trips", 1_000), 0, 1_000),
    Case("UTH-MA 15(a) s2", "void-trips-unsettled", SEEN_MA, NO_BOARD),
]

# Voided for what voids nothing, or only one hand.
ONE_FOUND = wrong("card-face-up", ("2c", 3))
CALLED_OFF = insert_before(where("round-completed"), said("round-voided", "a card face up"))
EARLY = insert_after(where("card-dealt", 1, to="seat", seat=4), said("round-voided", "called off"))
FOR_NOTHING = [
    Case("UTH-MA 15(b) s1", "round-voided-without-cause", uth(MA, ONE_FOUND), CALLED_OFF),
    Case("UTH-MD 13.A", "round-voided-without-cause", uth(MD, ONE_FOUND), CALLED_OFF),
    Case("PIK 38.12(a)/s1", "round-voided-without-cause", pikit(ONE_FOUND), CALLED_OFF),
    Case("FAH (i)(1)", "round-voided-without-cause", fast(ONE_FOUND), CALLED_OFF),
    Case("COL 14(a)/s1", "round-voided-without-cause", colorado(ONE_FOUND), CALLED_OFF),
    Case("FAH (i)(2)", "round-voided-without-cause", fast(wrong("card-exposed", of="seat:2")), CALLED_OFF),
    Case("UTH-MA 15(d) s1", "round-voided-without-cause", VOID_HAND, CALLED_OFF),
    Case("UTH-MA 15(d) s1", "round-voided-without-cause", day(MA), insert_before(where("round-completed"), said("hand-voided", 1))),
    Case("UTH-MA 1 (Round of play)", "round-voided-without-cause", day(MA), CALLED_OFF),
    Case("UTH-MD 11.H(2)(d)", "round-voided-without-cause", day(MD), CALLED_OFF),
    Case('PIK 39.1 "Round of play"', "round-voided-without-cause", day(PIK), CALLED_OFF),
    Case("FAH (a)(1)(vii)", "round-voided-without-cause", day(FAH), CALLED_OFF),
    Case('COL 1 "Round of play"', "round-voided-without-cause", day(COL), CALLED_OFF),
]  # fmt: skip

# What the text leaves open: nobody ruled.
UNRULED = drop("ruling-given")
DRAWN = wrong("card-drawn-in-error", card="2c", exposed=True)
AT_THE_BONUS = {"at_seat": 4, "ruling": "stands", "has_ruling": True}
TENS = day(COL, options={"version": "permissible"}, rounds=[round_(seat(1, "Tc 6h 2s", "bet", kept="Tc 6h"), community="Td 8c 4h")])  # fmt: skip
PERMISSIBLE = day(COL, options={"version": "permissible"}, rounds=[round_(seat(1, acts="bet"), seat(3, acts="bet"))])
A_FOLD = change("decision-made", seat=3, to={"decision": "fold"})
ACE_LOW = day(COL, rounds=[round_(seat(1, "Ah 2h 3h", "declare", bonus=100), seat(3, "Kc Qd 5s", "play"))])
RULINGS = [
    Case("UTH-MA 15(a) s1", "ruling-needed", uth(MA, wrong("card-exposed", of="seat:4")), UNRULED),
    Case("UTH-MD 13.F", "ruling-needed", uth(MD, wrong("card-exposed", of="seat:4")), UNRULED),
    Case("UTH-MA 15(c)", "ruling-needed", uth(MA, DRAWN), UNRULED),
    Case("UTH-MD 13.D", "ruling-needed", uth(MD, DRAWN), UNRULED),
    Case("PIK 38.12(b)", "ruling-needed", pikit(DRAWN), UNRULED),
    Case("PIK 38.12(c)", "ruling-needed", pikit(wrong("wrong-count", of="seat:1", dealt=6, stage="bonus5", **AT_THE_BONUS)), UNRULED),
    Case("PIK 38.12(d)", "ruling-needed", pikit(wrong("card-exposed", of="dealer", stage="bonus5", **AT_THE_BONUS)), UNRULED),
    Case("FAH (i)(2)", "ruling-needed", fast(wrong("card-exposed", of="dealer")), UNRULED),
    Case("FAH (i)(3)", "ruling-needed", fast(wrong("wrong-count", of="dealer", dealt=5)), UNRULED),
    Case("COL 14(c)", "ruling-needed", colorado(wrong("card-exposed", of="community")), UNRULED),
    Case("COL 11(f)/s1; COL 13(b)", "ruling-needed", TENS, UNRULED),
    Case("COL 3(c)(1)", "ruling-needed", ACE_LOW, UNRULED),
    Case("COL 11(b)", "ruling-needed", PERMISSIBLE, A_FOLD),
]  # fmt: skip

# A player who left without a decision, where the text has no fold; and a pair of nines wrongly left by the dealer,
# of which any two could have been kept.
GONE = insert_before(where("community-revealed"), said("player-left", 3, "player-3"))
GONE_FAST = insert_before(where("hand-set", seat=1), said("player-left", 2, "player-2"))
NINES = fast(None, seat(1, "Tc Td 3s 4d", "set", kept="Tc Td"), dealer="9s 9h 9d Ac", community="Ah Kh 7h 6h 2c")
MISSET = change("hand-set", seat=None, to={"kept": ("9s", "Ac")})
LEAVERS = [
    Case("COL 6(b)/s2", "ruling-needed", PERMISSIBLE, edits(drop("decision-made", seat=3), drop("wager-placed", seat=3, wager="bet"), drop("card-discarded", seat=3), drop("hand-revealed", seat=3), GONE)),
    Case("FAH (f)(2)/s2", "ruling-needed", fast(None), edits(drop("hand-set", seat=2), drop("hand-revealed", seat=2), GONE_FAST)),
    Case("FAH (h)(9)(ii)", "ruling-needed", NINES, MISSET),
]  # fmt: skip

# Ruled on, and not done so.
REVERSED = {"at_seat": 4, "ruling": "reversed", "has_ruling": True}
TAKEN_BACK = pikit(wrong("card-exposed", of="dealer", stage="bonus5", **REVERSED))
NOT_DONE = [
    Case("PIK 38.12(d)", "void-wager-not-returned", TAKEN_BACK, drop("wager-collected", seat=4, wager="bonus5"), 1_000, 9_000),
]  # fmt: skip

CASES = [*played_on(), *not_whole(), *HANDS, *TRIPS, *FOR_NOTHING, *RULINGS, *LEAVERS, *NOT_DONE]

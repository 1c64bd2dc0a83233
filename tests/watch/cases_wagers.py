"""Wagers too late, changed after the call, outside their stage, missing, of a wrong amount or without what comes first."""

from domain.simulation.edits import Edit, change, drop, insert_after, insert_before, move_after, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case
from tests.watch.lawful import day, edits

PLACED, CLOSED, CARD = "wager-placed", "bets-closed", "card-dealt"
LATE, CHANGED, WINDOW = "wager-after-close", "wager-changed-after-close", "wager-outside-window"
MISSING, AMOUNT, LIMITS = "wager-missing", "wager-amount-invalid", "wager-outside-limits"
UNMET, NO_CALL = "wager-precondition-unmet", "no-more-bets-missing"

MA_ALL = day(
    "UTH-MA",
    "automated-shoe",
    {"shuffler": "cover-all", "cover_all": True, "progressive": {"house_awards": {"straight": 10_000}}},
    [round_(seat(1, acts="check check play", trips=500, cover_all=500), seat(3, trips=500, progressive=500))],
)
MD_ALL = day(
    "UTH-MD",
    "automated-shoe",
    {"six_card_table": "A", "progressive": {"table": "A"}},
    [round_(seat(1, acts="check check play", trips=500, six_card=500), seat(3, progressive=100))],
)
ACTS = (
    round_(seat(1, acts="play:4", trips=500), seat(3, acts="check play", trips=500), seat(5, acts="check check play")),
)
MA, MD = day("UTH-MA", rounds=ACTS), day("UTH-MD", rounds=ACTS)
PIK = day("PIK", rounds=[round_(seat(1, acts="play3", bonus3=500), seat(3, acts="play5"))])
PIK_LIMITED = day("PIK", options={"ante_max": 5_000, "bonus3_max": 5_000}, rounds=[round_(seat(1, bonus3=500))])
FAH = day("FAH", rounds=[round_(seat(1, acts="split"), seat(3))])
COL = day("COL", rounds=[round_(seat(1, acts="play", bonus=100), seat(3, acts="play"))])
COL_FREE = day("COL", options={"version": "permissible"}, rounds=[round_(seat(1, acts="bet"), seat(3))])


def _late(wager: str, number: int = 1) -> Edit:
    """The wager comes after the call and before a card."""
    return move_after(where(PLACED, wager=wager, seat=number), where(CLOSED))


def _later(wager: str, number: int = 1, after: str = CARD) -> Edit:
    """The wager comes after the first card or stack."""
    return move_after(where(PLACED, wager=wager, seat=number), where(after))


def _changed(wager: str, cents: int) -> Edit:
    return insert_after(where(CLOSED), said("wager-changed", 1, wager, cents))


def _stakes(wager: str, cents: int, number: int = 1) -> Edit:
    """Another amount lies there from the start."""
    return change(PLACED, to={"cents": cents}, wager=wager, seat=number)


CASES = [
    # after no more bets
    Case("UTH-MA 6(b) s1", LATE, MA, _late("ante")),
    Case("UTH-MA 6(b) s1", LATE, MA, _late("blind")),
    Case("UTH-MA 6(b) s1", LATE, MA, _late("trips")),
    Case("UTH-MA 1 (Ante); UTH-MA 6(b) s1", LATE, MA, _later("ante")),
    Case("UTH-MA 1 (Blind); UTH-MA 6(b) s1", LATE, MA, _later("blind")),
    Case("UTH-MA 1 (Trips wager); UTH-MA 6(b) s1", LATE, MA, _later("trips")),
    Case("UTH-MA 13(a)", LATE, MA_ALL, _late("cover_all")),
    Case("UTH-MA 6(b) s2", CHANGED, MA_ALL, _late("progressive", 3)),
    Case("UTH-MD 7.D", LATE, MD, _late("trips")),
    Case("UTH-MD 1.B(7); UTH-MD 7.D", LATE, MD, _later("trips")),
    Case("UTH-MD 7.F(4)(b); UTH-MD 7.D", LATE, MD_ALL, _late("six_card")),
    Case(
        "UTH-MD 2.C(2); UTH-MD 7.D",
        LATE,
        MD_ALL,
        edits(_late("progressive", 3), move_after(where("progressive-accepted"), where(PLACED, wager="progressive"))),
    ),
    Case(
        "UTH-MD 2.C(2)",
        LATE,
        MD_ALL,
        edits(drop(PLACED, wager="progressive"), move_after(where("progressive-accepted"), where(CLOSED))),
    ),
    Case("PIK 39.3(a)/s3", LATE, PIK, _late("bonus3")),
    Case('PIK 39.1 "Ante wager"; PIK 39.3(a)/s3', LATE, PIK, _later("ante")),
    Case('PIK 39.1 "5 card bonus wager"; PIK 39.3(a)/s3', LATE, PIK, _later("bonus5")),
    Case('PIK 39.1 "3 card bonus wager"; PIK 39.3(a)/s3', LATE, PIK, _later("bonus3")),
    Case("FAH (f)(3)", LATE, FAH, _late("original", 3)),
    Case("COL 6(c)/s1", LATE, COL, _late("ante")),
    Case('COL 1 "Ante wager"; COL 6(c)/s1', LATE, COL, _later("ante")),
    Case("COL 6a(b)", LATE, COL, _late("bonus")),
    # increased, reduced, withdrawn
    Case("UTH-MA 6(b) s2", CHANGED, MA, _changed("ante", 5_000), 1_000, 5_000),
    Case("UTH-MA 6(b) s2", CHANGED, MA, insert_after(where(CARD, 5), said("wager-withdrawn", 1, "trips")), 500, 0),
    Case(
        "UTH-MA 6(b) s2",
        CHANGED,
        MA,
        insert_after(where("decision-made", 2), said("wager-changed", 1, "play", 8_000)),
        4_000,
        8_000,
    ),
    Case("UTH-MD 7.E", CHANGED, MD, insert_after(where(CLOSED), said(PLACED, 1, "ante", 2_500)), 1_000, 2_500),
    Case("PIK 39.3(a)/s4", CHANGED, PIK, _changed("bonus3", 100), 500, 100),
    Case("FAH (f)(3)", CHANGED, FAH, _changed("original", 9_000), 1_000, 9_000),
    Case("COL 6(c)/s2", CHANGED, COL, _changed("ante", 500), 1_000, 500),
    # outside their stage
    Case("UTH-MA 1 (Play wager); UTH-MA 6(d)", WINDOW, MA, _later("play")),
    Case(
        "UTH-MA 1 (Play wager); UTH-MA 6(d)",
        WINDOW,
        MA,
        move_after(where(PLACED, wager="play", seat=5), where("hand-revealed", seat=None)),
    ),
    Case("UTH-MD 1.B(5)", WINDOW, MD, _later("play")),
    Case("FAH (h)(3)/s1", WINDOW, FAH, _later("split", 1, "discards-collected")),
    Case('COL 1 "Bet wager"', WINDOW, COL, _later("bet", 1, "community-revealed")),
    # missing
    Case("UTH-MA 1 (Ante)", MISSING, MA, drop(PLACED, wager="ante", seat=3)),
    Case("UTH-MA 1 (Blind)", MISSING, MA, drop(PLACED, wager="blind", seat=3)),
    Case("UTH-MD 7.F(1)", MISSING, MD, drop(PLACED, wager="blind", seat=3)),
    Case('PIK 39.1 "Ante wager"; PIK 39.3(a)/s1', MISSING, PIK, drop(PLACED, wager="ante", seat=1)),
    Case('PIK 39.1 "5 card bonus wager"; PIK 39.3(a)/s1', MISSING, PIK, drop(PLACED, wager="bonus5", seat=1)),
    Case('COL 1 "Ante wager"; COL 6(d)/s1', MISSING, COL, drop(PLACED, wager="ante", seat=1)),
    Case("COL 10(b)(1)/s1", MISSING, COL, drop(PLACED, wager="bet", seat=1), 1_000, 0),
    # equal, or a multiple
    Case("UTH-MA 1 (Ante); UTH-MA 1 (Blind)", AMOUNT, MA, _stakes("blind", 500), 1_000, 500),
    Case("UTH-MD 7.F(1)", AMOUNT, MD, _stakes("blind", 1_500), 1_000, 1_500),
    Case("UTH-MA 10(a) s3; UTH-MA 6(d)", AMOUNT, MA, _stakes("play", 3_500), 3_000, 3_500),
    Case("UTH-MA 10(c) s2; UTH-MA 6(d)", AMOUNT, MA, _stakes("play", 4_000, 3), 2_000, 4_000),
    Case("UTH-MA 10(e); UTH-MA 6(d)", AMOUNT, MA, _stakes("play", 2_000, 5), 1_000, 2_000),
    Case("UTH-MD 11.B(1)", AMOUNT, MD, _stakes("play", 5_000), 4_000, 5_000),
    Case("UTH-MD 11.D(1)", AMOUNT, MD, _stakes("play", 1_000, 3), 2_000, 1_000),
    Case("UTH-MD 11.F", AMOUNT, MD_ALL, _stakes("play", 4_000), 1_000, 4_000),
    Case('PIK 39.1 "5 card bonus wager"', AMOUNT, PIK, _stakes("bonus5", 500), 1_000, 500),
    Case('PIK 39.1 "Play 3 wager"; PIK 39.3(b)/s3; PIK 39.10(c)3', AMOUNT, PIK, _stakes("play3", 2_000), 1_000, 2_000),
    Case(
        'PIK 39.1 "Play 5 wager"; PIK 39.3(b)/s3; PIK 39.10(c)3', AMOUNT, PIK, _stakes("play5", 2_000, 3), 1_000, 2_000
    ),
    Case("FAH (h)(3)/s1", AMOUNT, FAH, _stakes("split", 500), 1_000, 500),
    Case('COL 1 "Bet wager"; COL 10(b)(1)/s1', AMOUNT, COL, _stakes("bet", 2_000), 1_000, 2_000),
    Case("COL 11(b)(1)/s1", AMOUNT, COL_FREE, _stakes("bet", 500), 1_000, 500),
    Case("COL 6a(b)", AMOUNT, COL, _stakes("bonus", 500), 100, 500),
    # within what is posted
    Case("PIK 39.3(a)/s1-limits", LIMITS, PIK_LIMITED, _stakes("ante", 400), 500, 400),
    Case("PIK 39.3(a)/s1-limits", LIMITS, PIK_LIMITED, _stakes("ante", 6_000), 5_000, 6_000),
    Case(
        "PIK 39.3(a)/s1-limits",
        LIMITS,
        PIK_LIMITED,
        insert_before(where("round-opened"), said("limits-posted", "bonus5", 2_000, 5_000)),
        2_000,
        1_000,
    ),
    Case("PIK 39.3(a)/s2", LIMITS, PIK_LIMITED, _stakes("bonus3", 50), 100, 50),
    # the house's options limit what no sign on record does
    Case(
        "PIK 39.3(a)/s2",
        LIMITS,
        PIK_LIMITED,
        edits(change("table-opened", to={"limits": {}}), _stakes("bonus3", 10_000)),
        5_000,
        10_000,
    ),
    *(
        Case(
            clause,
            LIMITS,
            book,
            insert_before(where("round-opened"), said("limits-posted", "ante", least, most)),
            bound,
            1_000,
        )
        for clause, book in (("UTH-MA 11(e)", MA), ("UTH-MD 12.F(1)", MD))
        for least, most, bound in ((2_000, 5_000, 2_000), (1_001, None, 1_001))
    ),
    # no text limits these, so a posted limit is a rule of the house
    *(
        Case(
            "HOUSE 3 (Limits)",
            LIMITS,
            book,
            insert_before(where("round-opened"), said("limits-posted", wager, least, most)),
            bound,
            lay,
        )
        for book, wager, least, most, bound, lay in (
            (MA, "ante", 500, 900, 900, 1_000),
            (MD, "ante", None, 999, 999, 1_000),
            (MD, "play", None, 3_999, 3_999, 4_000),
            (PIK, "play3", 2_000, None, 2_000, 1_000),
            (FAH, "original", 1_001, None, 1_001, 1_000),
            (FAH, "split", None, 999, 999, 1_000),
            (COL, "ante", 1_500, 5_000, 1_500, 1_000),
            (COL, "bet", None, 500, 500, 1_000),
            (COL_FREE, "ante", None, 900, 900, 1_000),
        )
    ),
    Case(
        "UTH-MA 11(e)",
        LIMITS,
        MA_ALL,
        insert_before(where("round-opened"), said("limits-posted", "trips", 1_000, None)),
        1_000,
        500,
    ),
    # what comes first
    Case("UTH-MA 6(c) s1", UNMET, MA, drop(PLACED, wager="blind", seat=3)),
    Case("UTH-MA 14(b) s1", UNMET, MA_ALL, drop(PLACED, wager="trips", seat=3)),
    Case(
        "UTH-MA 14(b) s1; UTH-MA 14(b) s2",
        UNMET,
        MA_ALL,
        drop(PLACED, wager=lambda held: held in ("ante", "blind", "trips"), seat=3),
    ),
    Case("UTH-MD 7.F(2)", UNMET, MD, drop(PLACED, wager="ante", seat=1)),
    Case("UTH-MD 7.F(3)(a)", UNMET, MD_ALL, drop(PLACED, wager="blind", seat=3)),
    Case("UTH-MD 7.F(4)(b)", UNMET, MD_ALL, drop(PLACED, wager="trips", seat=1)),
    Case("PIK 39.3(a)/s2", UNMET, PIK, drop(PLACED, wager="bonus5", seat=1)),
    Case("COL 6a(b)", UNMET, COL, drop(PLACED, wager="ante", seat=1)),
    # the call itself
    *(
        Case(clause, NO_CALL, day(book, method), drop(CLOSED))
        for clause, book, method in (
            ("UTH-MA 7(b)", "UTH-MA", "manual-shoe"),
            ("UTH-MA 8(b)(3) s1", "UTH-MA", "hand"),
            ("UTH-MA 9(b)(2)", "UTH-MA", "automated-shoe"),
            ("UTH-MD 8.C(1)", "UTH-MD", "manual-shoe"),
            ("UTH-MD 9.A(3)", "UTH-MD", "hand"),
            ("UTH-MD 10.A(2)(a)", "UTH-MD", "automated-shoe"),
            ("PIK 39.7(b)/s1", "PIK", "manual-shoe"),
            ("PIK 39.8(b)3/s1", "PIK", "hand"),
            ("PIK 39.9(b)2", "PIK", "automated-shoe"),
            ("FAH (g)(2)/s1", "FAH", "manual-shoe"),
            ("FAH (g)(2)/s1", "FAH", "continuous-shoe"),
            ("COL 7(b)", "COL", "manual-shoe"),
            ("COL 8(b)(3)", "COL", "hand"),
            ("COL 9(b)(2)", "COL", "automated-shoe"),
        )
    ),
]

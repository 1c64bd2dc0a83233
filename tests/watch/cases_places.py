"""Wagers in another form or area, not offered, of unseated people; positions; the progressive system; choices."""

from domain.facts.table_day import DeviceHere
from domain.simulation.edits import Edit, change, drop, insert_after, insert_before, move_after, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case
from tests.watch.lawful import day, edits

PLACED, CARD, STACK = "wager-placed", "card-dealt", "stack-delivered"
FORM, VERBAL, MISPLACED = "wager-form-invalid", "wager-verbal-cash", "wager-misplaced"
NOT_OFFERED, UNSEATED = "wager-not-offered", "wager-unseated"
TOO_MANY, APART, LEFT = "positions-too-many", "positions-not-adjacent", "player-left-mid-round"
NOT_CHOSEN, SOURCE = "option-not-chosen", "card-source-wrong"
LOCKOUT, COUNTED, BANKED = "progressive-lockout-missing", "progressive-count-mismatch", "progressive-unbanked"
VERIFIED = "progressive-unverified"

ACTS = (round_(seat(1, acts="play:4"), seat(3, acts="check play"), seat(5, acts="check check play")),)
MA, MD = day("UTH-MA", rounds=ACTS), day("UTH-MD", rounds=ACTS)
PIK = day("PIK", rounds=[round_(seat(1), seat(2), seat(4))])
PIK_THREE = day("PIK", options={"max_positions": 3}, rounds=[round_(*(seat(number) for number in range(1, 5)))])
FAH = day("FAH", rounds=[round_(seat(1, acts="split"), seat(3))])
COL = day("COL", rounds=[round_(seat(1, acts="play", bonus=100), seat(3, acts="play"))])
COL_FREE = day("COL", options={"version": "permissible"}, rounds=[round_(seat(1, acts="bet"), seat(3))])
COL_TWO = day("COL", options={"max_positions": 2}, rounds=[round_(seat(1), seat(2), seat(4))])
COVER_ALL = day(
    "UTH-MA",
    "automated-shoe",
    {"shuffler": "cover-all", "cover_all": True},
    [round_(seat(1, cover_all=500), seat(3), dealer="7c 2d", community="Kc 9d 4h Jd 8s")],
)
WINS = round_(seat(1, "Ks Kh", progressive=100), seat(3, "2c 3s"), dealer="7c 2d", community="Kc 9d 4h 9c 9s")
CHIPS = {method: day("UTH-MD", method, {"progressive": {"table": "A"}}, [WINS]) for method in ("manual-shoe", "hand")}
CHIPS["automated-shoe"] = day("UTH-MD", "automated-shoe", {"progressive": {"table": "A"}}, [WINS])
ROYAL = round_(seat(1, "As Ks", progressive=100), seat(3), dealer="7c 2d", community="Qs Js Ts 4h 4c")
METERED = {
    letter: day("UTH-MD", options={"progressive": {"table": letter}}, rounds=[ROYAL]) for letter in ("A", "B", "C", "D")
}
SHOES = {book: day(book, "automated-shoe") for book in ("UTH-MA", "PIK", "COL")}
HANDS = {book: day(book) for book in ("UTH-MA", "PIK", "COL")}
MD_AT_DEAL = day("UTH-MD", "automated-shoe", dealer_stack="at-deal")
MD_WAITS = day("UTH-MD", "automated-shoe", dealer_stack="after-decisions")
PIK_AT_DEAL = day("PIK", "automated-shoe", {"dealer_stack_delivery": "at-deal"})
PIK_WAITS = day("PIK", "automated-shoe", {"dealer_stack_delivery": "after-decisions"})
MD_PREPARED = day("UTH-MD", preinspected=True, preshuffled=True)


def _form(form: str) -> Edit:
    return change(PLACED, 1, to={"form": form})


def _in(area: str, wager: str, number: int = 1) -> Edit:
    return change(PLACED, to={"area": area}, wager=wager, seat=number)


def _another(wager: str) -> Edit:
    """One more wager at seat 1."""
    return insert_after(where(PLACED, 1), said(PLACED, 1, wager, 100))


def _same_player(*seats: int) -> Edit:
    return change(PLACED, to={"player": "player-1"}, seat=lambda held: held in seats)


def _leaves(kind: str) -> Edit:
    return insert_after(where(kind, -1), said("player-left", 3, "player-3", round=1))


def _meter(reads: str, cents: int) -> Edit:
    return insert_after(where("meter-read"), said("meter-reset", reads, cents))


def _first(method: str) -> str:
    return STACK if method == "automated-shoe" else CARD


def _delivery(chosen: str) -> Edit:
    """The house chose another time for the dealer's stack than it is delivered at."""
    return edits(
        change("table-opened", to={"devices": (DeviceHere("T7-shoe", "shoe", mode=chosen),)}),
        change("device-configured", to={"mode": chosen}, device="T7-shoe"),
    )


def _option(chosen: str) -> Edit:
    return change("table-opened", to={"options": lambda held: {**held, "dealer_stack_delivery": chosen}})


# The three steps before the deal, by the chapter of each dealing method.
_STEPS = {
    "manual-shoe": ("8.C(2)", "8.C(3)", "8.C(4)"),
    "hand": ("9.A(3)(a)", "9.A(3)(b)", "9.A(3)(c)"),
    "automated-shoe": ("10.A(2)(b)(i)", "10.A(2)(b)(ii)", "10.A(2)(b)(iii)"),
}

CASES = [
    # form
    Case("UTH-MA 6(a) s1", FORM, MA, _form("cash")),
    Case("UTH-MD 7.A", FORM, MD, _form("coupon")),
    Case("PIK 39.3(c)/s1", FORM, PIK, _form("cash")),
    Case("FAH (f)(1)/s1", FORM, FAH, _form("coupon")),
    Case("COL 6(a)/s1", FORM, COL, _form("cash")),
    Case(
        "COL 6(a)/s1",
        FORM,
        day("COL", options={"match_play": {"accepted": False}}),
        change(PLACED, 1, to={"coupon_cents": 500}),
    ),
    Case("UTH-MA 6(a) s2", VERBAL, MA, _form("verbal")),
    Case("UTH-MD 7.B", VERBAL, MD, _form("verbal")),
    Case("PIK 39.3(c)/s2", VERBAL, PIK, _form("verbal")),
    Case("FAH (f)(1)/s2", VERBAL, FAH, _form("verbal")),
    Case("COL 6(a)/s2", VERBAL, COL, _form("verbal")),
    # area
    Case("UTH-MA 6(a) s1", MISPLACED, MA, _in("trips", "ante")),
    Case("UTH-MA 10(a)(1)", MISPLACED, MA, _in("ante", "play")),
    Case("UTH-MA 10(c)(1)", MISPLACED, MA, _in("ante", "play", 3)),
    Case("UTH-MA 10(e)(1)", MISPLACED, MA, _in("blind", "play", 5)),
    Case("UTH-MD 7.A", MISPLACED, MD, _in("trips", "ante")),
    Case("UTH-MD 11.B(2)(a)", MISPLACED, MD, _in("ante", "play")),
    Case("UTH-MD 11.D(2)(a)", MISPLACED, MD, _in("ante", "play", 3)),
    Case("UTH-MD 11.F(1)", MISPLACED, MD, _in("ante", "play", 5)),
    Case("PIK 39.3(c)/s1", MISPLACED, PIK, _in("bonus3", "bonus5")),
    Case("FAH (f)(1)/s1", MISPLACED, FAH, _in("community", "original")),
    Case("COL 6(a)/s1; COL 6(d)/s1", MISPLACED, COL, _in("bet", "ante")),
    Case("COL 10(b)(1)/s1", MISPLACED, COL, _in("ante", "bet")),
    Case("COL 11(b)(1)/s1", MISPLACED, COL_FREE, _in("ante", "bet")),
    # offered
    Case("UTH-MA 13(a)", NOT_OFFERED, MA, _another("cover_all")),
    Case("UTH-MA 14(b) s1", NOT_OFFERED, MA, _another("progressive")),
    Case("UTH-MD 7.F(3)", NOT_OFFERED, MD, _another("progressive")),
    Case("UTH-MD 7.F(4)", NOT_OFFERED, MD, _another("six_card")),
    Case("UTH-MD 7.F(5)", NOT_OFFERED, MD, _another("ultimate_pairs")),
    Case("UTH-MD 7.F(6)", NOT_OFFERED, MD, _another("bad_beat")),
    Case("UTH-MD 7.F(7)", NOT_OFFERED, MD, _another("play_the_board")),
    Case("COL 6a(a)", NOT_OFFERED, day("COL", options={"bonus_offered": False}), _another("bonus")),
    # seated
    Case("UTH-MA 6(e) s1", UNSEATED, MA, drop("player-seated", seat=3)),
    Case("UTH-MD 7.C", UNSEATED, MD, drop("player-seated", seat=3)),
    Case("PIK 39.3(d)/s1", UNSEATED, PIK, drop("player-seated", seat=4)),
    Case("FAH (f)(2)/s1", UNSEATED, FAH, change(PLACED, to={"player": "somebody"}, seat=3)),
    Case("COL 6(b)/s1", UNSEATED, COL, change(PLACED, to={"player": "somebody"}, seat=3)),
    # positions
    Case("UTH-MA 12", TOO_MANY, MA, _same_player(1, 3)),
    Case("UTH-MD 7.G", TOO_MANY, MD, _same_player(1, 3)),
    Case("UTH-MD 2.A", TOO_MANY, MD, change("table-opened", to={"positions": 7})),
    Case(
        "UTH-MD 2.A",
        TOO_MANY,
        day("UTH-MD", rounds=[round_(*(seat(number) for number in range(1, 7)))]),
        insert_before(
            where("bets-closed"),
            *(said(PLACED, 7, wager, 1_000, player="player-7") for wager in ("ante", "blind")),
        ),
    ),
    Case("PIK 39.3(e)", TOO_MANY, PIK, _same_player(1, 2)),
    Case("PIK 39.3(e); PIK 39.3(e)/count", TOO_MANY, PIK_THREE, _same_player(1, 2, 3, 4)),
    Case("FAH (j)(1)", TOO_MANY, FAH, _same_player(1, 3)),
    Case("COL 6(e)", TOO_MANY, COL, _same_player(1, 3)),
    Case("COL 6(e); COL 6(e)/count", TOO_MANY, COL_TWO, _same_player(1, 2, 4)),
    Case("PIK 39.3(e)", APART, PIK_THREE, _same_player(1, 2, 4)),
    Case("COL 6(e)", APART, COL_TWO, _same_player(1, 4)),
    Case("UTH-MA 6(e) s2", LEFT, MA, _leaves("decision-made")),
    Case("UTH-MD 7.C(1)", LEFT, MD, _leaves("decision-made")),
    Case("PIK 39.3(d)/s2", LEFT, day("PIK"), _leaves("decision-made")),
    Case("FAH (f)(2)/s2", LEFT, FAH, _leaves("hand-set")),
    Case("COL 6(b)/s2", LEFT, COL, _leaves("decision-made")),
    # Cover All's shuffler
    Case("UTH-MA 13(e)", "cover-all-count-mismatch", COVER_ALL, change("hands-determined", to={"hands": 2})),
    Case("UTH-MA 13(e)", "cover-all-count-mismatch", COVER_ALL, drop("hands-determined")),
    Case(
        "UTH-MA 13(d)",
        "cover-all-device-mode-wrong",
        COVER_ALL,
        change("device-configured", to={"mode": "standard"}, device="T7-shuffler"),
    ),
    # Maryland's progressive
    Case(
        "UTH-MD 2.C",
        "progressive-system-missing",
        CHIPS["manual-shoe"],
        change("table-opened", to={"devices": (DeviceHere("T7-cards", "table-reader"),)}),
    ),
    Case("UTH-MD 2.C(1)", "progressive-unacknowledged", CHIPS["hand"], drop("progressive-accepted")),
    *(
        Case(f"UTH-MD {clause}", code, CHIPS[method], edit)
        for method in _STEPS
        for clause, code, edit in (
            (_STEPS[method][0], LOCKOUT, drop("progressive-locked-out")),
            (_STEPS[method][1], COUNTED, change("progressive-collected", to={"chips": 2})),
            (_STEPS[method][1], COUNTED, drop("progressive-collected")),
            (_STEPS[method][2], BANKED, drop("progressive-banked")),
            (_STEPS[method][2], BANKED, move_after(where("progressive-banked"), where(_first(method)))),
        )
    ),
    Case("UTH-MD 11.J(2)(a)", VERIFIED, CHIPS["hand"], drop("award-verified", what="hand")),
    Case("UTH-MD 11.J(2)(b)", VERIFIED, CHIPS["hand"], drop("award-verified", what="light")),
    Case("UTH-MD 11.J(2)(c)", VERIFIED, CHIPS["hand"], change("award-verified", to={"by": "dealer"}, what="payout")),
    Case(
        "UTH-MD 7.F(3)(a)",
        "progressive-amount-invalid",
        CHIPS["hand"],
        change(PLACED, to={"cents": 300}, wager="progressive"),
        100,
        300,
    ),
    Case(
        "UTH-MD 7.F(3)(a); UTH-MD 12.D(5)(a)",
        "envy-amount-unprinted",
        CHIPS["hand"],
        edits(
            insert_before(where("round-opened"), said("option-changed", "progressive.allowed", [1_000])),
            change(PLACED, to={"cents": 1_000}, wager="progressive"),
        ),
        None,
        1_000,
    ),
    Case(
        "UTH-MA 14(a)",
        "progressive-amount-invalid",
        day("UTH-MA", options={"progressive": {}}, rounds=[round_(seat(1, trips=500, progressive=500))]),
        change(PLACED, to={"cents": 100}, wager="progressive"),
        500,
        100,
    ),
    *(
        Case(
            f"UTH-MD 12.D(3)(b){clause}",
            "meter-reset-too-low",
            METERED[letter],
            _meter(meter, least - 1),
            least,
            least - 1,
        )
        for clause, letter, meter, least in (
            ("(i)", "A", "main", 1_000_000),
            ("(ii)(1)", "B", "major", 100_000),
            ("(ii)(2)", "B", "minor", 25_000),
            ("(iii)(1)", "C", "mega", 1_000_000),
            ("(iii)(2)", "C", "major", 100_000),
            ("(iii)(3)", "C", "minor", 25_000),
            ("(iv)(1)", "D", "mega", 1_000_000),
            ("(iv)(2)", "D", "major", 100_000),
            ("(iv)(3)", "D", "minor", 25_000),
        )
    ),
    # only where the house has chosen it
    Case("UTH-MA 8(a)", NOT_CHOSEN, HANDS["UTH-MA"], change(CARD, 1, to={"source_of_card": "hand"})),
    Case("PIK 39.8(a)", NOT_CHOSEN, HANDS["PIK"], change(CARD, 1, to={"source_of_card": "hand"})),
    Case("COL 8(a)", NOT_CHOSEN, HANDS["COL"], change(CARD, 1, to={"source_of_card": "hand"})),
    Case("UTH-MA 9(a)", NOT_CHOSEN, SHOES["UTH-MA"], change("table-opened", to={"dealing_method": "manual-shoe"})),
    Case("PIK 39.9(a)", NOT_CHOSEN, SHOES["PIK"], change("table-opened", to={"dealing_method": "manual-shoe"})),
    Case("COL 9(a)", NOT_CHOSEN, SHOES["COL"], change("table-opened", to={"dealing_method": "manual-shoe"})),
    Case("FAH (k)(1)", NOT_CHOSEN, FAH, change(CARD, to={"source_of_card": "continuous-shoe"})),
    Case("UTH-MD 5.I; UTH-MD 10.F", NOT_CHOSEN, MD, change(CARD, to={"source_of_card": "continuous-shoe"})),
    Case("UTH-MA 4(a) s2 proviso", NOT_CHOSEN, MA, change("shoe-loaded", to={"by": "device"})),
    Case("UTH-MD 5.C", NOT_CHOSEN, MD, change("shoe-loaded", to={"by": "device"})),
    Case("UTH-MD 4.F", NOT_CHOSEN, MD_PREPARED, change("deck-received", to={"preshuffled": False})),
    Case(
        "FAH (b)(3)",
        NOT_CHOSEN,
        FAH,
        insert_after(where("deck-received"), said("cover-card-introduced", "two", "black", "conceal")),
    ),
    Case("COL 6(f)/s1", NOT_CHOSEN, COL, drop(PLACED, wager="bet")),
    Case("UTH-MD 10.B(3)", NOT_CHOSEN, MD_AT_DEAL, _delivery("after-decisions")),
    Case("UTH-MD 10.B(4)", NOT_CHOSEN, MD_WAITS, _delivery("at-deal")),
    Case("PIK 39.9(c)1", NOT_CHOSEN, PIK_AT_DEAL, _option("after-decisions")),
    Case("PIK 39.9(c)2", NOT_CHOSEN, PIK_WAITS, _option("at-deal")),
    Case("UTH-MA 9(d) s1", SOURCE, SHOES["UTH-MA"], change(CARD, 1, to={"source_of_card": "automated-shoe"})),
    Case("FAH (b)(2)/s1", SOURCE, FAH, change(CARD, 1, to={"source_of_card": "hand"})),
]

"""Amounts owed on Ultimate Texas Hold'em's wagers, in both texts: paid, collected, pushed and limited wrongly."""

from collections.abc import Callable

from domain.simulation.edits import Edit, drop, insert_before, repeat, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case, Day
from tests.watch.lawful import day
from tests.watch.settled_how import edits, left, paid, taken

MA, MD = "UTH-MA", "UTH-MD"
BOTH = (MA, MD)
OPTIONS = {MA: {"cover_all": True, "shuffler": "cover-all"}, MD: {}}

BOARD = "Kd 9c 4h 2s Js"
PAIR = {"dealer": "7c 7d", "community": BOARD}
NO_PAIR = {"dealer": "Qc 3d", "community": BOARD}
# Two pair that wins, a straight that wins, an ace that loses; on the second board everybody has the same straight.
SEATS = (seat(1, "Kc 4d", "play", trips=500), seat(2, "Qd Tc", "play"), seat(3, "Ac Qs", "play", trips=500))
TIED = {"dealer": "3c 3d", "community": "9c 8d 7h 6s 5c"}
TWOS = (seat(1, "2c 2d", "play", trips=500), seat(3, "2h 4s", "check check fold"))


def table(rounds: Callable[[], list[object]], **options: object) -> dict[str, Day]:
    """The same rounds at a table of each state."""
    return {book: day(book, options=OPTIONS[book] | options, rounds=rounds()) for book in BOTH}


AGAINST_A_PAIR = table(lambda: [round_(*SEATS, **PAIR)])
BELOW_A_PAIR = table(lambda: [round_(*SEATS, **NO_PAIR)])
TIE = table(lambda: [round_(*TWOS, **TIED)])
TWO_ROUNDS = table(lambda: [round_(*TWOS, **TIED), round_(*SEATS, **PAIR)])

A_PAYMENT = insert_before(where("round-completed"), said("wager-paid", 3, "play", 1_000))
ABANDONED = taken(1, "ante", 1_000, "abandoned")


# Massachusetts' clauses | Maryland's | code | the days | the edit | owed in all | handed back in all
AGAINST_THE_DEALER = [
    ("10(h)(2); 11(b)", "11.H(3)(b); 12.A", "wager-underpaid", AGAINST_A_PAIR, paid(1, "ante", 500, 1_000), 2_000, 1_500),
    ("10(h)(2); 11(b)", "11.H(3)(b); 12.A", "wager-overpaid", AGAINST_A_PAIR, paid(1, "play", 5_000, 4_000), 8_000, 9_000),
    ("10(h)(2); 11(b)", "11.H(3)(b); 12.A", "winner-unpaid", AGAINST_A_PAIR, left(1, "play", 4_000), 8_000, 4_000),
    ("10(h)(2); 11(b)", "11.H(3)(b); 12.A", "winner-collected", AGAINST_A_PAIR, taken(1, "ante", 1_000), 2_000, 0),
    ("10(h)(1)", "11.H(3)(a)", "loser-not-collected", AGAINST_A_PAIR, left(3, "ante", 1_000), 0, 1_000),
    ("10(h)(1); 11(c)", "11.H(3)(a); 12.B(1)", "loser-paid", AGAINST_A_PAIR, paid(3, "blind", 1_000, 1_000), 0, 2_000),
    ("10(h)(2); 11(c)", "11.H(3)(b); 12.B(1)", "wager-underpaid", AGAINST_A_PAIR, paid(2, "blind", 500, 1_000), 2_000, 1_500),
    ("10(h)(2); 11(c)", "11.H(3)(c); 12.B(1)", "push-mishandled", AGAINST_A_PAIR, paid(1, "blind", 1_000, 1_000), 1_000, 2_000),
    ("10(g)", "11.H(1)", "push-mishandled", BELOW_A_PAIR, taken(3, "ante", 1_000), 1_000, 0),
    ("10(g)", "11.H(1)", "push-mishandled", BELOW_A_PAIR, paid(1, "ante", 1_000, 1_000), 1_000, 2_000),
    ("5(c) s2; 10(h)(3)", "6.E(2); 11.H(3)(d)", "push-mishandled", TIE, taken(1, "play", 4_000), 4_000, 0),
    ("10(e)(2)", "11.F(2)", "folded-wager-not-collected", TIE, left(3, "ante", 1_000), 0, 1_000),
    ("10(e)(2)", "11.F(2)", "folded-wager-not-collected", TIE, drop("wager-collected", seat=3, wager="blind"), 0, 0),
    ("1 (Round of play)", "11.H(2)(d)", "wager-unsettled", AGAINST_A_PAIR, drop("wager-collected", seat=3, wager="trips"), 0, 0),
    ("11(b)", "12.A", "paid-without-wager", TIE, A_PAYMENT, 0, 1_000),
    ("1 (Trips wager); 11(d)", "11.I(1); 12.C(1)", "loser-paid", AGAINST_A_PAIR, paid(3, "trips", 1_500, 500), 0, 2_000),
    ("1 (Trips wager); 11(d)", "11.I(1); 12.C(1)", "winner-collected", TIE, taken(1, "trips", 500), 2_500, 0),
    ("10(h)(4) s2", "11.I(2)", "winner-unpaid", TIE, left(1, "trips", 500), 2_500, 500),
]  # fmt: skip


def against_the_dealer() -> list[Case]:
    """Each row at a table of each state."""
    cases = []
    for ma, md, code, days, edit, owed, got in AGAINST_THE_DEALER:
        for book, clauses in ((MA, ma), (MD, md)):
            named = "; ".join(f"{book} {name.strip()}" for name in clauses.split(";"))
            cases.append(Case(named, code, days[book], edit, owed, got))
    return cases


# A flush beats the dealer: what trips pays for it, by the table the house selected.
FLUSH = round_(seat(1, "Ah 3h", "play", trips=500), dealer="Kc Ks", community="9h 4h Jh Kd 2c")
TRIPS = {"A": 7, "B": 6, "C": 7, "D": 6, "E": 6}


def trips_tables() -> list[Case]:
    """One short payment of each table's flush; in Massachusetts one too high keeps the rule and not the table."""
    cases = []
    for number, (letter, odds) in enumerate(TRIPS.items(), start=1):
        short = paid(1, "trips", 500 * (odds - 1), 500)
        over = paid(1, "trips", 500 * (odds + 1), 500)
        owed = 500 * (odds + 1)
        table_md = day(MD, options={"trips_table": letter}, rounds=[FLUSH])
        cases.append(Case(f"UTH-MD 12.C({number})", "wager-underpaid", table_md, short, owed, owed - 500))
        cases.append(Case(f"UTH-MD 12.C({number})", "wager-overpaid", table_md, over, owed, owed + 500))
        if letter != "E":
            table_ma = day(MA, options={"trips_table": letter}, rounds=[FLUSH])
            clauses = f"UTH-MA 11(d) Paytable {letter}; UTH-MA 11(d); UTH-MA 10(h)(4) s2"
            cases.append(Case(clauses, "wager-underpaid", table_ma, short, owed, owed - 500))
            cases.append(Case(clauses, "paid-above-floor", table_ma, over, owed, owed + 500))
    return cases


# A full house is the highest hand: what Cover All pays for it, by the hands dealt.
COLUMNS = {7: 4, 6: 4, 5: 5, 4: 6, 3: 8, 2: 12}


def covered(hands: int) -> Day:
    """A round of so many hands, the dealer's among them; the first seat covers all and holds the highest."""
    others = [seat(number) for number in range(2, hands)]
    first = seat(1, "Kc Ks", "play", cover_all=500)
    plan = round_(first, *others, dealer="7c 6d", community="Kh 9c 9d 4s 2c")
    return day(MA, options=OPTIONS[MA], rounds=[plan])


def cover_all() -> list[Case]:
    """Every column of the matrix, and what has no bearing on it."""
    cases = []
    for hands, odds in COLUMNS.items():
        own = "UTH-MA 13(f); " if hands == 7 else ""
        clauses = f"{own}UTH-MA 13(k) column {hands}"
        owed = 500 * (odds + 1)
        short = paid(1, "cover_all", 500 * (odds - 1) - 100, 500)
        cases.append(Case(clauses, "wager-underpaid", covered(hands), short, owed, owed - 600))
        collected = taken(1, "cover_all", 500)
        cases.append(Case(f"{clauses}; UTH-MA 13(b)", "winner-collected", covered(hands), collected, owed, 0))
    another_column = paid(1, "cover_all", 500 * 12, 500)
    twice = repeat(where("wager-paid", wager="cover_all"))
    kings = round_(seat(1, "Kc Ks", "play", cover_all=500), seat(2, "9h 9s", "play"), community="Kh 9c 9d 4s 2c", dealer="7c 6d")  # fmt: skip
    another_hand = paid(1, "cover_all", 500 * 8, 500)  # a full house, where four nines lie
    fours = day(MA, options=OPTIONS[MA], rounds=[kings])
    return [
        *cases,
        Case("UTH-MA 13(c); UTH-MA 13(k)", "settlement-basis-wrong", covered(3), another_column),
        Case("UTH-MA 13(g)", "settlement-basis-wrong", fours, another_hand),
        Case("UTH-MA 13(g)", "wager-paid-twice", covered(3), twice, 4_500, 8_500),
    ]


# A royal flush on big wagers: more than any limit.
ROYAL = {"dealer": "9s 9c", "community": "Qh Jh Th 7c 7d"}
BIG = {"ante": 20_000, "trips": 10_000}
MA_LIMITED = day(MA, rounds=[round_(seat(1, "Ah Kh", "play", **BIG), **ROYAL)])
MA_ALL_BETS = day(MA, options=OPTIONS[MA], rounds=[round_(seat(1, "Ah Kh", "play", cover_all=20_000, **BIG), **ROYAL)])
MD_LIMITED = day(MD, options={"payout_cap": 5_000_000}, rounds=[round_(seat(1, "Ah Kh", "play", **BIG), **ROYAL)])
SIX = round_(seat(1, "Ah Kh", "play", six_card=10_000, ante=2_000, trips=1_000), dealer="9s 9c", community="7c 7d 4s 3s 2d", box="Qh Jh Th 2c")  # fmt: skip
MD_SIX = day(MD, "automated-shoe", {"six_card_table": "A", "payout_cap": 5_000_000}, [SIX])

LIMITS = [
    Case("UTH-MA 11(e)", "cap-exceeded", MA_LIMITED, paid(1, "trips", 500_000, 10_000), 5_130_000, 5_630_000),
    Case("UTH-MA 11(e)", "wager-underpaid", MA_LIMITED, paid(1, "blind", 4_000_000, 20_000), 5_130_000, 4_150_000),
    Case("UTH-MA 14(d)", "cap-exceeded", MA_ALL_BETS, paid(1, "cover_all", 4_000_000, 20_000), 7_650_000, 9_150_000),
    Case("UTH-MD 12.F; UTH-MD 12.F(2)", "cap-exceeded", MD_LIMITED, paid(1, "play", 80_000, 80_000), 5_130_000, 5_210_000),
    Case("UTH-MD 12.F; UTH-MD 12.F(2)", "wager-underpaid", MD_LIMITED, paid(1, "blind", 4_000_000, 20_000), 5_130_000, 4_150_000),
    Case("UTH-MD 12.F(2)", "wager-underpaid", MD_SIX, paid(1, "six_card", 5_000_000, 10_000), 10_010_000, 5_010_000),
]  # fmt: skip

HANDS = {"pair": 500, "two_pair": 500, "three_of_a_kind": 1000, "straight": 1000, "flush": 1500}
AWARDS = {"progressive": {"amount": 500, "house_awards": HANDS}}
THREE_KINGS = round_(seat(2, "Kc Ks", "play", trips=500, progressive=500), **PAIR)
MA_AWARD = day(MA, options=AWARDS, rounds=[THREE_KINGS])
# Trips that win, in a hand that three kings beat.
BEATEN = day(MA, rounds=[round_(seat(1, "8c 8d", "play", trips=500), dealer="Kc Ks", community="8h Kd Qs 4s 2c")])

# What only one of the two texts knows, and what no text lets another wager decide.
MORE = [
    Case("UTH-MA 14(c)", "winner-collected", MA_AWARD, taken(2, "progressive", 500), 1_000, 0),
    Case("UTH-MA 14(c)", "wager-overpaid", MA_AWARD, paid(2, "progressive", 1_000, 500), 1_000, 1_500),
    Case("UTH-MA 6(c) s2", "settlement-basis-wrong", AGAINST_A_PAIR[MA], edits(taken(1, "ante", 1_000), taken(1, "play", 4_000))),
    Case("UTH-MA 1 (Round of play)", "round-not-closed", TWO_ROUNDS[MA], drop("round-completed", 1)),
    Case("UTH-MD 7.C(2)", "abandoned-wager-mishandled", AGAINST_A_PAIR[MD], ABANDONED, 2_000, 0),
    Case("UTH-MA 11(d)", "paid-without-wager", AGAINST_A_PAIR[MA], insert_before(where("round-completed"), said("wager-paid", 2, "trips", 500)), 0, 500),
    Case("UTH-MA 11(c)", "paid-without-wager", AGAINST_A_PAIR[MA], drop("wager-placed", seat=2, wager="blind")),
    Case("UTH-MA 6(c) s2", "settlement-basis-wrong", BEATEN, edits(paid(1, "ante", 1_000, 1_000), paid(1, "play", 4_000, 4_000))),
]  # fmt: skip
BLIND_B: Edit = paid(2, "blind", 1_000, 1_000)
STRAIGHT_B = day(MD, options={"blind_table": "B"}, rounds=[round_(*SEATS, **PAIR)])
MORE.append(
    Case("UTH-MD 12.B(2); UTH-MD 11.H(3)(c)", "push-mishandled", STRAIGHT_B, BLIND_B, 1_000, 2_000),
)

CASES = [*against_the_dealer(), *trips_tables(), *cover_all(), *LIMITS, *MORE]

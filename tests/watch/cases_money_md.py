"""Maryland's side wagers, progressive and envy: every pay table, and what has no bearing on them."""

from collections.abc import Iterator
from typing import Any

from domain.simulation.edits import change, drop, insert_after, insert_before, repeat, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case, Day
from tests.watch.lawful import day
from tests.watch.settled_how import edits, left, paid, taken

MD = "UTH-MD"
DEALER, BOARD = "7c 6d", "Kd 9c 4h 2s Js"
STAKE = 500


def at(options: dict[str, Any], *seats: Any, method: str = "manual-shoe", **cards: str) -> Day:
    """A day of one round at a Maryland table with these options."""
    plan = round_(*seats, **({"dealer": DEALER, "community": BOARD} | cards))
    return day(MD, method, options, [plan])


# Pay table | its option | letter | the player's cards | what else lies | odds on the line | the clause
PAIRS = {"A": 30, "B": 30, "C": 30, "D": 30, "E": 25, "F": 25}
BEATEN = {"A": 40, "B": 50, "C": 50}
ON_BOARD = {"A": 7, "B": 6, "C": 6}


def side_wagers() -> Iterator[Case]:
    """Each table's line paid a unit short, collected, and a losing one paid."""
    for number, (letter, odds) in enumerate(PAIRS.items(), start=1):
        told = at({"ultimate_pairs_table": letter}, seat(1, "Ac As", "play", ultimate_pairs=STAKE), seat(3, "Qc 8h", "play", ultimate_pairs=STAKE))  # fmt: skip
        yield from _around("ultimate_pairs", f"UTH-MD 12.E#2({number})", told, odds, loser=3)
    for number, (letter, odds) in enumerate(BEATEN.items(), start=1):
        kings = seat(1, "Kd 4d", "play", bad_beat=STAKE), seat(3, "8c 7h", "play", bad_beat=STAKE)
        told = at({"bad_beat_table": letter}, *kings, dealer="9h 9s", community="9c 9d Kh Ks 4c")
        yield Case(f"UTH-MD 12.F#2({number})", "wager-underpaid", told, paid(1, "bad_beat", STAKE * (odds - 1), STAKE), STAKE * (odds + 1), STAKE * odds)  # fmt: skip
        yield Case(f"UTH-MD 12.F#2({number})", "winner-collected", told, taken(1, "bad_beat", STAKE), STAKE * (odds + 1), 0)  # fmt: skip
        lost = at({"bad_beat_table": letter}, seat(1, "Kc 4d", "play", bad_beat=STAKE))
        yield Case(f"UTH-MD 12.F#2({number})", "loser-paid", lost, paid(1, "bad_beat", STAKE, STAKE), 0, 2 * STAKE)
    for number, (letter, odds) in enumerate(ON_BOARD.items(), start=1):
        told = at({"play_board_table": letter}, seat(1, "Ac 5d", "play", play_the_board=STAKE), community="9h 9s 9d Ks 4c")  # fmt: skip
        yield Case(f"UTH-MD 12.G({number})", "wager-overpaid", told, paid(1, "play_the_board", STAKE * 9, STAKE), STAKE * (odds + 1), STAKE * 10)  # fmt: skip
        yield Case(f"UTH-MD 12.G({number})", "winner-unpaid", told, left(1, "play_the_board", STAKE), STAKE * (odds + 1), STAKE)  # fmt: skip
        lost = at({"play_board_table": letter}, seat(1, "Kc 4d", "play", play_the_board=STAKE))
        yield Case(f"UTH-MD 12.G({number})", "loser-not-collected", lost, left(1, "play_the_board", STAKE), 0, STAKE)


def _around(wager: str, clause: str, told: Day, odds: int, loser: int) -> Iterator[Case]:
    owed = STAKE * (odds + 1)
    yield Case(clause, "wager-underpaid", told, paid(1, wager, STAKE * (odds - 1), STAKE), owed, owed - STAKE)
    yield Case(clause, "wager-overpaid", told, paid(1, wager, STAKE * (odds + 1), STAKE), owed, owed + STAKE)
    yield Case(clause, "winner-collected", told, taken(1, wager, STAKE), owed, 0)
    yield Case(clause, "loser-paid", told, paid(loser, wager, STAKE, STAKE), 0, 2 * STAKE)


BOX = {"method": "automated-shoe", "box": "Jh 3s Jc 2h"}
SIX_A = at({"six_card_table": "A"}, seat(1, "Js 4d", "play", trips=500, six_card=500), seat(3, "Ac Qs", "play", trips=500, six_card=500), community="Kd 9c 4h 2s 5s", **BOX)  # fmt: skip
SIX_B = at({"six_card_table": "B"}, seat(1, "Js 4d", "play", trips=500, six_card=500), seat(3, "Ac Qs", "play", trips=500, six_card=500), community="Kd 9c 4h 2s 5s", **BOX)  # fmt: skip
SUPER = at({"six_card_table": "A"}, seat(1, "Ad 9d", "play", trips=500, six_card=500), method="automated-shoe", box="Kd Qd Jd Td", community="5c 9c 4h 2s 8s")  # fmt: skip
FOURS = at({"six_card_table": "A"}, seat(1, "4c 4d", "play", trips=500, six_card=500), method="automated-shoe", box="Jh 3s Tc 8h", community="Kd 9c 4h 2s 5s")  # fmt: skip
SIX_CARDS = [
    Case("UTH-MD 12.E(1); UTH-MD 11.I(4)", "wager-underpaid", SIX_A, paid(1, "six_card", 2_000, 500), 3_000, 2_500),
    Case("UTH-MD 12.E(1); UTH-MD 11.I(3)", "loser-paid", SIX_A, paid(3, "six_card", 2_500, 500), 0, 3_000),
    Case("UTH-MD 12.E(1); UTH-MD 11.I(3)", "winner-collected", SIX_A, taken(1, "six_card", 500), 3_000, 0),
    Case("UTH-MD 12.E(2); UTH-MD 11.I(4)", "wager-overpaid", SIX_B, paid(1, "six_card", 5_000, 500), 3_000, 5_500),
    Case("UTH-MD 12.E(2); UTH-MD 11.I(3)", "loser-not-collected", SIX_B, left(3, "six_card", 500), 0, 500),
    Case("UTH-MD 7.F(4)(a)", "settlement-basis-wrong", SUPER, paid(1, "six_card", 500_000, 500)),
    Case("UTH-MD 11.I(3)", "settlement-basis-wrong", FOURS, paid(1, "six_card", 2_500, 500)),
]  # fmt: skip

# A flush, and what each progressive table pays for it; a straight flush, paid off a meter.
FLUSH = seat(1, "Ah 3h", "play", progressive=500), seat(3, "Qc 8d", "play", progressive=100)
FLUSHED = {"dealer": "Kc Ks", "community": "9h 4h Jh Kd 2c"}
STRAIGHT_FLUSH = seat(1, "Th 9h", "play", progressive=500), seat(3, "Qc 8d", "play", progressive=100)
RUNNING = {"dealer": "Kc Ks", "community": "8h 7h 6h Kd 2c"}
METERS = {"main": 2_500_000, "mega": 12_000_000, "major": 240_000, "minor": 31_000}
NAMES = {"A": ("main",), "B": ("major", "minor"), "C": ("mega", "major", "minor"), "D": ("mega", "major", "minor")}


def offered(letter: str, **more: Any) -> dict[str, Any]:
    """A house with this progressive table."""
    return {"progressive": {"table": letter, **more}}


def progressive(letter: str, seats: Any, cards: dict[str, str], **more: Any) -> Day:
    """A day with one round of progressive wagers, the meters standing high."""
    meters = {name: METERS[name] for name in NAMES[letter]}
    return day(MD, options=offered(letter, **more), rounds=[round_(*seats, **cards)], meters_cents=meters)


def award(seat_number: int, to: int) -> Any:
    """Another amount paid on a progressive."""
    return change("wager-paid", to={"cents": to}, seat=seat_number, wager="progressive")


def progressives() -> Iterator[Case]:
    """Each table's flush, for 1 and to 1, and what is paid off a meter in turn."""
    won = "UTH-MD 11.J(1); UTH-MD 11.J(2)(d)"
    for letter in "ABCD":
        clause = f"UTH-MD 12.D(1)({letter.lower()})"
        owed = 20_500 if letter == "A" else 20_000
        told = progressive(letter, FLUSH, FLUSHED)
        yield Case(f"{clause}; {won}", "wager-underpaid", told, award(1, 2_000), owed, 2_000)
        yield Case(f"{clause}; {won}", "wager-overpaid", told, award(1, 30_000), owed, 30_000)
        unpaid = drop("wager-paid", seat=1, wager="progressive")
        yield Case(f"{clause}; UTH-MD 1.B(6)", "winner-unpaid", told, unpaid, owed, 0)
        stray = insert_before(where("round-completed"), said("wager-paid", 3, "progressive", 900))
        yield Case(f"{clause}; UTH-MD 1.B(6)", "loser-paid", told, stray, 0, 900)
    tenth = progressive("A", STRAIGHT_FLUSH, RUNNING)
    yield Case("UTH-MD 12.D(4); UTH-MD 12.D(1)(a)", "wager-overpaid", tenth, award(1, 2_500_000), 250_000, 2_500_000)
    twice = repeat(where("wager-paid", seat=1, wager="progressive"))
    yield Case("UTH-MD 12.D(2)", "wager-paid-twice", progressive("B", FLUSH, FLUSHED), twice, 20_000, 40_000)


# Seat 3 holds a straight flush; seat 1 has a progressive wager and gets an envy bonus.
GENERAL = "UTH-MD 1.B(2); UTH-MD 1.B(3); UTH-MD 11.J(2)(e); UTH-MD 11.J(2)(e)(i)"


def envied(letter: str, cents: int, **more: Any) -> Day:
    """A round in which seat 1 gets an envy bonus for seat 3's straight flush."""
    seats = seat(1, "Qc 8d", "play", progressive=cents), seat(3, "Th 9h", "play", progressive=100)
    return progressive("B", seats, RUNNING, envy_table=letter, **more)


def envies() -> Iterator[Case]:
    """Every envy table for both amounts; holders without a wager, several holders, the player's own hand."""
    for letter in "ABCD":
        for cents, paragraph, due in ((100, 6, 30_000), (500, 7, 150_000)):
            clause = f"UTH-MD 12.D({paragraph})({letter.lower()})"
            told = envied(letter, cents)
            gone = drop("wager-paid", seat=1, wager="envy")
            short = change("wager-paid", to={"cents": due // 3}, seat=1, wager="envy")
            yield Case(f"{clause}; {GENERAL}", "envy-unpaid", told, gone, due, 0)
            yield Case(f"{clause}; UTH-MD 12.D(5)(a)", "wager-underpaid", told, short, due, due // 3)
    on_board = {"dealer": "Kc Ks", "community": "9h 8h 7h 6h 5h"}
    three = tuple(seat(number, acts="play", progressive=100) for number in (1, 2, 4))
    several = progressive("B", three, on_board)
    half = change("wager-paid", to={"cents": 30_000}, seat=1, wager="envy")
    yield Case("UTH-MD 11.J(2)(e)(iii)", "wager-underpaid", several, half, 60_000, 30_000)
    own = insert_before(where("round-completed"), said("wager-paid", 3, "envy", 30_000))
    yield Case("UTH-MD 11.J(2)(e)(iv)", "wager-overpaid", envied("A", 100), own, 0, 30_000)
    without = seat(1, "Qc 8d", "play", progressive=100), seat(3, "Th 9h", "play")
    must = progressive("B", without, RUNNING, envy_holder_must_wager=True)
    need_not = progressive("B", without, RUNNING)
    given = insert_before(where("round-completed"), said("wager-paid", 1, "envy", 30_000))
    yield Case("UTH-MD 11.J(2)(e)(ii)", "wager-overpaid", must, given, 0, 30_000)
    yield Case("UTH-MD 11.J(2)(e)(ii)", "envy-unpaid", need_not, drop("wager-paid", seat=1, wager="envy"), 30_000, 0)
    unwagered = insert_before(where("round-completed"), said("wager-paid", 3, "envy", 30_000))
    yield Case("UTH-MD 11.J(2)(e)(i)", "paid-without-wager", need_not, unwagered, 0, 30_000)


# A folded hand with a flush: its progressive pays, and nobody ruled; and a bad beat only the fold kept from paying.
FOLDED = seat(1, "Ah 3h", "check check fold", progressive=500), seat(3, "Qc 8d", "play")
FOLDED_FLUSH = progressive("B", FOLDED, FLUSHED)
FOLDED_BEAT = at({"bad_beat_table": "A"}, seat(1, "Kd 4d", "check check fold", bad_beat=STAKE), seat(3, "8c 7h", "play"), dealer="9h 9s", community="9c 9d Kh Ks 4c")  # fmt: skip
FOLDS = [
    Case("UTH-MD 11.J(1); UTH-MD 11.F(3)(b)", "folded-side-bet-review", FOLDED_FLUSH, drop("ruling-given")),
    Case("UTH-MD 12.F#2; UTH-MD 11.F(3)(b)", "folded-side-bet-review", FOLDED_BEAT, drop("ruling-given")),
]

# What a meter rises by, what is left on it, and where it closes.
RATES = {"rates": {"major": 20, "minor": 10}}
RISING = progressive("B", FLUSH, FLUSHED, **RATES)
FALLING = progressive("B", STRAIGHT_FLUSH, RUNNING, **RATES)
TENTH = progressive("A", STRAIGHT_FLUSH, RUNNING)
MINOR = {"meter": "minor"}
READ = insert_after(where("game-commenced"), said("meter-read", "major", 200_000))
METER_CASES = [
    Case("UTH-MD 12.D(3)(a)", "meter-wrong", RISING, change("meter-incremented", 1, to={"by_cents": 50, "cents": 240_050}), 120, 70),
    Case("UTH-MD 12.D(3)(a)", "meter-wrong", RISING, change("meter-incremented", 1, to={"cents": 250_000})),
    Case("UTH-MD 12.D(3)(a)", "meter-wrong", RISING, drop("meter-incremented", **MINOR), 60, 0),
    Case("UTH-MD 12.D(4)", "meter-wrong", FALLING, change("meter-reset", to={"cents": 20_000}), 25_000, 20_000),
    Case("UTH-MD 12.D(4)", "meter-wrong", FALLING, edits(drop("meter-reset"), change("table-closed", to={"meters_cents": {}}))),
    Case("UTH-MD 12.D(4)", "meter-wrong", TENTH, change("meter-read", -1, to={"cents": 2_400_000}), 2_250_000, 2_400_000),
    Case("UTH-MD 12.D(4)", "meter-wrong", RISING, READ, 240_000, 200_000),
    Case("UTH-MD 12.D(4)", "meter-wrong", RISING, change("table-closed", to={"meters_cents": {"major": 240_120, "minor": 31_000}}), 31_060, 31_000),
    Case("UTH-MD 12.D(4)", "meter-wrong", RISING, insert_before(where("round-completed"), said("meter-reset", "major", 100_000)), 240_120, 100_000),
]  # fmt: skip

CASES = [*side_wagers(), *SIX_CARDS, *progressives(), *envies(), *FOLDS, *METER_CASES]

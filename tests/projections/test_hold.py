"""Drop, win and hold, beside the expectation and the interval of the very wagers that were played."""

from datetime import date

import pytest

from projections.questions.asking import AskedWronglyError
from projections.questions.money import hold
from tests.projections.hand_made import DAY, HandMade

EARLIER = date(2026, 10, 31)


def _floor(rounds: int = 4) -> HandMade:
    made = HandMade()
    for table, day, book in (("T7", DAY, "UTH-MD"), ("T7", EARLIER, "UTH-MD"), ("T8", DAY, "PIK")):
        place = {"table": table, "gaming_day": day}
        made.put("tables", book=book, **place)
        counted = {"drop_cents": 100_000, "win_cents": 25_000} if table == "T7" else {"drop_cents": 40_000}
        made.put("money", **place, **counted)
        for number in range(1, rounds + 1):
            won = 1_000 if number % 2 else -800  # the house wins and loses in turn
            sums = {"staked_cents": 3_000, "back_cents": 3_000 - won}
            made.put("rounds", round=number, house=book, book=book, hands=1, **place, **sums)
            hand = {"round": number, "seat": 1, "player": "p", **place}
            made.put("wagers", wager="ante", staked_cents=1_000, back_cents=1_000 - won, **hand)
            if table == "T7":
                made.put("wagers", wager="blind", staked_cents=1_000, back_cents=1_000, **hand)
                made.put("wagers", wager="six_card", staked_cents=1_000, back_cents=1_000, **hand)
    flat = {"crossed": 0.0, "fixed_variance": 0.0}
    made.put("houses", house="UTH-MD", wager="base", unit="ante", edge=0.02, deviation=5.0, fixed_cents=0.0, **flat)
    made.put(
        "houses", house="UTH-MD", wager="six_card", unit="six_card", edge=0.3, deviation=0.0, fixed_cents=-50.0, **flat
    )
    return made.put("houses", house="PIK", wager="base", unit="ante", note="not stored for these odds")


def test_a_tables_day_has_drop_win_hold_and_what_was_to_be_expected() -> None:
    with _floor() as made:
        told = next(row for row in hold(made, table="T7", first=DAY))
    assert (told.period, told.of, told.drop_cents, told.win_cents, told.hold) == (
        "2026-11-18",
        "T7",
        100_000,
        25_000,
        0.25,
    )
    assert (told.rounds, told.hands, told.handle_cents, told.played_cents) == (4, 4, 12_000, 400)
    # four antes of $10 at 2 %, four six card wagers of $10 at 30 % less fifty cents each
    assert told.expected_cents == pytest.approx(4 * (20 + 300 - 50))
    spread = 1.96 * 5 * (4 * 1_000**2) ** 0.5
    assert told.low_cents == pytest.approx(told.expected_cents - spread)
    assert told.high_cents == pytest.approx(told.expected_cents + spread)
    assert told.inside is True
    assert told.left_out == 0


def test_rounds_that_differ_more_than_their_hands_do_widen_the_interval() -> None:
    with _floor(40) as made:
        made.connection.execute("UPDATE houses SET deviation = 0.1")
        told = hold(made, table="T7", first=DAY)[0]
    assert told.high_cents is not None
    assert told.expected_cents is not None
    assert told.high_cents - told.expected_cents == pytest.approx(1.96 * (40 * 900**2 * 40 / 39) ** 0.5)


def test_a_day_whose_drop_is_not_counted_has_no_win_and_no_hold() -> None:
    with _floor() as made:
        told = next(row for row in hold(made) if row.of == "T8")
    assert (told.drop_cents, told.win_cents, told.hold, told.closed, told.days) == (40_000, None, None, 0, 1)


def test_wagers_without_odds_are_left_out_of_both_sides_and_counted() -> None:
    with _floor() as made:
        told = next(row for row in hold(made) if row.of == "T8")
    assert (told.expected_cents, told.low_cents, told.inside, told.played_cents, told.left_out) == (
        None,
        None,
        None,
        0,
        4,
    )


# by, period, the rows
PERIODS = [
    ("table", "day", [("2026-10-31", "T7", 1), ("2026-11-18", "T7", 1), ("2026-11-18", "T8", 1)]),
    ("table", "month", [("2026-10", "T7", 1), ("2026-11", "T7", 1), ("2026-11", "T8", 1)]),
    ("table", "year", [("2026", "T7", 2), ("2026", "T8", 1)]),
    ("game", "year", [("2026", "PIK", 1), ("2026", "UTH-MD", 2)]),
    ("floor", "all", [("all", "floor", 3)]),
]


@pytest.mark.parametrize(("by", "period", "found"), PERIODS)
def test_days_come_together_by_table_or_game_and_period(
    by: str, period: str, found: list[tuple[str, str, int]]
) -> None:
    with _floor() as made:
        told = hold(made, by=by, period=period)  # type: ignore[arg-type]
    assert [(row.period, row.of, row.days) for row in told] == found


def test_another_grouping_is_refused() -> None:
    with _floor() as made, pytest.raises(AskedWronglyError, match="day, month, year"):
        hold(made, period="week")  # type: ignore[arg-type]

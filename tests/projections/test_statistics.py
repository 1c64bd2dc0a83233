"""A regulator's monthly questions: drop, win and hold against the year before, openers, counts, errors."""

from datetime import date, timedelta

import pytest

from projections.questions.asking import AskedWronglyError
from projections.questions.card_record import card_record
from projections.questions.errors import settled_wrongly
from projections.questions.openers import openers
from projections.questions.statistics import Statistic, statistics
from tests.projections.hand_made import DAY, HandMade, at

FIRST = date(2026, 11, 2)


def _counted(made: HandMade, day: date, drop: int | None, win: int | None, table: str = "T7") -> None:
    made.put("tables", table=table, gaming_day=day, book="UTH-MD", zone="America/New_York")
    made.put("money", table=table, gaming_day=day, drop_cents=drop, win_cents=win)


def _years(*, days: int = 40) -> HandMade:
    """Last year forty days of a drop of $1,000, of which $300 and $100 are won in turn; this year four days."""
    made = HandMade()
    for number in range(days):
        _counted(made, date(2025, 3, 1) + timedelta(days=number), 100_000, 30_000 if number % 2 else 10_000)
    _counted(made, date(2026, 1, 5), 100_000, 20_000)
    _counted(made, FIRST, 100_000, 60_000)
    _counted(made, date(2026, 11, 3), 50_000, None)
    _counted(made, DAY, 200_000, 30_000)
    return made


def told(made: HandMade, day: date, period: str, **asked: str) -> Statistic:
    return next(
        row for row in statistics(made, first=day, last=day, table=asked.get("table", "T7")) if row.period == period
    )


def test_each_day_has_its_month_and_its_year_to_date() -> None:
    """Day, month and year up to the end of that day; a day without its counts has a drop and is in no hold."""
    with _years() as made:
        found = {(row.gaming_day, row.period): row for row in statistics(made, first=FIRST)}
    assert len(found) == 9
    for day, period, days, counted, drop, win, hold in (
        (FIRST, "day", 1, 1, 100_000, 60_000, 0.6),
        (FIRST, "year to date", 2, 2, 200_000, 80_000, 0.4),
        (date(2026, 11, 3), "day", 1, 0, 50_000, None, None),
        (date(2026, 11, 3), "month to date", 2, 1, 150_000, 60_000, 0.6),
        (DAY, "day", 1, 1, 200_000, 30_000, 0.15),
        (DAY, "month to date", 3, 2, 350_000, 90_000, 0.3),
        (DAY, "year to date", 4, 3, 450_000, 110_000, 0.275),
    ):
        row = found[day, period]
        assert (row.table_days, row.counted, row.drop_cents, row.win_cents) == (days, counted, drop, win), (day, period)
        assert row.hold == (None if hold is None else pytest.approx(hold))


def test_a_hold_is_set_beside_the_business_year_before() -> None:
    """Ninety-five of a hundred: the year's hold, and a spread that shrinks as the drop grows."""
    with _years() as made:
        day, month = told(made, FIRST, "day"), told(made, DAY, "month to date")
    assert (day.base, day.base_table_days, day.base_hold) == ("2025", 40, pytest.approx(0.2))
    # each day won $100 more or less than a fifth of its $1,000
    by_drop = 40 * 10_000**2 / 100_000 / 39
    half = 1.96 * (by_drop / 100_000 + by_drop / 4_000_000) ** 0.5
    assert (day.low_hold, day.high_hold) == (pytest.approx(0.2 - half), pytest.approx(0.2 + half))
    half = 1.96 * (by_drop / 300_000 + by_drop / 4_000_000) ** 0.5
    assert month.high_hold == pytest.approx(0.2 + half)
    assert (day.inside, month.inside) == (False, True)


def test_what_lies_outside_has_a_note_to_begin_with() -> None:
    """The figures an investigation starts from, and no verdict."""
    with _years() as made:
        flat = {"crossed": 0.0, "fixed_variance": 0.0, "fixed_cents": 0.0}
        made.put("houses", house="h", wager="base", unit="ante", edge=0.02, deviation=5.0, **flat)
        sums = {"staked_cents": 1_000, "back_cents": 500, "gaming_day": FIRST}
        made.put("rounds", round=1, house="h", hands=1, dealer="D-1", decided=1, undecided=0, **sums)
        made.put("hands", round=1, seat=1, player="p", difference_cents=-500, **sums)
        made.put("wagers", round=1, seat=1, player="p", wager="ante", difference_cents=-500, owed_cents=1_000, **sums)
        day, year = told(made, FIRST, "day"), told(made, DAY, "day")
    assert day.note == (
        "To investigate: a hold of 60.0% is above -0.1% to 40.1%, the range of 95 of 100 such periods by 2025 (20.0% "
        "over 40 table days). The house won $5 in rounds, within -$97.80 to $98.20 around the $0.20 of the odds. Wagers "
        "were handed back $0 too much and $5 too little."
    )
    assert (year.inside, year.note) == (True, "")


def test_in_the_first_year_it_is_the_month_before_and_a_short_one_gives_no_interval() -> None:
    """The regulation's own way out; and a spread of a few days says nothing."""
    with HandMade() as made:
        for number in range(31):
            _counted(made, date(2026, 10, 1) + timedelta(days=number), 100_000, 30_000 if number % 2 else 10_000)
        _counted(made, FIRST, 100_000, 60_000)
        month = told(made, FIRST, "day")
    assert (month.base, month.base_table_days, month.inside) == ("2026-10", 31, False)
    with _years(days=29) as made:
        short = told(made, FIRST, "day")
    assert (short.inside, short.note) == (None, "No interval: 2025 has 29 counted table days.")
    with HandMade() as made:
        _counted(made, FIRST, 100_000, 60_000)
        assert told(made, FIRST, "day").note == "No interval: there is no earlier counted day."


def test_a_game_is_the_sum_of_its_tables() -> None:
    """By game, each table's day counts; other groupings are empty."""
    with _years() as made:
        _counted(made, DAY, 100_000, 0, "T8")
        game = next(row for row in statistics(made, by="game") if row.period == "day")
        assert [row.of for row in statistics(made) if row.period == "day"] == ["T7", "T8"]
        with pytest.raises(AskedWronglyError):
            statistics(made, by="pit")  # type: ignore[arg-type]
    assert (game.of, game.table_days, game.drop_cents, game.hold) == ("UTH-MD", 2, 300_000, pytest.approx(0.1))
    with HandMade() as made:
        assert statistics(made) == []


# opener less closer | what is to be done
DUTIES = """
     0 |
     1 | report at once
 2,500 | report at once
 2,501 | signed report
-2,501 | signed report
 9,999 | signed report
10,000 | signed report, copy to the regulator
-10,000| signed report, copy to the regulator
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in DUTIES.strip().splitlines()]


@pytest.mark.parametrize(("differs", "duty"), ROWS)
def test_an_opener_that_differs_has_its_duty(differs: str, duty: str) -> None:
    """New Jersey's lines: more than $25, and $100 or more."""
    cents = int(differs.replace(",", ""))
    with HandMade() as made:
        for day, opener, closer in ((date(2026, 11, 15), 0, 500_000), (DAY, 500_000 + cents, None)):
            made.put("tables", gaming_day=day).put("money", gaming_day=day, opener_cents=opener, closer_cents=closer)
        found = openers(made)
        every = openers(made, first=DAY, every=True)
    assert [row.duty for row in found] == ([duty] if duty else [])
    assert (every[0].closed_on, every[0].difference_cents, every[0].duty) == (date(2026, 11, 15), cents, duty)


def test_an_opener_nobody_can_compare_is_told() -> None:
    """A count that is missing is no pass; the first day has nothing before it."""
    with HandMade() as made:
        made.put("tables", gaming_day=FIRST).put("money", gaming_day=FIRST, opener_cents=1)
        made.put("tables", gaming_day=DAY).put("money", opener_cents=1)
        made.put("tables", table="T8").put("money", table="T8", opener_cents=5)
        made.put("tables", table="T9", gaming_day=FIRST).put("money", table="T9", gaming_day=FIRST, closer_cents=5)
        made.put("tables", table="T9").put("money", table="T9")
        assert [(row.table, row.duty) for row in openers(made)] == [
            ("T7", "the previous closer is not on record"),
            ("T9", "the opener is not on record"),
        ]
        assert [row.duty for row in openers(made, table="T8", every=True)] == ["first day on record"]
        assert openers(made, at_least_cents=1) == []


def test_counts_and_deck_changes_stand_in_their_order() -> None:
    """A count says how many dealt rounds it comes after; shuffles and cuts are none of this record."""
    with HandMade() as made:
        for number in (1, 2, 3, 4, 5, 6, 7):
            made.put("rounds", round=number)
        handling = """
            round sequence what            deck cards device
            0     2        deck-received   d1   52    -
            1     9        shuffle-completed d1 52    s1
            5     60       stub-counted    d1   33    -
            7     80       stub-counted    d1   34    -
            7     90       deck-changed    d1   -     -
        """
        made.rows("handling", handling, at=at("20:00"), by="D-1")
        made.put("findings", finding="a", code="stub-count-mismatch", round=7)
        made.put("findings", finding="b", code="stub-count-mismatch", round=5, state="withdrawn")
        made.put("findings", finding="c", code="wager-overpaid", round=7)
        made.put("findings", finding="d", code="shuffle-missing", round=2, to_round=6)
        found = card_record(made, table="T7", first=DAY, last=DAY)
    assert [(row.what, row.round, row.cards, row.rounds_since_count, row.findings) for row in found] == [
        ("deck-received", None, 52, None, ()),
        ("stub-counted", 5, 33, 5, ("shuffle-missing",)),
        ("stub-counted", 7, 34, 2, ("stub-count-mismatch",)),
        ("deck-changed", 7, None, None, ("stub-count-mismatch",)),
    ]


def test_errors_say_what_puts_them_right() -> None:
    """Too little goes to the player, too much came from the house; what was right or cannot be said is no error."""
    with HandMade() as made:
        made.put("tables", book="UTH-MD")
        made.put("rounds", round=3, dealer="D-1", ended_at=at("20:03"))
        wagers = """
            round seat player wager staked_cents owed_cents back_cents difference_cents
            3     1    p-1    ante  1000         2000       2500       500
            3     1    p-1    blind 1000         1000       1000       0
            3     2    p-2    ante  1000         2000       0          -2000
            3     2    p-2    blind 1000         -          0          -
        """
        made.rows("wagers", wagers)
        made.put("findings", finding="f1", code="wager-overpaid", round=3, seat=1, wager="ante")
        made.put("findings", finding="f2", code="progressive-system-missing", round=2, to_round=3, seat=2, wager="ante")
        made.put("findings", finding="f3", code="progressive-system-missing", round=1, to_round=2, seat=2, wager="ante")
        found = settled_wrongly(made, first=DAY, last=DAY, game="UTH-MD")
        assert settled_wrongly(made, game="PIK") == settled_wrongly(made, table="T8") == []
    assert [(row.seat, row.wager, row.to_player_cents, row.by_player_cents, row.findings) for row in found] == [
        (1, "ante", 0, 500, ("f1",)),
        (2, "ante", 2_000, 0, ("f2",)),
    ]
    assert (found[0].dealer, found[0].ended_at is not None) == ("D-1", True)

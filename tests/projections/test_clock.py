"""A time as a person on the floor says it, read in the property's own zone."""

from datetime import date

import pytest

from projections.questions.asking import AskedWronglyError
from projections.questions.clock import moment, moments

DAY = date(2026, 11, 18)
# what is said, what it may mean on that gaming day, in UTC of Maryland's winter (five hours later)
SAID = """
about ten past nine        | 18 14:10, 19 02:10
ten past nine              | 18 14:10, 19 02:10
9:10 pm                    | 19 02:10
9.10pm                     | 19 02:10
21:10                      | 19 02:10
09:10                      | 18 14:10
10:10                      | 18 15:10, 19 03:10
around half past eight     | 18 13:30, 19 01:30
quarter to ten             | 18 14:45, 19 02:45
a quarter to ten pm        | 19 02:45
twenty-five to eleven      | 18 15:35, 19 03:35
nine o'clock               | 18 14:00, 19 02:00
nine                       | 18 14:00, 19 02:00
10 past 9                  | 18 14:10, 19 02:10
five to one                | 18 17:55, 18 05:55
midnight                   | 18 05:00
noon                       | 18 17:00
2026-11-18T21:10           | 19 02:10
2026-11-18T21:10:00-05:00  | 19 02:10
2026-11-19 02:10+00:00     | 19 02:10
""".strip().splitlines()


@pytest.mark.parametrize("row", SAID, ids=lambda row: row.split("|")[0].strip())
def test_a_time_means_these_moments_of_the_day(row: str) -> None:
    said, meant = row.split("|")
    found = {f"{each:%d %H:%M}" for each in moments(said.strip(), DAY, "America/New_York")}
    wanted = {each.strip() for each in meant.split(",")}
    assert wanted <= found
    if said.startswith("2026"):
        assert found == wanted
    else:  # the gaming day goes on past midnight: the same time of the next day may be meant too
        assert len(found) == 2 * len({each[3:] for each in found})


@pytest.mark.parametrize(
    "said", ["", "late", "25:00", "9:61", "ten past", "thirteen past nineteen", "2026-11-18T99:00"]
)
def test_what_is_no_time_is_told_how_to_write_one(said: str) -> None:
    with pytest.raises(AskedWronglyError, match="write"):
        moments(said, DAY, "UTC")


def test_a_moment_needs_its_date() -> None:
    with pytest.raises(AskedWronglyError, match="is not a date and time"):
        moment("21:10")


def test_a_zone_nobody_knows_is_utc() -> None:
    assert [f"{each:%H:%M}" for each in moments("2026-11-18T21:10", DAY, "Mars/Olympus")] == ["21:10"]

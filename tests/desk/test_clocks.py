"""The clocks of a dispute, day by day."""

from datetime import date

import pytest

from domain.desk.clocks import DisputeDeadlines, business_days_after, clocks, rules

THURSDAY = date(2026, 11, 12)

# Jurisdiction, what is claimed in cents | until when it may be claimed, answered (claimed on the 13th), must be reported
ROWS = """
PA      50000 | 2026-12-12  -           -
MI      50000 | 2026-12-11  2026-11-27  -
IN      50000 | 2026-11-19  -           -
NV      50000 | -           -           yes
NV      49999 | -           -           no
XX      50000 | -           -           -
"""


def day(text: str) -> date | None:
    """A day, or none."""
    return None if text == "-" else date.fromisoformat(text)


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_each_jurisdictions_days_are_counted_from_the_day_after(row: str) -> None:
    asked, _, answer = row.partition("|")
    jurisdiction, cents = asked.split()
    claim, answered, report = answer.split()
    expected = DisputeDeadlines(day(claim), day(answered), {"yes": True, "no": False}.get(report))
    assert clocks(jurisdiction, THURSDAY, date(2026, 11, 13), int(cents)) == expected


def test_business_days_leave_out_weekends_and_who_counts_them_says_that_holidays_are_among_them() -> None:
    assert business_days_after(THURSDAY, 1) == date(2026, 11, 13)
    assert business_days_after(THURSDAY, 2) == date(2026, 11, 16)
    assert {letters for letters, row in rules().items() if "holidays" in row.counted} == {"MI", "IN"}


def test_every_jurisdiction_says_where_its_days_are_published() -> None:
    assert all(row.source for row in rules().values())

"""The deadlines of a dispute: the last day to make a claim, and the last day to answer it."""

import tomllib
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

import msgspec


class DisputeRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The published dispute rules of one jurisdiction."""

    name: str
    source: str
    claim_days: int | None = None
    claim_business_days: int | None = None
    answer_business_days: int | None = None
    report_from_cents: int | None = None

    @property
    def counted(self) -> str:
        """The source of its deadlines, and how its business days are counted."""
        days = (self.claim_business_days, self.answer_business_days)
        return self.source if days == (None, None) else f"{self.source}; public holidays count as business days"


class DisputeDeadlines(msgspec.Struct, frozen=True):
    """The deadlines of a dispute; None if no rule is published."""

    claim_until: date | None = None
    answer_until: date | None = None
    must_report: bool | None = None


@cache
def rules() -> dict[str, DisputeRules]:
    """Return the rules of every jurisdiction, by its letters."""
    text = files("domain.desk").joinpath("clocks.toml").read_text("utf-8")
    return {letters: msgspec.convert(row, DisputeRules) for letters, row in tomllib.loads(text).items()}


def clocks(
    jurisdiction: str,
    happened: date,
    claimed: date | None = None,
    cents: int | None = None,
) -> DisputeDeadlines:
    """Return the deadlines for an event on this day; the answer is due from the day of the claim."""
    held = rules().get(jurisdiction)
    if held is None:
        return DisputeDeadlines()
    claim_until = None
    if held.claim_days is not None:
        claim_until = happened + timedelta(days=held.claim_days)
    elif held.claim_business_days is not None:
        claim_until = business_days_after(happened, held.claim_business_days)
    answer_until = None
    if held.answer_business_days is not None and claimed is not None:
        answer_until = business_days_after(claimed, held.answer_business_days)
    report = None if held.report_from_cents is None or cents is None else cents >= held.report_from_cents
    return DisputeDeadlines(claim_until, answer_until, report)


def business_days_after(day: date, count: int) -> date:
    """Return the day this many business days later, counting Monday to Friday and ignoring holidays."""
    while count:
        day += timedelta(days=1)
        if day.weekday() < 5:
            count -= 1
    return day

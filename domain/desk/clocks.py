"""The clocks that run for a dispute: until when it may be made, and until when it must be answered."""

import tomllib
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

import msgspec


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one jurisdiction says of disputes, as far as it is published."""

    name: str
    source: str
    claim_days: int | None = None
    claim_business_days: int | None = None
    answer_business_days: int | None = None
    report_from_cents: int | None = None

    @property
    def counted(self) -> str:
        """Where its days are published, and how business days are counted where it has such."""
        days = (self.claim_business_days, self.answer_business_days)
        return self.source if days == (None, None) else f"{self.source}; public holidays are not left out"


class Clocks(msgspec.Struct, frozen=True):
    """The days on which something ends; None where nothing is published."""

    claim_until: date | None = None
    answer_until: date | None = None
    must_report: bool | None = None


@cache
def rules() -> dict[str, Rules]:
    """Every jurisdiction's, by its letters."""
    text = files("domain.desk").joinpath("clocks.toml").read_text("utf-8")
    return {letters: msgspec.convert(row, Rules) for letters, row in tomllib.loads(text).items()}


def clocks(
    jurisdiction: str,
    happened: date,
    claimed: date | None = None,
    cents: int | None = None,
) -> Clocks:
    """The clocks of what happened on this day; the answer's runs from the claim."""
    held = rules().get(jurisdiction)
    if held is None:
        return Clocks()
    claim_until = None
    if held.claim_days is not None:
        claim_until = happened + timedelta(days=held.claim_days)
    elif held.claim_business_days is not None:
        claim_until = business_days_after(happened, held.claim_business_days)
    answer_until = None
    if held.answer_business_days is not None and claimed is not None:
        answer_until = business_days_after(claimed, held.answer_business_days)
    report = None if held.report_from_cents is None or cents is None else cents >= held.report_from_cents
    return Clocks(claim_until, answer_until, report)


def business_days_after(day: date, count: int) -> date:
    """The day so many business days later: from Monday to Friday, whatever else is a holiday."""
    while count:
        day += timedelta(days=1)
        if day.weekday() < 5:
            count -= 1
    return day

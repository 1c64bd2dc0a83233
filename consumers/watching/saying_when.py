"""The moment that a person names: a moment with its date, or a time of a gaming day, possibly after midnight."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from domain.watch.verifier import Verifier


def zone_of_day(verifier: Verifier) -> tzinfo:
    """The zone that the day's opening names; UTC if unknown."""
    opened = verifier.day.opened
    try:
        return ZoneInfo(opened.zone if opened else "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def gaming_day(_: click.Context, __: click.Parameter, text: str) -> str:
    """A gaming day in the form of stream names; other forms of the date are converted."""
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not a gaming day: write it like 2026-11-18") from error


def names_a_date(said: str) -> bool:
    """Whether the text names its own date."""
    return "T" in said or " " in said


def moment_of(said: str, day: str, zone: tzinfo, verifier: Verifier) -> int:
    """The moment, in microseconds since 1970."""
    try:
        if names_a_date(said):
            found = datetime.fromisoformat(said)
            return _micros(found if found.tzinfo else found.replace(tzinfo=zone))
        of_day = time.fromisoformat(said)
    except ValueError as error:
        raise click.BadParameter(f"{said!r}: write 21:10 or 2026-11-18T21:10:00-05:00", param_hint="--at") from error
    first = date.fromisoformat(day)
    tries = [_micros(datetime.combine(first + timedelta(days=more), of_day, zone)) for more in (0, 1)]
    opened, ended = (verifier.day.opened.at if verifier.day.opened else 0), verifier.day.at
    return min(tries, key=lambda at: max(opened - at, at - ended, 0))


def _micros(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)

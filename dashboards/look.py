"""How things look everywhere: amounts, times, ages, severities; each said in words as well as by colour."""

from datetime import UTC, date, datetime, tzinfo
from html import escape
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

STALE_SECONDS = 15
GAMES = {
    "UTH-MA": "Ultimate Texas Hold'em · MA",
    "UTH-MD": "Ultimate Texas Hold'em · MD",
    "PIK": "Pik-it",
    "FAH": "Fast Action Hold'em",
    "COL": "Colorado Hold'em",
}
# The scale of severities, gravest first, each with the sign that stands beside its word.
SEVERITIES = {"money": "$", "integrity": "◆", "procedure": "●", "information": "i"}
STYLE = Path(__file__).with_name("style.css")
LOGO = str(Path(__file__).with_name("logo.svg"))


def money(cents: int | None, currency: str = "USD") -> str:
    """An amount as people read it; a dash where nobody knows it."""
    if cents is None:
        return "–"
    sign, whole = "−" if cents < 0 else "", abs(cents)
    mark = {"USD": "$", "EUR": "€", "GBP": "£"}.get(currency, f"{currency} ")
    dollars, rest = divmod(whole, 100)
    return f"{sign}{mark}{dollars:,}.{rest:02}" if rest else f"{sign}{mark}{dollars:,}"


def zone(name: str | None) -> tzinfo:
    """A zone by its name; UTC where nobody knows it."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def clock(moment: datetime | None, of: tzinfo) -> str:
    """A time of day, to the second, in a zone."""
    if moment is None:
        return "–"
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(of).strftime("%H:%M:%S")


def moment(at: datetime | None, of: tzinfo) -> str:
    """A day of the calendar and a time of day, to the minute, in a zone."""
    if at is None:
        return "–"
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return aware.astimezone(of).strftime("%Y-%m-%d %H:%M")


def when(gaming_day: date | None, at: datetime | None, of: tzinfo) -> str:
    """A gaming day, which goes on past midnight, and a time of it in a zone."""
    return clock(at, of) if gaming_day is None else f"{gaming_day} · {clock(at, of)}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share in percent."""
    return "–" if share is None else f"{share:.{digits}%}".replace("-", "−")


def number(value: float | None, digits: int = 1) -> str:
    """A number that is not whole."""
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", "−")


def about(cents: float | None, currency: str = "USD") -> str:
    """An amount that was worked out and not counted, to the dollar."""
    return money(None if cents is None else round(cents / 100) * 100, currency)


def dollars(cents: float) -> float:
    """An amount for the axis of a chart."""
    return cents / 100


def count(number: int | None) -> str:
    """A number with its thousands apart."""
    return "–" if number is None else f"{number:,}"


def natural(name: str) -> tuple[str, int, str]:
    """By which names that end in numbers stand in their order: T9 before T11."""
    word = name.rstrip("0123456789")
    return word, int(name[len(word) :] or 0), name


def plain(text: str) -> str:
    """Words as they are, where markup is understood: nothing in them is taken for it."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]()#+-.!|<>~$:" else letter for letter in text)


def severity(name: str) -> str:
    """A severity as a badge: sign and word."""
    return f'<span class="cw-badge {escape(name)}">{SEVERITIES.get(name, "?")} {escape(name)}</span>'


def age(made_at: datetime) -> str:
    """How old what is shown is; it turns into a warning by itself when nothing new comes."""
    return (
        f'<span class="cw-age" role="status" data-made-at="{made_at.timestamp():.0f}" '
        f'data-stale-after="{STALE_SECONDS}"></span>'
    )

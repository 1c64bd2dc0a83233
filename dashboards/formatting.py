"""How things look everywhere: amounts, times, ages, severities; each said in words as well as by colour."""

import re
from datetime import UTC, date, datetime, tzinfo
from html import escape
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

STALE_SECONDS = 15
# The scale of severities, gravest first, each with the sign that stands beside its word.
SEVERITIES = {"money": "$", "integrity": "◆", "procedure": "●", "information": "i"}
STYLE = Path(__file__).with_name("style.css")
LOGO = str(Path(__file__).with_name("logo.svg"))
ICON = str(Path(__file__).with_name("icon.svg"))  # a named one would be fetched from somebody else's server
# Charts are drawn as shapes of the page, not as a picture: so their words take the colours of style.css in both themes.
DRAWN = {"embedOptions": {"renderer": "svg"}}
_MARKS = {"USD": "$", "EUR": "€", "GBP": "£"}
# What makes a link, a picture letter or another sign of words even where every mark in them is escaped.
_TAKEN_FOR_MORE = re.compile(r"(?=@)|(?<=www)(?=\.)|(?=:(?!\s|$|\d\d(?!\d)))|(?<=[-<>=!~])(?=[-<>=~])", re.IGNORECASE)
_JOINER = "\u2060"  # seen by nobody, and a word is not broken at it


class House:
    """What every amount in this process is told in: one process serves one property."""

    currency = "USD"


def mark() -> str:
    """What stands before an amount: the sign of the property's currency, or its letters."""
    return _MARKS.get(House.currency, f"{House.currency} ")


def money(cents: int | None) -> str:
    """An amount as people read it, in the property's currency; a dash where nobody knows it."""
    if cents is None:
        return "–"
    sign, (whole, rest) = "−" if cents < 0 else "", divmod(abs(cents), 100)
    return f"{sign}{mark()}{whole:,}.{rest:02}" if rest else f"{sign}{mark()}{whole:,}"


def zone(name: str | None) -> tzinfo:
    """A zone by its name; UTC where nobody knows it."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def zone_name(name: str) -> str:
    """The zone by which times are told here: a name nobody knows is no zone's."""
    return name if zone(name) is not UTC else "UTC"


def at(micros: int) -> datetime:
    """A time of a record: microseconds since 1970."""
    return datetime.fromtimestamp(micros / 1_000_000, UTC)


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
    return "–" if share is None else _signed(f"{share:.{digits}%}")


def number(value: float | None, digits: int = 1) -> str:
    """A number that is not whole."""
    return "–" if value is None else _signed(f"{value:,.{digits}f}")


def _signed(text: str) -> str:
    """A number with a sign that is as wide as a digit, and none where it rounds to nothing."""
    return text.replace("-", "−" if any(letter in "123456789" for letter in text) else "")


def about(cents: float | None) -> str:
    """An amount that was worked out and not counted, without cents."""
    return money(None if cents is None else round(cents / 100) * 100)


def whole(cents: float) -> float:
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
    """Words as they are, where markup is understood: nothing in them is taken for it, nor for an address."""
    apart = _TAKEN_FOR_MORE.sub(_JOINER, " ".join(text.split("\n")))
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]()#+-.!|<>~$:@&=" else letter for letter in apart)


def severity(name: str) -> str:
    """A severity as a badge: sign and word."""
    return f'<span class="cw-badge {escape(name)}">{SEVERITIES.get(name, "?")} {escape(name)}</span>'


def age(made_at: datetime, *, follows: bool = True) -> str:
    """How old what is shown is; where it follows the record, it turns into a warning when nothing new comes."""
    stale = f' data-stale-after="{STALE_SECONDS}"' if follows else ""
    return f'<span class="cw-age" role="status" data-made-at="{made_at.timestamp():.0f}"{stale}></span>'

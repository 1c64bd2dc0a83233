"""The format of amounts, times, ages and severities on every page, in words as well as in color."""

import re
from datetime import UTC, date, datetime, tzinfo
from html import escape
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

STALE_SECONDS = 15
# The scale of severities, most severe first, each with the sign beside its word.
SEVERITIES = {"money": "$", "integrity": "◆", "procedure": "●", "information": "i"}
STYLE = Path(__file__).with_name("style.css")
LOGO = str(Path(__file__).with_name("logo.svg"))
ICON = str(Path(__file__).with_name("icon.svg"))  # a named icon would be fetched from another server
# Charts are drawn as SVG, not as a picture, so that their text takes the colors of style.css in both themes.
DRAWN = {"embedOptions": {"renderer": "svg"}}
_MARKS = {"USD": "$", "EUR": "€", "GBP": "£"}
# The characters that start a link, an icon or other markup even if all markup characters are escaped.
_TAKEN_FOR_MORE = re.compile(r"(?=@)|(?<=www)(?=\.)|(?=:(?!\s|$|\d\d(?!\d)))|(?<=[-<>=!~])(?=[-<>=~])", re.IGNORECASE)
_JOINER = "\u2060"  # invisible, and a word does not break at it


class PropertyFormat:
    """The currency of every amount in this process, which serves one property."""

    currency = "USD"


def mark() -> str:
    """Return the text before an amount: the currency's sign or its letters."""
    return _MARKS.get(PropertyFormat.currency, f"{PropertyFormat.currency} ")


def money(cents: int | None) -> str:
    """Return an amount in the property's currency; a dash if it is unknown."""
    if cents is None:
        return "–"
    sign, (whole, rest) = "−" if cents < 0 else "", divmod(abs(cents), 100)
    return f"{sign}{mark()}{whole:,}.{rest:02}" if rest else f"{sign}{mark()}{whole:,}"


def zone(name: str | None) -> tzinfo:
    """Return a zone by its name; UTC if the name is unknown."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def zone_name(name: str) -> str:
    """Return the name of the zone in use here; an unknown name gives UTC."""
    return name if zone(name) is not UTC else "UTC"


def at(micros: int) -> datetime:
    """Return the time of a record, given in microseconds since 1970."""
    return datetime.fromtimestamp(micros / 1_000_000, UTC)


def clock(moment: datetime | None, of: tzinfo) -> str:
    """Return a time of day in a zone, to the second."""
    if moment is None:
        return "–"
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(of).strftime("%H:%M:%S")


def moment(at: datetime | None, of: tzinfo) -> str:
    """Return a date and time of day in a zone, to the minute."""
    if at is None:
        return "–"
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return aware.astimezone(of).strftime("%Y-%m-%d %H:%M")


def when(gaming_day: date | None, at: datetime | None, of: tzinfo) -> str:
    """Return a gaming day, which may continue past midnight, and a time of it in a zone."""
    return clock(at, of) if gaming_day is None else f"{gaming_day} · {clock(at, of)}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share in percent."""
    return "–" if share is None else _signed(f"{share:.{digits}%}")


def number(value: float | None, digits: int = 1) -> str:
    """Return a number with decimals."""
    return "–" if value is None else _signed(f"{value:,.{digits}f}")


def _signed(text: str) -> str:
    """Return a number with a sign as wide as a digit, and without a sign if it rounds to zero."""
    return text.replace("-", "−" if any(letter in "123456789" for letter in text) else "")


def about(cents: float | None) -> str:
    """Return a computed amount without cents."""
    return money(None if cents is None else round(cents / 100) * 100)


def whole(cents: float) -> float:
    """Return an amount for the axis of a chart."""
    return cents / 100


def count(number: int | None) -> str:
    """Return a number with thousands separators."""
    return "–" if number is None else f"{number:,}"


def rounds(first: int, last: int | None) -> str:
    """Return a round, or a stretch of them: 3, 3 to 9."""
    return str(first) if last is None else f"{first} to {last}"


def natural(name: str) -> tuple[str, int, str]:
    """Return the sort key of a name that ends in a number: T9 before T11."""
    word = name.rstrip("0123456789")
    return word, int(name[len(word) :] or 0), name


def plain(text: str) -> str:
    """Return text that Markdown shows as it is, without markup or links."""
    apart = _TAKEN_FOR_MORE.sub(_JOINER, " ".join(text.split("\n")))
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]()#+-.!|<>~$:@&=" else letter for letter in apart)


def severity(name: str) -> str:
    """Return a severity as a badge: sign and word."""
    return f'<span class="cw-badge {escape(name)}">{SEVERITIES.get(name, "?")} {escape(name)}</span>'


def age(made_at: datetime, *, follows: bool = True) -> str:
    """Return the age of the shown data; if it follows the record, it turns into a warning when nothing new comes."""
    stale = f' data-stale-after="{STALE_SECONDS}"' if follows else ""
    return f'<span class="cw-age" role="status" data-made-at="{made_at.timestamp():.0f}"{stale}></span>'

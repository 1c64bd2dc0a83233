"""Parse typed times: "about ten past nine", "half past eight", "21:10", "9.10 pm", or a moment with its date."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from projections.questions.asking import AskedWronglyError

HOW = 'write 21:10, 9:10 pm, "about ten past nine" or 2026-11-18T21:10:00-05:00'
_ABOUT = re.compile(r"^(?:about|around|at|roughly|some time|circa|ca\.?|~)\s+")
_DIGITS = re.compile(r"(\d{1,2})(?:[:.](\d{2})(?::(\d{2}))?)?\s*(am|pm|a\.m\.|p\.m\.|o'clock)?")
_WORDS = re.compile(
    r"(?:(?P<minutes>[a-z -]+?)\s+(?P<side>past|to|after|before)\s+)?(?P<hour>[a-z]+)(?:\s+(?P<half>am|pm))?"
)
_HOURS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_NUMBERS = {
    **{name: number or 12 for number, name in enumerate(_HOURS)},
    **{name: number for number, name in enumerate(_TEENS, start=13)},
    **_TENS,
    "quarter": 15,
    "a quarter": 15,
    "half": 30,
}


def moments(said: str, day: date, zone: str) -> list[datetime]:
    """Return every moment of a gaming day that a typed time may mean, in UTC; the day may continue past midnight.

    A time on a 12-hour clock without am or pm has two readings.
    """
    here = zone_of(zone)
    text = _ABOUT.sub("", said.strip().lower()).strip()
    if whole := _dated(said.strip(), here):
        return [whole]
    local = [datetime.combine(day + timedelta(days=more), each, here) for each in _times(text) for more in (0, 1)]
    if not local:
        raise AskedWronglyError(f"{said!r} is not a time: {HOW}")
    return [each.astimezone(UTC) for each in local]


def moment(said: str, zone: str = "UTC") -> datetime:
    """Return a moment typed with its date, in UTC; without an offset it is in this zone."""
    found = _dated(said.strip(), zone_of(zone))
    if found is None:
        raise AskedWronglyError(
            f"{said!r} is not a date and time: write it like 2026-11-18T21:10, with or without an offset"
        )
    return found


def day(said: str) -> date:
    """Return a typed gaming day."""
    try:
        return date.fromisoformat(said)
    except ValueError as error:
        raise AskedWronglyError(f"{said!r} is not a gaming day: write it like 2026-11-18") from error


def zone_of(name: str | None) -> ZoneInfo:
    """Return a time zone by its name; UTC if the name is unknown."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def _dated(said: str, here: ZoneInfo) -> datetime | None:
    if not re.match(r"\d{4}-\d{2}-\d{2}[T ]\d", said):
        return None
    try:
        found = datetime.fromisoformat(said)
    except ValueError as error:
        raise AskedWronglyError(f"{said!r} is not a time: {HOW}") from error
    return (found if found.tzinfo else found.replace(tzinfo=here)).astimezone(UTC)


def _times(text: str) -> list[time]:
    if text in ("noon", "midday"):
        return [time(12)]
    if text == "midnight":
        return [time(0)]
    if found := _DIGITS.fullmatch(text):
        hour, minute, second, half = found.groups()
        return _on_the_clock(int(hour), int(minute or 0), int(second or 0), half or "", exact=hour.startswith("0"))
    text = text.removesuffix(" o'clock")
    for digits in re.findall(r"\d+", text):
        text = text.replace(digits, next((name for name, number in _NUMBERS.items() if number == int(digits)), digits))
    found = _WORDS.fullmatch(text)
    hour = _NUMBERS.get(found["hour"]) if found else None
    minutes = _minutes(found["minutes"]) if found and found["minutes"] else 0
    if found is None or hour is None or hour > 12 or minutes is None:
        return []
    before = found["side"] in ("to", "before")
    told = hour * 60 + (-minutes if before else minutes)
    return _on_the_clock(told // 60 % 12 or 12, told % 60, 0, found["half"] or "")


def _minutes(words: str) -> int | None:
    plain = words.removesuffix(" minutes").replace("-", " ").strip()
    if plain in _NUMBERS:
        return _NUMBERS[plain]
    tens, _, ones = plain.partition(" ")
    return _TENS[tens] + _NUMBERS[ones] if tens in _TENS and ones in _NUMBERS and _NUMBERS[ones] < 10 else None


def _on_the_clock(hour: int, minute: int, second: int, half: str, *, exact: bool = False) -> list[time]:
    """Return the times of day with this reading; a 12-hour clock without am or pm has two."""
    if hour > 23 or minute > 59 or second > 59:
        return []
    if half.startswith(("a", "p")):
        return [time(hour % 12 + 12 * half.startswith("p"), minute, second)] if hour <= 12 else []
    if exact:
        return [time(hour, minute, second)]
    return (
        [time(hour % 24, minute, second), time((hour + 12) % 24, minute, second)]
        if hour <= 12
        else [time(hour, minute, second)]
    )

"""Whole days of JSON lines, mapped wrongly in one way each. It reads text and knows nothing of Catwalk's code."""

import json
from collections.abc import Callable, Iterator
from typing import Any

Line = dict[str, Any]
Day = list[Line]
_HOUR = 3_600_000_000
_MONEY = ("wager-", "decision-made", "bought-in")
_MOVES = ("wager-collected", "wager-paid", "wager-returned")
_DEAL = ("card-dealt.1", "stack-dispensed.1", "stack-delivered.1")
_ONE_CARD = ("card",)
_CARDS = ("cards", "kept", "second")
_BY_NAME = ("cover-card", "cutting-card")  # their `card` is the name of a card of no suit


def read(text: str) -> Day:
    """Return the lines of a day."""
    return [json.loads(line) for line in text.splitlines()]


def written(day: Day) -> str:
    """Return a day as text."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in day)


def _each(change: Callable[[Line], Line]) -> Callable[[Day], Day]:
    return lambda day: [change(dict(line)) for line in day]


def _times(line: Line, top: int, bottom: int) -> Line:
    return line | {"at": line["at"] * top // bottom}


def _cents(line: Line, kinds: tuple[str, ...], top: int, bottom: int) -> Line:
    if line["type"].startswith(kinds):
        for field in ("cents", "coupon_cents"):
            if line.get(field):
                line[field] = line[field] * top // bottom
    return line


def _cards(line: Line, change: Callable[[str], str]) -> Line:
    if not line["type"].startswith(_BY_NAME):
        for field in _ONE_CARD:
            if field in line:
                line[field] = change(line[field])
        for field in _CARDS:
            if isinstance(line.get(field), list):
                line[field] = [change(card) for card in line[field]]
    return line


def _seats(day: Day) -> Day:
    many = {line["table"]: line["positions"] for line in day if line["type"] == "table-opened.1"}
    return [
        line
        | ({"seat": many[line["stream"]] + 1 - line["seat"]} if line.get("seat") and line["stream"] in many else {})
        for line in day
    ]


def _behind(day: Day, hours: int, suffix: str = "") -> Day:
    return [line | ({"at": line["at"] - hours * _HOUR} if line["source"].endswith(suffix) else {}) for line in day]


def _silent(day: Day, suffix: str) -> Day:
    return [line for line in day if not line["source"].endswith(suffix)]


def _after_the_deal(day: Day) -> Day:
    return list(_moved(day))


def _moved(day: Day) -> Iterator[Line]:
    """Yield each round's first wagers when its cards are dealt, with the time of the last of them."""
    kept: Day = []
    dealing = False
    for line in day:
        deals = line["type"] in _DEAL
        if dealing and not deals:
            yield from kept
            kept, dealing = [], False
        if (
            line["type"] == "wager-placed.1"
            and line["wager"] in ("ante", "blind", "bonus5", "original")
            and not dealing
        ):
            kept.append(line)
            continue
        dealing = dealing or (deals and bool(kept))
        if dealing:
            kept = [wager | {"at": line["at"]} for wager in kept]
        yield line
    yield from kept


def _half(day: Day) -> Day:
    return [_times(line, 1, 1000) if number % 3 == 2 else line for number, line in enumerate(day)]


# Each way of mapping a day wrongly, and the doubt that names it.
MISMAPPED: dict[str, tuple[Callable[[Day], Day], str]] = {
    "times in milliseconds": (_each(lambda line: _times(line, 1, 1000)), "times-in-milliseconds"),
    "times in seconds": (_each(lambda line: _times(line, 1, 1_000_000)), "times-in-seconds"),
    "times in nanoseconds": (_each(lambda line: _times(line, 1000, 1)), "times-in-nanoseconds"),
    "a third of the times in milliseconds": (_half, "times-in-milliseconds"),
    "wagers in dollars": (_each(lambda line: _cents(line, _MONEY, 1, 100)), "wagers-100-times-too-small"),
    "wagers multiplied by 100": (_each(lambda line: _cents(line, _MONEY, 100, 1)), "wagers-100-times-too-large"),
    "payouts in dollars": (_each(lambda line: _cents(line, _MOVES, 1, 100)), "payouts-100-times-too-small"),
    "cards never seen": (_each(lambda line: _cards(line, lambda _: "??")), "cards-never-seen"),
    "cards of one suit": (
        _each(lambda line: _cards(line, lambda card: card if card == "??" else card[0] + "s")),
        "cards-all-alike",
    ),
    "seats from the wrong side": (_seats, "seats-from-the-wrong-side"),
    "local times sent as UTC": (lambda day: _behind(day, 5), "clock-of-another-zone"),
    "one device's clock in another zone": (lambda day: _behind(day, -1, "-chips"), "clock-of-another-zone"),
    "a silent card reader": (lambda day: _silent(day, "-cards"), "device-silent"),
    "a silent chip reader": (lambda day: _silent(day, "-chips"), "device-silent"),
    "wagers after the deal": (_after_the_deal, "wagers-after-the-deal"),
    "every hand announced alike": (
        _each(lambda line: line | ({"hand": "pair of kings"} if line["type"] == "hand-announced.1" else {})),
        "hands-announced-alike",
    ),
}
ANNOUNCED = ("UTH-MA", "UTH-MD", "PIK")  # games whose hands are announced


def ways(game: str) -> list[str]:
    """Return the ways in which a day of this game can be mapped wrongly."""
    return [name for name in MISMAPPED if game in ANNOUNCED or name != "every hand announced alike"]

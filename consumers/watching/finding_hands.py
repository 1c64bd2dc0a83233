"""The hand somebody asks for: by number, by about when, or by who sat there."""

from collections.abc import Iterable
from pathlib import Path

from consumers.floor import floor_of, later_corrections
from consumers.logs.log import Log
from domain.facts.codec import decode
from domain.table.round import Round
from domain.watch.finding import Finding
from domain.watch.reconstruction import Reconstruction, reconstructed
from domain.watch.verifier import Verifier

NEAR = 10 * 60 * 1_000_000  # microseconds: how far from a round a moment may lie and still mean it


class NoSuchHandError(LookupError):
    """Nothing fits what was asked: what there is instead."""


def day_of(log: Log, table: str, day: str) -> str:
    """The stream of a table's day; the newest where no day is named."""
    streams = log.streams(table)
    if not streams:
        raise NoSuchHandError(f"the record has no table {table}")
    if not day:
        return streams[-1]
    wanted = f"{table}/{day}"
    if wanted not in streams:
        days = ", ".join(name.partition("/")[2] for name in streams[-5:])
        raise NoSuchHandError(f"{table} has no gaming day {day}; its last days are {days}")
    return wanted


def stream_at(log: Log, table: str, at: int) -> str:
    """The stream of the day that was running at a moment: the last that had opened by then."""
    streams = log.streams(table)
    found = ""
    for name in streams:
        began = log.begins(name)
        first = log.read(began.partition, began.position - 1, 1) if began else []
        if first and decode(first[0][1]).at <= at:
            found = name
    if not found:
        raise NoSuchHandError(f"{table} was not open by then" if streams else f"the record has no table {table}")
    return found


def verified_day(log: Log, stream: str, *, data: Path | None = None, kafka: Path | None = None) -> Verifier:
    """A day folded from its facts through the application, corrections of later days among them."""
    table = stream.partition("/")[0]
    floor = floor_of(log, stream, data=data, kafka=kafka)
    try:
        return floor.verified(stream, later=later_corrections(log, stream, table))
    finally:
        floor.close()


def by_number(verifier: Verifier, number: int) -> list[Round]:
    """The round of this number."""
    told = verifier.day.rounds.get(number)
    if told is None:
        numbers = sorted(verifier.day.rounds)
        there = f"{numbers[0]} to {numbers[-1]}" if numbers else "none"
        raise NoSuchHandError(f"{verifier.day.stream} has no round {number}; it has rounds {there}")
    return [told]


def by_time(verifier: Verifier, at: int) -> list[Round]:
    """The round that was running at this moment, or the nearest one."""

    def away(told: Round) -> int:
        facts = told.facts
        return max(facts[0].at - at, at - facts[-1].at, 0) if facts else NEAR

    nearest = min(verifier.day.rounds.values(), key=away, default=None)
    if nearest is None or away(nearest) >= NEAR:
        raise NoSuchHandError(f"{verifier.day.stream} has no round within ten minutes of that moment")
    return [nearest]


def by_player(verifier: Verifier, player: str) -> list[Round]:
    """Every round this player had a wager in."""
    found = [
        told
        for told in verifier.day.rounds.values()
        if any(spot.player == player or told.seated.get(spot.seat) == player for spot in told.wagering)
    ]
    if not found:
        raise NoSuchHandError(f"{verifier.day.stream} has no round with player {player}")
    return found


def rebuilt(verifier: Verifier, rounds: Iterable[Round]) -> list[Reconstruction]:
    """These rounds, each with the findings that stand on it and its neighbours."""
    numbers = sorted(verifier.day.rounds)
    found = []
    for told in rounds:
        place = numbers.index(told.number)
        before = numbers[place - 1] if place else None
        after = numbers[place + 1] if place + 1 < len(numbers) else None
        findings = _findings(verifier, told.number)
        found.append(reconstructed(told, findings, before, after, verifier.day.unjudged))
    return found


def _findings(verifier: Verifier, number: int) -> list[Finding]:
    """Those of the round, and that its whole day could not be judged."""
    return [
        finding
        for finding in verifier.standing.values()
        if finding.round == number or finding.code == "rule-book-unknown"
    ]

"""Find the requested hand: by number, by approximate time, or by player."""

from collections.abc import Iterable
from datetime import tzinfo
from pathlib import Path

from consumers.logs.log import Log
from consumers.watching.floor import floor_of, later_corrections
from consumers.watching.hand_text import clock, date
from consumers.watching.saying_when import zone_of_day
from domain.facts.codec import decode
from domain.facts.streams import PROPERTY
from domain.table.round import RoundInPlay
from domain.watch.finding import Finding
from domain.watch.reconstruction import Reconstruction, reconstructed
from domain.watch.verifier import Verifier

NEAR = 10 * 60 * 1_000_000  # microseconds: the largest distance of a moment from the round that it means


class NoSuchHandError(LookupError):
    """A request that matches nothing; the message says what there is instead."""


def day_of(log: Log, table: str, day: str) -> str:
    """The stream of a table's day; the newest if no day is named."""
    if table == PROPERTY:
        raise NoSuchHandError(
            f"{PROPERTY} is the stream of the whole house, in which no round is dealt; name a table, such as T7"
        )
    streams = log.streams(table)
    if not streams:
        raise NoSuchHandError(f"the record has no table {table}; name it as its facts do, such as T7")
    if not day:
        return streams[-1]
    wanted = f"{table}/{day}"
    if wanted not in streams:
        days = ", ".join(name.partition("/")[2] for name in streams[-5:])
        raise NoSuchHandError(f"{table} has no gaming day {day}; its last days are {days}")
    return wanted


def stream_at(log: Log, table: str, at: int) -> str:
    """The stream of the day at a moment: the last one that had opened before."""
    streams = log.streams(table)
    found = ""
    for name in streams:
        began = log.begins(name)
        first = log.read(began.partition, began.position - 1, 1) if began else []
        if first and decode(first[0][1]).at <= at:
            found = name
    if not found:
        if not streams:
            raise NoSuchHandError(f"the record has no table {table}")
        oldest = streams[0].partition("/")[2]
        raise NoSuchHandError(f"{table} was not open by then; its first gaming day on record is {oldest}")
    return found


def verified_day(log: Log, stream: str, *, data: Path | None = None, kafka: Path | None = None) -> Verifier:
    """A day folded from its facts through the application, with corrections from later days."""
    table = stream.partition("/")[0]
    floor = floor_of(log, stream, data=data, kafka=kafka)
    try:
        return floor.verified(stream, later=later_corrections(log, stream, table))
    finally:
        floor.close()


def by_number(verifier: Verifier, number: int) -> list[RoundInPlay]:
    """The round with this number."""
    told = verifier.day.rounds.get(number)
    if told is None:
        numbers = sorted(verifier.day.rounds)
        there = f"it has rounds {numbers[0]} to {numbers[-1]}" if numbers else "none has been dealt"
        raise NoSuchHandError(f"{verifier.day.stream} has no round {number}; {there}")
    return [told]


def by_time(verifier: Verifier, at: int) -> list[RoundInPlay]:
    """The round at this moment, or the nearest one."""

    def away(told: RoundInPlay) -> int:
        facts = told.facts
        return max(facts[0].at - at, at - facts[-1].at, 0) if facts else NEAR

    nearest = min(verifier.day.rounds.values(), key=away, default=None)
    if nearest is None or away(nearest) >= NEAR:
        raise NoSuchHandError(_no_round_at(verifier, at))
    return [nearest]


def _no_round_at(verifier: Verifier, at: int) -> str:
    """An error that names the table's hours, and the rounds before and after the moment."""
    day, zone = verifier.day, zone_of_day(verifier)
    rounds = [told for told in day.rounds.values() if told.facts]
    before = [told for told in rounds if told.facts[-1].at < at]
    after = [told for told in rounds if told.facts[0].at > at]
    says = [f"{day.stream} has no round within ten minutes of {date(at, zone)} {clock(at, zone)} {zone}"]
    if day.opened is not None:
        until = "closed" if day.closed is not None else "was last heard of"
        says.append(f"the table opened {_when(day.opened.at, zone)} and {until} {_when(day.at, zone)}")
    if before:
        says.append(f"before it, round {before[-1].number} ended {_when(before[-1].facts[-1].at, zone)}")
    if after:
        says.append(f"after it, round {after[0].number} began {_when(after[0].facts[0].at, zone)}")
    return "; ".join(says)


def _when(at: int, zone: tzinfo) -> str:
    return f"{date(at, zone)} {clock(at, zone)[:5]}"


def by_player(verifier: Verifier, player: str) -> list[RoundInPlay]:
    """Every round with a wager of this player."""
    found = [
        told
        for told in verifier.day.rounds.values()
        if any(spot.player == player or told.seated.get(spot.seat) == player for spot in told.wagering)
    ]
    if not found:
        raise NoSuchHandError(f"{verifier.day.stream} has no round with player {player}")
    return found


def rebuilt(verifier: Verifier, rounds: Iterable[RoundInPlay], two: Iterable[Finding] = ()) -> list[Reconstruction]:
    """The rounds, each with its neighbors and the findings on and around it; `two` are findings about two tables."""
    numbers = sorted(verifier.day.rounds)
    standing, two = list(verifier.standing.values()), list(two)
    found = []
    for told in rounds:
        place = numbers.index(told.number)
        before = numbers[place - 1] if place else None
        after = numbers[place + 1] if place + 1 < len(numbers) else None
        own = [each for each in (*standing, *two) if _is_of(each, told)]
        since = verifier.day.rounds[before].last if before is not None else 0
        around = [each for each in (*standing, *two) if each not in own and _is_around(each, told, since)]
        found.append(reconstructed(told, own, before, after, verifier.day.unjudged, around=around))
    return found


_OF_THE_DAY = frozenset({"rule-book-unknown", "rule-book-not-in-force"})


def _is_of(finding: Finding, told: RoundInPlay) -> bool:
    """Whether the finding is about this round, or about the edition by which its whole day is judged."""
    return (finding.stream == told.stream and finding.is_in(told.number)) or finding.code in _OF_THE_DAY


def _is_around(finding: Finding, told: RoundInPlay, since: int) -> bool:
    """Whether a fact of this table after the previous round, and up to this round's end, shows the finding."""
    shown = [finding.trigger] if finding.stream == told.stream else []
    if shown and finding.round is not None:  # about another round of this table
        return False
    table, _, sequence = finding.beside.rpartition(":")
    shown += [int(sequence)] if table == told.stream else []
    return any(since < each <= told.last for each in shown)

"""The report on a checked feed: what it said, never said and got wrong, and how much of it can be judged."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from consumers.feeding.checker import FeedChecker, TypeSeen
from consumers.feeding.mending import mended
from domain.facts.refused import RefusedGroup
from domain.feed import DOUBTFUL, WRONG, Doubt, expected
from domain.feed.doubts import suspects
from domain.feed.little import OpenReason
from domain.feed.whole import DaySeen, LinesSeen, feed_doubts, unchecked
from domain.rulebooks import HouseFinding
from domain.rulebooks.house_checks import contradicted
from domain.table.day import TableDay
from domain.watch.feed_watch import CODE
from domain.watch.needed import NeverSaid, never_said
from domain.watch.owed_vs_paid import DECIDED
from domain.watch.undecided import deciding, may_tell, told_in

CLEAN = "clean"
_DAY_STARTS_AT = "06:00"  # unless the property's opening says otherwise
_OF_ROUNDS = frozenset({"round-opened.1", "wager-placed.1", "card-dealt.1", "stack-delivered.1", "round-completed.1"})
_WRONG_OPTIONS = ("house-option-unknown", "house-option-invalid")
_NOT_APPROVED = "options-not-approved"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class TableChecked(msgspec.Struct, frozen=True):
    """One table's day in a checked feed."""

    stream: str
    game: str
    rounds: int
    judged: int  # rounds in which every wager is decided
    findings: dict[str, int]  # by code, the most frequent first
    never: tuple[NeverSaid, ...]
    missing: tuple[NeverSaid, ...]  # those of them that a lawful day of this table must have


class RefusedCause(msgspec.Struct, frozen=True):
    """One cause of refusals: its first line, and that line as it should be."""

    group: RefusedGroup
    line: str
    mended: str  # empty if no line can be made from it


class FeedReport(msgspec.Struct, frozen=True):
    """Everything that the check of a feed found."""

    lines: int
    placed: int
    repeated: int
    types: dict[str, TypeSeen]
    tables: tuple[TableChecked, ...]
    wagers: dict[str, int]  # decided, and undecided by what is missing
    refused: tuple[RefusedCause, ...]
    doubts: tuple[Doubt, ...]
    unchecked: tuple[str, ...]  # what the feed says too little of
    troubles: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """Return the gravest severity of the doubts, or `clean`."""
        severities = {doubt.severity for doubt in self.doubts}
        return WRONG if WRONG in severities else DOUBTFUL if severities else CLEAN

    @property
    def judged_share(self) -> Fraction:
        """The share of finished rounds that are fully judged; none of no rounds."""
        rounds = sum(table.rounds for table in self.tables)
        return Fraction(sum(table.judged for table in self.tables), rounds or 1)

    @property
    def undecided(self) -> dict[str, Fraction]:
        """The share of wagers that each missing item leaves undecided."""
        total = sum(self.wagers.values()) or 1
        return {what: Fraction(many, total) for what, many in sorted(self.wagers.items()) if what != DECIDED and many}


_OF_OTHER_GAMES = frozenset({"wager-not-in-book", "decision-not-in-book"})


def reported(checker: FeedChecker) -> FeedReport:
    """Return the report on a feed that has ended."""
    checker.end()
    days = _days(checker)
    of_rounds = [doubt for name in checker.days.days for doubt in _of_rounds(checker, name)]
    of_rounds += [*checker.decks.doubts(), *checker.openings.doubts()]
    refused = checker.refused.all()
    opening = next((group.example for group in refused if group.opens), "")
    seen = LinesSeen(
        checker.report.read,
        checker.report.dead,
        not _OF_ROUNDS.isdisjoint(checker.types),
        opening,
        _refused_for("zone-unknown", refused),
        _refused_for("gaming-day-implausible", refused),
        sum(group.count for group in refused if group.code in _OF_OTHER_GAMES),
    )
    found = feed_doubts(checker.times, days, seen, of_rounds)
    return FeedReport(
        checker.report.read,
        checker.report.placed,
        checker.report.repeated,
        dict(sorted(checker.types.items(), key=lambda each: -each[1].count)),
        tuple(_table(checker, name) for name in sorted(checker.days.days)),
        checker.wagers,
        tuple(_cause(checker, group) for group in refused),
        tuple(found),
        tuple(unchecked(days)),
        tuple(checker.troubles),
    )


def _refused_for(code: str, refused: Sequence[RefusedGroup]) -> dict[str, str]:
    return {group.example: group.first.says for group in refused if group.code == code}


def _of_rounds(checker: FeedChecker, stream: str) -> list[Doubt]:
    companion = checker.days.companion(stream)
    return companion.at_end() if companion is not None else []


def _table(checker: FeedChecker, stream: str) -> TableChecked:
    verifier, judged = checker.days.days[stream]
    day, companion = verifier.day, checker.days.companion(stream)
    said = {name.rpartition(".")[0] for name in checker.said.get(stream, ())}
    never = never_said(day.house, said, day.unrecorded) if day.house is not None and companion is not None else []
    must = expected(day, judged.rounds)
    return TableChecked(
        stream,
        day.game.title,
        judged.rounds,
        judged.judged,
        _codes(checker, stream),
        tuple(never),
        tuple(each for each in never if each.type in must),
    )


def _codes(checker: FeedChecker, stream: str) -> dict[str, int]:
    """Return the number of findings by code, the most frequent first."""
    found = Counter(each.code for each in checker.standing.values() if each.stream == stream and each.code != CODE)
    return dict(found.most_common())


def _cause(checker: FeedChecker, group: RefusedGroup) -> RefusedCause:
    line = checker.examples.get(group.example, b"")
    return RefusedCause(group, line.decode(errors="backslashreplace"), mended(line, group.first))


def _days(checker: FeedChecker) -> list[DaySeen]:
    """Return what the feed says of each day, the property's included."""
    starts = {stream.partition("/")[2]: opened.day_starts_at for stream, opened in checker.property_days.items()}
    days = [
        DaySeen(opened.at, _begins(opened.gaming_day, opened.zone, opened.day_starts_at), stream=stream)
        for stream, opened in checker.property_days.items()
    ]
    for stream, (verifier, judged) in checker.days.days.items():
        day, opened = verifier.day, verifier.day.opened
        if opened is not None:
            cents, wagers = checker.wagered.get(stream, (0, 0))
            begins = _begins(opened.gaming_day, opened.zone, starts.get(opened.gaming_day, _DAY_STARTS_AT))
            companion = checker.days.companion(stream)
            days.append(
                DaySeen(
                    opened.at,
                    begins,
                    stream=stream,
                    last_at=day.at,
                    unjudged=day.unjudged,
                    rounds=judged.rounds,
                    judged=judged.judged,
                    decides=judged.decides,
                    unexplained=judged.not_judged(but_for=[why for why in judged.reasons() if told_in(day, why)]),
                    reasons=tuple(
                        OpenReason(why, rounds, deciding(why), may_tell(why), told_in(day, why))
                        for why, rounds in judged.reasons().most_common()
                    ),
                    codes=_codes(checker, stream),
                    suspects=tuple(suspects(companion.counts)) if companion is not None else (),
                    found=_found(checker, stream),
                    options=_wrong_options(checker, day),
                    not_approved=" ".join(_says(checker, stream, _NOT_APPROVED)),
                    amounts_untold=companion is not None and cents > 0 and not companion.counts.amounts_told,
                    wagered_cents=cents,
                    wagers=wagers,
                )
            )
    return days


def _wrong_options(checker: FeedChecker, day: TableDay) -> tuple[HouseFinding, ...]:
    """Return what is wrong with a day's options, or else what was wrong before they were changed."""
    now = (*day.refused, *(day.house.findings if day.house is not None else ()))
    wrong = (*(one for one in now if one.code in _WRONG_OPTIONS), *_contradicted(day))
    return wrong or tuple(
        HouseFinding(code, "docs/findings", says.rstrip("."))
        for code in _WRONG_OPTIONS
        for says in _says(checker, day.stream, code)
    )


def _contradicted(day: TableDay) -> Iterator[HouseFinding]:
    """Yield the options of the opening that contradict the opening itself."""
    if day.opened is not None and day.house is not None:
        opened = day.opened
        shufflers = [each.device for each in opened.devices if each.kind == "shuffler"]
        stated = opened.options.get("dealing_method")
        yield from contradicted(day.house, stated, opened.dealing_method, shufflers[0] if shufflers else "")


def _says(checker: FeedChecker, stream: str, code: str) -> list[str]:
    return [each.says for each in checker.standing.values() if each.stream == stream and each.code == code]


def _found(checker: FeedChecker, stream: str) -> dict[str, int]:
    """Return the number of rounds with each finding; a state that lasts is found in each round that shows it."""
    verified = checker.days.days.get(stream)
    rounds = verified[0].rounds_of_states() if verified is not None else {}
    for finding in checker.standing.values():
        if finding.stream == stream and finding.round is not None:
            rounds.setdefault(finding.code, set()).add(finding.round)
    return {code: len(numbers) for code, numbers in rounds.items()}


def _begins(gaming_day: str, zone: str, starts_at: str) -> int | None:
    """Return when a gaming day begins, or None if its zone or hour is unknown."""
    try:
        local = datetime.combine(date.fromisoformat(gaming_day), time.fromisoformat(starts_at), ZoneInfo(zone))
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None
    return (local - _EPOCH) // timedelta(microseconds=1)

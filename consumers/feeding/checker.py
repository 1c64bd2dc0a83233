"""Run a feed through decoding, admission, the writer, the follower and the verifier, and record nothing."""

from array import array
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from consumers.feeding.judging import CheckedDays
from consumers.feeding.spool import Spool
from consumers.gateway.clients import InputReport
from consumers.gateway.gateway import InputLine
from consumers.gateway.greeting import greeting
from consumers.gateway.keys import verify
from consumers.gateway.letter_budget import LetterBudget
from consumers.gateway.reading_lines import read_line
from consumers.gateway.standing import Registers, counts
from consumers.watching.reading import Remembered
from consumers.zones import zones_but
from domain.facts.codec import name_of, readable
from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyOpened
from domain.facts.refused import Refused, RefusedGroups
from domain.facts.wagers import WagerPlaced
from domain.feed import TEXT, unit_of
from domain.feed.decks import DeckTimes
from domain.feed.openings import OpeningTimes
from domain.feed.whole import TimesSeen
from domain.following import chain_of
from domain.ledger.admission import Speaker, denied
from domain.ledger.keys_used import KeysUsed, key_taken
from domain.ledger.plausible import admitted
from domain.ledger.refusal_parts import with_parts
from domain.ledger.writer import Writer, place
from domain.watch.corrected import WatchedRecord
from domain.watch.finding import Finding
from domain.watch.findings_stream import Written
from domain.watch.record import apply
from domain.watch.record_watch import RecordWatch

_CONSOLE = Speaker(console=True)
_EXAMPLES = 5


class TypeSeen(msgspec.Struct):
    """One type of fact in the lines that have a place: how often it came, and its first and last time."""

    count: int
    first_at: int
    last_at: int


class _Timed(msgspec.Struct):
    """The time and the source of a line, whatever else is wrong with it."""

    at: object = None
    source: object = ""


_TIMED = msgspec.json.Decoder(_Timed)


class FeedChecker:
    """A feed being checked: `take` its lines, then `end` it once."""

    budget: LetterBudget | None = None  # a gateway's limit on dead letters; a check keeps none

    def __init__(self, clock: Callable[[], int]) -> None:
        self.clock = clock
        self.writer = Writer(epoch=1)
        self.report = InputReport()
        self.refused = RefusedGroups()
        self.examples: dict[str, bytes] = {}  # the first refused lines, by where they came from
        self.times = TimesSeen()
        self.decks = DeckTimes()
        self.openings = OpeningTimes()
        self.types: dict[str, TypeSeen] = {}
        self.said: dict[str, set[str]] = {}  # the types of each stream
        self.property_days: dict[str, PropertyOpened] = {}
        self.wagered: dict[str, array[int]] = {}  # cents and number of wagers, by stream
        self.standing: dict[str, Finding] = {}
        self.troubles: list[str] = []
        self.days = CheckedDays()
        self._registers = Registers()
        self._late_wagers: Counter[str] = Counter()  # in rounds judged at the end, beside those of the last marks
        self._keys = KeysUsed()
        self._spool = Spool()
        self._cut = ""  # where the last line came from that was cut
        self._remembered = Remembered()
        record = WatchedRecord(self._facts, self._spool.from_day, self._remembered.held)
        self._watch = RecordWatch(record, self._trouble, self._spool.stored, self._write, at={}, beside=self.days)

    def take(self, lines: Sequence[InputLine]) -> None:
        """Take the next lines, as a gateway does."""
        for line in lines:
            self._take(line)

    def seal_quiet(self, quiet: int = 0) -> None:
        """Ignore it: a check seals nothing."""

    def end(self) -> None:
        """Judge the rounds that late facts changed, and look once more at the days that the feed left open."""
        for name, (verifier, judged) in self.days.days.items():
            companion, day = self.days.companion(name), verifier.day
            judged.count_changed()
            if day.opened is None:
                continue
            self._late_wagers.subtract(verifier.wagers)
            for change in verifier.judge_postponed(day.opened):
                if change.kind == "withdrawn":
                    self.standing.pop(change.finding.id, None)
                else:
                    self.standing[change.finding.id] = change.finding
            self._late_wagers.update(verifier.wagers)
            if companion is not None and day.closed is None:
                companion.look(day.opened)

    def _take(self, line: InputLine) -> None:
        if line.cut and self._cut == _where(line):
            return  # one more piece of a line that is longer than any fact
        self._cut = _where(line) if line.cut else ""
        self.report.read += 1
        if greeting(line.stored) is not None:
            self.report.greetings += 1
            return
        fact = Refused("line-cut", line.cut) if line.cut else read_line(line.stored)
        self._timed(line, fact)
        whole = fact if isinstance(fact, Refused) else self._admitted(fact)
        if isinstance(whole, Refused):
            self._refuse(line, whole)
        elif whole is not None:
            self._place(whole)

    def _timed(self, line: InputLine, fact: Fact | Refused) -> None:
        """Count the unit of a line's time, refused or not."""
        at, source = (fact.at, fact.source) if isinstance(fact, Fact) else _raw(line.stored)
        if at is None:
            return
        unit, times = TEXT if isinstance(at, str) else unit_of(at), self.times
        times.units[unit] = times.units.get(unit, 0) + 1
        times.sources.setdefault(unit, set()).add(source)
        some = times.facts.setdefault(unit, [])
        if len(some) < _EXAMPLES:
            some.append(_where(line))

    def _admitted(self, fact: Fact) -> Fact | Refused | None:
        """Return the fact in its stream, why the gateway refuses it, or None if it is known."""
        use = self._keys.use(fact)
        fact = use.fact
        if use.repeats:
            self.report.repeated += 1
            return None
        registers = self._registers
        now = max(self.clock(), fact.at)  # the times of a file are long past, or of a day still to come
        why = denied(registers.sources, _CONSOLE, fact, now=now, bounds=registers.bounds, verify=verify)
        if why is not None:
            return with_parts(why.rule, why.says, fact)
        if use.conflicts:
            return key_taken(fact)
        whole = admitted(self.writer, fact, registers.bounds.most_cents, zones_but=zones_but)
        if isinstance(whole, Fact):
            self._keys.take(use)
        return whole

    def _place(self, whole: Fact) -> None:
        placed = place(self.writer, whole)
        fact = placed.fact
        self.report.placed += 1
        if counts(fact):
            self._registers.take(fact)
        if isinstance(fact, PropertyOpened):
            self.property_days[fact.stream] = fact
        self._seen(fact)
        self.decks.take(fact)
        self.openings.take(fact)
        self._watch.follower.read += 1
        self._watch.follower.at[0] = self.report.placed
        self._watch.follower.hear(fact, placed.stored, placed.own)
        self._spool.add(fact.stream, placed.stored)

    def _seen(self, fact: Fact) -> None:
        kind = name_of(fact)
        self.said.setdefault(fact.stream, set()).add(kind)
        seen = self.types.get(kind)
        if seen is None:
            self.types[kind] = TypeSeen(1, fact.at, fact.at)
        else:
            seen.count += 1
            seen.first_at, seen.last_at = min(seen.first_at, fact.at), max(seen.last_at, fact.at)
        if isinstance(fact, WagerPlaced) and fact.cents:
            sums = self.wagered.setdefault(fact.stream, array("q", (0, 0)))
            sums[0] += fact.cents
            sums[1] += 1

    def _refuse(self, line: InputLine, refused: Refused) -> None:
        self.report.dead += 1
        if self.refused.add(refused, _where(line), line=line.stored):
            self.examples[_where(line)] = line.stored

    def _facts(self, stream: str) -> list[Fact]:
        return [link.fact for link in chain_of(readable(self._spool.stored(stream)))]

    def _trouble(self, stored: bytes, says: str) -> None:
        if len(self.troubles) < _EXAMPLES:
            self.troubles.append(f"{says}: {stored[:80].decode(errors='backslashreplace')}")

    def _write(self, written: Written) -> None:
        self._remembered.add(written)
        apply(self.standing, written.record)

    @property
    def wagers(self) -> dict[str, int]:
        """The wagers decided, and those undecided by missing information."""
        found = self._remembered.wagers()
        found.update(self._late_wagers)
        return {what: many for what, many in found.items() if many}


def _raw(stored: bytes) -> tuple[int | str | None, str]:
    """Return the time and the source of a line that is no fact, as far as they can be read."""
    try:
        said = _TIMED.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, ""
    is_told = isinstance(said.at, int | str) and not isinstance(said.at, bool)
    return (said.at if is_told else None), str(said.source)  # type: ignore[return-value]


def _where(line: InputLine) -> str:
    return f"{line.came_from}:{line.place}"

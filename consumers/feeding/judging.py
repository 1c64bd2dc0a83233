"""The rounds of each checked day, and how many of them are fully judged: with every wager decided."""

from collections import Counter
from collections.abc import Iterable

from domain.facts.envelope import Fact
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.feed_watch import FeedCompanion, ended_round
from domain.watch.owed_vs_paid import BY_RULING, DECIDED, coverage
from domain.watch.verifier import Verifier

_JUDGED = {DECIDED, BY_RULING}
_MOST_CHANGED = 256  # rounds kept in memory until they are counted again


class JudgedRounds:
    """A companion of one day's verifier, which counts its rounds."""

    kinds: frozenset[type[Fact]] = frozenset()

    def __init__(self, day: TableDay) -> None:
        self.day = day
        self._judged: dict[int, bool] = {}
        self._found: dict[int, frozenset[str]] = {}  # by round: whether wagers are decided, and why others are not
        self._changed: dict[int, RoundInPlay] = {}  # counted rounds that late facts changed

    def before(self, day: TableDay, fact: Fact) -> None:
        """Ignore it: rounds are counted when they are over."""

    def after(self, fact: Fact, told: RoundInPlay | None, before: RoundInPlay | None) -> None:
        """Count the round that this fact ended or changed."""
        ended = ended_round(fact, told, before)
        if ended is None:
            return
        if ended.number not in self._judged:
            self._count(ended)
            return
        self._changed[ended.number] = ended
        if len(self._changed) > _MOST_CHANGED:
            self.count_changed()

    def count_changed(self) -> None:
        """Count the rounds again that late facts changed."""
        for told in self._changed.values():
            self._count(told)
            told.worked_out = {}
        self._changed = {}

    def _count(self, ended: RoundInPlay) -> None:
        found = coverage(ended)
        self._found[ended.number] = frozenset(found)
        self._judged[ended.number] = not self.day.unjudged and DECIDED in found and found.keys() <= _JUDGED

    @property
    def rounds(self) -> int:
        """The number of finished rounds."""
        return len(self._judged)

    @property
    def judged(self) -> int:
        """The number of fully judged ones."""
        return sum(self._judged.values())

    @property
    def decides(self) -> bool:
        """Whether any wager is decided."""
        return not self.day.unjudged and any(DECIDED in found for found in self._found.values())

    def reasons(self) -> Counter[str]:
        """Return why rounds are not fully judged, with the number of rounds for each reason."""
        return Counter(why for found in self._not_judged() for why in found - {DECIDED})

    def not_judged(self, but_for: Iterable[str] = ()) -> int:
        """Return the number of rounds that are not fully judged, but for those with only these reasons."""
        return sum(not found or bool(found - {DECIDED, *but_for}) for found in self._not_judged())

    def _not_judged(self) -> Iterable[frozenset[str]]:
        return (self._found[number] for number, judged in self._judged.items() if not judged)


class CheckedDays:
    """The verifiers of a feed, each with its counts: the companion of the watch over the record."""

    def __init__(self) -> None:
        self.days: dict[str, tuple[Verifier, JudgedRounds]] = {}

    def verifier(self, stream: str, remembers: int | None) -> Verifier:
        """Make the verifier of a day from its opening."""
        made = Verifier(stream, remembers)
        made.postpones()
        judged = JudgedRounds(made.day)
        made.goes_with(judged)
        self.days[stream] = (made, judged)
        return made

    def parts(self, stream: str) -> None:
        """Ignore it: the report shows where a stream is no longer verified."""

    def companion(self, stream: str) -> FeedCompanion | None:
        """Return the counts beside a day's verifier."""
        beside = self.days[stream][0].beside
        return beside if isinstance(beside, FeedCompanion) else None

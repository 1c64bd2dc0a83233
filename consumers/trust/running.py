"""A running keeper: opens the record's logs as they appear, and signs heads when due.

A head is due when the interval has passed and something is new, and at once when a day of the property is closed. A
keeper gets its hold on the tree before it opens anything, so that it sees everything the last one did.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from threading import Event
from time import monotonic
from typing import Final

from consumers.desk.application import DESK_FILE
from consumers.desk.opening import database, open_desk
from consumers.logs.log import Log
from consumers.logs.opening import FINDINGS_FILE, findings_log
from consumers.record_place import RecordOptions, now
from consumers.trust.clock import ClockLeapError
from consumers.trust.gathering import DeskSource, Gatherer, LogSource, TreeSource
from consumers.trust.holding import HeldError, TreeHold, file_hold
from consumers.trust.keeper import Keeper, SignedHead, open_keeper
from consumers.trust.published import publish, published_log
from domain.ledger.stretches import KINDS, Kind

LOOKS_EVERY: Final = 1.0  # seconds between two readings of a running keeper


class Sources:
    """The logs of one record, each from the moment it exists."""

    def __init__(self, place: RecordOptions, opened: ExitStack) -> None:
        self._place = place
        self._opened = opened
        self._facts = opened.enter_context(closing(place.log()))
        self._found: set[Kind] = set()

    def new(self) -> Iterator[TreeSource]:
        """The logs that have appeared since the last call."""
        for kind in KINDS:
            if kind not in self._found and self._is_there(kind):
                self._found.add(kind)
                yield self._open(kind)

    def _is_there(self, kind: Kind) -> bool:
        if kind == "facts" or (kind == "findings" and self._place.kafka is not None):
            return True
        if kind == "desk" and database():
            return True
        return (self._place.folder / (FINDINGS_FILE if kind == "findings" else DESK_FILE)).is_file()

    def _open(self, kind: Kind) -> TreeSource:
        if kind == "desk":
            desk = open_desk(self._place.folder)
            self._opened.callback(desk.close)
            return DeskSource(desk.recorder)
        if kind == "facts":
            return LogSource(kind, self._facts)
        log = findings_log(data=self._place.data, kafka=self._place.kafka, create=False)
        return LogSource(kind, self._opened.enter_context(closing(log)))


class Work:
    """A keeper, the logs it follows, and the log it publishes to."""

    def __init__(self, keeper: Keeper, sources: Sources, log: Log, holds: Sequence[TreeHold] = ()) -> None:
        self.keeper = keeper
        self._sources = sources
        self._log = log
        self._holds = holds
        self._gatherers: list[Gatherer] = []
        self._published = 0  # the last entry of the tree known to be in the log
        self._publish()

    def _publish(self) -> None:
        """Publish the entries that the log lacks, including cosignatures and keys that another command added."""
        for hold in self._holds:
            hold.check()
        last = self.keeper.tree.last
        publish(self.keeper.tree, self._log)
        self._published = last

    def read(self, at: int) -> int:
        """Read on in every log; return the number of new records."""
        if self.keeper.tree.last != self._published:
            self._publish()
        self._gatherers += self.keeper.gatherers(list(self._sources.new()))
        return sum(one.read(at) for one in self._gatherers)

    def checkpoint(self, at: int, *, clock_is_right: bool = False) -> SignedHead | None:
        """Sign the head and publish it if anything is new, after reading the published entries again."""
        self._publish()
        made = self.keeper.checkpoint(self._gatherers, at, clock_is_right=clock_is_right)
        if made is not None:
            self._publish()
        return made

    @property
    def due(self) -> bool:
        """Whether a day was closed."""
        return any(one.due() for one in self._gatherers)

    @property
    def placeless(self) -> int:
        """The number of records that name no place and so are not in the tree."""
        return sum(one.source.placeless for one in self._gatherers)

    def follow(
        self, every_seconds: float, stop: Event, told: Callable[[SignedHead], None], say: Callable[[str], None]
    ) -> None:
        """Run until `stop` is set, then sign what is left. Problems of the clock are reported."""
        last = -every_seconds  # a steady clock: setting the clock back must not delay the next head
        while not stop.is_set():
            at = now()
            self.read(at)
            if self.due or monotonic() - last >= every_seconds:
                last = monotonic()
                self._sign(at, told, say)
            stop.wait(min(LOOKS_EVERY, every_seconds))
        at = now()
        self.read(at)
        self._sign(at, told, say)

    def _sign(self, at: int, told: Callable[[SignedHead], None], say: Callable[[str], None]) -> None:
        try:
            made = self.checkpoint(at)
        except ClockLeapError as error:
            say(str(error))  # the clock may be corrected while we run; the records read wait for that
            return
        if made is not None:
            told(made)


@contextmanager
def held(place: RecordOptions) -> Iterator[tuple[list[TreeHold], Log]]:
    """The hold on a record's tree, and its keeper's log; raise HeldError if another keeper is running."""
    place.require_record()
    with ExitStack() as opened:
        holds: list[TreeHold] = [opened.enter_context(file_hold(place.folder))]
        log: Log
        if place.kafka is None:
            log = opened.enter_context(closing(published_log(data=place.data, kafka=None, create=True)))
        else:
            of_cluster, log = opened.enter_context(
                import_module("consumers.trust.cluster_hold").cluster_hold(place.kafka)
            )
            holds.append(of_cluster)
        yield holds, log


@contextmanager
def at_work(place: RecordOptions) -> Iterator[Work]:
    """The keeper of a record with all its logs; raise HeldError if another keeper is running."""
    with ExitStack() as opened:
        holds, log = opened.enter_context(held(place))
        keeper = opened.enter_context(open_keeper(place.folder))
        yield Work(keeper, Sources(place, opened), log, holds)


def publish_now(place: RecordOptions) -> bool:
    """Publish the entries that the log lacks; return False if a keeper is running, which does so within seconds."""
    try:
        with held(place) as (_, log), open_keeper(place.folder) as keeper:
            publish(keeper.tree, log)
    except HeldError:
        return False
    return True

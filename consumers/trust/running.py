"""The keeper at work on a record: opens what goes into the tree as it comes to be there, signs when it is time.

It is time when the interval is over and something is new, and at once when a day of the property is closed.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from threading import Event
from typing import Final

from consumers.desk.application import DESK_FILE
from consumers.desk.opening import database, open_desk
from consumers.logs.log import Log
from consumers.logs.opening import FINDINGS_FILE, findings_log
from consumers.record_place import Place, now
from consumers.trust.gathering import DeskSource, Gatherer, LogSource, Source
from consumers.trust.keeper import Keeper, Made, open_keeper
from consumers.trust.published import publish, published_log
from domain.ledger.stretches import KINDS, Kind

LOOKS_EVERY: Final = 1.0  # seconds between two readings of a keeper that runs on
_SECOND: Final = 1_000_000


class Sources:
    """The logs of one record, each from the moment it is there."""

    def __init__(self, place: Place, opened: ExitStack) -> None:
        self._place = place
        self._opened = opened
        self._facts = opened.enter_context(closing(place.log()))
        self._found: set[Kind] = set()

    def new(self) -> Iterator[Source]:
        """Those that were not there before."""
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

    def _open(self, kind: Kind) -> Source:
        if kind == "desk":
            desk = open_desk(self._place.folder)
            self._opened.callback(desk.close)
            return DeskSource(desk.recorder)
        if kind == "facts":
            return LogSource(kind, self._facts)
        log = findings_log(data=self._place.data, kafka=self._place.kafka, create=False)
        return LogSource(kind, self._opened.enter_context(closing(log)))


class Work:
    """A keeper, the logs it follows, and where it publishes."""

    def __init__(self, keeper: Keeper, sources: Sources, log: Log) -> None:
        self.keeper = keeper
        self._sources = sources
        self._log = log
        self._gatherers: list[Gatherer] = []
        publish(keeper.tree, log)

    def read(self, at: int) -> int:
        """Reads on in every log: how many records were new."""
        self._gatherers += self.keeper.gatherers(list(self._sources.new()))
        return sum(one.read(at) for one in self._gatherers)

    def checkpoint(self, at: int) -> Made | None:
        """Signs the head and publishes it, if anything is new."""
        made = self.keeper.checkpoint(self._gatherers, at)
        if made is not None:
            publish(self.keeper.tree, self._log)
        return made

    @property
    def due(self) -> bool:
        """Whether a day was closed."""
        return any(one.due() for one in self._gatherers)

    @property
    def placeless(self) -> int:
        """How many records name no place and so are in no tree."""
        return sum(one.source.placeless for one in self._gatherers)

    def follow(self, every_seconds: float, stop: Event, told: Callable[[Made], None]) -> None:
        """Runs on until it is stopped; what is there then is signed at last."""
        last = 0
        while not stop.is_set():
            at = now()
            self.read(at)
            if self.due or at - last >= every_seconds * _SECOND:
                last = at
                if (made := self.checkpoint(at)) is not None:
                    told(made)
            stop.wait(min(LOOKS_EVERY, every_seconds))
        at = now()
        self.read(at)
        if (made := self.checkpoint(at)) is not None:
            told(made)


@contextmanager
def at_work(place: Place) -> Iterator[Work]:
    """The keeper of a record, and all it follows."""
    with ExitStack() as opened:
        keeper = opened.enter_context(open_keeper(place.folder))
        sources = Sources(place, opened)
        log = opened.enter_context(closing(published_log(data=place.data, kafka=place.kafka, create=True)))
        yield Work(keeper, sources, log)

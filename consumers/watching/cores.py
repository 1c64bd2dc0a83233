"""A replay shared among processes: each verifies some of the tables, and what they say comes in the order of the log.

Each reads the whole log and takes the facts of its own tables, with the property's beside them, for those tell every
table of keys. What it says names the place in the log at which it was known, so that who listens hears the same things
in the same order, however many speak.
"""

import gc
import heapq
import multiprocessing
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from operator import itemgetter
from queue import Empty
from typing import Any, NamedTuple

import msgspec

from domain.facts.streams import PROPERTY, owner

_TOGETHER = 500  # how many things are said at once
_AHEAD = 64  # how many times, before who speaks waits for who listens
_ALIVE_SECONDS = 1.0
_END = 1 << 62  # behind every place
_COLLECT_AFTER = 200_000  # objects


class StoppedError(RuntimeError):
    """A process ended before it had said everything."""


class Said(NamedTuple):
    """Something a process says: where in the log it was known, what it is, and its bytes."""

    place: int
    what: str
    told: bytes


Tell = Callable[[Said], None]


class _Named(msgspec.Struct, gc=False):
    type: str = ""
    stream: str = ""
    table: str = ""  # an opening that is not numbered yet names its table alone


_NAMED = msgspec.json.Decoder(_Named)


class Share:
    """Which records one of several processes takes. Tables not dealt out before are, as they first come in the log."""

    def __init__(self, number: int, of: int, dealt: Mapping[str, int] | None = None) -> None:
        self.first = number == 0  # of all; what nobody else would speak of is its to say
        self.apart = 0  # records taken here as by every process, and counted by the first
        self._number = number
        self._of = of
        self._tables: dict[str, int] = dict(dealt or {})

    @property
    def tables(self) -> list[str]:
        """Those that were dealt to this process."""
        return [table for table, number in self._tables.items() if number == self._number]

    def reads(self, name: str) -> bool:
        """Whether what is kept under this name is read here, where all tables were dealt out beforehand."""
        table = owner(name)
        return table == PROPERTY or (self._tables[table] == self._number if table in self._tables else self.first)

    def takes(self, stored: bytes) -> bool:
        """Whether this record is taken here; what names no table is for the first."""
        table = _table(stored)
        return table == PROPERTY or (self._holder(table) == self._number if table else self.first)

    def counted(self, stored: bytes) -> bytes:
        """A record that is taken here, noted where every process takes it and the first one counts it."""
        self.apart += not self.speaks(stored)
        return stored

    def speaks(self, stored: bytes) -> bool:
        """Whether what comes of this record, which is taken here, is said by this process."""
        return self.first or _table(stored) != PROPERTY

    def speaks_of(self, stream: str) -> bool:
        """The same by the name of its stream."""
        return self.first or owner(stream) != PROPERTY

    def _holder(self, table: str) -> int:
        return self._tables.setdefault(table, len(self._tables)) % self._of


def _table(stored: bytes) -> str:
    try:
        named = _NAMED.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return owner(named.stream) or named.table or (PROPERTY if named.type.startswith("property-") else "")


def dealt_out(tables: Mapping[str, int], cores: int) -> dict[str, int]:
    """Tables of so many facts dealt out to so many processes: the largest first, each to who has the least."""
    has = [0] * cores
    found: dict[str, int] = {}
    for table, count in sorted(tables.items(), key=lambda each: (-each[1], each[0])):
        found[table] = has.index(min(has))
        has[found[table]] += count
    return found


@contextmanager
def shared(
    work: Callable[[Share, Tell], None], cores: int, dealt: Mapping[str, int] | None = None
) -> Iterator[Iterator[Said]]:
    """What so many processes say that do this work, in the order of the log.

    To be entered before any file is opened: they take over what this process has.
    """
    context = multiprocessing.get_context("fork")
    processes, queues = [], []
    try:
        for number in range(cores):
            queue = context.Queue(maxsize=_AHEAD)
            process = context.Process(target=_work, args=(work, Share(number, cores, dealt), queue), daemon=True)
            process.start()
            processes.append(process)
            queues.append(queue)
        yield heapq.merge(*map(_heard, processes, queues), key=itemgetter(0))
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _work(work: Callable[[Share, Tell], None], share: Share, queue: Any) -> None:
    said: list[Said] = []

    def tell(each: Said) -> None:
        said.append(each)
        if len(said) >= _TOGETHER:
            queue.put(said.copy())
            said.clear()

    try:
        with quietly():
            work(share, tell)
        queue.put(said)
        queue.put(None)
    except KeyboardInterrupt:
        return
    except Exception as error:
        queue.put(error)


def _heard(process: BaseProcess, queue: Any) -> Iterator[Said]:
    while True:
        try:
            said = queue.get(timeout=_ALIVE_SECONDS)
        except Empty:
            if process.is_alive() or not queue.empty():
                continue
            raise StoppedError(f"a process ended with {process.exitcode} before it had read everything") from None
        if said is None:
            return
        if isinstance(said, Exception):
            raise said
        yield from said


def at_the_end(what: str, told: bytes) -> Said:
    """Something said when everything was read."""
    return Said(_END, what, told)


@contextmanager
def quietly() -> Iterator[None]:
    """A replay makes many objects and no cycles: looking for them as often as usual costs a tenth of it."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()

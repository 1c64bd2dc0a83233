"""Share a replay among processes: each verifies some tables, and the results come in the order of the log.

Each process reads the whole log and takes the facts of its own tables and of the property, which name every table's
keys. Each result names the place in the log where it became known, so that the receiver gets the same results in the
same order for any number of processes.
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
from domain.ledger.keys_used import key_digest

_TOGETHER = 500  # results per message
_AHEAD = 64  # messages that may wait for the receiver
_ALIVE_SECONDS = 1.0
_END = 1 << 62  # after every place
_COLLECT_AFTER = 200_000  # objects


class StoppedError(RuntimeError):
    """A process ended before it had sent all its results."""


class ProcessMessage(NamedTuple):
    """A result of a process: its place in the log, its kind, and its bytes."""

    place: int
    what: str
    told: bytes


Tell = Callable[[ProcessMessage], None]


class _NamedLine(msgspec.Struct, gc=False):
    type: str = ""
    stream: str = ""
    table: str = ""  # an opening without a number names only its table


class _KeyedLine(_NamedLine):
    source: str = ""
    source_key: str = ""
    sequence: int = 0


_NAMED = msgspec.json.Decoder(_NamedLine)
_KEYED = msgspec.json.Decoder(_KeyedLine)


class KeyTables:
    """The table of each key in lines without a number. Two tables with one key cannot be read apart."""

    def __init__(self) -> None:
        self._tables: dict[bytes, str] = {}

    def shared(self, stored: bytes) -> bool:
        """Whether this line has the key of another table's line."""
        try:
            line = _KEYED.decode(stored)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        if line.sequence or not line.source_key:
            return False
        table = _table_of(line)
        return self._tables.setdefault(key_digest(line.source, line.source_key), table) != table


class Share:
    """The records of one of several processes. Unassigned tables are assigned as they appear in the log."""

    def __init__(self, number: int, of: int, dealt: Mapping[str, int] | None = None) -> None:
        self.first = number == 0  # the first process reports what belongs to no other
        self.apart = 0  # records that every process takes, and only the first counts
        self._number = number
        self._of = of
        self._tables: dict[str, int] = dict(dealt or {})

    @property
    def tables(self) -> list[str]:
        """The tables assigned to this process."""
        return [table for table, number in self._tables.items() if number == self._number]

    def reads(self, name: str) -> bool:
        """Whether what is kept under this name is read here, where all tables were dealt out beforehand."""
        table = owner(name)
        return table == PROPERTY or (self._tables[table] == self._number if table in self._tables else self.first)

    def takes(self, stored: bytes) -> bool:
        """Whether this process takes the record; the first process takes records without a table."""
        table = _table(stored)
        return table == PROPERTY or (self._holder(table) == self._number if table else self.first)

    def counted(self, stored: bytes) -> bytes:
        """Return a record taken here, and count it if every process takes it and only the first counts it."""
        self.apart += not self.speaks(stored)
        return stored

    def speaks(self, stored: bytes) -> bool:
        """Whether this process reports the results of this record, which it takes."""
        return self.first or _table(stored) != PROPERTY

    def speaks_of(self, stream: str) -> bool:
        """The same, by the name of its stream."""
        return self.first or owner(stream) != PROPERTY

    def _holder(self, table: str) -> int:
        return self._tables.setdefault(table, len(self._tables)) % self._of


def _table(stored: bytes) -> str:
    try:
        named = _NAMED.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return _table_of(named)


def _table_of(named: _NamedLine) -> str:
    return owner(named.stream) or named.table or (PROPERTY if named.type.startswith("property-") else "")


def dealt_out(tables: Mapping[str, int], cores: int) -> dict[str, int]:
    """Assign tables to processes by their number of facts: the largest first, each to the process with the fewest."""
    has = [0] * cores
    found: dict[str, int] = {}
    for table, count in sorted(tables.items(), key=lambda each: (-each[1], each[0])):
        found[table] = has.index(min(has))
        has[found[table]] += count
    return found


@contextmanager
def shared(
    work: Callable[[Share, Tell], None], cores: int, dealt: Mapping[str, int] | None = None
) -> Iterator[Iterator[ProcessMessage]]:
    """The results of this many processes that run `work`, in the order of the log.

    Enter this before opening any file, because the processes inherit everything that is open.
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
    said: list[ProcessMessage] = []

    def tell(each: ProcessMessage) -> None:
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


def _heard(process: BaseProcess, queue: Any) -> Iterator[ProcessMessage]:
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


def at_the_end(what: str, told: bytes) -> ProcessMessage:
    """A result that is known only after everything was read."""
    return ProcessMessage(_END, what, told)


@contextmanager
def quietly() -> Iterator[None]:
    """Collect garbage less often: a replay makes many objects and no cycles, and collecting costs a tenth."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()

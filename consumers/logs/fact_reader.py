"""How a program reads the record: every fact decoded and once, its chain followed, what is no fact kept aside.

The hot path of whoever reads a log: one dictionary, one hash and two comparisons a fact, measured beside the bare Kafka
consumer in `make bench`. What is out of the ordinary may take its time.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Literal

from consumers.logs.log import Batch, Log
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, stream

Trouble = Literal["gap", "break", "late"]
Aside = Callable[[int, int, bytes, str, str], None]  # partition, position, bytes, what is wrong, the reason
Heard = Callable[[Trouble, int, int, Fact], None]  # what, partition, position, the fact behind it

UNREADABLE = "unreadable"
FORK = "place taken"


class FactReader:
    """Reads a log once, from the positions it begins behind. The first fact met of a stream is believed.

    A repeat is left out, for it is harmless. A second fact at a place goes aside, and so does what is no fact. A gap,
    a hash that does not fit and a fact that comes after its successors are told, and read: they are on record.
    """

    def __init__(self, log: Log, aside: Aside, heard: Heard) -> None:
        self._log = log
        self._aside = aside
        self._heard = heard
        self._heads: dict[str, tuple[int, str]] = {}
        self._missing: dict[str, list[tuple[int, int]]] = {}  # stream to what is missing of it, first and last
        self._places: tuple[str, dict[int, str]] = ("", {})

    def take(self, batch: Batch) -> list[tuple[int, Fact]]:
        """The facts of a batch with their positions."""
        heads = self._heads
        found: list[tuple[int, Fact]] = []
        for position, stored in batch.facts:
            try:
                fact = decode(stored)
            except UnreadableFactError as error:
                self._aside(batch.partition, position, stored, str(error), UNREADABLE)
                continue
            own = sha256(stored).hexdigest()
            head = heads.get(fact.stream)
            if head is not None and fact.previous == head[1] and fact.sequence == head[0] + 1:
                heads[fact.stream] = (fact.sequence, own)
                found.append((position, fact))
            elif self._is_new(batch.partition, position, stored, fact, own):
                found.append((position, fact))
        return found

    def forget(self, stream: str) -> None:
        """A stream that is done: years are read in the memory of a day."""
        self._heads.pop(stream, None)
        self._missing.pop(stream, None)

    def _is_new(self, partition: int, position: int, stored: bytes, fact: Fact, own: str) -> bool:
        """Whether a fact that is not simply the next one is to be read all the same."""
        head = self._heads.get(fact.stream)
        if wrong := _nowhere(fact, begun=head is not None):
            self._aside(partition, position, stored, wrong, UNREADABLE)
            return False
        if head is None:
            pass
        elif fact.sequence <= head[0]:
            if self._was_missing(fact):
                self._heard("late", partition, position, fact)
                return True
            if not self._came_first(fact, own):
                says = f"another fact stands at {fact.id}, which came before"
                self._aside(partition, position, stored, says, FORK)
            return False
        elif fact.sequence == head[0] + 1:
            self._heard("break", partition, position, fact)
        else:
            self._missing.setdefault(fact.stream, []).append((head[0] + 1, fact.sequence - 1))
            self._heard("gap", partition, position, fact)
        self._heads[fact.stream] = (fact.sequence, own)
        return True

    def _was_missing(self, fact: Fact) -> bool:
        """Whether a fact belongs into a gap; it is filled by it."""
        missing = self._missing.get(fact.stream, [])
        gap = next((gap for gap in missing if gap[0] <= fact.sequence <= gap[1]), None)
        if gap is None:
            return False
        missing.remove(gap)
        missing += [part for part in ((gap[0], fact.sequence - 1), (fact.sequence + 1, gap[1])) if part[0] <= part[1]]
        return True

    def _came_first(self, fact: Fact, own: str) -> bool:
        """Whether this is the fact that came first at its place, and has only come again. The log itself is asked."""
        if self._places[0] != fact.stream or fact.sequence not in self._places[1]:
            places: dict[int, str] = {}
            for stored in self._log.read_stream(fact.stream):
                try:
                    places.setdefault(decode(stored).sequence, sha256(stored).hexdigest())
                except UnreadableFactError:
                    continue  # it went aside when it passed
            self._places = (fact.stream, places)
        return self._places[1].get(fact.sequence, own) == own


def _nowhere(fact: Fact, *, begun: bool) -> str:
    """Why a fact has no place in a record, or nothing."""
    if not fact.sequence:
        return "it has no sequence: nobody has put it on record"
    try:
        if not begun:
            stream(fact.stream)
    except BadStreamError as error:
        return str(error)
    return ""

"""The watcher's own signature on its findings.

Every mark of a stream of findings is sealed, and every record about two tables, in order, in a separate stream. The
records determine what is sealed and with which key, so watchers with the same key write the same bytes. The findings
are the same with or without seals.
"""

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final

import msgspec

from consumers.gateway.keys import KeyStore, SealingKey
from consumers.gateway.standing import told
from consumers.logs.log import Log, StoredFact
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY
from domain.following import Link, chain_of
from domain.ledger.chain import digest
from domain.ledger.seals import KeyRegister, words
from domain.ledger.seals import fold as fold_keys
from domain.watch.findings_stream import Written
from domain.watch.record import SOURCE, WATCHER, FindingsSealed, encode, is_sealed, readable, seals_of

_AT_ONCE: Final = 1_000  # facts
Sign = Callable[[str, int, int], SealingKey | None]  # the key that may seal at a stream, a sequence and a time


def signer_of(keys: KeyStore, facts: Log) -> Sign | None:
    """The signer of this machine's watchers, as the record allows at each moment; None without a watcher's key."""
    if not keys.open_newest_of(WATCHER):
        return None
    on_record = KeysOnRecord(facts)
    return lambda stream, sequence, at: keys.signer(WATCHER, stream, sequence, at, on_record.register())


class KeysOnRecord:
    """The keys in the property's facts, up to the last one in the log."""

    def __init__(self, facts: Log) -> None:
        self._facts = facts
        self._one_at_a_time = Lock()  # the comparison of tables may run in a separate thread
        self._home = facts.home(f"{PROPERTY}/")
        self._read = facts.last_position(self._home)
        days = facts.streams(PROPERTY)
        stored = [each for day in days for each in facts.stream_before(day, self._read + 1)]
        self._told = {(fact.stream, fact.sequence): fact for fact, _ in told(stored)}
        self._register = fold_keys(self._told.values())

    def register(self) -> KeyRegister:
        """The current register."""
        with self._one_at_a_time:
            while some := self._facts.read(self._home, self._read, _AT_ONCE):
                self._read = some[-1][0]
                new = {(fact.stream, fact.sequence): fact for fact, _ in told(stored for _, stored in some)}
                if new:
                    self._told = {**new, **self._told}  # the first fact at a place counts
                    self._register = fold_keys(fact for _, fact in sorted(self._told.items()))
            return self._register


class _Sealed(msgspec.Struct):
    """The end of a stream's seals."""

    sequence: int = 0
    head: str = ""
    covers: int = 0


class Sealer:
    """A maker of seals over records of one findings log."""

    def __init__(self, log: Log, sign: Sign) -> None:
        self._log = log
        self._sign = sign
        self._sealed: dict[str, _Sealed] = {}

    def seals(self, made: Iterable[Written]) -> list[StoredFact]:
        """The seals due for these records, and those still due for earlier ones."""
        rows: list[StoredFact] = []
        for each in made:
            if is_sealed(each.record):
                rows += self.behind(each.record.stream) if each.record.stream not in self._sealed else ()
                rows += self._seal(each.record, each.own)
                if getattr(each.record, "closed", False):
                    del self._sealed[each.record.stream]
        return rows

    def behind(self, stream: str) -> list[StoredFact]:
        """The seals due for a stream's records in the log."""
        sealed = self._sealed[stream] = _Sealed()
        for link in self._chain(seals_of(stream)):
            if isinstance(link.fact, FindingsSealed):
                sealed.sequence, sealed.head, sealed.covers = link.fact.sequence, link.own, link.fact.covers
        return [row for link in self._chain(stream) if is_sealed(link.fact) for row in self._seal(link.fact, link.own)]

    def forget(self, streams: Iterable[str]) -> None:
        """Discard the cached seals of these streams, because the log has others."""
        for stream in streams:
            self._sealed.pop(stream, None)

    def _seal(self, record: Fact, own: str) -> list[StoredFact]:
        sealed, name = self._sealed[record.stream], seals_of(record.stream)
        if record.sequence <= sealed.covers:
            return []
        signer = self._sign(name, record.sequence, record.at)
        if signer is None:
            return []
        sequence = sealed.sequence + 1
        seal = FindingsSealed(
            signer.name,
            record.sequence,
            own,
            signer.sign(words(name, record.sequence, own)),
            at=record.at,
            source=SOURCE,
            source_key=f"{name}:{sequence}",
            stream=name,
            sequence=sequence,
            previous=sealed.head,
        )
        stored = encode(seal)
        sealed.sequence, sealed.head, sealed.covers = sequence, digest(stored), record.sequence
        return [StoredFact(name, sequence, name_of(seal), stored)]

    def _chain(self, stream: str) -> list[Link]:
        return chain_of(readable(self._log.read_stream(stream)))

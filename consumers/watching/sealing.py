"""The watcher's own signature on what it finds.

Every mark of a stream of findings is sealed, and every record about two tables, in their order, in a stream beside it.
Which records are sealed, and with which key, follows from the records, so that watchers with the same key write the
same bytes; and the findings are the same whether anybody seals them or not.
"""

from collections.abc import Callable, Iterable

import msgspec

from consumers.gateway.keys import KeyStore, Signer
from consumers.logs.log import Log, StoredFact
from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.ledger.chain import digest
from domain.ledger.seals import words
from domain.watch.book import Written
from domain.watch.chained import Link, chained, links
from domain.watch.record import SOURCE, WATCHER, FindingsSealed, encode, is_sealed, readable, seals_of

Sign = Callable[[str, int, int], Signer | None]  # which key may seal at a stream, a sequence and a time


def signer_of(keys: KeyStore) -> Sign | None:
    """Who seals for the watchers here: nobody, where no key of theirs lives."""
    if not keys.open_newest_of(WATCHER):
        return None
    return lambda stream, sequence, at: keys.signer(WATCHER, stream, sequence, at)


class _Sealed(msgspec.Struct):
    """How far the seals of a stream go."""

    sequence: int = 0
    head: str = ""
    covers: int = 0


class Sealer:
    """Makes seals on records of one findings log."""

    def __init__(self, log: Log, sign: Sign) -> None:
        self._log = log
        self._sign = sign
        self._sealed: dict[str, _Sealed] = {}

    def seals(self, made: Iterable[Written]) -> list[StoredFact]:
        """The seals due with these records, and those still due on what stands before them."""
        rows: list[StoredFact] = []
        for each in made:
            if is_sealed(each.record):
                rows += self.behind(each.record.stream) if each.record.stream not in self._sealed else ()
                rows += self._seal(each.record, digest(each.stored))
                if getattr(each.record, "closed", False):
                    del self._sealed[each.record.stream]
        return rows

    def behind(self, stream: str) -> list[StoredFact]:
        """The seals due on what stands of a stream in the log."""
        sealed = self._sealed[stream] = _Sealed()
        for link in self._chain(seals_of(stream)):
            if isinstance(link.fact, FindingsSealed):
                sealed.sequence, sealed.head, sealed.covers = link.fact.sequence, link.own, link.fact.covers
        return [row for link in self._chain(stream) if is_sealed(link.fact) for row in self._seal(link.fact, link.own)]

    def forget(self, streams: Iterable[str]) -> None:
        """The log has other seals of these streams than were made here."""
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
        return chained(links(readable(self._log.read_stream(stream))))

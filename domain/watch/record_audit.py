"""An audit of a findings log: each record is valid, each is encoded as written, and each chain is whole.

It reports the same faults as the audit of facts, including seals. It does not compare the records with the facts; a
replay does that.
"""

from collections.abc import Iterator

from domain.facts.codec import UnreadableFactError
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.ledger.audit import ChainTrouble, link_troubles
from domain.ledger.chain import ChainReader, Recent, digest
from domain.ledger.seals import KeyRegister, Verify
from domain.watch.record import decode, encode, facts_of, sealed_by
from domain.watch.record_seals import RecordSeals


class RecordAudit:
    """One pass over a whole findings log."""

    def __init__(self, register: KeyRegister, verify: Verify) -> None:
        self.read = 0
        self.seals = RecordSeals(register, verify)
        self.streams: dict[str, ChainReader] = {}
        self._newest: dict[tuple[str, bool], str] = {}  # by table, findings and seals apart
        self._where: dict[str, str] = {}  # the last record of each stream

    @property
    def begun(self) -> int:
        """The number of streams."""
        return len(self.streams)

    def take(self, stored: bytes, where: str) -> Iterator[ChainTrouble]:
        """Check the next record of the log; `where` is its position."""
        self.read += 1
        try:
            record = decode(stored)
            for name in facts_of(record.stream):
                taken_apart(name)
        except (UnreadableFactError, BadStreamError) as error:
            yield ChainTrouble("unreadable", "", 0, where, str(error))
            return
        if encode(record) != stored:
            says = "the bytes are not in canonical form"
            yield ChainTrouble("not-as-stored", record.stream, record.sequence, where, says)
        chain = self.streams.get(record.stream) or self._begun(record.stream)
        before, known = self._where.get(record.stream, ""), record.sequence in chain.recent
        own = digest(stored)
        link = chain.follow(record.sequence, record.previous, own)
        if link.kind in ("next", "gap", "break"):
            self._where[record.stream] = where
            yield from self.seals.take(record, own, where)
        yield from link_troubles(link, record.stream, where, before, known=known)

    def finish(self) -> Iterator[ChainTrouble]:
        """Report the faults that show only at the end of the log."""
        return self.seals.finish()

    def _begun(self, name: str) -> ChainReader:
        """Start a stream. Of the day before, keep only the head of its chain, so that years "
        "take the memory of a day."""
        table = owner(name), bool(sealed_by(name))
        before = self._newest.get(table, "")
        if before < name:
            self._newest[table] = name
            if before:
                self.streams[before].recent = Recent()
        made = self.streams[name] = ChainReader(name)
        return made

"""Reading a findings log through and proving it: that each record is one, as it was written, and each chain is whole.

It tells troubles as the audit of facts does, seals among them. Whether the records are what the facts give is not
asked here: a replay writes them again.
"""

from collections.abc import Iterator

from domain.facts.codec import UnreadableFactError
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.ledger.audit import Found
from domain.ledger.chain import Chain, Recent, digest
from domain.ledger.links import troubles
from domain.ledger.seals import KeyRegister, Verify
from domain.watch.record import decode, encode, facts_of, sealed_by
from domain.watch.record_seals import RecordSeals


class RecordAudit:
    """One reading of a whole findings log."""

    def __init__(self, register: KeyRegister, verify: Verify) -> None:
        self.read = 0
        self.seals = RecordSeals(register, verify)
        self.streams: dict[str, Chain] = {}
        self._newest: dict[tuple[str, bool], str] = {}  # of each table, and of its seals
        self._where: dict[str, str] = {}  # the last record of each stream

    @property
    def begun(self) -> int:
        """How many streams there are."""
        return len(self.streams)

    def take(self, stored: bytes, where: str) -> Iterator[Found]:
        """Takes the next record of the log, saying where it lies there."""
        self.read += 1
        try:
            record = decode(stored)
            for name in facts_of(record.stream):
                taken_apart(name)
        except (UnreadableFactError, BadStreamError) as error:
            yield Found("unreadable", "", 0, where, str(error))
            return
        if encode(record) != stored:
            says = "the bytes say the same otherwise than they are written"
            yield Found("not-as-stored", record.stream, record.sequence, where, says)
        chain = self.streams.get(record.stream) or self._begun(record.stream)
        before, known = self._where.get(record.stream, ""), record.sequence in chain.recent
        own = digest(stored)
        link = chain.follow(record.sequence, record.previous, own)
        if link.kind in ("next", "gap", "break"):
            self._where[record.stream] = where
            yield from self.seals.take(record, own, where)
        yield from troubles(link, record.stream, where, before, known=known)

    def finish(self) -> Iterator[Found]:
        """What can only be told when everything was read."""
        return self.seals.finish()

    def _begun(self, name: str) -> Chain:
        """Of a table's day before, only its head is kept: years are read in the memory of a day."""
        table = owner(name), bool(sealed_by(name))
        before = self._newest.get(table, "")
        if before < name:
            self._newest[table] = name
            if before:
                self.streams[before].recent = Recent()
        made = self.streams[name] = Chain(name)
        return made

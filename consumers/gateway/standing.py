"""The rules that the gateway applies, from the record: keys, sources, and limits on clock differences."""

from collections.abc import Iterable

import msgspec

from consumers.logs.log import Drained
from domain.facts.codec import UnreadableFactError, as_written
from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyOpened
from domain.facts.streams import PROPERTY, owner
from domain.ledger import seals, source_register
from domain.ledger.admission import Bounds
from domain.ledger.rights import REGISTRARS
from domain.ledger.seals import KeyRegister
from domain.ledger.source_register import SourceRegister

_KINDS = REGISTRARS | {PropertyOpened}
# How such a fact begins, as it is written, and few others do: the others need not be decoded.
MARKS = (b'{"type":"key-', b'{"type":"source-', b'{"type":"property-opened')


class Registers(msgspec.Struct):
    """The registers of keys and sources, and the clock limits, from the facts on record so far."""

    keys: KeyRegister = msgspec.field(default_factory=KeyRegister)
    sources: SourceRegister = msgspec.field(default_factory=SourceRegister)
    bounds: Bounds = Bounds()

    def take(self, fact: Fact) -> None:
        """Apply a fact that `counts`."""
        if isinstance(fact, PropertyOpened):
            self.bounds = Bounds(fact.behind_seconds, fact.ahead_seconds, fact.most_cents)
        seals.evolve(self.keys, fact)
        source_register.evolve(self.sources, fact)


def counts(fact: Fact) -> bool:
    """Whether a placed fact changes these rules: only facts in the property's stream do."""
    return type(fact) in _KINDS and owner(fact.stream) == PROPERTY


def read(log: Drained) -> Registers:
    """The state after a whole record; the audit reports unreadable records."""
    found = Registers()
    for fact, _ in told(stored for batch in log.drain({}) for _, stored in batch.facts):
        found.take(fact)
    return found


def told(stored: Iterable[bytes]) -> list[tuple[Fact, bytes]]:
    """The records among these that count, each once, in the property's own order."""
    found: dict[tuple[str, int], tuple[Fact, bytes]] = {}
    for each in stored:
        if each.startswith(MARKS):
            try:
                fact = as_written(each)
            except UnreadableFactError:
                continue  # the audit reports it
            if counts(fact):
                found.setdefault((fact.stream, fact.sequence), (fact, each))
    return [found[place] for place in sorted(found)]

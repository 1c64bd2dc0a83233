"""The register of keys as the record tells it: every key fact of the property, in the property's own order."""

from consumers.logs.log import Log
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated
from domain.facts.streams import PROPERTY, owner
from domain.ledger.seals import KeyRegister, fold

# Bytes that such a fact has and few others have, so that the others need not be decoded.
_MARK = b'"type":"key-'


def read_register(log: Log) -> KeyRegister:
    """Reads a whole log for its key facts; what cannot be read is the audit's to name."""
    told: dict[tuple[str, int], Fact] = {}
    for batch in log.drain({}):
        for _, stored in batch.facts:
            if _MARK in stored:
                try:
                    fact = decode(stored)
                except UnreadableFactError:
                    continue
                if isinstance(fact, KeyRegistered | KeyRotated | KeyRevoked) and owner(fact.stream) == PROPERTY:
                    told.setdefault((fact.stream, fact.sequence), fact)
    return fold(told[place] for place in sorted(told))

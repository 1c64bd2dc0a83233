"""A key for watchers of a record in memory."""

from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from consumers.gateway.keys import SealingKey, verify
from consumers.watching.sealing import Sign
from domain.facts.property_day import KeyRegistered
from domain.ledger.audit import ChainTrouble
from domain.ledger.seals import fold
from domain.watch.record import WATCHER
from domain.watch.record_audit import RecordAudit

NAME = "W-2026"


def _private(number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def signs(number: int = 1) -> Sign:
    """The key by its number; the first is the one on record."""
    signer = SealingKey(NAME, _private(number))
    return lambda _, __, ___: signer


def audited(stored: Sequence[bytes], table: str = WATCHER) -> tuple[RecordAudit, list[ChainTrouble]]:
    """The results of an audit of these records, with the key registered for this table."""
    public = _private(1).public_key().public_bytes_raw().hex()
    told = KeyRegistered(NAME, public, table, at=0, source="keys", source_key="1", stream="property/2026-11-18")
    audit = RecordAudit(fold([told]), verify)
    found = [each for place, one in enumerate(stored, 1) for each in audit.take(one, f"findings/0:{place}")]
    return audit, [*found, *audit.finish()]

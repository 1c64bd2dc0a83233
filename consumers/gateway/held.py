"""Revocations that are in force and wait in the outbox for a place on record: what one of them has to be.

Nothing on record says yet what they have to be, so each is kept with its digest.
"""

from domain.facts.codec import UnreadableFactError, decode, name_of
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRevoked
from domain.facts.sources import SourceRevoked
from domain.ledger.chain import digest

AT_ONCE = (KeyRevoked, SourceRevoked)


def revocation(stored: object, kept: object) -> Fact:
    """The revocation in a row of the outbox, by its bytes and the digest beside them.

    Raises UnreadableFactError where the row is not what was kept.
    """
    if not isinstance(stored, bytes) or digest(stored) != kept:
        raise UnreadableFactError("its bytes are not those that were kept")
    fact = decode(stored)
    if not isinstance(fact, AT_ONCE):
        raise UnreadableFactError(f"{name_of(fact)} is no revocation")
    return fact

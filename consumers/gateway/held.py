"""Revocations in force that wait in the outbox for a place on record, and the check of their rows.

Nothing on record can confirm them yet, so each is stored with its digest.
"""

from domain.facts.codec import UnreadableFactError, decode, name_of
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRevoked
from domain.facts.sources import SourceRevoked
from domain.ledger.chain import digest

AT_ONCE = (KeyRevoked, SourceRevoked)


def revocation(stored: object, kept: object) -> Fact:
    """The revocation in a row of the outbox, checked against its stored digest.

    Raises UnreadableFactError if the row was changed.
    """
    if not isinstance(stored, bytes) or digest(stored) != kept:
        raise UnreadableFactError("its bytes differ from the stored digest")
    fact = decode(stored)
    if not isinstance(fact, AT_ONCE):
        raise UnreadableFactError(f"{name_of(fact)} is not a revocation")
    return fact

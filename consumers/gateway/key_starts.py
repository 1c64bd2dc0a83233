"""The start of a table's key: a key that is valid from now on is valid from the table's next record."""

import msgspec

from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRotated
from domain.ledger.seals import KeyRegister
from domain.ledger.writer import Writer

_THIS_MOMENT = 60_000_000  # microseconds; a rotation this close to now takes effect with the next record


def from_here(fact: Fact, now: int, keys: KeyRegister, writer: Writer) -> Fact:
    """Make a key that is valid from now on valid from the table's next record, where the previous key ends.

    With a time instead, seals between the command and its fact would be invalid, and late facts would stay unsealed.
    """
    if not isinstance(fact, KeyRegistered | KeyRotated) or fact.from_stream or abs(now - fact.at) > _THIS_MOMENT:
        return fact
    old = keys.keys.get(fact.old) if isinstance(fact, KeyRotated) else None
    table = fact.table if isinstance(fact, KeyRegistered) else old.table if old is not None else ""
    day = writer.days.get(table)
    if day is None or day.closed:
        return fact
    return msgspec.structs.replace(fact, from_stream=day.stream, from_sequence=day.sequence + 1)

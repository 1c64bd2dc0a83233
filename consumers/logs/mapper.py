"""Conversion between facts and the library's stored events; the stored state is the fact's own bytes.

The library's own mapper writes the fields beside the state and checks none of them on reading. Here the state is the
flat JSON object that is hashed, decoded strictly, and it must name the same place as its row.
"""

from collections.abc import Callable
from typing import Any

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent

from domain.facts.codec import UnreadableFactError, decode, encode, name_of
from domain.facts.envelope import Fact


class FactMapper(Mapper[str]):
    """The mapper of an application whose events are facts, or of a subclass whose events are other records."""

    record: type[Fact] = Fact
    called = "fact"
    encode: Callable[[Fact], bytes] = staticmethod(encode)
    decode: Callable[[bytes], Fact] = staticmethod(decode)

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        if self.compressor is not None or self.cipher is not None:
            raise ValueError("records are hashed as stored bytes: unset COMPRESSOR_TOPIC and CIPHER_KEY")

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """The row that stores a record."""
        if not isinstance(domain_event, self.record):
            raise TypeError(f"{type(domain_event).__name__} is not a {self.called}")
        return StoredEvent(domain_event.stream, domain_event.sequence, name_of(domain_event), self.encode(domain_event))

    def to_domain_event(self, stored_event: StoredEvent) -> Fact:
        """The record in a row, which must name its row's place."""
        place = f"{stored_event.originator_id}:{stored_event.originator_version}"
        try:
            record = self.decode(stored_event.state)
        except UnreadableFactError as error:
            raise MapperDeserialisationError(f"{place} does not hold a {self.called}: {error}") from error
        if record.id != place:
            raise MapperDeserialisationError(f"{place} holds the {self.called} {record.id}")
        return record

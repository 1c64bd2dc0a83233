"""Conversion between the desk's records and the library's stored events; the stored state is the record's own bytes."""

from typing import Any

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent

from domain.desk.acting import Done
from domain.desk.records import decode, encode
from domain.facts.codec import UnreadableFactError, name_of
from domain.facts.envelope import Fact


class DeskMapper(Mapper[str]):
    """The mapper of the desk's application."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        if self.compressor is not None or self.cipher is not None:
            raise ValueError("records are hashed as stored bytes: unset COMPRESSOR_TOPIC and CIPHER_KEY")

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """The row that stores a record."""
        if not isinstance(domain_event, Done):
            raise TypeError(f"{type(domain_event).__name__} is not a record of the desk")
        return StoredEvent(domain_event.stream, domain_event.sequence, name_of(domain_event), encode(domain_event))

    def to_domain_event(self, stored_event: StoredEvent) -> Fact:
        """The record in a row."""
        place = f"{stored_event.originator_id}:{stored_event.originator_version}"
        try:
            record = decode(stored_event.state)
        except UnreadableFactError as error:
            raise MapperDeserialisationError(f"{place} does not hold a record of the desk: {error}") from error
        if record.id != place:
            raise MapperDeserialisationError(f"{place} holds the record {record.id}")
        return record

"""Conversion between facts and the library's stored events; the stored state is the fact's own bytes.

The library's own mapper writes the fields beside the state and checks none of them on reading. Here the state is the
flat JSON object that is hashed, decoded strictly, and it must name the same place as its row.
"""

from typing import Any

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent

from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact

from .log import stored_fact


class FactMapper(Mapper[str]):
    """The mapper of an application whose events are facts."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        if self.compressor is not None or self.cipher is not None:
            raise ValueError("facts are hashed as stored bytes: unset COMPRESSOR_TOPIC and CIPHER_KEY")

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """The row that stores a fact."""
        if not isinstance(domain_event, Fact):
            raise TypeError(f"{type(domain_event).__name__} is not a fact")
        row = stored_fact(domain_event)
        return StoredEvent(row.stream, row.sequence, row.type, row.stored)

    def to_domain_event(self, stored_event: StoredEvent) -> Fact:
        """The fact in a row."""
        place = f"{stored_event.originator_id}:{stored_event.originator_version}"
        try:
            fact = decode(stored_event.state)
        except UnreadableFactError as error:
            raise MapperDeserialisationError(f"{place} does not hold a fact: {error}") from error
        if fact.id != place:
            raise MapperDeserialisationError(f"{place} holds the fact {fact.id}")
        return fact

"""The stored form of what people do at the desk: one flat JSON object a record, chained like facts."""

from typing import Any, Union

import msgspec

from domain.desk import access, case_records, export_records, review
from domain.desk.acting import Done
from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact

RECORDS: dict[str, type[Done]] = {
    str(kind.__struct_config__.tag): kind
    for module in (review, case_records, access, export_records)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Done) and kind is not Done
}
AnyRecord = Union[tuple(RECORDS.values())]  # type: ignore[valid-type] # noqa: UP007 - made from the types above
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyRecord)
_ENCODER = msgspec.json.Encoder()


def decode(stored: bytes) -> Fact:
    """The record these bytes hold."""
    try:
        found: Fact = _DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableFactError(str(error)) from error
    return found


def encode(record: Fact) -> bytes:
    """The stored form of a record."""
    return _ENCODER.encode(record)


def name_of(record: Fact) -> str:
    """The stored name of a record's type."""
    return str(type(record).__struct_config__.tag)

"""The line in a record of a topic of inputs.

A record's value is one line: a fact, or a CloudEvent as one JSON object. Keys and headers are ignored, but for the
headers of a CloudEvent in the binary mode: with `ce_specversion`, each header `ce_NAME` is the attribute NAME, and the
value is the data. A record without a value is ignored, like an empty line.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from consumers.gateway.reading_lines import LONGEST
from consumers.gateway.topic_inputs import TopicRecord
from consumers.kafka.unpacked import CutRecord, UnpackedRecord, UnreadableBatch
from consumers.network.events import AttributeTwiceError, event_line
from domain.facts.refused import Refused

_ATTRIBUTE: Final = "ce_"
_Headers = Sequence[tuple[str, bytes | None]]


def record_of(found: UnpackedRecord) -> TopicRecord:
    """Return a record with its line."""
    value, after = found.value or b"", found.offset + 1
    if isinstance(value, UnreadableBatch):
        return TopicRecord(found.offset, after, bytes(value), Refused("batch-unreadable", value.says))
    if isinstance(value, CutRecord):
        says = f"it has {value.size:,} bytes; a fact has at most {LONGEST:,}. The topic has all of it"
        return TopicRecord(found.offset, after, bytes(value), Refused("line-too-long", says))
    if not any(name == f"{_ATTRIBUTE}specversion" for name, _ in found.headers or ()):
        return TopicRecord(found.offset, after, value)
    try:
        return TopicRecord(found.offset, after, _event(found.headers or (), value))
    except AttributeTwiceError as error:
        says = f"the header {_ATTRIBUTE}{error} is there twice, or names the data: send each attribute once"
    except (msgspec.DecodeError, RecursionError) as error:
        says = f"the headers say that the value is the data of a CloudEvent, and it is not JSON: {error}"
    except UnicodeDecodeError as error:
        says = f"the headers of a CloudEvent and its data are in UTF-8, and this is not: {error}"
    return TopicRecord(found.offset, after, value, Refused("event-wrong", says))


def _event(headers: _Headers, value: bytes) -> bytes:
    given = ((name.removeprefix(_ATTRIBUTE), text or b"") for name, text in headers if name.startswith(_ATTRIBUTE))
    return event_line(((attribute, text.decode()) for attribute, text in given), value)

"""CloudEvents in the binary mode: the attributes are in the headers of a request or of a Kafka record."""

from collections.abc import Iterable
from typing import Any

import msgspec


class AttributeTwiceError(ValueError):
    """An attribute that is there twice, or is the data; the message is its name."""


def event_line(attributes: Iterable[tuple[str, str]], data: bytes) -> bytes:
    """Return an event as one JSON object on one line.

    Raises AttributeTwiceError, or msgspec.DecodeError, UnicodeDecodeError or RecursionError if the data is not JSON.
    """
    event: dict[str, Any] = {}
    for attribute, text in attributes:
        if attribute in event or attribute in ("data", "data_base64"):
            raise AttributeTwiceError(attribute)
        event[attribute] = text
    if data.strip():
        event["data"] = msgspec.Raw(on_one_line(data))
    return msgspec.json.encode(event)


def on_one_line(found: bytes | msgspec.Raw) -> bytes:
    """Return JSON without line ends and spaces."""
    return msgspec.json.format(bytes(found), indent=-1)

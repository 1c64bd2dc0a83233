"""The facts in a request, read by the served document alone: which of its lines are lawful, for tests that did not write it."""

import base64
import json
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from tests.network.serving import document

LINES = ("application/x-ndjson", "application/ndjson", "application/jsonl")
EVENTS = "application/cloudevents-batch+json"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIELDS = {"source": "source", "id": "source_key", "subject": "stream", "previous": "previous", "camera": "camera",
          "timecode": "time_code", "sourcesignature": "source_signature", "round": "round", "sequence": "sequence"}  # fmt: skip
NOT_FOREIGN = {"at", "stream", "dataref"}


def lines(kind: str, body: bytes) -> list[bytes]:
    """Return the lines of a body, by its media type; empty if it has none."""
    if kind in LINES:
        return body.removesuffix(b"\n").split(b"\n")
    try:
        found = json.loads(body)
    except ValueError:
        return []
    events = found if kind == EVENTS and isinstance(found, list) else [found]
    return [json.dumps(one).encode() for one in events]


def fact(line: bytes) -> dict[str, Any] | None:
    """Return the fact in a line, or None if the document does not allow it."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    if isinstance(found, dict) and "specversion" in found:
        found = _of_event(found)
    return found if isinstance(found, dict) and valid(str(found.get("type")), found) else None


def valid(name: str, found: object) -> bool:
    """Return whether a value is what the document describes under a name; 1.0 is no integer to the gateway."""
    return name in document()["components"]["schemas"] and _schema(name).is_valid(found) and not _has_double(found)


@cache
def _schema(name: str) -> Draft202012Validator:
    whole = {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}
    return Draft202012Validator(whole, format_checker=FormatChecker())


def _of_event(event: dict[str, Any]) -> dict[str, Any] | None:
    """Return the fact in a CloudEvent."""
    if not valid("CloudEvent", event):
        return None
    event = {name: value for name, value in event.items() if value is not None}
    kind = event["type"].removeprefix("catwalk.")
    fields = document()["components"]["schemas"][kind]["properties"]
    foreign = event.keys() - FIELDS.keys() - {"specversion", "type", "time", "datacontenttype", "data", "data_base64"}
    if foreign & (fields.keys() | NOT_FOREIGN):
        return None
    data = event.get("data", {})
    try:
        if "data_base64" in event:
            data = json.loads(base64.b64decode(event["data_base64"], validate=True))
        at = (datetime.fromisoformat(event["time"].upper()) - EPOCH) // timedelta(microseconds=1)
    except (ValueError, TypeError):  # a leap second, or no zone
        return None
    if not isinstance(data, dict) or data.keys() & {*FIELDS.values(), "type", "at"}:
        return None
    found = {field: event[name] for name, field in FIELDS.items() if name in event}
    for number in found.keys() & {"round", "sequence"}:
        found[number] = int(found[number])
    return {"type": kind, "at": at, **found, **data}


def _has_double(found: object) -> bool:
    if isinstance(found, dict):
        found = list(found.values())
    return isinstance(found, float) or (isinstance(found, list) and any(map(_has_double, found)))

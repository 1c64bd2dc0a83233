"""The contracts others build on, generated from the types: a JSON Schema for each fact, and an AsyncAPI document."""

from pathlib import Path
from typing import Any

import msgspec

from domain.facts.catalogue import SUBJECTS, TYPES
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.samples import sample

SCHEMAS = Path("docs/facts/schemas")
ASYNCAPI = Path("docs/facts/asyncapi.json")
CATALOGUE = Path("docs/facts/README.md")
GOLDEN = Path("tests/golden/facts")
_CHANNEL = "facts"


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one type of fact, complete in itself."""
    found = msgspec.json.schema(TYPES[name])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"catwalk:{name}", **found}


def asyncapi() -> dict[str, Any]:
    """What Catwalk says and hears: one channel of facts, a message a type."""
    messages = {
        name: {
            "name": name,
            "title": kind.__name__,
            "summary": _sentence(kind),
            "contentType": "application/json",
            "payload": {"$ref": f"schemas/{name}.json"},
        }
        for name, kind in TYPES.items()
    }
    references = [{"$ref": f"#/channels/{_CHANNEL}/messages/{name}"} for name in TYPES]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Catwalk facts",
            "version": "1",
            "description": "Facts of a casino's card pit, one JSON object a record, keyed by table.",
        },
        "defaultContentType": "application/json",
        "channels": {_CHANNEL: {"address": _CHANNEL, "messages": messages}},
        "operations": {
            "readFacts": {"action": "receive", "channel": {"$ref": f"#/channels/{_CHANNEL}"}, "messages": references},
            "writeFacts": {"action": "send", "channel": {"$ref": f"#/channels/{_CHANNEL}"}, "messages": references},
        },
    }


def catalogue_page() -> str:
    """Every type of fact with its sentence, by subject."""
    lines = [
        "# Facts",
        "",
        "Written by `make docs` from the types. Each has its JSON Schema in `schemas/`; `asyncapi.json` has them all.",
        "Every fact also carries `at`, `source`, `source_key`, and once recorded `stream`, `sequence`, `previous`;",
        "where known `round`, `camera`, `time_code`.",
    ]
    for subject in SUBJECTS:
        lines += ["", f"## {(subject.__doc__ or '').splitlines()[0]}", "", "| type | says | fields |", "|---|---|---|"]
        for name, kind in TYPES.items():
            if kind.__module__ == subject.__name__:
                fields = [field for field in kind.__struct_fields__ if field not in Fact.__struct_fields__]
                lines.append(f"| `{name}` | {_sentence(kind)} | {', '.join(f'`{field}`' for field in fields)} |")
    return "\n".join(lines) + "\n"


def _sentence(kind: type[Fact]) -> str:
    return (kind.__doc__ or "").splitlines()[0]


def pages() -> dict[Path, bytes]:
    """Every generated page with its content."""
    found = {SCHEMAS / f"{name}.json": _pretty(schema(name)) for name in TYPES}
    return found | {ASYNCAPI: _pretty(asyncapi()), CATALOGUE: catalogue_page().encode()}


def golden() -> dict[Path, bytes]:
    """The stored form of a full sample of each type. Kept by hand: writing it anew is a decision, not a build step."""
    return {GOLDEN / f"{name}.json": encode(sample(kind)) + b"\n" for name, kind in TYPES.items()}


def _pretty(content: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"

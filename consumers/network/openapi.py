"""The OpenAPI document of the HTTPS way in, from the types of facts and the limits in the code."""

from functools import cache
from typing import Any, Final, get_args

import msgspec

from consumers.contracts import schemas as contracts
from consumers.gateway.clients import Answer
from consumers.network.bodies import ALSO_LINES, EVENT, EVENTS, LINES, MOST_BYTES, MOST_LINES, ONE
from domain.facts.catalogue import TYPES
from domain.facts.cloudevents import PREFIX
from domain.facts.envelope import Fact
from domain.facts.refused import READING
from domain.facts.seals import ChainSealed
from domain.ledger.admission import BEFORE_PROOF
from domain.ledger.rights import GATEWAYS, REGISTRARS

FACTS: Final = "/v1/facts"
DOCUMENT: Final = "/v1/openapi.json"
_SCHEMAS = "#/components/schemas/{name}"
_RETRY = {
    "Retry-After": {
        "description": "The seconds after which to send the batch again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    }
}
_SAYS = """\
Send facts, one or many at a time, as JSON lines or as CloudEvents 1.0. The answer comes once each fact is durable: on
record, a repeat of one on record, or kept as a dead letter with the reason. Each fact carries its source's own key, so
a batch may be sent again after any failure: what was taken becomes a repeat. Send the next batch of a source when the
one before it is answered; batches that are sent at once are taken in the order in which they arrive whole.

A source proves itself by its secret as a bearer token, or by the signature in each of its facts.

Attributes of CloudEvents that a fact has no field for, such as `dataschema`, `traceparent` and `partitionkey`, are
accepted and not recorded. Names that CloudEvents forbids, names of the fact's own fields, and `dataref` are refused.
"""
_STATUSES: Final = {
    "200": "Each fact is on record, or was already.",
    "400": "The body has no fact, or cannot be split into facts. Nothing of it was taken or kept. A request that is not"
    " HTTP/1.1, or whose headers are longer than 64 KB, is answered in plain text.",
    "401": "No source was proved. `facts` has the results of those taken before.",
    "408": "The request did not end in time. Nothing of it was taken.",
    "413": f"The body is longer than {MOST_BYTES:,} bytes or {MOST_LINES:,} lines. Nothing of it was taken.",
    "415": "The type of the body is not accepted. Nothing of it was taken.",
    "422": "Some facts were refused and kept as dead letters; the others are on record. `facts` says which and why.",
    "429": "The gateway has no room now. Send the same batch again after `Retry-After` seconds.",
    "500": "The gateway failed. Send the same batch again.",
    "503": "The gateway ends. Send the same batch again after `Retry-After` seconds.",
}


@cache
def document() -> dict[str, Any]:
    """Return the document."""
    schemas = _facts()
    schemas |= msgspec.json.schema_components([Answer], ref_template=_SCHEMAS)[1]
    schemas["Answer"]["properties"]["code"]["description"] = _codes()
    schemas |= {"CloudEvent": _event(), "Answers": _answers(), "Trouble": _trouble()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Catwalk: facts by HTTPS", "version": "1", "description": _SAYS},
        "servers": [{"url": "/"}],
        "paths": {FACTS: {"post": _post()}, DOCUMENT: {"get": _get()}},
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "secret": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The secret of the source, from `catwalk sources register --secret-out`.",
                }
            },
        },
    }


def _codes() -> str:
    """Return what the codes of a refused fact mean: those of its line, and where the others are."""
    of_a_line = " ".join(f"`{code}`: {says}" for code, says in READING.items())
    return f"Why the fact was refused. {of_a_line} Other codes are about the source and the table (docs/operations.md)."


def _reported() -> dict[str, type[Fact]]:
    """Return the types of fact that a source may report."""
    unsaid = GATEWAYS | REGISTRARS | {ChainSealed}
    return {name: kind for name, kind in TYPES.items() if kind not in unsaid}


def _facts() -> dict[str, Any]:
    """Return the schema of each fact that a source may report, under its stored name, and what they have in common."""
    found = contracts.schemas(_reported())
    here = msgspec.json.encode(found).replace(f'"{contracts.SHARED}#/$defs/'.encode(), b'"#/components/schemas/')
    found = msgspec.json.decode(here)
    shared = found.pop("shared")["$defs"]
    for schema in found.values():
        del schema["$schema"], schema["$id"]
    one_of = {
        "description": "One of the facts that a source may report. A source sends neither sequence nor previous.",
        "oneOf": [_ref(name) for name in found],
        "discriminator": {"propertyName": "type", "mapping": {name: _SCHEMAS.format(name=name) for name in found}},
    }
    return {**shared, **found, "Fact": one_of}


def _post() -> dict[str, Any]:
    lines = {
        "schema": {
            "type": "string",
            "pattern": r"\S",
            "description": "One fact or CloudEvent on each line, as a JSON object.",
        },
        "x-item-schema": {"anyOf": [_ref("Fact"), _ref("CloudEvent")]},
    }
    content = dict.fromkeys((LINES, *ALSO_LINES), lines)
    says = "With the header ce-specversion, the data of a CloudEvent in the binary mode."
    bare = {"type": "object", "description": says}
    content |= {ONE: {"schema": {"anyOf": [_ref("Fact"), _ref("CloudEvent"), bare]}}}
    content |= {EVENT: {"schema": _ref("CloudEvent")}}
    content[EVENTS] = {"schema": {"type": "array", "items": _ref("CloudEvent"), "minItems": 1}}
    headers = [
        ("ce-specversion", "With the binary mode of CloudEvents: 1.0. Each attribute is a header of its own."),
        ("ce-type", f"{PREFIX} and the type of the fact, such as {PREFIX}wager-placed.1."),
        ("ce-source", "The source."),
        ("ce-id", "The source's own key."),
        ("ce-time", "When it happened, with a time zone and at most microseconds."),
        ("ce-subject", "The table, or `property`."),
    ]
    return {
        "operationId": "sendFacts",
        "summary": "Send facts.",
        "security": [{"secret": []}, {}],
        "parameters": [
            {"name": name, "in": "header", "required": False, "description": says, "schema": {"type": "string"}}
            for name, says in headers
        ],
        "requestBody": {"required": True, "content": content},
        "responses": {status: _response(status, says) for status, says in _STATUSES.items()},
    }


def _response(status: str, says: str) -> dict[str, Any]:
    told = _ref("Answers") if status in ("200", "422") else _ref("Trouble")
    response: dict[str, Any] = {"description": says, "content": {"application/json": {"schema": told}}}
    if status == "400":
        response["content"]["text/plain"] = {"schema": {"type": "string"}}
    if status in ("429", "503"):
        response["headers"] = _RETRY
    return response


def _get() -> dict[str, Any]:
    return {
        "operationId": "readDocument",
        "summary": "Read this document.",
        "security": [{}],
        "responses": {
            "200": {"description": "This document.", "content": {"application/json": {"schema": {"type": "object"}}}}
        },
    }


def _event() -> dict[str, Any]:
    says = "A fact as a CloudEvent. The optional attributes round, camera, timecode and sourcesignature are its fields."
    says += " An attribute that is null is absent."
    text = {"type": "string", "minLength": 1, "maxLength": 128}
    absent = {"type": "null"}
    return {
        "description": says,
        "type": "object",
        "required": ["specversion", "type", "source", "id", "time"],
        "properties": {
            "specversion": {"const": "1.0"},
            "type": {"enum": [f"{PREFIX}{name}" for name in _reported()]},
            "source": text,
            "id": text,
            "time": {
                "type": "string",
                "format": "date-time",
                "description": "With a time zone, and at most microseconds; from 1970 on.",
            },
            "subject": {"type": ["string", "null"]},
            "round": {"anyOf": [_ref("Rounds"), {"type": "string", "pattern": "^[0-9]{1,18}$"}, absent]},
            "data": {"type": ["object", "null"]},
            "data_base64": {"type": ["string", "null"], "contentEncoding": "base64"},
            "dataref": absent,
        },
        "propertyNames": {"pattern": "^([a-z0-9]+|data_base64)$"},
        "anyOf": [{"properties": {"data": absent}}, {"properties": {"data_base64": absent}}],
    }


def _answers() -> dict[str, Any]:
    return {
        "description": "How many facts had each result, and the result of each, in the order of the batch.",
        "type": "object",
        "required": [*get_args(Answer.__annotations__["answer"]), "facts"],
        "properties": {
            **{name: {"type": "integer", "minimum": 0} for name in get_args(Answer.__annotations__["answer"])},
            "facts": {"type": "array", "items": _ref("Answer")},
        },
    }


def _trouble() -> dict[str, Any]:
    return {
        "description": "Why not all facts were taken. The results of those taken before are there if there are any.",
        "type": "object",
        "required": ["code", "says"],
        "properties": {
            "code": {"type": "string", "examples": ["batch-too-large", *sorted(BEFORE_PROOF)]},
            "says": {"type": "string", "minLength": 1},
            **_answers()["properties"],
        },
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _SCHEMAS.format(name=name)}

"""JSON Schemas of facts and records of findings; `shared.json` defines their words and bounds once."""

import typing
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

import msgspec

from domain.facts import envelope, words
from domain.facts.catalogue import FILLED_IN
from domain.facts.envelope import Fact

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SHARED = "shared.json"

_KEPT_BESIDE = ("default", "description")
# The names of common values: the type, and a sentence where the bounds need one.
_COMMON: dict[str, tuple[Any, str]] = {
    "Microseconds": (
        envelope.Microseconds,
        "Microseconds since 1970, UTC, as digits. After 2255-06-05 they exceed 2^53: a double is no longer exact.",
    ),
    "Cents": (envelope.Cents, "Whole cents, written as digits: 1000 is $10. The maximum is a billion dollars."),
    "Count": (envelope.Count, "A count or a sequence, written as digits. The maximum is 2^53 - 1."),
    "Rounds": (envelope.Rounds, "The number of a round of the day, or a count of rounds or chips."),
    "Cards": (envelope.Cards, "A count of cards, decks or hands, or a place among them."),
    "Seat": (
        envelope.Seat,
        "A seat, or how many there are. Seat 1 is farthest to the dealer's left and is dealt first.",
    ),
    "Name": (envelope.Name, "A name of 1 to 128 characters."),
    "Digest": (envelope.Digest, "A SHA-256 digest: 64 lowercase hexadecimal digits."),
    "Card": (words.CardText, "Rank (2-9, T, J, Q, K, A), then suit (c, d, h, s). ?? is a card that nobody saw."),
    "Book": (words.Book, "A rule book."),
    "Wager": (words.Wager, "A wager. A table takes those of its rule book and options."),
    "Form": (words.Form, ""),
    "Place": (words.Place, ""),
    "CardSource": (words.Source, ""),
    "Rack": (words.Rack, ""),
    "Street": (words.Street, ""),
    "Role": (words.Role, ""),
    "Method": (words.Method, ""),
    "Dealing": (words.Dealing, ""),
    "DeviceKind": (words.Device, ""),
    "Meter": (words.Meter, ""),
}


def schemas(types: dict[str, type[Fact]]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each type by its stored name, and under `shared` what they have in common."""
    names = {_key(msgspec.json.schema(kind)): name for name, (kind, _) in _COMMON.items()}
    shared = {
        name: {"description": says} | msgspec.json.schema(kind) if says else msgspec.json.schema(kind)
        for name, (kind, says) in _COMMON.items()
    }
    used: set[str] = set()
    found = {}
    for name, kind in types.items():
        made = _undented(msgspec.json.schema(kind))
        own = made["$ref"].removeprefix("#/$defs/")
        defined = {title: _referring(each, names, used) for title, each in made["$defs"].items()}
        body = defined.pop(own)
        for field, words_of_keys in _keys(kind):
            used.add(words_of_keys)
            body["properties"][field]["propertyNames"] = {"$ref": f"{SHARED}#/$defs/{words_of_keys}"}
        for title, each in defined.items():
            if shared.setdefault(title, each) != each:
                raise ValueError(f"{title} is defined in two ways: give one of them another name")
            used.add(title)
        if filled := [field for field in body["required"] if field in FILLED_IN]:
            body["required"] = [field for field in body["required"] if field not in filled]
            body["dependentRequired"] = {"source_signature": filled}  # what a source signs, it must say
        found[name] = {"$schema": DIALECT, "$id": f"{name}.json", **body}
    defined = {name: each for name, each in sorted(shared.items()) if name in used}
    return found | {"shared": {"$schema": DIALECT, "$id": SHARED, "$defs": defined}}


def _referring(schema: Any, names: dict[str, str], used: set[str]) -> Any:
    """Return a schema in which each common value is a reference to its definition."""
    if isinstance(schema, list):
        return [_referring(each, names, used) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if name := names.get(_key(schema)):
        used.add(name)
        beside = {key: schema[key] for key in _KEPT_BESIDE if key in schema}
        return {"$ref": f"{SHARED}#/$defs/{name}", **beside}
    if "$ref" in schema:
        title = schema["$ref"].removeprefix("#/$defs/")
        return {**schema, "$ref": f"{SHARED}#/$defs/{title}"}
    return {key: _referring(each, names, used) for key, each in schema.items()}


def _keys(kind: type[Fact]) -> Iterator[tuple[str, str]]:
    """Yield the fields whose keys are words, each with the name of their list; msgspec's schema leaves it out."""
    named = {words.Wager: "Wager", words.Meter: "Meter"}
    for field in msgspec.structs.fields(kind):
        keys = typing.get_args(field.type)[:1] if typing.get_origin(field.type) is dict else ()
        yield from ((field.encode_name, named[key]) for key in keys if key in named)


def _key(schema: dict[str, Any]) -> str:
    """Return a schema's text without what may differ between uses of the same value."""
    kept = {key: each for key, each in schema.items() if key not in _KEPT_BESIDE}
    return msgspec.json.encode(kept, order="sorted").decode()


def _undented(schema: Any) -> Any:
    """Return a schema with its texts as Python 3.13 reads docstrings: without the indentation that 3.12 keeps."""
    if isinstance(schema, dict):
        return {
            name: cleandoc(held) if name == "description" and isinstance(held, str) else _undented(held)
            for name, held in schema.items()
        }
    return [_undented(held) for held in schema] if isinstance(schema, list) else schema

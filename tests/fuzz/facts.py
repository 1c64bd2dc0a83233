"""The codec and CloudEvents: every accepted fact fits the published schema, and comes back the same."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from domain.facts.catalogue import TYPES
from domain.facts.cloudevents import from_cloudevent
from domain.facts.codec import UnreadableFactError, decode, encode, name_of
from domain.facts.inputs import RefusedInputError, read_input
from domain.facts.refused import READING, grouped, in_words
from domain.facts.samples import sample
from domain.facts.table_day import TableOpened
from tests.facts.events import to_cloudevent
from tests.fuzz.branches import seen
from tests.fuzz.kit import Run, Target, require, require_schema
from tests.fuzz.mutators import json_lines

LONGEST = 2_000  # letters of a sentence that refuses a line


@cache
def samples() -> list[dict[str, Any]]:
    """One full fact of each type."""
    return [json.loads(encode(sample(kind))) for kind in TYPES.values()]


@cache
def events() -> list[dict[str, Any]]:
    """The same as CloudEvents."""
    return [to_cloudevent(sample(kind)) for kind in TYPES.values()]


def codec(_: Path) -> Run:
    """Bytes through the codec."""

    def run(data: bytes) -> None:
        try:
            fact = decode(data)
        except UnreadableFactError as error:
            seen(str(error))
            require(str(error), "it is refused without a reason")
            return
        seen(name_of(fact))
        require_schema(_read_elsewhere(data), "decode")
        stored = encode(fact)
        require_schema(_read_elsewhere(stored), "encode")
        require(decode(stored) == fact, "what was written reads as another fact")
        require(encode(decode(stored)) == stored, "the same fact is written in two ways")

    return run


def cloudevents(_: Path) -> Run:
    """JSON through the reader of CloudEvents, and back."""

    def run(data: bytes) -> None:
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        try:
            fact = from_cloudevent(event)
        except UnreadableFactError as error:
            seen(str(error))
            return
        seen(name_of(fact))
        require_schema(_read_elsewhere(encode(fact)), "from_cloudevent")
        again = to_cloudevent(fact)
        require(from_cloudevent(json.loads(json.dumps(again))) == fact, "there and back is another fact")
        require(
            event.keys() - {"datacontenttype"} >= again.keys() - {"datacontenttype", "data"}, "an attribute appeared"
        )
        for name in ("id", "source", "type"):
            require(isinstance(again[name], str) and again[name], f"CloudEvents wants {name}")

    return run


def refusals(_: Path) -> Run:
    """Bytes through the reader of sources' lines: what it refuses, it explains, whatever came."""

    def run(data: bytes) -> None:
        try:
            fact = read_input(data)
        except RefusedInputError as error:
            refused = error.refused
        else:
            seen(name_of(fact))
            unfilled = isinstance(fact, TableOpened) and not fact.book_digest
            require(unfilled or decode(data) == fact, "a line reads as another fact than the codec says")
            return
        seen(refused.code)
        require(refused.code in READING, f"{refused.code} is no code")
        require(bool(refused.says) and len(refused.says) < LONGEST, f"the sentence has {len(refused.says)} letters")
        for part in (refused.type, refused.field, refused.came, refused.cure):
            require(part in refused.says or repr(part) in refused.says, f"the sentence does not name {part!r}")
        require(in_words(grouped([(refused, "line 1")])[0]) != "", "a group without words")
        require(json.loads(msgspec.json.encode(refused))["says"] == refused.says, "it is another refusal in JSON")

    return run


def _read_elsewhere(data: bytes) -> Any:
    """The value that Python's own reader of JSON finds in the bytes."""
    try:
        return json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        require(False, f"a fact was accepted that Python cannot read as JSON: {error}")
        raise


TARGETS = (
    Target("codec", codec, json_lines(samples)),
    Target("refusals", refusals, json_lines(samples)),
    Target("cloudevents", cloudevents, json_lines(events)),
)

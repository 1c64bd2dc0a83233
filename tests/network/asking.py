"""Hooks of Schemathesis: lines as a way to write a body, facts that the open table takes, and a check of each fact's answer.

It makes requests from the served document. By itself it never hits the one table that is open, nor a source that is
registered; so half of its lawful facts are given both, by their content alone, so that its seed repeats them.
"""

import base64
import json
import os
from pathlib import Path
from typing import Any
from zlib import crc32

import schemathesis

from domain.facts.refused import READING
from tests.citations import ROOT
from tests.network import said
from tests.network.serving import AT

SOURCE, TABLE = "asked", "T7"
GOLDEN = [json.loads(path.read_bytes()) for path in sorted(Path(ROOT, "tests/golden/facts").glob("*.json"))]

BARE = next(fact for fact in GOLDEN if fact["type"] == "bets-closed.1")  # without fields of its own


@schemathesis.serializer(*said.LINES)
def as_lines(_: schemathesis.SerializationContext, value: Any) -> Any:
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "replace")


@schemathesis.hook
def before_load_schema(_: schemathesis.HookContext, served: dict[str, Any]) -> None:
    """Ask for facts of the types in `TYPES` only, if it names any: all of them take minutes."""
    if names := os.environ.get("TYPES", "").split():
        schemas = served["components"]["schemas"]
        schemas["Fact"] = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}
        schemas["CloudEvent"]["properties"]["type"] = {"type": "string", "pattern": r"^catwalk\.[a-z-]+\.1$"}


@schemathesis.hook
def before_call(_: schemathesis.HookContext, case: schemathesis.Case, __: dict[str, Any]) -> None:
    """Give most of the lawful facts a source and a table that are there, and put some between lines of text."""
    chance = crc32(repr(case.body).encode("utf-8", "replace"))
    if chance % 4 == 0 or case.method != "POST":
        return
    if isinstance(case.body, dict):
        case.body = here(case.body, chance)
    elif isinstance(case.body, list):
        case.body = [here(one, chance + place) for place, one in enumerate(case.body)]
    elif isinstance(case.body, str) and case.media_type in said.LINES:
        case.body = "\n".join([case.body, *(json.dumps(golden(chance + place)) for place in range(chance % 5))])


def here(found: Any, chance: int) -> Any:
    """Return a lawful fact, or an event with a lawful fact in it, as one of the open table; anything else as it is."""
    if said.valid("CloudEvent", _typed(found)):
        bare = found.get("data") is None and found.get("data_base64") is None
        fact = _placed(BARE, chance) if bare else golden(chance)
        known = {"type": f"catwalk.{fact['type']}", "source": SOURCE, "id": fact["source_key"], "subject": TABLE}
        data = {name: value for name, value in fact.items() if name not in {*said.FIELDS.values(), "type", "at"}}
        if found.get("data") is not None:
            known["data"] = data
        elif not bare:
            known["data_base64"] = base64.b64encode(json.dumps(data).encode()).decode()
        event = {name: value for name, value in found.items() if name not in said.FIELDS}
        return event | {"time": "2026-11-18T22:00:00z"} | known
    if isinstance(found, dict) and said.valid(str(found.get("type")), found):
        return _placed(found, chance)
    return found


def _typed(found: Any) -> Any:
    """Return an event of a type that there is: most of those that are asked for are of none."""
    ours = isinstance(found, dict) and str(found.get("type")).startswith("catwalk.")
    return found | {"type": f"catwalk.{BARE['type']}"} if ours else found


def golden(chance: int) -> dict[str, Any]:
    """Return a fact as it is stored in the golden files, of the open table."""
    return _placed(GOLDEN[chance % len(GOLDEN)], chance)


def _placed(fact: dict[str, Any], chance: int) -> dict[str, Any]:
    known = {"source": SOURCE, "source_key": f"k:{chance}", "stream": TABLE, "at": AT + chance % 1_000_000}
    return {
        name: value for name, value in fact.items() if name not in ("sequence", "previous", "source_signature")
    } | known


@schemathesis.check
def each_fact_has_the_answer_that_the_document_promises(
    _: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """No lawful line is unreadable, nothing else is taken, and nothing is left without an answer."""
    sent = response.request
    kind = (sent.headers.get("Content-Type") or "").partition(";")[0].strip()
    if response.status_code not in (200, 422) or sent.method != "POST" or "ce-specversion" in sent.headers:
        return
    body = sent.body.encode() if isinstance(sent.body, str) else bytes(sent.body or b"")
    told = {answer["line"]: answer for answer in response.json()["facts"]}
    here = dict(enumerate(said.lines(kind, body), 1))
    assert told.keys() == {place for place, line in here.items() if line.strip()}, "a line has no answer"
    for place, answer in told.items():
        lawful = said.fact(here[place]) is not None
        assert lawful or answer["answer"] == "refused", f"{here[place]!r} is no fact and was {answer}"
        assert not lawful or answer.get("code") not in READING, f"{here[place]!r} is a fact and was {answer}"

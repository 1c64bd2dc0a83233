"""Documents of the published contracts: AsyncAPI for each channel, pages that list the types, golden files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from consumers.contracts import bindings
from consumers.contracts.schemas import schemas
from domain.clauses import scale
from domain.facts.catalogue import SUBJECTS, TYPES
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.samples import sample
from domain.watch import record


class Contract(msgspec.Struct, frozen=True):
    """The types of one channel, and the places of their generated files."""

    channel: str
    title: str
    says: str
    types: Mapping[str, type[Fact]]
    docs: Path
    golden: Path

    @property
    def schemas(self) -> Path:
        """The folder of the JSON Schemas."""
        return self.docs / "schemas"


FACTS = Contract(
    "facts",
    "Catwalk facts",
    "Facts of a casino's card pit, one JSON object a record, keyed by table.",
    TYPES,
    Path("docs/facts"),
    Path("tests/golden/facts"),
)
FINDINGS = Contract(
    "findings",
    "Catwalk findings",
    "What verifiers find in the facts, one JSON object a record, keyed by table.",
    record.RECORDS,
    Path("docs/findings"),
    Path("tests/golden/findings"),
)
BOTH = (FACTS, FINDINGS)
BINDINGS = Path("docs/bindings")


def asyncapi(of: Contract) -> dict[str, Any]:
    """The AsyncAPI document of a contract: one channel, one message per type."""
    messages = {
        name: {
            "name": name,
            "title": kind.__name__,
            "summary": _sentence(kind),
            "contentType": "application/json",
            "payload": {"$ref": f"schemas/{name}.json"},
        }
        for name, kind in of.types.items()
    }
    channel = {"$ref": f"#/channels/{of.channel}"}
    references = [{"$ref": f"#/channels/{of.channel}/messages/{name}"} for name in of.types]
    name = of.channel.capitalize()
    return {
        "asyncapi": "3.0.0",
        "info": {"title": of.title, "version": "1", "description": of.says},
        "defaultContentType": "application/json",
        "channels": {of.channel: {"address": of.channel, "messages": messages}},
        "operations": {
            f"read{name}": {"action": "receive", "channel": channel, "messages": references},
            f"write{name}": {"action": "send", "channel": channel, "messages": references},
        },
    }


def catalogue_page() -> str:
    """The page of all types of fact, each with its sentence, by subject."""
    lines = [
        "# Facts",
        "",
        "Written by `make docs` from the types. Each has its JSON Schema in `schemas/`, where `shared.json` defines",
        "words and bounds once; `asyncapi.json` has them all. [Bindings](../bindings/README.md) have them as types.",
        "Every fact also carries `at`, `source`, `source_key`, and once recorded `stream`, `sequence`, `previous`;",
        "where known `round`, `camera`, `time_code`.",
    ]
    for subject in SUBJECTS:
        lines += ["", f"## {(subject.__doc__ or '').splitlines()[0]}", "", *_HEAD]
        lines += [_row(name, kind) for name, kind in TYPES.items() if kind.__module__ == subject.__name__]
    return "\n".join(lines) + "\n"


def findings_page() -> str:
    """The page of the findings log: its types of record, how to read them, and the severities."""
    lines = [_FINDINGS, *_HEAD, *(_row(name, kind) for name, kind in FINDINGS.types.items())]
    lines += ["", "## Severities", "", "| severity | means |", "|---|---|"]
    lines += [f"| {name} | {says} |" for name, says in scale().items()]
    return "\n".join(lines) + "\n"


_FINDINGS = """\
# Findings

Written by `make docs` from the types. Each has its JSON Schema in `schemas/`, where `shared.json` defines words and
bounds once; `asyncapi.json` has them all.

A verifier writes these records to a log of its own (the topic `findings` in Kafka, the file `record/findings.sqlite`
in a data folder). There is one stream for each stream of facts, under the same name: `stream`, `sequence` from 1,
`previous` the SHA-256 of the bytes before, `source` `verifier`. The records follow from the facts alone, byte for
byte. The log may hold a record more than once. Read one record for each stream and sequence: the first that names the
hash of the record before it.

A finding keeps its name (`finding`) forever. `finding-raised` states it first, `finding-revised` replaces it
completely, and `finding-withdrawn` ends it. It may be raised again. `trigger` and `evidence` are sequences of facts in
the same stream. `known_by` and `explained_by` are the fact that made this known, in the same stream or in the later
stream that `known_in` or `explained_in` names: a correction, or a late fact.

`stream-verified` follows a table's opening, each completed round and the close. Facts after the last `stream-verified`
of a stream are not verified yet. `undecided` counts the checks that were impossible because something was not
recorded.

Findings from comparing two tables, or a table and the vault, are in a stream of those two, one for each day:
`T1+T2/2026-11-18`. That stream has no `stream-verified`. `about` names the stream of the fact that shows the finding,
and `beside` names the fact of the other one, as stream and sequence.

If watchers have a key, each stream has a stream of seals, such as `T7/2026-11-18~`. It has a `findings-sealed` for
each `stream-verified`, and for each record about two tables, with the Ed25519 signature over four lines:
`catwalk seal`, the name of the stream of seals, `covers` and `head`, each with a line end. `head` is the SHA-256 of
the covered record.
"""
_HEAD = ("| type | says | fields |", "|---|---|---|")


def _row(name: str, kind: type[Fact]) -> str:
    fields = [field for field in kind.__struct_fields__ if field not in Fact.__struct_fields__]
    return f"| `{name}` | {_sentence(kind)} | {', '.join(f'`{field}`' for field in fields)} |"


def _sentence(kind: type[Fact]) -> str:
    return (kind.__doc__ or "").splitlines()[0]


def pages() -> dict[Path, bytes]:
    """Every generated page with its content."""
    found: dict[Path, bytes] = {}
    for of in BOTH:
        found |= {of.schemas / f"{name}.json": _pretty(each) for name, each in schemas(dict(of.types)).items()}
        found[of.docs / "asyncapi.json"] = _pretty(asyncapi(of))
    made = schemas(dict(FACTS.types))
    found[BINDINGS / "python/catwalk_facts/__init__.py"] = bindings.python(made).encode()
    found[BINDINGS / "typescript/facts.ts"] = bindings.typescript(made).encode()
    found[FACTS.docs / "README.md"] = catalogue_page().encode()
    found[FINDINGS.docs / "README.md"] = findings_page().encode()
    return found


def golden(of: Contract) -> dict[Path, bytes]:
    """The stored form of a full sample of each type. Updated by hand: a change is a decision, not a build step."""
    write = encode if of is FACTS else record.encode
    return {of.golden / f"{name}.json": write(sample(kind)) + b"\n" for name, kind in of.types.items()}


def _pretty(content: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"

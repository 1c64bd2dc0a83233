"""Types of facts for clients in Python and TypeScript, written from the published schemas."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from domain.facts.envelope import Fact

Schema = Mapping[str, Any]

ENVELOPE = "Envelope"

_PYTHON = '''\
"""Types of the facts that Catwalk records, and `line`, which writes one as the gateway reads it.

Written by `make docs`. A fact is a plain dictionary; a type checker holds it against these types.
"""

import json
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


def line(fact: "Fact") -> str:
    """Return a fact as the line of JSON that the gateway reads, without its line end."""
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":"))
'''
_TYPESCRIPT = """\
/**
 * Types of the facts that Catwalk records, and `line`, which writes one as the gateway reads it.
 *
 * Written by `make docs`. A `bigint` is written as digits: a time after the year 2255 needs it.
 */

/** Return a fact as the line of JSON that the gateway reads, without its line end. */
export function line(fact: Fact): string {
  return written(fact);
}

function written(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const given = Object.entries(value).filter(([, held]) => held !== undefined);
  return `{${given.map(([name, held]) => `${JSON.stringify(name)}:${written(held)}`).join(",")}}`;
}
"""
_IN_PYTHON = {"string": "str", "integer": "int", "boolean": "bool", "null": "None", "object": "dict[str, Any]"}
_IN_TYPESCRIPT = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}
_IN_TYPESCRIPT["object"] = "Record<string, unknown>"


def python(schemas: Mapping[str, Schema]) -> str:
    """Return the module of types for Python."""
    shared, facts = _parted(schemas)
    parts = [_PYTHON]
    parts += [f"{_remark('# ', each)}{name}: TypeAlias = {_python(each)}\n" for name, each in shared if not _of(each)]
    parts += [_typed_dict(each) for _, each in shared if _of(each)]
    parts += [_typed_dict(each, ENVELOPE if each["title"] != ENVELOPE else "TypedDict") for each in facts]
    parts.append("Fact: TypeAlias = (\n    " + "\n    | ".join(each["title"] for each in facts[1:]) + "\n)\n")
    return "\n\n".join(part.rstrip("\n") + "\n" for part in parts)


def typescript(schemas: Mapping[str, Schema]) -> str:
    """Return the module of types for TypeScript."""
    shared, facts = _parted(schemas)
    parts = [_TYPESCRIPT]
    for name, each in shared:
        if not _of(each):
            wide = "number | bigint" if each.get("maximum", 0) >= 2**53 else _typescript(each)
            parts.append(f"{_remark('/** ', each, ' */')}export type {name} = {wide};\n")
    parts += [_interface(each) for _, each in shared if _of(each)]
    parts += [_interface(each, f" extends {ENVELOPE}" if each["title"] != ENVELOPE else "") for each in facts]
    parts.append("export type Fact =\n  | " + "\n  | ".join(each["title"] for each in facts[1:]) + ";\n")
    return "\n".join(parts)


def _parted(schemas: Mapping[str, Schema]) -> tuple[list[tuple[str, Schema]], list[Schema]]:
    """Return the shared definitions by name, and the objects: first the envelope, then each fact's own part."""
    facts = [each for name, each in schemas.items() if name != "shared"]
    envelope = {
        "title": ENVELOPE,
        "description": "The time, the source and the place that any fact carries.",
        "properties": {name: facts[0]["properties"][name] for name in Fact.__struct_fields__},
        "required": facts[0]["required"],
    }
    own = [
        {
            **each,
            "properties": {name: one for name, one in _of(each).items() if name not in Fact.__struct_fields__},
        }
        for each in facts
    ]
    return list(schemas["shared"]["$defs"].items()), [envelope, *own]


def _of(schema: Schema) -> Mapping[str, Schema]:
    """Return the fields of an object, or nothing."""
    found: Mapping[str, Schema] = schema.get("properties", {})
    return found


def _remark(begin: str, schema: Schema, end: str = "") -> str:
    return f"{begin}{schema['description']}{end}\n" if "description" in schema else ""


def _typed_dict(schema: Schema, base: str = "TypedDict") -> str:
    lines = [f"class {schema['title']}({base}):", f'    """{_docstring(schema["description"])}"""', ""]
    for field, each in _of(schema).items():
        told = _python(each)
        lines.append(f"    {field}: {told if field in schema.get('required', ()) else f'NotRequired[{told}]'}")
    return "\n".join(lines) + "\n"


def _docstring(says: str) -> str:
    """Return a text as the content of a docstring: indented, and not ending in a quote."""
    told = says.replace("\n", "\n    ").replace("\n    \n", "\n\n")
    return f"{told} " if told.endswith('"') else f"{told}\n    " if "\n" in told else told


def _interface(schema: Schema, base: str = "") -> str:
    says = schema["description"].replace("\n", "\n * ").replace(" \n", "\n")
    remark = f"/**\n * {says}\n */" if "\n" in says else f"/** {says} */"
    lines = [remark, f"export interface {schema['title']}{base} {{"]
    for field, each in _of(schema).items():
        lines.append(f"  {field}{'' if field in schema.get('required', ()) else '?'}: {_typescript(each)};")
    return "\n".join((*lines, "}")) + "\n"


def _python(schema: Schema) -> str:
    if kind := _common(schema, _python):
        return kind
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(word) for word in schema['enum'])}]"
    if schema.get("type") == "array":
        return f"list[{_python(schema['items'])}]"
    if "additionalProperties" in schema:
        names = _python(schema.get("propertyNames", {"type": "string"}))
        return f"dict[{names}, {_python(schema['additionalProperties'])}]"
    return _IN_PYTHON[schema["type"]] if "type" in schema else "Any"


def _typescript(schema: Schema) -> str:
    if kind := _common(schema, _typescript):
        return kind
    if "enum" in schema:
        return " | ".join(json.dumps(word) for word in schema["enum"])
    if schema.get("type") == "array":
        return f"Array<{_typescript(schema['items'])}>"
    if "additionalProperties" in schema:
        names = _typescript(schema.get("propertyNames", {"type": "string"}))
        return f"Partial<Record<{names}, {_typescript(schema['additionalProperties'])}>>"
    return _IN_TYPESCRIPT[schema["type"]] if "type" in schema else "unknown"


def _common(schema: Schema, told: Callable[[Schema], str]) -> str:
    """Return what both languages say alike: a name, or one of several; empty for the others."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    return " | ".join(told(each) for each in schema["anyOf"]) if "anyOf" in schema else ""

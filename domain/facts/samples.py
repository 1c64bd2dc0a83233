"""One full sample of each type of fact, with every field set and none at its default.

The golden files of the stored form are these samples, encoded. A changed field shows up as a changed file.
"""

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from domain.facts.envelope import Fact

_ENVELOPE: dict[str, Any] = {
    "at": 1_795_036_205_000_001,
    "source": "T7-reader",
    "source_key": "T7-reader:991",
    "stream": "T7/2026-11-18",
    "sequence": 12,
    "previous": "0123456789abcdef" * 4,
    "round": 3,
    "camera": "cam-14",
    "time_code": "21:10:05:07",
    "source_signature": "89abcdef01234567" * 8,
}


@cache
def sample(kind: type[Fact]) -> Fact:
    """Return the sample of a type, always the same one."""
    described = inspect.type_info(kind)
    if not isinstance(described, inspect.StructType):
        raise TypeError(f"{kind} is not a struct")
    values = {
        field.name: _ENVELOPE[field.name] if field.name in _ENVELOPE else _value(field.name, field.type, field.default)
        for field in described.fields
    }
    return kind(**values)


def _value(name: str, kind: Any, default: Any = None) -> Any:
    """Return a value of this type that is not its default; the field's name makes it distinct."""
    if isinstance(kind, inspect.UnionType):
        return _value(name, next(held for held in kind.types if not _is_nothing(held)), default)
    if isinstance(kind, inspect.LiteralType):
        return next(word for word in kind.values if word != default)
    if isinstance(kind, inspect.StrType):
        return "fedcba9876543210" * 4 if kind.min_length == 64 else f"some {name}"
    if isinstance(kind, inspect.BoolType):
        return default is not True
    if isinstance(kind, inspect.IntType):
        return 7
    if isinstance(kind, inspect.DictType):
        return {_value(name, kind.key_type): _value(name, kind.value_type)}
    if isinstance(kind, inspect.VarTupleType):
        return (_value(name, kind.item_type),)
    if isinstance(kind, inspect.StructType):
        return kind.cls(**{field.name: _value(field.name, field.type) for field in kind.fields})
    if isinstance(kind, inspect.AnyType):
        return "anything"
    raise TypeError(f"no sample for {name}: {kind}")


def _is_nothing(kind: Any) -> bool:
    return isinstance(kind, inspect.NoneType) or kind is msgspec.UnsetType or type(kind).__name__ == "UnsetType"

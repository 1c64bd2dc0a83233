"""Everything a client can say that might keep a day from being exported: each type of fact, each field at its worst.

A line is what a device sends, made here without asking the catalogue's own codec whether it is a fact: the gateway
says which lines are, and all that it takes is on record.
"""

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import msgspec
from msgspec import inspect

from domain.facts.catalogue import TYPES
from domain.facts.envelope import LATEST, MOST, MOST_CARDS, MOST_CENTS, MOST_ROUNDS
from domain.facts.samples import sample

DAY = "2026-11-18"
AT = 1_795_036_205_000_001
NOT_SAID = {"sequence", "previous", "source_signature"}  # a client without a key signs nothing
# Texts that steer terminals, break lines, turn the reading direction, look like formulas, or are as long as they may be.
TEXTS = (
    "\x00\x07\x1b[2J\x7f",
    "two\r\nlines\u2028and\u0085three",
    "\u202eright to left\u200f\u2066",
    '=HYPERLINK("http://x","y")',
    '-1+1","quoted',
    "x" * 128,
    "\U0001f0a1" * 32,
    "\ufeff\ufffe\uffff",
    "a\u0301 _x0041_ <&>]]>",
    " ",
)
# Three of them for each field in turn: every field has some, and every type of fact all of them.
_SOME = cycle([TEXTS[at : at + 3] for at in range(0, len(TEXTS), 2)])
HUGE = (0, MOST_CARDS, MOST_ROUNDS, MOST_CENTS, MOST_CENTS + 1, MOST, MOST + 2, 2**64, 10**30)
TIMES = (0, 1, LATEST)
DEEP: Any = {"a": [[[[{"b": [1.5, -0.0, 1e300, True, None, "\u202e"]}]]]]}


def said(**fields: Any) -> bytes:
    """A line as a device sends it."""
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def opening(table: str, **other: Any) -> bytes:
    """A table's day, opened plainly."""
    return said(
        **{
            "type": "table-opened.1",
            "table": table,
            "gaming_day": DAY,
            "writer_epoch": 0,
            "book": "UTH-MD",
            "book_digest": "d" * 64,
            "options": {},
            "dealing_method": "manual-shoe",
            "positions": 12,
            "opener_cents": 500_000,
            "at": AT,
            "source": f"{table}-pit",
            "source_key": f"{table}-open",
            **other,
        }
    )


def worst(kind: Any) -> Iterator[Any]:
    """The values a field of this kind may have at its worst; what the schema refuses becomes a dead letter."""
    if isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from worst(each)
    elif isinstance(kind, inspect.StrType):
        yield from (text[: kind.max_length] if kind.max_length else text for text in next(_SOME))
    elif isinstance(kind, inspect.IntType):
        yield from HUGE
    elif isinstance(kind, inspect.LiteralType):
        yield from kind.values
    elif isinstance(kind, inspect.DictType):
        yield from ({}, {"\u202e": DEEP}, {f"k{at}": at for at in range(500)}, {"x": 2.0, "y": False})
    elif isinstance(kind, inspect.VarTupleType):
        yield []
        for each in list(worst(kind.item_type))[:6]:
            yield [each] * 3
    elif isinstance(kind, inspect.AnyType):
        yield from (DEEP, 2.0, False, "\x00")


def variants(name: str, table: str) -> Iterator[bytes]:
    """Facts of one type, each with one field at its worst, and at the ends of time."""
    kind = TYPES[name]
    plain = {**msgspec.to_builtins(sample(kind)), "stream": table}
    plain = {field: value for field, value in plain.items() if field not in NOT_SAID}
    described = inspect.type_info(kind)
    if not isinstance(described, inspect.StructType):
        raise TypeError(name)
    yield said(**{**plain, "source_key": f"{name}:plain"})
    yield said(**{**{field: value for field, value in plain.items() if field != "round"}, "source_key": f"{name}:none"})
    for at in TIMES:
        yield said(**{**plain, "at": at, "source_key": f"{name}:at:{at}"})
    for field in described.fields:
        if field.name in NOT_SAID | {"stream", "at", "source_key"}:
            continue
        for number, value in enumerate(worst(field.type)):
            yield said(**{**plain, field.name: value, "source_key": f"{name}:{field.name}:{number}"})


def pit(names: Iterator[str] | None = None) -> Iterator[bytes]:
    """A property's day with a table for each type of fact, and all of its variants there."""
    yield said(
        type="property-opened.1", gaming_day=DAY, writer_epoch=0, property="pit \u202e\x07", zone="America/New_York",
        most_cents=MOST_CENTS, at=AT, source="office", source_key="office",
    )  # fmt: skip
    for number, name in enumerate(names or iter(sorted(TYPES))):
        table = f"T{number}"
        if name in ("property-opened.1", "table-opened.1"):
            continue
        yield opening(table)
        yield from variants(name, table)


def corrected(table: str, number: int, **fields: Any) -> bytes:
    """A correction as a client may say it."""
    return said(type="corrected.1", at=AT, source=f"{table}-reader", source_key=f"c:{number}", stream=table, **fields)


def played(table: str) -> Iterator[bytes]:
    """A table's day with a round of a few facts."""
    yield opening(table)
    for at, name in enumerate(ROUND, 2):
        plain = msgspec.to_builtins(sample(TYPES[name]))
        fields = {field: value for field, value in plain.items() if field not in NOT_SAID}
        yield said(**{**fields, "stream": table, "round": 1, "source_key": f"r:{at}"})


ROUND = ("wager-placed.1", "bets-closed.1", "card-dealt.1", "wager-paid.1", "round-completed.1", "stub-counted.1")


def corrections(table: str) -> Iterator[bytes]:
    """A round, and each of its facts corrected by every worst value, by nothing, by a correction, and in chains."""
    yield from played(table)
    number, odd = 0, cycle(["\x07", 2.0, False, None, DEEP])
    here = f"{table}/{DAY}"
    for at, name in enumerate(ROUND, 2):
        described = inspect.type_info(TYPES[name])
        if not isinstance(described, inspect.StructType):
            raise TypeError(name)
        for field in described.fields:
            for value in (*list(worst(field.type))[:1], next(odd)):
                number += 1
                yield corrected(table, number, corrects_stream=here, corrects_sequence=at, reads={field.name: value})
        number += 1
        yield corrected(table, number, corrects_stream=here, corrects_sequence=at)
    for of in (1, 8, 9, 10, 2**53 - 1):  # the opening, corrections, and what is still to come
        for reads in ({}, {"book": "COL"}, {"reads": {}}, {"type": "table-closed.1"}, {"stream": "T9/2026-11-18"}):
            number += 1
            yield corrected(table, number, corrects_stream=here, corrects_sequence=of, reads=reads)
    for other in ("", "T0/2026-11-18", f"{table}/9999-12-31", "property/2026-11-18", "\u202e/2026-11-18"):
        number += 1
        yield corrected(table, number, corrects_stream=other, corrects_sequence=2, reads={"cents": 1})


def days() -> Iterator[bytes]:
    """Days at the ends of time, tables that follow what is not there, books nobody knows, rounds without openings."""
    for number, day in enumerate(("0001-01-01", "1970-01-01", "9999-12-31", "2026-02-30", "\u202e", "2026-11-19")):
        yield opening(f"D{number}", gaming_day=day, previous_stream=f"D{number}/2026-11-17", previous_head="0" * 64)
        yield said(type="bets-closed.1", at=AT, source="d", source_key=f"d:{number}", stream=f"D{number}", round=7)
        yield said(
            type="wager-paid.1", at=AT, source="d", source_key=f"e:{number}", stream=f"D{number}", seat=1,
            wager="ante", cents=1,
        )  # fmt: skip
    for number, other in enumerate(
        (
            {"book": "NO-BOOK"},
            {"options": DEEP},
            {"options": {"x": 10**400}},
            {"unrecorded": ["\x00"] * 50},
            {"pit": "="},
        )
    ):
        yield opening(f"B{number}", **other)
    yield from (
        each + b"\n" for each in (b'{"type":"noted.1"', b"[" * 99 + b"]" * 99, b'"\\ud800"', b"{}", b"\xff\xfe")
    )
    for number, text in enumerate(('"\\ud800"', '"' + "z" * 900_000 + '"', '"' + "\\u0000" * 9_000 + '"', "1" * 5_000)):
        fields = f'"type":"noted.1","text":{text},"at":{AT},"source":"n","source_key":"n:{number}","stream":"B0"'
        yield f"{{{fields}}}\n".encode()


def keys() -> Iterator[bytes]:
    """Facts about keys that a client may send: under others' names, revoked before they were made, and very often."""
    said_by = {"source": "office", "stream": "property"}
    number = 0
    for name in ("K1-2026", "unheard-of", "\u202e"):
        for at in (0, AT, 253_402_300_799_999_999):
            number += 1
            yield said(**said_by, type="key-registered.1", key=name, public_key="no key at all", table="K1", at=at,
                       source_key=f"k:{number}")  # fmt: skip
            for kind, more in (
                ("key-revoked.1", {"key": name, "from_at": at}),
                ("key-rotated.1", {"old": name, "new": "x"}),
            ):
                number += 1
                yield said(**said_by, type=kind, at=AT, source_key=f"k:{number}", **more)
    for at in range(1_500):
        yield said(**said_by, type="key-revoked.1", key="K1-2026", at=AT, from_stream=f"K{at}/{DAY}", from_sequence=at,
                   source_key=f"often:{at}")  # fmt: skip

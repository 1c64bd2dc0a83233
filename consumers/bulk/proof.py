"""A proof of the compiled pass before it is used: facts of many lengths, read, hashed and chained as elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from typing import Final

import msgspec

from consumers.bulk.database import DONE, ReadStatement
from consumers.bulk.fact_pass import FactPass, StoredRow, StreamState
from consumers.bulk.inputs import laid_out
from consumers.bulk.loading import Compiled
from domain.facts.codec import encode, name_of
from domain.facts.wagers import BetsClosed
from domain.ledger.chain import digest
from domain.ledger.writer import content

_FIRST: Final = BetsClosed(at=1, source="s", source_key="k", stream="T1/2026-11-18", sequence=1)
_NAME: Final = name_of(_FIRST)
_LENGTHS: Final = range(2, 120)


def works(compiled: Compiled) -> bool:
    """Whether it takes an example by each way of reading rows, and comes to the same hashes and sums as hashlib."""
    facts = list(_facts())
    rows = [(fact.sequence, fact.stream, fact.sequence, _NAME, encode(fact)) for fact in facts]
    inputs = [(fact.source, fact.source_key, content(fact), fact.stream, fact.sequence) for fact in facts]

    def by_library(tried: FactPass) -> bool:
        cells = ", ".join(
            f"({number}, {number}, x'{own.hex()}', '{name}', '{kind}')" for number, name, _, kind, own in rows
        )
        said = ", ".join(map(str, inputs))
        with (
            closing(ReadStatement(compiled.sqlite, ":memory:", f"VALUES {cells}")) as stored,
            closing(ReadStatement(compiled.sqlite, ":memory:", f"VALUES {said}")) as known,
        ):
            marks = sum(tried.mark(laid_out(*each)) for each in inputs) % 2**64
            return tried.fetch(stored) == DONE and tried.inputs(known) == (len(inputs), marks)

    def by_rows(tried: FactPass) -> bool:
        tried.put(rows)
        return True

    ways = [by_rows] if compiled.sqlite is None else [by_rows, by_library]
    return all(_takes(compiled, rows, inputs, way) for way in ways)


def _facts() -> Iterator[BetsClosed]:
    """Facts of a chain behind its first, each longer than the one before."""
    before = _FIRST
    for sequence in _LENGTHS:
        said = {"source_key": "k" * sequence, "sequence": sequence, "previous": digest(encode(before))}
        before = msgspec.structs.replace(_FIRST, **said)
        yield before


def _takes(
    compiled: Compiled,
    rows: list[StoredRow],
    inputs: list[tuple[str, str, str, str, int]],
    filled: Callable[[FactPass], bool],
) -> bool:
    tried = FactPass(compiled, (), kinds={_NAME: BetsClosed}, inputs=True)
    tried.can_cut_out([_NAME])
    tried.know(_FIRST.stream, StreamState(1, digest(encode(_FIRST)), False, 1, 1, 1))
    if not filled(tried) or list(tried.take(1)):
        return False
    written = b""
    for position, stream, sequence, kind, stored in rows:
        head = f"{position} {sequence} {len(stream)} {len(kind)} {stream}{kind}"
        written = sha256(written + head.encode() + stored).digest()
    marks = sum(tried.mark(laid_out(*each)) for each in inputs) % 2**64
    gained, told = tried.gained(_FIRST.stream), tried.told()
    right = gained is not None and gained.head == digest(rows[-1][-1])
    return right and (told.digest, told.input_sum) == (written, marks)

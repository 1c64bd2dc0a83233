"""All facts of an export as one Parquet file, for questions that the tables do not answer."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import pyarrow as arrow
from pyarrow import parquet

from domain.facts.envelope import Microseconds
from projections.export.faults import as_stored

_GROUP: Final = 65_536  # rows of a row group
_SCHEMA: Final = arrow.schema(
    [
        arrow.field("stream", arrow.string(), nullable=False),
        arrow.field("sequence", arrow.int64(), nullable=False),
        arrow.field("type", arrow.string(), nullable=False),
        arrow.field("round", arrow.int64()),
        arrow.field("at", arrow.timestamp("us", tz="UTC"), nullable=False),
        arrow.field("stored", arrow.binary(), nullable=False),
    ]
)


_Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class _FactColumns(msgspec.Struct, gc=False):
    stream: str
    sequence: _Whole
    type: str
    at: Microseconds
    round: _Whole | None = None


_DECODER: msgspec.json.Decoder[_FactColumns] = msgspec.json.Decoder(_FactColumns)
_Columns = tuple[list[Any], ...]


def write(out: Path, files: Iterable[Path]) -> None:
    """Write the facts of these files, in order."""
    with parquet.ParquetWriter(out, _SCHEMA, compression="zstd", version="2.6") as writer:
        for columns in _groups(files):
            arrays = [arrow.array(column, field.type) for column, field in zip(columns, _SCHEMA, strict=True)]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=_SCHEMA), row_group_size=_GROUP)


def _groups(files: Iterable[Path]) -> Iterator[_Columns]:
    columns = _empty()
    for file in files:
        with file.open("rb") as lines:
            for line in lines:
                stored = as_stored(line[:-1])
                row = (*_told(stored), stored)
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
                if len(columns[0]) == _GROUP:
                    yield columns
                    columns = _empty()
    if columns[0]:
        yield columns


def _told(stored: bytes) -> tuple[Any, ...]:
    """Return stream, sequence, type, round and time of a record; of an unreadable one only what a column can hold."""
    try:
        told = _DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ("", 0, "", None, 0)
    return (told.stream, told.sequence, told.type, told.round, told.at)


def _empty() -> _Columns:
    return tuple([] for _ in _SCHEMA)

"""The parts of an export made after its streams: proofs, keys, Parquet, workbook, report, bag, container.

They are quick compared with the streams, so they are all made again after an interruption.
"""

from collections.abc import Mapping
from datetime import datetime
from importlib.resources import files as packaged
from pathlib import Path
from typing import Final

import msgspec

from consumers.exporting import lists
from consumers.exporting.record import ExportableRecord, readable, sequence_in
from consumers.exporting.reporting import report_of
from consumers.exporting.staging import BAG, Staging
from consumers.exporting.writing import LEFT_OUT, OPEN, PlacedRecord, StreamLine, file_of
from domain.facts.property_day import PropertyOpened
from domain.facts.streams import PROPERTY, owner
from domain.ledger import source_register
from domain.ledger.seals import KeyRegister, fold
from domain.ledger.source_register import SourceRegister
from projections.export import (
    bag,
    container,
    csv_text,
    identities,
    layout,
    one_file,
    parquet,
    proofs,
    statement,
    workbook,
)
from projections.export.bag import FileDigest
from projections.export.chosen import KEYS
from projections.export.columns import PLAYERS, TABLES
from projections.export.identities import Names
from projections.export.question import BoundCheckpoint, ExportQuestion
from projections.export.report import report_pdf

_WHOLE: Final = "whole.tar"


class FinishedContainer(msgspec.Struct, frozen=True):
    """The container, ready to be moved to its place."""

    file: Path
    digest: str
    streams: int
    facts: int


def finished(question: ExportQuestion, record: ExportableRecord, staging: Staging, names: Names) -> FinishedContainer:
    """Make everything except the streams, and then the container."""
    lines = [msgspec.json.decode(line, type=StreamLine) for line in staging.noted(f"{BAG}/{layout.STREAMS}")]
    staging.put(layout.QUESTION, question.stored)
    _proofs(question, record, staging)
    facts, register, sources = _keys(record, staging, lines)
    _left_out(staging)
    if question.identities == "named":
        _players(staging, names)
    faults = lists.write(question, staging, register, sources)
    parquet.write(staging.path(f"{BAG}/{layout.PARQUET}"), facts)
    _workbook(staging)
    opened = _property_of(record)
    staging.put(layout.REPORT, report_pdf(report_of(question, staging, record.tree, opened, faults)))
    note = (staging.path(f"{BAG}/{layout.CHECKPOINT}")).read_text("utf-8")
    _bag(question, record, staging, note)
    file = staging.path(_WHOLE)
    at = int(datetime.fromisoformat(question.checkpoint.time).timestamp())
    with file.open("wb") as out:
        digest = container.lay_down(out, question.name, staging.files().items(), at)
    told = sum(line.records for line in lines if line.kind == "facts")
    return FinishedContainer(file, digest, len(lines), told)


def _proofs(question: ExportQuestion, record: ExportableRecord, staging: Staging) -> None:
    tree, bound = record.tree, question.checkpoint
    staging.put(layout.CHECKPOINT, proofs.signed_by(tree.note(bound.size), bound.origin, bound.cosigned_by).encode())
    heads = _earlier(record, bound)
    told = (proofs.earlier(note, tree.consistency(size, bound.size)) for size, note in heads.items())
    staging.put(layout.EARLIER, b"".join(told))
    _leaves(question, record, staging, heads)
    still_open = [msgspec.json.decode(line, type=int) for line in staging.noted(OPEN)]
    if still_open:
        leaves = tree.leaves(bound.size, min(still_open) + 1)
        staging.put(layout.AFTER, b"".join(map(proofs.line, leaves)))


def _leaves(question: ExportQuestion, record: ExportableRecord, staging: Staging, heads: Mapping[int, str]) -> None:
    """Write every leaf since before the requested days, unless there are too many."""
    tree, bound = record.tree, question.checkpoint
    if question.scope.in_part:
        return
    known = [
        proofs.ListedHead(size, proofs.time_of(note), proofs.seen_at(note, bound.origin))
        for size, note in heads.items()
    ]
    due = proofs.leaves_due(question.scope.days, known, bound.size, _first_shown(staging, bound.size))
    if due is not None:
        begin, end = due
        with staging.path(f"{BAG}/{layout.LEAVES}").open("wb") as out:
            out.writelines(proofs.listed(begin, end, tree.peaks(begin), tree.listed(begin, end)))


class _Leaf(msgspec.Struct):
    index: int


def _first_shown(staging: Staging, size: int) -> int:
    """The first leaf of the tree that belongs to a completely exported stream."""
    found, files = size, staging.files()
    for told in staging.noted(f"{BAG}/{layout.STREAMS}"):
        line = msgspec.json.decode(told, type=StreamLine)
        if line.whole:
            with files[f"data/proofs/stretches/{line.kind}/{line.stream}.jsonl"].open("rb") as lines:
                found = min(found, *(msgspec.json.decode(each, type=_Leaf).index for each in lines))
    return found


def _earlier(record: ExportableRecord, bound: BoundCheckpoint) -> dict[int, str]:
    """The earlier checkpoints of an export by size, each with the cosignatures that the question names."""
    sizes = proofs.earlier_sizes(record.tree, bound.size, bound.time).union(*bound.earlier.values())
    names = {size: [name for name, of in bound.earlier.items() if size in of] for size in sizes}
    return {size: proofs.signed_by(record.tree.note(size), bound.origin, names[size]) for size in sorted(sizes)}


def _keys(
    record: ExportableRecord, staging: Staging, lines: list[StreamLine]
) -> tuple[list[Path], KeyRegister, SourceRegister]:
    """The files of all facts in order, and the keys and sources that the property's facts register."""
    files = [staging.path(f"{BAG}/data/facts/{line.stream}.jsonl") for line in lines if line.kind == "facts"]
    told = [
        fact
        for line, file in zip((line for line in lines if line.kind == "facts"), files, strict=True)
        if owner(line.stream) == PROPERTY
        for stored in file.read_bytes().split(b"\n")[:-1]
        if isinstance(fact := readable("facts", line.stream, sequence_in(stored), stored), KEYS)
    ]
    register = fold(told)
    staging.put(layout.DEVICES, proofs.devices(register))
    staging.put(layout.PROPERTY_KEY, proofs.public_key(record.tree.key))
    staging.put(layout.ROTATIONS, b"".join(map(proofs.rotation, record.tree.rotations())))
    return files, register, source_register.fold(told)


def _left_out(staging: Staging) -> None:
    told = [msgspec.json.decode(line, type=PlacedRecord) for line in staging.noted(LEFT_OUT)]
    if told:
        ordered = sorted({(each.stream, each.sequence) for each in told})
        lines = (proofs.line({"stream": stream, "sequence": sequence}) for stream, sequence in ordered)
        staging.put(layout.LEFT_OUT, b"".join(lines))


def _players(staging: Staging, names: Names) -> None:
    """The table of players, for the tokens in the hands."""
    place = next(place for place, column in enumerate(TABLES["hands"]) if column.name == "player")
    tokens = {row[place] for row in lists.read(staging, "hands")}
    content = csv_text.head(PLAYERS) + csv_text.rows_of(identities.rows_of(tokens, names))
    staging.put(file_of(PLAYERS), content)


def _workbook(staging: Staging) -> None:
    files = staging.files()
    tables = {name: files[file_of(name)] for name in TABLES if file_of(name) in files}
    if sum(map(_lines_of, tables.values())) - len(tables) <= workbook.MOST_ROWS:
        with staging.path(f"{BAG}/{layout.WORKBOOK}").open("wb") as out:
            workbook.write(out, tables)


def _lines_of(file: Path) -> int:
    """The most rows a table can have: a line end within a cell counts too."""
    with file.open("rb") as content:
        return sum(piece.count(b"\r\n") for piece in iter(lambda: content.read(1 << 20), b""))


def _property_of(record: ExportableRecord) -> str:
    """The property's own name."""
    for stream in reversed(record.streams("facts")):
        if owner(stream) == PROPERTY and isinstance(opened := record.first(stream), PropertyOpened):
            return opened.property
    return ""


def _bag(question: ExportQuestion, record: ExportableRecord, staging: Staging, note: str) -> None:
    """The manifests, and the signature over them."""
    package = packaged("projections.export")
    staging.put(layout.VERIFIER, one_file.program())
    staging.put(layout.HOW_TO, package.joinpath(layout.HOW_TO).read_bytes())
    staging.put(layout.BAGIT, bag.BAGIT)
    made = (layout.MANIFEST, layout.TAG_MANIFEST, layout.PIECES, layout.STATEMENT, layout.BAG_INFO)
    found = {path: file for path, file in staging.files().items() if path not in made}
    weighed = {path: bag.weighed(path, file) for path, file in found.items()}
    staging.unchanged({path: each.digest for path, each in weighed.items()})
    payload = [path for path in weighed if path.startswith("data/")]

    def put(path: str, content: bytes) -> FileDigest:
        staging.put(path, content)
        return bag.weighed(path, staging.path(f"{BAG}/{path}"))

    weighed[layout.BAG_INFO] = put(layout.BAG_INFO, bag.info(question, [weighed[path] for path in payload]))
    pieces = put(layout.PIECES, b"".join(bag.pieces(weighed)))
    weighed[layout.PIECES] = pieces
    weighed[layout.MANIFEST] = put(layout.MANIFEST, bag.manifest(weighed, payload))
    tags = put(layout.TAG_MANIFEST, bag.manifest(weighed, bag.TAGGED))
    digests = {path: each.digest for path, each in weighed.items()} | {layout.TAG_MANIFEST: tags.digest}
    said = statement.statement(question, note, digests)
    staging.put(layout.STATEMENT, statement.envelope(said, record.tree.sign, record.tree.key.public))

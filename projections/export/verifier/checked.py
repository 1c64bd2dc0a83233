"""Check that every file is the one that was signed, and name the first that is not, with its place."""

from __future__ import annotations

from projections.export.verifier.container import Export
from projections.export.verifier.files import Files, damaged, first_other_line, manifest_lines
from projections.export.verifier.heads import earlier_heads
from projections.export.verifier.keys import PropertyKeys, key_file
from projections.export.verifier.notes import Head, moment_of
from projections.export.verifier.places import (
    AFTER,
    EARLIER,
    MANIFEST,
    PIECES,
    PUBLIC,
    QUESTION,
    SELF_TELLING,
    TAGMANIFEST,
    TAGS,
)
from projections.export.verifier.question import Question
from projections.export.verifier.records import Records
from projections.export.verifier.signed import signed_checkpoint
from projections.export.verifier.statement import Statement
from projections.export.verifier.stretches import proven, shown_streams
from projections.export.verifier.trouble import AlteredError
from projections.export.verifier.verdict import Tally

BAGIT = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
# The SHA-256 of the page that is delivered with this program.
HOW_TO = "d4040b6cf59102cf06a92808f93f71962adee4b6c33db12cc6f0f08f0cc99ce5"


def check_files(export: Export, files: Files, statement: Statement, keys: PropertyKeys) -> None:
    """Check all signed hashes: the statement names the manifests, and the manifests name every file."""
    expected = files.expected
    for path in (QUESTION, MANIFEST, TAGMANIFEST):
        if files.digests[path] != statement.subjects[path]:
            here = export.text(path)
            if path == QUESTION:
                raise damaged(export, files, path)
            if here != expected[path]:
                raise first_other_line(path, here, expected[path])
            raise AlteredError(
                "it matches the files here, but the statement signs a different one: it belongs to another export", path
            )
    for path, of in ((TAGMANIFEST, TAGS), (MANIFEST, [each for each in files.digests if each.startswith("data/")])):
        named = manifest_lines(export, path)
        if missing := sorted(set(named) - set(of)):
            raise AlteredError(f"the signed {path} names it, but it is not in the export", missing[0])
        for each in of:
            if each not in named:
                raise AlteredError(f"the signed {path} does not name it", each)
            if named[each] != files.digests[each]:
                raise _located(export, files, keys, each)
        if export.text(path) != expected[path]:
            raise first_other_line(path, export.text(path), expected[path])
    if export.text(PIECES) != expected[PIECES]:
        raise first_other_line(PIECES, export.text(PIECES), expected[PIECES])


def _located(export: Export, files: Files, keys: PropertyKeys, path: str) -> AlteredError:
    """Locate where a file differs from the signed one, by its own proofs or by its pieces."""
    if path == PIECES:
        return first_other_line(path, export.text(path), files.expected[PIECES])
    if not path.startswith(SELF_TELLING) and path not in (EARLIER, AFTER):
        return damaged(export, files, path)
    try:
        _walk(export, keys, path)
    except AlteredError as found:
        return AlteredError(
            found.says, path, line=found.line, byte=found.byte, stream=found.stream, sequence=found.sequence
        )
    return AlteredError(f"it is not the file that was signed: its SHA-256 is {files.digests[path]}", path)


def _walk(export: Export, keys: PropertyKeys, path: str) -> None:
    """Read a file that carries its own proofs up to the first difference."""
    head = signed_checkpoint(export, keys)
    if path == EARLIER:
        earlier_heads(export, keys, head)
        return
    if path == AFTER:
        for line in export.lines(path):
            proven(line, path, head)
        return
    for shown in shown_streams(export):
        records = Records(export, head, shown)
        if path in (shown.path, shown.places):
            for _ in records.each():
                pass
        elif path == shown.stretches:
            for _ in records.stretches():
                pass


def check_program(files: Files, own: str, tally: Tally) -> None:
    """Check whether the program and the page in the export are the ones this program knows; others may say anything."""
    there = files.digests["verify.py"]
    if own == there:
        tally.proves("verify.py in the export is this program")
    else:
        says = f"what verify.py in the export does: it is another program (SHA-256 {there})"
        tally.leaves_open(f"{says} than this one ({own or 'whose own text is unreadable'})")
    if files.digests["HOW-TO-VERIFY.txt"] != HOW_TO:
        tally.leaves_open("what HOW-TO-VERIFY.txt in the export says: this program knows a different page")


def check_frame(export: Export, head: Head, keys: PropertyKeys, question: Question) -> None:
    """Check the files around the records: they follow from the question, the checkpoint and the other files."""
    inside = [member for path, member in export.members.items() if path.startswith("data/")]
    info = f"Source-Organization: {head.origin}\nBagging-Date: {head.time[:10]}\nExternal-Identifier: {export.name}\n"
    info += f"Bag-Software-Agent: {question.texts['software']}\n"
    info += f"Payload-Oxum: {sum(member.size for member in inside)}.{len(inside)}\n"
    for path, wanted in (("bagit.txt", BAGIT), ("bag-info.txt", info), (PUBLIC, key_file(keys.newest))):
        if (here := export.text(path)) != wanted:
            raise first_other_line(path, here, wanted)
    for path, member in export.members.items():
        if (time := moment_of(member.mtime)) != head.time:
            raise AlteredError(f"{path} has the time {time}, but the checkpoint has {head.time}")

"""Changed exports: in the container, in a file, with the lists written again, signed, or in the record itself.

An input is a list of changes, not an export: so the fuzzer gets behind the container, the lists and the signature.
"""

import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from domain.ledger.chain import digest
from projections.export.verifier import signatures
from projections.export.verifier.trouble import AlteredError, UnreadableError
from projections.export.verifier.verdict import Asked
from projections.export.verifier.verification import verify
from tests.export.builder import PROPERTY, WITNESS, Bundle, Records, Site, member, tar, workbook, zipped
from tests.export.scenes import exported, records
from tests.fuzz.branches import seen
from tests.fuzz.kit import Choices, Run, Target, require, require_schema
from tests.fuzz.mutators import EDGES, LOOSE

CONTAINER, FILES, LISTED, SIGNED, RECORD = range(5)
PROVED: Final = "PROVED: "
ASKED: Final = Asked([PROPERTY], [WITNESS])
_TOKEN = re.compile(rb'"[^"\n]*"|[A-Za-z0-9_+./=-]+|[^\sA-Za-z0-9]')
_PUT: Final = (
    *(json.dumps(edge).encode("utf-8", "surrogatepass") for edge in EDGES),
    *(loose.encode("utf-8", "surrogatepass") for loose in LOOSE),
    b"", b"\0", b"\r", b"\r\n", b"\n", b"\n\n", b"\xff", b"\xc3\x28", b"\xef\xbb\xbf", b"\x1b[2J", b"'", b'"', b",", b"=1",
    b"99999999999999999999", b"0" * 64, b"f" * 64, b"F" * 64, b"[" * 500, b"9" * 5000, "\u2028".encode(), "\u0661".encode(),
)  # fmt: skip


@cache
def honest() -> Bundle:
    """The export that is changed."""
    return _exported(records(1))


def _exported(held: Records) -> Bundle:
    site = Site(held)
    return exported(site, {of: stored for of, stored in held.items() if not of[1].startswith("T8/")})


def exports(_: Path) -> Run:
    """Changed exports through `verify`."""
    _remember_signatures()
    whole = honest().tar()
    require_accepted(whole)

    def run(data: bytes) -> None:
        level, stored = changed(data)
        try:
            verdict = verify(io.BytesIO(stored), ASKED)
        except AlteredError as error:
            seen(f"{level} {error.says}")
            require(str(error).strip(), "it is refused without a reason")
            return
        except UnreadableError as error:
            seen(f"{level} {error}")
            return
        seen(f"{level} {verdict.line.partition(':')[0]} {len(verdict.not_proved)}")
        require(level > LISTED or stored == whole, "a changed export that nobody signed is accepted")
        require(len(verdict.line) <= 200, "the verdict's line is too long")
        # Faults of the record itself are reported; its facts are used as they are.
        for where, line in _facts(stored) if verdict.line.startswith(PROVED) else ():
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                require(False, f"{where} holds {line[:80]!r}, which is no JSON, and the export is accepted")
            require_schema(value, where)

    return run


def require_accepted(whole: bytes) -> None:
    """A fuzzer of a verifier that refuses everything would find nothing."""
    require(verify(io.BytesIO(whole), ASKED).line.startswith(PROVED), "the honest export is not proved")


def _remember_signatures() -> None:
    """Whether a signature is right does not change from input to input, and in plain Python costs most of the time."""
    if hasattr(signatures.signed_by, "cache_info"):
        return
    plain = signatures.signed_by
    remembered = lru_cache(maxsize=50_000)(plain)
    for name, module in list(sys.modules.items()):
        if name.startswith("projections.export.verifier") and getattr(module, "signed_by", None) is plain:
            module.__dict__["signed_by"] = remembered


def changed(data: bytes) -> tuple[int, bytes]:
    """The depth of the changes, and the container."""
    choices = Choices(data)
    level = choices.below(5)
    if level == CONTAINER:
        return level, _container(choices)
    if level == RECORD:
        return level, _record(choices)
    bundle = honest().copy()
    for _ in range(1 + choices.below(3)):
        _change_file(bundle.files, choices)
    try:
        bundle = bundle.listed() if level >= LISTED else bundle
        bundle = bundle.signed() if level >= SIGNED else bundle
        return level, bundle.tar()
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError, IndexError):
        # Lists and statement are made from the question: where that is no question, the old ones stay.
        return FILES, tar(honest().name, bundle.files, honest().question["checkpoint"]["time"])


def _change_file(files: dict[str, bytes], choices: Choices) -> None:
    path = choices.one_of(sorted(files))
    how = choices.below(16)
    if how == 0:
        del files[path]
    elif how == 1:
        names = (
            "data/extra.txt",
            "data/tables/extra.csv",
            "data/facts/T9/2026-11-18.jsonl",
            "../x",
            "data/rounds.jsonl",
        )
        files[choices.one_of((*names, choices.rest(24).decode("latin-1") or "x", *sorted(files)))] = files[path]
    elif path.endswith(".xlsx") and how > 3:
        files[path] = _changed_workbook(files[path], choices)
    else:
        files[path] = _changed_text(files[path], choices, how)


def _changed_text(stored: bytes, choices: Choices, how: int) -> bytes:
    lines = stored.split(b"\n")
    at = choices.below(len(lines))
    if how == 2:
        del lines[at]
    elif how == 3:
        lines.insert(at, lines[choices.below(len(lines))])
    elif how == 4:
        other = choices.below(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif how == 5:
        place, cut = choices.below(len(stored) + 1), choices.below(64)
        return stored[:place] + choices.rest(16) + stored[place + cut :]
    elif how == 6 and stored:
        place = choices.below(len(stored))
        return stored[:place] + bytes([stored[place] ^ (1 << choices.below(8))]) + stored[place + 1 :]
    elif how >= 12:
        lines[at] = _changed_tree(lines[at], choices)
    else:
        tokens = list(_TOKEN.finditer(lines[at]))
        if tokens:
            token = choices.one_of(tokens)
            put = choices.one_of((*_PUT, *(each[0] for each in tokens)))
            lines[at] = lines[at][: token.start()] + put + lines[at][token.end() :]
    return b"\n".join(lines)


def _changed_tree(line: bytes, choices: Choices) -> bytes:
    """A line of JSON with one value in it replaced, written as exports write it."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return line + choices.rest(8)
    places = list(_places(value))
    if not places:
        return json.dumps(choices.one_of(EDGES)).encode()
    holder, key = choices.one_of(places)
    how = choices.below(6)
    if how == 0:
        del holder[key]
    elif how == 1 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif how == 2:
        other, name = choices.one_of(places)
        holder[key] = other[name]
    elif how == 3 and isinstance(holder[key], int):
        holder[key] += choices.below(512) - 256
    else:
        holder[key] = choices.one_of(EDGES)
    try:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    except ValueError:
        return line  # a value that holds itself
    return text.encode("utf-8", "surrogatepass")


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    held = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in list(held):
        yield value, key
        yield from _places(inside)


def _changed_workbook(stored: bytes, choices: Choices) -> bytes:
    with zipfile.ZipFile(io.BytesIO(stored)) as book:
        parts: dict[str, Any] = {name: book.read(name) for name in book.namelist()}
    name = choices.one_of(list(parts))
    how = choices.below(4)
    if how == 0:
        parts = dict(sorted(parts.items(), reverse=True))
    elif how == 1:
        return workbook({"hands": b"a,b\r\n1,2\r\n"})
    else:
        parts[name] = _changed_text(parts[name], choices, 5 + choices.below(4))
    return zipped(parts)


def _container(choices: Choices) -> bytes:
    """The honest export written by another program."""
    bundle = honest()
    seconds = 1_795_132_740
    members = [[f"{bundle.name}/{path}", stored, {}] for path, stored in sorted(bundle.files.items())]
    for _ in range(1 + choices.below(3)):
        at = choices.below(len(members))
        how = choices.below(8)
        if how == 0:
            members.insert(choices.below(len(members)), members[at])
        elif how == 1:
            del members[at]
        elif how == 2:
            members[at][2] = {"kind": choices.one_of((b"\0", b"1", b"2", b"5", b"x", b"g", b"L", b"K", b"S", b"7"))}
        elif how == 3:
            members[at][2] = {"size": choices.one_of((0, 1, 511, 512, 513, 2**33 - 1, choices.below(70_000)))}
        elif how == 4:
            members[at][0] = choices.one_of(
                ("/x", "../x", f"{bundle.name}/../x", f"{bundle.name}//x", "x", f"{bundle.name}/" + "data/" * 18 + "x")
            )
        elif how == 5:
            seconds = choices.one_of((0, 2**33 - 1, 1_795_132_740))
        elif how == 6:
            members[at][1] = choices.rest(512)
        if not members:
            break
    laid = b"".join(member(name, stored, seconds, **other) for name, stored, other in members if len(name) < 250)
    whole = laid + bytes(choices.one_of((1024, 0, 512, 1536, 2048)))
    for _ in range(choices.below(4)):
        place = choices.below(len(whole) + 1)
        whole = whole[:place] + choices.rest(4) + whole[place + choices.below(8) :]
    return whole


def _record(choices: Choices) -> bytes:
    """A record that says something else from the start, its chain and tree made to fit: the property itself lies."""
    held = {place: list(stored) for place, stored in records(1).items()}
    for _ in range(1 + choices.below(2)):
        place = choices.one_of([place for place in sorted(held) if not place[1].startswith("T8/")])
        stored = held[place]
        at = choices.below(len(stored))
        stored[at] = _changed_tree(stored[at], choices).replace(b"\n", b"")
        if choices.below(4):
            _chained(stored, at)
    try:
        return _exported(held).tar()
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError, IndexError, StopIteration, OverflowError):
        return honest().tar()  # the writer of the tests cannot say it: tables that follow from it are not to be had


def _chained(stored: list[bytes], at: int) -> None:
    for place in range(at + 1, len(stored)):
        try:
            fact = json.loads(stored[place])
            fact["previous"] = digest(stored[place - 1])
        except (ValueError, TypeError):
            return
        stored[place] = json.dumps(fact, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _facts(stored: bytes) -> Iterator[tuple[str, bytes]]:
    """The lines of the facts in a container that was accepted, so it is laid down as ours are."""
    at = 0
    while name := stored[at : at + 100].rstrip(b"\0"):
        before = stored[at + 345 : at + 500].rstrip(b"\0")
        size = int(stored[at + 124 : at + 135], 8)
        path = (before + b"/" + name if before else name).decode()
        if "/data/facts/" in path and path.endswith(".jsonl"):
            for line in stored[at + 512 : at + 512 + size].splitlines():
                yield path, line
        at += 512 + size + -size % 512


TARGETS = (Target("exports", exports, bytes=256, share=2),)

"""A second writer of exports, from docs/export-format.md alone: small bundles to check the verifier and the writer.

A bundle is its files, and three steps that can be repeated after a change: written down in manifests, signed, and laid
into a container. So an attack says how far its maker came: without the key, or with it.
"""

import base64
import csv
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.ledger.checkpoint import COSIGNED, Checkpoint, Note, NoteKey, signed
from domain.ledger.rotation import KeyRotation, signed_by_all
from domain.ledger.stretches import KINDS, Kind, Stretch, stretch_of
from domain.ledger.tree import Grown, inclusion, leaf_hash
from tests.citations import ROOT

ORIGIN = "pit.example/record"
ZONE = "America/New_York"
UNLISTED = {"manifest-sha256.txt", "tagmanifest-sha256.txt", "statement.dsse.json", "pieces-sha256.txt"}
TAGS = ("HOW-TO-VERIFY.txt", "bag-info.txt", "bagit.txt", "manifest-sha256.txt", "pieces-sha256.txt", "verify.py")
OWN_PLACE = ("data/facts/", "data/findings/", "data/desk/", "data/proofs/stretches/", "data/proofs/records/")


def private(number: int) -> Ed25519PrivateKey:
    """One key of many."""
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def public(number: int) -> bytes:
    return private(number).public_key().public_bytes_raw()


PROPERTY = NoteKey(ORIGIN, public(1))
WITNESS = NoteKey("audit.example", public(2), COSIGNED)
Records = dict[tuple[Kind, str], list[bytes]]


class Site:
    """A property's record so far: its streams, the tree over their stretches, its checkpoints."""

    def __init__(self, records: Records, cuts: int = 8, key: NoteKey = PROPERTY, signer: int = 1) -> None:
        self.records, self.key, self._signer = records, key, private(signer)
        self.leaves: list[Stretch] = []
        self.tree = Grown()
        self.notes: dict[int, Note] = {}
        self.told = [
            signed_by_all(told := KeyRotation(key, 0, "2026-11-01T00:00:00Z"), [(key, self.sign(told.text.encode()))])
        ]
        for day in sorted({stream.partition("/")[2].rstrip("~") for _, stream in records}):
            for kind in reversed(KINDS):
                for stream in sorted(
                    stream for of, stream in records if of == kind and stream.rstrip("~").endswith(day)
                ):
                    self._cut(kind, stream, cuts)
            self.close(day)

    def sign(self, words: bytes) -> bytes:
        return self._signer.sign(words)

    def _cut(self, kind: Kind, stream: str, cuts: int) -> None:
        """Stretches end behind a seal, or after so many records."""
        stored = self.records[kind, stream]
        begin = 0
        for end in range(1, len(stored) + 1):
            if end == len(stored) or (end - begin >= cuts and b"-sealed.1" in stored[end - 1]):
                leaves = [leaf_hash(record) for record in stored[begin:end]]
                self.add(stretch_of(kind, stream, begin + 1, leaves, stored[end - 1]))
                begin = end

    def add(self, stretch: Stretch) -> None:
        self.leaves.append(stretch)
        self.tree.add(stretch.leaf)

    def close(self, day: str) -> Note:
        """A checkpoint over all leaves so far."""
        time = f"{day}T23:59:00Z"
        head = Checkpoint(ORIGIN, len(self.tree), self.tree.root(), (f"time {time}", f"day {day}"))
        self.notes[head.size] = signed(head.text, self.key, self.sign)
        return self.notes[head.size]

    def proven(self, place: int, size: int) -> str:
        """A line of proofs."""
        path = [step.hex() for step in inclusion(self.tree.node, place, size)]
        return _line({"index": place, "stretch": msgspec.to_builtins(self.leaves[place]), "path": path})


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n"


def canonical(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


class Bundle:
    """An export as its files. `signer` None: nobody signs again, what was signed stays."""

    def __init__(self, files: dict[str, bytes], site: Site) -> None:
        self.files, self.site = files, site

    def copy(self) -> "Bundle":
        return Bundle(dict(self.files), self.site)

    @property
    def name(self) -> str:
        return "export-" + sha256(self.files["data/question.json"]).hexdigest()[:16]

    @property
    def question(self) -> Any:
        return json.loads(self.files["data/question.json"])

    def listed(self) -> "Bundle":
        """With bag, pieces and manifests written again over the files there are."""
        files, question = self.files, self.question
        data = {path: stored for path, stored in files.items() if path.startswith("data/")}
        files["bagit.txt"] = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
        files["bag-info.txt"] = (
            f"Source-Organization: {ORIGIN}\nBagging-Date: {question['checkpoint']['time'][:10]}\n"
            f"External-Identifier: {self.name}\nBag-Software-Agent: {question['software']}\n"
            f"Payload-Oxum: {sum(map(len, data.values()))}.{len(data)}\n"
        ).encode()
        files["manifest-sha256.txt"] = manifest(files, data)
        files["pieces-sha256.txt"] = pieces(files)
        files["tagmanifest-sha256.txt"] = manifest(files, TAGS)
        return self

    def signed(self, **told: str) -> "Bundle":
        """With a statement signed by the property's key; it may say something untrue."""
        question = self.question
        subjects = [
            {"digest": {"sha256": sha256(self.files[path]).hexdigest()}, "name": path}
            for path in ("data/question.json", "manifest-sha256.txt", "tagmanifest-sha256.txt")
        ]
        predicate = {name: question[name] for name in ("ordered_by", "purpose", "recipient", "signed_by", "software")}
        predicate |= {"checkpoint": self.files["data/proofs/checkpoint.txt"].decode(), "name": self.name, **told}
        payload = canonical(
            {
                "_type": "https://in-toto.io/Statement/v1",
                "predicate": predicate,
                "predicateType": "urn:catwalk:export:1",
                "subject": subjects,
            }
        ).encode()
        words = b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload)
        signature = {
            "keyid": sha256(self.site.key.public).hexdigest(),
            "sig": base64.b64encode(self.site.sign(words)).decode(),
        }
        envelope = {
            "payload": base64.b64encode(payload).decode(),
            "payloadType": "application/vnd.in-toto+json",
            "signatures": [signature],
        }
        self.files["statement.dsse.json"] = canonical(envelope).encode() + b"\n"
        return self

    def tar(self) -> bytes:
        """The container."""
        return tar(self.name, self.files, self.question["checkpoint"]["time"])


def manifest(files: Mapping[str, bytes], paths: Iterable[str]) -> bytes:
    return "".join(f"{sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(paths)).encode()


def pieces(files: Mapping[str, bytes]) -> bytes:
    lines = []
    for path, stored in sorted(files.items()):
        if (
            path in UNLISTED
            or path.startswith(OWN_PLACE)
            or path in ("data/proofs/earlier.jsonl", "data/proofs/after.jsonl")
        ):
            continue
        size = 1024
        while -(-len(stored) // size) > 1024:
            size *= 2
        places = range(0, len(stored), size)
        lines += [f"{sha256(stored[at : at + size]).hexdigest()}  {at}  {path}\n" for at in places]
    return "".join(lines).encode()


def member(name: str, stored: bytes, seconds: int, **other: Any) -> bytes:
    """A file in the container; `other` is for those who lay it down otherwise."""
    head = bytearray(512)
    short = name.encode()
    before = b""
    if len(short) > 100:
        places = [at for at, letter in enumerate(short) if letter == ord("/") and len(short) - at - 1 <= 100]
        before, short = short[: places[0]], short[places[0] + 1 :]
    fields = {
        0: short,
        100: b"0000644\0",
        108: b"0000000\0",
        116: b"0000000\0",
        124: b"%011o\0" % other.get("size", len(stored)),
        136: b"%011o\0" % seconds,
        156: other.get("kind", b"0"),
        157: other.get("link", b""),
        257: b"ustar\x0000",
        329: b"0000000\0",
        337: b"0000000\0",
        345: before,
    }
    for at, value in fields.items():
        head[at : at + len(value)] = value
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head) + stored + bytes(-len(stored) % 512)


def seconds_of(time: str) -> int:
    return int(datetime.fromisoformat(time).timestamp())


def tar(name: str, files: Mapping[str, bytes], time: str) -> bytes:
    members = (member(f"{name}/{path}", stored, seconds_of(time)) for path, stored in sorted(files.items()))
    return b"".join(members) + bytes(1024)


XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OPEN_XML = "http://schemas.openxmlformats.org"
MAIN = f'xmlns="{OPEN_XML}/spreadsheetml/2006/main"'
LINK = f"{OPEN_XML}/officeDocument/2006/relationships"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def sheet(table: str, text: bytes) -> str:
    """A sheet of the workbook."""
    made = [
        (
            f'{XML}<worksheet {MAIN}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
            'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
        )
    ]
    integers = {column.lstrip("*") for column in COLUMNS[table] if column.startswith("*")}
    names: list[str] = []
    for number, cells in enumerate(csv.reader(io.StringIO(text.decode(), newline="")), 1):
        names = names or cells
        made.append(f'<row r="{number}">')
        for letter, name, cell in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", names, cells, strict=False):
            if cell and number > 1 and name in integers and len(cell.lstrip("-")) < 16:
                made.append(f'<c r="{letter}{number}"><v>{cell}</v></c>')
            elif cell:
                inside = cell.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                made.append(f'<c r="{letter}{number}" t="inlineStr"><is><t xml:space="preserve">{inside}</t></is></c>')
        made.append("</row>")
    return "".join([*made, "</sheetData></worksheet>"])


def parts_of(tables: Mapping[str, bytes]) -> dict[str, str]:
    """The parts of the workbook, in their order."""
    numbered = list(enumerate(sorted(tables), 1))
    relation = f'Relationships xmlns="{OPEN_XML}/package/2006/relationships"'
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{KIND}.worksheet+xml"/>'
        for number, _ in numbered
    )
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{LINK}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number, _ in numbered
    )
    sheets = "".join(f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>' for number, name in numbered)
    return {
        "[Content_Types].xml": f'{XML}<Types xmlns="{OPEN_XML}/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{KIND}.sheet.main+xml"/>{kinds}</Types>',
        "_rels/.rels": f'{XML}<{relation}><Relationship Id="rId1" Type="{LINK}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{XML}<workbook {MAIN} xmlns:r="{LINK}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f"{XML}<{relation}>{links}</Relationships>",
        **{f"xl/worksheets/sheet{number}.xml": sheet(name, tables[name]) for number, name in numbered},
    }


def workbook(tables: Mapping[str, bytes]) -> bytes:
    return zipped(parts_of(tables))


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Parts as a zip of the one shape there is."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        for part, text in parts.items():
            entry = zipfile.ZipInfo(part, (1980, 1, 1, 0, 0, 0))
            entry.create_system = entry.external_attr = 0
            with book.open(entry, "w") as file:
                file.write(text.encode() if isinstance(text, str) else text)
    return out.getvalue()


# As docs/export-format.md has them, integers with a star.
def _columns() -> dict[str, list[str]]:
    page = (ROOT / "docs/export-format.md").read_text()
    found = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[2].startswith(("stream,", "**stream", "kind,", "player,", "gaming_day,")):
            columns = [column.strip() for column in cells[2].split(",")]
            found[cells[0].strip("*")] = [f"*{c.strip('*')}" if c.startswith("**") else c for c in columns]
    return found


COLUMNS = _columns()


def table(name: str, rows: Iterable[Sequence[object]]) -> bytes:
    """A table as CSV."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([column.lstrip("*") for column in COLUMNS[name]])
    for row in rows:
        writer.writerow(["" if cell is None else _guarded(cell) for cell in row])
    return text.getvalue().encode()


def _guarded(cell: object) -> object:
    return "'" + cell if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else cell


def local(at: int) -> str:
    """Eastern standard time, as November has it."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at) - timedelta(hours=5)
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "-05:00"


def counts(records: Records) -> list[tuple[str, str, str, int]]:
    rows = []
    for (kind, stream), stored in sorted(records.items()):
        types = Counter(json.loads(record)["type"] for record in stored)
        rows += [(kind, stream, name, count) for name, count in sorted(types.items())]
    return rows

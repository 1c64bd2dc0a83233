"""A forger of exports: it takes one apart and puts it together again, with the property's own key if need be.

Nothing of the code that writes or verifies exports is in here: tar, notes, trees, chains, statement and manifests are
written again from docs/export-format.md and the standards it names. The forger starts from an export the product made
of a real record, so that nothing else in it gives the forgery away.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Sign = Callable[[bytes], bytes]
TAGS = ("HOW-TO-VERIFY.txt", "bag-info.txt", "bagit.txt", "manifest-sha256.txt", "pieces-sha256.txt", "verify.py")
NO_PIECES = ("data/facts/", "data/findings/", "data/desk/", "data/proofs/stretches/", "data/proofs/records/")
NOT_LISTED = ("manifest-sha256.txt", "tagmanifest-sha256.txt", "statement.dsse.json", "pieces-sha256.txt")
FIELDS = ("kind", "stream", "first", "last", "head", "root")


def line(value: Any) -> bytes:
    """An object on a line, its fields in their order."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def canonical(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Signer(NamedTuple):
    """A name, a public key, and what signs with it."""

    name: str
    public: bytes
    sign: Sign
    kind: int = 1

    @property
    def key_id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    @property
    def text(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(bytes([self.kind]) + self.public).decode()}"

    def under(self, text: str, at: int = 0) -> str:
        """The line of signature under a note: the property's, or a witness's with the time."""
        if self.kind == 1:
            value = self.sign(text.encode())
        else:
            value = at.to_bytes(8, "big") + self.sign(f"cosignature/v1\ntime {at}\n{text}".encode())
        return f"\u2014 {self.name} {base64.b64encode(self.key_id + value).decode()}\n"


def signer(name: str, seed: int, kind: int = 1) -> Signer:
    key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"forger %d" % seed).digest())
    return Signer(name, key.public_key().public_bytes_raw(), key.sign, kind)


def seconds(time: str) -> int:
    return int(datetime.strptime(time, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


# Trees of RFC 6962, by the definitions of the standard.


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(b"\0" + data).digest()


def _split(count: int) -> int:
    return 1 << (count - 1).bit_length() - 1


def root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    at = _split(len(leaves))
    return hashlib.sha256(b"\1" + root(leaves[:at]) + root(leaves[at:])).digest()


def path(index: int, leaves: Sequence[bytes]) -> list[str]:
    if len(leaves) == 1:
        return []
    at = _split(len(leaves))
    if index < at:
        return [*path(index, leaves[:at]), root(leaves[at:]).hex()]
    return [*path(index - at, leaves[at:]), root(leaves[:at]).hex()]


def growth(old: int, leaves: Sequence[bytes], *, whole: bool = True) -> list[str]:
    if old == len(leaves):
        return [] if whole else [root(leaves).hex()]
    at = _split(len(leaves))
    if old <= at:
        return [*growth(old, leaves[:at], whole=whole), root(leaves[at:]).hex()]
    return [*growth(old - at, leaves[at:], whole=False), root(leaves[:at]).hex()]


def peaks(leaves: Sequence[bytes]) -> list[str]:
    found: list[str] = []
    rest = list(leaves)
    while rest:
        size = 1 << len(rest).bit_length() - 1
        found.append(root(rest[:size]).hex())
        rest = rest[size:]
    return found


def chained(stored: Iterable[bytes], since: int, **changes: Any) -> list[bytes]:
    """Records of which the one at this sequence says something else, with the chain made to fit."""
    made: list[bytes] = []
    for at, each in enumerate(stored, 1):
        fact = json.loads(each)
        if at == since:
            fact |= changes
        elif at > since:
            fact["previous"] = digest(made[-1])
        made.append(each if at < since else line(fact)[:-1])
    return made


class Head(NamedTuple):
    """A head of the tree as the forger wants it: its size, what time it says, and who cosigns it when."""

    size: int
    time: str
    seen: tuple[tuple[Signer, str], ...] = ()


class Forged:
    """An export in the forger's hands."""

    def __init__(self, files: dict[str, bytes], owner: Signer, leaves: list[dict[str, Any]], heads: list[Head]) -> None:
        self.files, self.owner, self.leaves, self.heads = files, owner, leaves, heads

    def copy(self) -> "Forged":
        return Forged(dict(self.files), self.owner, deepcopy(self.leaves), list(self.heads))

    @property
    def question(self) -> Any:
        return json.loads(self.files["data/question.json"])

    def ask(self, change: Callable[[Any], object]) -> "Forged":
        """Another question."""
        question = self.question
        change(question)
        self.files["data/question.json"] = canonical(question) + b"\n"
        return self

    def records(self, kind: str, stream: str) -> list[bytes]:
        return self.files[f"data/{kind}/{stream}.jsonl"].split(b"\n")[:-1]

    def rewrite(self, kind: str, stream: str, stored: Sequence[bytes], lines: Sequence[bytes] = ()) -> "Forged":
        """Another stream in the export and in the tree; `lines` is how the records stand in the file."""
        self.files[f"data/{kind}/{stream}.jsonl"] = b"".join(each + b"\n" for each in lines or stored)
        for leaf in self.leaves:
            if (leaf["kind"], leaf["stream"]) == (kind, stream):
                own = stored[leaf["first"] - 1 : leaf["last"]]
                leaf |= {"head": digest(own[-1]), "root": root([leaf_hash(each) for each in own]).hex()}
        return self

    def hashes(self, size: int) -> list[bytes]:
        return [leaf_hash(line(leaf)[:-1]) for leaf in self.leaves[:size]]

    def note(self, head: Head, **other: Any) -> str:
        """The signed note of a head; `other` is what the forger makes of its lines."""
        said = {"origin": self.owner.name, "size": head.size, "time": f"time {head.time}", **other}
        top = said.get("root") or base64.b64encode(root(self.hashes(head.size))).decode()
        text = f"{said['origin']}\n{said['size']}\n{top}\n{said['time']}\n"
        signed = other.get("by", self.owner).under(text)
        return f"{text}\n{signed}" + "".join(by.under(text, seconds(at)) for by, at in head.seen)

    def bound(self) -> "Forged":
        """With every proof made again over these leaves, and the heads signed and cosigned as requested."""
        *earlier, head = self.heads
        hashes = self.hashes(head.size)
        self.files["data/proofs/checkpoint.txt"] = self.note(head).encode()
        told = [{"note": self.note(each), "consistency": growth(each.size, hashes)} for each in earlier]
        self.files["data/proofs/earlier.jsonl"] = b"".join(map(line, told))
        for name in [name for name in self.files if name.startswith("data/proofs/stretches/")]:
            kind, _, stream = name.removeprefix("data/proofs/stretches/").removesuffix(".jsonl").partition("/")
            shown = {json.loads(each)["stretch"]["first"] for each in self.files[name].split(b"\n")[:-1]}
            lines = [self.leaf(at) for at in self.places(kind, stream) if self.leaves[at]["first"] in shown]
            self.files[name] = b"".join(lines)
        self._after()
        return self.listed_from(0) if "data/proofs/leaves.jsonl" in self.files else self

    def _after(self) -> None:
        if "data/proofs/after.jsonl" in self.files:
            last = [self.places("facts", stream)[-1] for stream in self.still_open()]
            lines = [self.leaf(at) for at in range(min(last) + 1, self.heads[-1].size)]
            self.files["data/proofs/after.jsonl"] = b"".join(lines)

    def still_open(self) -> list[str]:
        """The whole streams of facts that no close ends."""
        whole = [json.loads(each) for each in self.files["data/streams.jsonl"].split(b"\n")[:-1]]
        found = [each["stream"] for each in whole if each["kind"] == "facts" and each["whole"]]
        return [each for each in found if not any(b"-closed.1" in one for one in self.records("facts", each)[-2:])]

    def places(self, kind: str, stream: str) -> list[int]:
        upto = enumerate(self.leaves[: self.heads[-1].size])
        return [at for at, leaf in upto if (leaf["kind"], leaf["stream"]) == (kind, stream)]

    def leaf(self, at: int) -> bytes:
        return line({"index": at, "stretch": self.leaves[at], "path": path(at, self.hashes(self.heads[-1].size))})

    def listed_from(self, begin: int, end: int = 0) -> "Forged":
        """With the list of leaves from one size of the tree to another, and what the question says of heads."""
        end = end or self.heads[-1].size
        first = {"from": begin, "to": end, "peaks": peaks(self.hashes(begin))}
        self.files["data/proofs/leaves.jsonl"] = b"".join(map(line, [first, *self.leaves[begin:end]]))
        return self.told()

    def told(self) -> "Forged":
        """With a question that says of the heads what they are."""
        *earlier, head = self.heads
        names: dict[str, list[int]] = {}
        for each in earlier:
            for by, _ in each.seen:
                names.setdefault(by.name, []).append(each.size)
        bound = {
            "cosigned_by": [by.name for by, _ in head.seen],
            "earlier": names,
            "origin": self.owner.name,
            "root": root(self.hashes(head.size)).hex(),
            "size": head.size,
            "time": head.time,
        }
        return self.ask(lambda question: question.update(checkpoint=bound))

    def signed(self, by: Signer | None = None) -> "Forged":
        """With bag, manifests, pieces and statement made again."""
        files, question, by = self.files, self.question, by or self.owner
        data = [name for name in files if name.startswith("data/")]
        payload = f"{sum(len(files[name]) for name in data)}.{len(data)}"
        files["bag-info.txt"] = (
            f"Source-Organization: {self.owner.name}\nBagging-Date: {question['checkpoint']['time'][:10]}\n"
            f"External-Identifier: {self.name}\nBag-Software-Agent: {question['software']}\nPayload-Oxum: {payload}\n"
        ).encode()
        files["manifest-sha256.txt"] = self._manifest(data)
        files["pieces-sha256.txt"] = self._pieces()
        files["tagmanifest-sha256.txt"] = self._manifest(TAGS)
        subjects = ("data/question.json", "manifest-sha256.txt", "tagmanifest-sha256.txt")
        said = {name: question[name] for name in ("ordered_by", "purpose", "recipient", "signed_by", "software")}
        said |= {"checkpoint": files["data/proofs/checkpoint.txt"].decode(), "name": self.name}
        return self.stated(
            {
                "_type": "https://in-toto.io/Statement/v1",
                "predicate": said,
                "predicateType": "urn:catwalk:export:1",
                "subject": [{"digest": {"sha256": digest(files[name])}, "name": name} for name in subjects],
            },
            by,
        )

    def stated(self, said: Any, by: Signer, kind: str = "application/vnd.in-toto+json", more: int = 0) -> "Forged":
        payload = canonical(said)
        words = b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
        signature = {"keyid": digest(by.public), "sig": base64.b64encode(by.sign(words)).decode()}
        coded = base64.b64encode(payload).decode()
        envelope = {"payload": coded, "payloadType": kind, "signatures": [signature] * (1 + more)}
        self.files["statement.dsse.json"] = canonical(envelope) + b"\n"
        return self

    @property
    def name(self) -> str:
        return f"export-{digest(self.files['data/question.json'])[:16]}"

    def _manifest(self, names: Iterable[str]) -> bytes:
        return b"".join(f"{digest(self.files[name])}  {name}\n".encode() for name in sorted(names))

    def _pieces(self) -> bytes:
        lines = []
        for name, stored in sorted(self.files.items()):
            apart = name in NOT_LISTED or name.endswith(("/earlier.jsonl", "/after.jsonl"))
            if not apart and not name.startswith(NO_PIECES):
                long = 1024
                while long * 1024 < len(stored):
                    long *= 2
                lines += [f"{digest(stored[at : at + long])}  {at}  {name}\n" for at in range(0, len(stored), long)]
        return "".join(lines).encode()

    def tar(self, **other: Any) -> bytes:
        """The container; `other` is what the forger does to each header."""
        at = seconds(self.question["checkpoint"]["time"])
        members = (member(f"{self.name}/{name}", stored, at, **other) for name, stored in sorted(self.files.items()))
        return b"".join(members) + bytes(1024)


def member(name: str, stored: bytes, at: int, **other: Any) -> bytes:
    """A file in a tar: its header, itself, and zeros to the end of the block."""
    short, before = name.encode(), b""
    if len(short) > 100:
        cut = next(place for place, letter in enumerate(short) if letter == 47 and len(short) - place <= 101)
        before, short = short[:cut], short[cut + 1 :]
    head = short.ljust(100, b"\0") + other.get("mode", b"0000644\0") + b"0000000\0" * 2
    head += b"%011o\0%011o\0" % (other.get("size", len(stored)), at + other.get("later", 0))
    tail = other.get("kind", b"0") + other.get("link", b"").ljust(100, b"\0") + b"ustar\x0000"
    tail += other.get("user", b"").ljust(64, b"\0") + b"0000000\0" * 2 + before.ljust(155, b"\0") + bytes(12)
    total = sum(head) + sum(tail) + 8 * 32 + other.get("off", 0)
    return head + b"%06o\0 " % total + tail + stored + bytes(-len(stored) % 512)


def untarred(whole: bytes) -> dict[str, bytes]:
    """The files of a container by their paths below its name."""
    files, at = {}, 0
    while any(head := whole[at : at + 512]):
        before, name = (part.rstrip(b"\0").decode() for part in (head[345:500], head[:100]))
        size = int(head[124:135], 8)
        files[(f"{before}/{name}" if before else name).partition("/")[2]] = whole[at + 512 : at + 512 + size]
        at += 512 + size + -size % 512
    return files

"""The head of the property's tree as a signed note (C2SP checkpoint), and the witnesses' signatures on it.

A note is text, an empty line, and one line per signature: an em dash, the signer's name, and in base64 four bytes that
identify the key, followed by the signature. A checkpoint's text is the log's name, the number of leaves, the root in
base64, and then extension lines of our own. A witness cosigns the same text with the time it saw it.
"""

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

import msgspec

Sign = Callable[[bytes], bytes]
Verify = Callable[[bytes, bytes, bytes], bool]  # (public key, signature, bytes) -> whether the signature is the key's

ED25519, COSIGNED = 1, 4  # the kinds of signature, by their C2SP numbers
_DASH = "— "
_SIGNATURE_BYTES = 64
_KEY_BYTES = 32
_MOST_BYTES = 1_000_000
_MOST_DIGITS = 15  # digits of a number of leaves
_MOST_LETTERS = 128  # length of a signer's name
_LATEST_SECOND = 253_402_300_799  # the last second of the year 9999


class BadNoteError(ValueError):
    """Text that is not a signed note or not a checkpoint; the message says what is wrong."""


class Signature(msgspec.Struct, frozen=True):
    """One signature line: the signer, the key's id, and the bytes."""

    name: str
    key_id: bytes
    value: bytes

    @property
    def line(self) -> str:
        """The signature as a line of the note."""
        return f"{_DASH}{self.name} {base64.b64encode(self.key_id + self.value).decode()}\n"


class Note(msgspec.Struct, frozen=True):
    """A text and its signatures. The text ends with a line break."""

    text: str
    signatures: tuple[Signature, ...] = ()

    @property
    def stored(self) -> str:
        """The note as it is stored."""
        return self.text + "\n" + "".join(signature.line for signature in self.signatures)


class NoteKey(msgspec.Struct, frozen=True):
    """A key that may sign a note."""

    name: str
    public: bytes
    kind: int = ED25519

    @property
    def id(self) -> bytes:
        """The four bytes by which a signature identifies its key."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The key in the text form in which it is published."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(bytes([self.kind]) + self.public).decode()}"


class Checkpoint(msgspec.Struct, frozen=True):
    """The head of a tree."""

    origin: str
    size: int
    root: bytes
    more: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text that is signed."""
        lines = (self.origin, str(self.size), base64.b64encode(self.root).decode(), *self.more)
        return "".join(f"{line}\n" for line in lines)


def parsed_key(text: str) -> NoteKey:
    """Return the key in this text: its name, its four id bytes, its kind and the key itself."""
    name, _, rest = text.partition("+")
    told, _, coded = rest.partition("+")
    try:
        raw = base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNoteError(f"{text!r} is not a key: write it as published, name+8 digits+base64") from error
    key = NoteKey(name, raw[1:], raw[0] if raw else 0)
    if not is_name(name) or len(raw) != 1 + _KEY_BYTES or key.kind not in (ED25519, COSIGNED) or key.id.hex() != told:
        raise BadNoteError(f"{text!r} is not a key: a character is missing or wrong")
    return key


def is_name(name: str) -> bool:
    """Return whether a signer may have this name: short, visible characters, no space, no plus."""
    return (
        0 < len(name) <= _MOST_LETTERS
        and name.isprintable()
        and not any(letter.isspace() or letter == "+" for letter in name)
    )


def parsed_note(stored: str) -> Note:
    """Return the note in this text; strict, so that each note has only one text."""
    if len(stored.encode(errors="replace")) > _MOST_BYTES:
        raise BadNoteError("it is longer than a note is allowed to be")
    if any(ord(letter) < 0x20 and letter != "\n" for letter in stored):
        raise BadNoteError("it contains a control character")
    text, between, lines = stored.rpartition("\n\n")
    if not between or not lines.endswith("\n"):
        raise BadNoteError("it has no empty line followed by signatures")
    return Note(text + "\n", tuple(_signature(line) for line in lines[:-1].split("\n")))


def _signature(line: str) -> Signature:
    name, space, coded = line.removeprefix(_DASH).rpartition(" ")
    if not line.startswith(_DASH) or not space or not name or " " in name or "+" in name:
        raise BadNoteError(f"this is not a signature line: {line!r}")
    try:
        raw = base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNoteError(f"the signature of {name} is not base64") from error
    if len(raw) < 5 or base64.b64encode(raw).decode() != coded:
        raise BadNoteError(f"the signature of {name} is too short, or not in canonical base64")
    return Signature(name, raw[:4], raw[4:])


def parsed_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint in this text."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not lines[0]:
        raise BadNoteError("a checkpoint has a name, a size and a root, one line each")
    origin, size, root, *more = lines[:-1]
    if not is_size(size):
        raise BadNoteError(f"{size[:40]!r} is not a number of leaves")
    try:
        head = base64.b64decode(root, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNoteError("the root is not base64") from error
    if len(head) != sha256().digest_size or base64.b64encode(head).decode() != root:
        raise BadNoteError("the root is not a hash of 32 bytes")
    if not all(more):
        raise BadNoteError("it contains an empty line")
    return Checkpoint(origin, int(size), head, tuple(more))


def is_size(text: str) -> bool:
    """Return whether this text is a possible number of leaves, in its only valid form."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and str(int(text)) == text


def first_of_each(note: Note) -> Note:
    """Return the note with the first signature of each key; a witness that looks twice signs twice."""
    first: dict[tuple[str, bytes], Signature] = {}
    for each in sorted(note.signatures, key=lambda signature: signature.value[:8]):
        first.setdefault((each.name, each.key_id), each)
    return Note(note.text, tuple(each for each in note.signatures if first[each.name, each.key_id] is each))


def signed(text: str, key: NoteKey, sign: Sign) -> Note:
    """Return a note with this key's signature."""
    return Note(text, (Signature(key.name, key.id, sign(text.encode())),))


def cosigned(note: Note, key: NoteKey, sign: Sign, at_seconds: int) -> Note:
    """Return the note with a witness's signature: it saw this head at this time, and none that contradicts it."""
    value = at_seconds.to_bytes(8, "big") + sign(_cosigned_words(note.text, at_seconds))
    return Note(note.text, (*note.signatures, Signature(key.name, key.id, value)))


def _cosigned_words(text: str, at_seconds: int) -> bytes:
    return f"cosignature/v1\ntime {at_seconds}\n{text}".encode()


def check(note: Note, keys: Iterable[NoteKey], verify: Verify) -> Mapping[NoteKey, int | None]:
    """Return which of these keys have signed, each witness with its time; raise if one of their signatures is wrong."""
    known = {(key.name, key.id): key for key in keys}
    found: dict[NoteKey, int | None] = {}
    for signature in note.signatures:
        key = known.get((signature.name, signature.key_id))
        if key is None:
            continue  # signatures by other keys are ignored
        at, value, words = None, signature.value, note.text.encode()
        if key.kind == COSIGNED:
            if len(value) != 8 + _SIGNATURE_BYTES:
                raise BadNoteError(f"the signature of {key.name} has no time, or is not a cosignature")
            at, value = int.from_bytes(value[:8], "big"), value[8:]
            if at > _LATEST_SECOND:
                raise BadNoteError(f"the time of the signature of {key.name} is after the year 9999")
            words = _cosigned_words(note.text, at)
        if key in found:
            raise BadNoteError(f"{key.name} has signed twice")
        if len(value) != _SIGNATURE_BYTES or not verify(key.public, value, words):
            raise BadNoteError(f"the signature of {key.name} does not fit this text")
        found[key] = at
    return found

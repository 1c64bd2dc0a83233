"""The head of the property's tree as a signed note (C2SP checkpoint), and what a witness adds to it.

A note is text, an empty line, and a line a signature: an em dash, the signer's name, and in base64 four bytes that tell
the key and then the signature. The text of a checkpoint is the log's name, the number of leaves, the root in base64,
and lines of our own behind them. A witness cosigns the same text with the time it saw it.
"""

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

import msgspec

Sign = Callable[[bytes], bytes]
Verify = Callable[[bytes, bytes, bytes], bool]  # (public key, signature, words) -> whether it is the key's

ED25519, COSIGNED = 1, 4  # the kinds of signature, as C2SP numbers them
_DASH = "— "
_SIGNATURE_BYTES = 64
_KEY_BYTES = 32
_MOST_BYTES = 1_000_000
_MOST_DIGITS = 15  # of a number of leaves
_MOST_LETTERS = 128  # of a signer's name
_LATEST_SECOND = 253_402_300_799  # the last second of the year 9999


class BadNoteError(ValueError):
    """Text that is no signed note, or no checkpoint: what is wrong with it."""


class Signature(msgspec.Struct, frozen=True):
    """One line of signature: who, which of their keys, and the bytes."""

    name: str
    key_id: bytes
    value: bytes

    @property
    def line(self) -> str:
        """As it stands in the note."""
        return f"{_DASH}{self.name} {base64.b64encode(self.key_id + self.value).decode()}\n"


class Note(msgspec.Struct, frozen=True):
    """A text and its signatures. The text ends with a line's end."""

    text: str
    signatures: tuple[Signature, ...] = ()

    @property
    def stored(self) -> str:
        """As it is written down."""
        return self.text + "\n" + "".join(signature.line for signature in self.signatures)


class Key(msgspec.Struct, frozen=True):
    """Whose signature may stand under a note."""

    name: str
    public: bytes
    kind: int = ED25519

    @property
    def id(self) -> bytes:
        """The four bytes by which a signature tells its key."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """As it is handed to whoever is to check signatures by it."""
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


def parsed_key(text: str) -> Key:
    """The key this text is: its name, the four bytes that tell it, its kind and itself."""
    name, _, rest = text.partition("+")
    told, _, coded = rest.partition("+")
    try:
        raw = base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNoteError(f"{text!r} is no key: write it as it was handed out, name+8 digits+base64") from error
    key = Key(name, raw[1:], raw[0] if raw else 0)
    if not is_name(name) or len(raw) != 1 + _KEY_BYTES or key.kind not in (ED25519, COSIGNED) or key.id.hex() != told:
        raise BadNoteError(f"{text!r} is no key: a letter of it is missing or another")
    return key


def is_name(name: str) -> bool:
    """Whether a signer may be called so: not long, no space in it, no plus, nothing that cannot be seen."""
    return (
        0 < len(name) <= _MOST_LETTERS
        and name.isprintable()
        and not any(letter.isspace() or letter == "+" for letter in name)
    )


def parsed_note(stored: str) -> Note:
    """The note this is; strict, so that no two texts are taken for one note."""
    if len(stored.encode(errors="replace")) > _MOST_BYTES:
        raise BadNoteError("it is longer than a note may be")
    if any(ord(letter) < 0x20 and letter != "\n" for letter in stored):
        raise BadNoteError("there is a control character in it")
    text, between, lines = stored.rpartition("\n\n")
    if not between or not lines.endswith("\n"):
        raise BadNoteError("there is no empty line with signatures behind it")
    return Note(text + "\n", tuple(_signature(line) for line in lines[:-1].split("\n")))


def _signature(line: str) -> Signature:
    name, space, coded = line.removeprefix(_DASH).rpartition(" ")
    if not line.startswith(_DASH) or not space or not name or " " in name or "+" in name:
        raise BadNoteError(f"this is no line of a signature: {line!r}")
    try:
        raw = base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNoteError(f"the signature of {name} is not base64") from error
    if len(raw) < 5 or base64.b64encode(raw).decode() != coded:
        raise BadNoteError(f"the signature of {name} is too short, or written in another way than the one there is")
    return Signature(name, raw[:4], raw[4:])


def parsed_checkpoint(text: str) -> Checkpoint:
    """The checkpoint this text is."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not lines[0]:
        raise BadNoteError("a checkpoint has a name, a size and a root, a line each")
    origin, size, root, *more = lines[:-1]
    if not is_size(size):
        raise BadNoteError(f"{size[:40]!r} is no number of leaves")
    try:
        head = base64.b64decode(root, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNoteError("the root is not base64") from error
    if len(head) != sha256().digest_size or base64.b64encode(head).decode() != root:
        raise BadNoteError("the root is no hash")
    if not all(more):
        raise BadNoteError("there is an empty line in it")
    return Checkpoint(origin, int(size), head, tuple(more))


def is_size(text: str) -> bool:
    """Whether this is how many leaves a tree can have, as the one text there is for it."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and str(int(text)) == text


def first_of_each(note: Note) -> Note:
    """The note with one signature by each key: a witness that looked twice signed twice, and its first time stands."""
    first: dict[tuple[str, bytes], Signature] = {}
    for each in sorted(note.signatures, key=lambda signature: signature.value[:8]):
        first.setdefault((each.name, each.key_id), each)
    return Note(note.text, tuple(each for each in note.signatures if first[each.name, each.key_id] is each))


def signed(text: str, key: Key, sign: Sign) -> Note:
    """A note with this key's signature."""
    return Note(text, (Signature(key.name, key.id, sign(text.encode())),))


def cosigned(note: Note, key: Key, sign: Sign, at_seconds: int) -> Note:
    """The note with a witness's signature besides: it saw this head at this time, and no other that contradicts it."""
    value = at_seconds.to_bytes(8, "big") + sign(_cosigned_words(note.text, at_seconds))
    return Note(note.text, (*note.signatures, Signature(key.name, key.id, value)))


def _cosigned_words(text: str, at_seconds: int) -> bytes:
    return f"cosignature/v1\ntime {at_seconds}\n{text}".encode()


def check(note: Note, keys: Iterable[Key], verify: Verify) -> Mapping[Key, int | None]:
    """Which of these keys have signed: a witness with its time. A wrong signature by one of them raises."""
    known = {(key.name, key.id): key for key in keys}
    found: dict[Key, int | None] = {}
    for signature in note.signatures:
        key = known.get((signature.name, signature.key_id))
        if key is None:
            continue  # signatures by others say nothing to us
        at, value, words = None, signature.value, note.text.encode()
        if key.kind == COSIGNED:
            if len(value) != 8 + _SIGNATURE_BYTES:
                raise BadNoteError(f"the signature of {key.name} has no time, or is none")
            at, value = int.from_bytes(value[:8], "big"), value[8:]
            if at > _LATEST_SECOND:
                raise BadNoteError(f"the time of the signature of {key.name} is after the year 9999")
            words = _cosigned_words(note.text, at)
        if key in found:
            raise BadNoteError(f"{key.name} has signed twice")
        if len(value) != _SIGNATURE_BYTES or not verify(key.public, value, words):
            raise BadNoteError(f"the signature of {key.name} is not of this text")
        found[key] = at
    return found

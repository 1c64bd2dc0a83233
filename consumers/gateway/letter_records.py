"""Dead letters as they stand in their topic: the letter, and what became of it when it was tried again.

A record may come twice, for it is sent again after a crash; who reads keeps a letter once by its name, which is made of
the bytes and of where they came from.
"""

from hashlib import sha256

import msgspec

# Longer bytes are cut in the topic: their size and digest are there, and the whole is in the file of who kept them.
LONGEST = 2 * 1024 * 1024
LONGEST_SENTENCE = 1000
LETTER_BYTES = 512  # what a letter takes on the disk beside its bytes and its sentence, about


class Letter(msgspec.Struct, frozen=True):
    """One dead letter: bytes that are no fact or have no place, and why."""

    came_from: str  # the file or socket, or the topic and partition
    place: int  # the line, or the offset
    reason: str
    says: str
    stored: bytes
    at: int  # microseconds, when it was put aside

    @property
    def name(self) -> str:
        """The same for the same bytes from the same place, whoever keeps them."""
        return name_of(self.came_from, self.place, digest(self.stored))


class Kept(msgspec.Struct, frozen=True):
    """A dead letter as it is kept."""

    number: int
    name: str
    letter: Letter
    retried_at: int | None
    size: int


class _Record(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    letter: str  # its name


class DeadLetter(_Record, frozen=True, tag="dead-letter.1"):
    """A letter was put aside."""

    came_from: str
    place: int
    reason: str
    says: str
    at: int
    digest: str  # of the whole bytes
    size: int
    bytes: bytes


class DeadLetterRetried(_Record, frozen=True, tag="dead-letter-retried.1"):
    """A letter was tried again: it is on record now, or it is refused still."""

    at: int
    taken: bool
    reason: str = ""
    says: str = ""


LetterRecord = DeadLetter | DeadLetterRetried
_DECODER = msgspec.json.Decoder(DeadLetter | DeadLetterRetried)
encode = msgspec.json.Encoder().encode


def digest(stored: bytes) -> str:
    """The digest of a letter's bytes."""
    return sha256(stored).hexdigest()


def shortened(says: str) -> str:
    """A sentence that quotes a megabyte, with its beginning and its end."""
    half = LONGEST_SENTENCE // 2
    return says if len(says) <= LONGEST_SENTENCE else f"{says[: half - 1]} … {says[2 - half :]}"


def one_line(text: str) -> str:
    """A text for the screen: what a stranger wrote into it moves no cursor and begins no line of its own."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def name_of(came_from: str, place: int, digest: str) -> str:
    """A letter's name."""
    return sha256(f"{came_from}\n{place}\n{digest}".encode()).hexdigest()[:16]


def decode(stored: bytes) -> LetterRecord | None:
    """A record of the topic; nothing, for bytes that are none."""
    try:
        found: LetterRecord = _DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found


def record_of(letter: Letter) -> DeadLetter:
    """A letter as it goes into the topic."""
    held = digest(letter.stored)
    return DeadLetter(
        name_of(letter.came_from, letter.place, held),
        letter.came_from,
        letter.place,
        letter.reason,
        shortened(letter.says),
        letter.at,
        held,
        len(letter.stored),
        letter.stored[:LONGEST],
    )


def letter_of(record: DeadLetter) -> Letter:
    """The letter a record tells of."""
    return Letter(record.came_from, record.place, record.reason, record.says, record.bytes, record.at)

"""Dead letters in their topic: each letter, and the results of its retries.

A record may appear twice, because it is sent again after a crash. Readers keep a letter once by its name, which is made
from the bytes and their origin.
"""

from hashlib import sha256

import msgspec

from domain.facts.refused import Refused

# The topic has only the beginning of longer bytes, with their size and digest; the file of the gateway that stored them
# has all.
LONGEST = 2 * 1024 * 1024
LONGEST_SENTENCE = 1000
LETTER_BYTES = 512  # a letter's approximate size on the disk beside its bytes and its reason

_Stored = bytes  # Python 3.14 reads annotations last, when `bytes` in the class is the field of that name


class Letter(msgspec.Struct, frozen=True):
    """One dead letter: bytes that are not a fact or have no place, and why."""

    came_from: str  # the file or socket, or the topic and partition
    place: int  # the line, or the offset
    reason: str
    says: str
    stored: bytes
    at: int  # microseconds; when it was stored
    refused: Refused | None = None  # the parts of the refusal; a record of a log has none

    @property
    def name(self) -> str:
        """A name that is the same for the same bytes from the same place, on every machine."""
        return name_of(self.came_from, self.place, digest(self.stored))


class Kept(msgspec.Struct, frozen=True):
    """A dead letter as stored."""

    number: int
    name: str
    letter: Letter
    retried_at: int | None
    size: int


class _Record(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    letter: str  # its name


class DeadLetter(_Record, frozen=True, tag="dead-letter.1"):
    """A dead letter was stored."""

    came_from: str
    place: int
    reason: str
    says: str
    at: int
    digest: str  # of the whole bytes
    size: int
    bytes: _Stored
    refused: Refused | None = None


class DeadLetterRetried(_Record, frozen=True, tag="dead-letter-retried.1"):
    """A letter was retried: it is on record now, or was refused again."""

    at: int
    taken: bool
    reason: str = ""
    says: str = ""
    refused: Refused | None = None


LetterRecord = DeadLetter | DeadLetterRetried
_DECODER = msgspec.json.Decoder(DeadLetter | DeadLetterRetried)
encode = msgspec.json.Encoder().encode


def digest(stored: bytes) -> str:
    """The digest of a letter's bytes."""
    return sha256(stored).hexdigest()


def shortened(says: str) -> str:
    """A long sentence, shortened to its beginning and its end."""
    half = LONGEST_SENTENCE // 2
    return says if len(says) <= LONGEST_SENTENCE else f"{says[: half - 1]} … {says[2 - half :]}"


def one_line(text: str) -> str:
    """A text on one line for the screen, without characters that move the cursor."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def name_of(came_from: str, place: int, digest: str) -> str:
    """A letter's name."""
    return sha256(f"{came_from}\n{place}\n{digest}".encode()).hexdigest()[:16]


def decode(stored: bytes) -> LetterRecord | None:
    """The record in these bytes of the topic, or None."""
    try:
        found: LetterRecord = _DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found


def record_of(letter: Letter) -> DeadLetter:
    """The record of a letter for the topic."""
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
        letter.refused,
    )


def letter_of(record: DeadLetter) -> Letter:
    """The letter in a record."""
    return Letter(record.came_from, record.place, record.reason, record.says, record.bytes, record.at, record.refused)

"""What the room and the signer say to each other: a line of JSON each way, and lines of progress between."""

from typing import Final

import click
import msgspec
from eventsourcing.persistence import PersistenceError

from consumers.exporting.asking import NoCheckpointError
from consumers.exporting.making import Made
from consumers.exporting.orders import NotHereError
from consumers.exporting.selecting import NothingThereError
from consumers.exporting.staging import StagingError
from consumers.gateway.keys import KeyTroubleError
from consumers.trust.tree_file import TreeTroubleError
from consumers.vault.people import VaultTroubleError
from domain.desk.acting import Refusal
from domain.desk.roles import Right, Role
from domain.ledger.checkpoint import BadNoteError
from projections.export.container import UncontainedError
from projections.export.proofs import DisagreeError
from projections.export.question import BadQuestionError

SIGNER: Final = "CATWALK_SIGNER"  # in the environment of the room: the socket of its signer
SOCKET: Final = "room/signer.sock"  # in the data or state folder
LONGEST: Final = 65_536  # bytes of a line

# Why an export cannot be ordered, made or handed out, where that is nobody's mistake in the program.
TROUBLE: Final = (
    *(BadQuestionError, NoCheckpointError, NothingThereError, NotHereError, StagingError),
    *(DisagreeError, UncontainedError, KeyTroubleError, TreeTroubleError, BadNoteError, VaultTroubleError),
    *(PersistenceError, OSError),
    click.ClickException,
)


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody in the room signs an order."""

    order: str
    person: str
    roles: tuple[Role, ...]
    at: int
    key: str


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """How far the making is."""

    what: str
    done: int
    total: int
    facts: int


class Done(msgspec.Struct, frozen=True, tag="made"):
    """The export is there, and on record."""

    made: Made


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The desk refuses the act as things stand."""

    code: Refusal
    says: str


class Forbidden(msgspec.Struct, frozen=True, tag="forbidden"):
    """Whoever signs has no such right."""

    right: Right


class Trouble(msgspec.Struct, frozen=True, tag="trouble"):
    """It could not be made, for a reason in words."""

    says: str


Answer = Progress | Done | Refused | Forbidden | Trouble
_encoder: Final = msgspec.json.Encoder()
_asks: Final = msgspec.json.Decoder(Ask)
_answers: Final[msgspec.json.Decoder[Answer]] = msgspec.json.Decoder(Answer)


def line(said: Ask | Answer) -> bytes:
    """One line of it."""
    return _encoder.encode(said) + b"\n"


def ask_of(told: bytes) -> Ask:
    """What the room asks."""
    return _asks.decode(told)


def answer_of(told: bytes) -> Answer:
    """What the signer answers."""
    return _answers.decode(told)


def in_words(error: Exception) -> str:
    """A trouble as a sentence."""
    says = error.format_message() if isinstance(error, click.ClickException) else str(error)
    return f"{says[:1].upper()}{says[1:].rstrip('.')}."

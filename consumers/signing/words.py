"""The protocol of room and signer: one line of JSON in each direction, with lines of progress between."""

from typing import Final

import click
import msgspec
from eventsourcing.persistence import PersistenceError

from consumers.exporting.asking import NoCheckpointError
from consumers.exporting.making import MadeExport
from consumers.exporting.orders import ExportMissingError
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

SIGNER: Final = "CATWALK_SIGNER"  # environment variable of the room: its signer's socket
SOCKET: Final = "room/signer.sock"  # in the data or state folder
LONGEST: Final = 65_536  # bytes of a line

# The reasons why an export cannot be ordered, made or handed out, apart from errors in the program.
TROUBLE: Final = (
    *(BadQuestionError, NoCheckpointError, NothingThereError, ExportMissingError, StagingError),
    *(DisagreeError, UncontainedError, KeyTroubleError, TreeTroubleError, BadNoteError, VaultTroubleError),
    *(PersistenceError, OSError),
    click.ClickException,
)


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person in the room signs an order."""

    order: str
    person: str
    roles: tuple[Role, ...]
    at: int
    key: str


class ExportProgress(msgspec.Struct, frozen=True, tag="progress"):
    """The progress of an export."""

    what: str
    done: int
    total: int
    facts: int


class ExportDone(msgspec.Struct, frozen=True, tag="made"):
    """The export is finished and on record."""

    made: MadeExport


class ExportRefused(msgspec.Struct, frozen=True, tag="refused"):
    """The desk refuses the act in the current state."""

    code: Refusal
    says: str


class Forbidden(msgspec.Struct, frozen=True, tag="forbidden"):
    """The person lacks the right."""

    right: Right


class ExportTrouble(msgspec.Struct, frozen=True, tag="trouble"):
    """The export could not be made; the reason is a sentence."""

    says: str


Answer = ExportProgress | ExportDone | ExportRefused | Forbidden | ExportTrouble
_encoder: Final = msgspec.json.Encoder()
_asks: Final = msgspec.json.Decoder(Ask)
_answers: Final[msgspec.json.Decoder[Answer]] = msgspec.json.Decoder(Answer)


def line(said: Ask | Answer) -> bytes:
    """A message as one line."""
    return _encoder.encode(said) + b"\n"


def ask_of(told: bytes) -> Ask:
    """The room's request in this line."""
    return _asks.decode(told)


def answer_of(told: bytes) -> Answer:
    """The signer's answer in this line."""
    return _answers.decode(told)


def in_words(error: Exception) -> str:
    """The error as a sentence."""
    says = error.format_message() if isinstance(error, click.ClickException) else str(error)
    return f"{says[:1].upper()}{says[1:].rstrip('.')}."

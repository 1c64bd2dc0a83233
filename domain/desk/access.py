"""The access log: who viewed, searched or downloaded what, when, and why if a reason is required.

The log has one stream for each day in UTC. It records every view, including views of the log itself. Runs that prove
the record have a separate stream, so that the last one is found at once.
"""

from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from domain.desk.acting import ActRecord, DeskAct, by
from domain.facts.envelope import Count, Fact, Microseconds, Name

Looked = Literal[
    "hand", "player", "dealer", "case", "finding", "search", "export", "sql", "report", "access", "page", "sign-in"
]


class Accessed(ActRecord, frozen=True, tag="accessed.1"):
    """The record that a person viewed or downloaded something."""

    what: Looked
    of: str = ""  # T7/2026-11-18 round 142, a token, a case, or the words of a search
    role: str = ""
    why: str = ""
    shown: Count | None = None  # the number of items found or downloaded
    generation: Count | None = None  # of the read models, if a command queried them


class SignedIn(ActRecord, frozen=True, tag="signed-in.1"):
    """The record that a person signed in with these roles."""

    roles: tuple[str, ...]


class SignedOut(ActRecord, frozen=True, tag="signed-out.1"):
    """The record that a person signed out or the session expired."""

    expired: bool = False


class AccessRefused(ActRecord, frozen=True, tag="access-refused.1"):
    """The record that a person asked for something beyond their roles, or failed to sign in."""

    what: Looked
    of: str = ""
    role: str = ""
    why: str = ""  # the reason why a statement was refused or a sign-in not attempted
    address: str = ""  # of a failed sign-in: the machine it came from, if known


class AccessFailed(ActRecord, frozen=True, tag="access-failed.1"):
    """The record that an allowed request failed, such as a statement with a mistake in it."""

    what: Looked
    of: str = ""
    role: str = ""
    why: str = ""


class IdentityKept(ActRecord, frozen=True, tag="identity-kept.1"):
    """The record that the vault received a player's identity; it holds the token and never the name."""

    player: Name


class IdentityErased(ActRecord, frozen=True, tag="identity-erased.1"):
    """The record that a player's identity was erased from the vault."""

    player: Name
    why: str


class AccountAdded(ActRecord, frozen=True, tag="account-added.1"):
    """The record that a person received an account in the local file, or a new password or new roles."""

    account: Name
    roles: tuple[str, ...]
    replaced: bool = False


class AccountRemoved(ActRecord, frozen=True, tag="account-removed.1"):
    """The record that an account was removed from the local file."""

    account: Name


class SignInLocked(ActRecord, frozen=True, tag="sign-in-locked.1"):
    """The record that sign-in is locked after too many failures, for an account, an unknown name or an address."""

    of: str  # an account, `no such account`, or an address
    failures: Count
    until: Microseconds


class SignInUnlocked(ActRecord, frozen=True, tag="sign-in-unlocked.1"):
    """The record that an administrator of accounts lifted a lock early."""

    account: Name


class RecordProved(ActRecord, frozen=True, tag="record-proved.1"):
    """The record that the whole record was checked against its hashes, seals and checkpoints."""

    records: Count
    streams: Count
    status: Count  # the exit status of the command; 0 if everything is whole


PROOFS: Final = "access/proofs"


def place_of(record: Fact) -> str:
    """Return the stream of a record of the access log."""
    return PROOFS if isinstance(record, RecordProved) else stream_of(record.at)


def stream_of(at: int) -> str:
    """Return the stream of the access log at this time."""
    return f"access/{(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).date().isoformat()}"


def looked(
    act: DeskAct,
    what: Looked,
    of: str = "",
    *,
    role: str = "",
    why: str = "",
    shown: int | None = None,
    generation: int | None = None,
) -> Accessed:
    """Make the record that a person viewed something."""
    return Accessed(**by(act), what=what, of=of, role=role, why=why.strip(), shown=shown, generation=generation)

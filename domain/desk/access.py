"""The access log: who looked at, searched or took away what, when, and why where a reason is asked.

One stream a day of UTC. Nobody's look is left out, not even a look at the access log. Beside the days stands one stream
of the runs that proved the record, so that the last one is found at once.
"""

from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from domain.desk.acting import Act, Done, by
from domain.facts.envelope import Count, Fact, Microseconds, Name

Looked = Literal[
    "hand", "player", "dealer", "case", "finding", "search", "export", "sql", "report", "access", "page", "sign-in"
]


class Accessed(Done, frozen=True, tag="accessed.1"):
    """Somebody looked at something, or took it away."""

    what: Looked
    of: str = ""  # T7/2026-11-18 round 142, a token, a case, the words of a search
    role: str = ""
    why: str = ""
    shown: Count | None = None  # how much was found or taken
    generation: Count | None = None  # of the read models that were asked, where a command asked them


class SignedIn(Done, frozen=True, tag="signed-in.1"):
    """Somebody came in, with these roles."""

    roles: tuple[str, ...]


class SignedOut(Done, frozen=True, tag="signed-out.1"):
    """Somebody left, or their time was over."""

    expired: bool = False


class AccessRefused(Done, frozen=True, tag="access-refused.1"):
    """Somebody asked for what their roles do not let them see, or failed to sign in."""

    what: Looked
    of: str = ""
    role: str = ""
    why: str = ""  # why a statement was refused, or a sign-in not even tried
    address: str = ""  # of a failed sign-in: the machine it came from, as far as that is known


class AccessFailed(Done, frozen=True, tag="access-failed.1"):
    """Somebody asked for what they may see, and it could not be answered: a statement with a mistake in it."""

    what: Looked
    of: str = ""
    role: str = ""
    why: str = ""


class IdentityKept(Done, frozen=True, tag="identity-kept.1"):
    """The vault was told who a player is; this says of whom, and never who."""

    player: Name


class IdentityErased(Done, frozen=True, tag="identity-erased.1"):
    """Who a player is was erased from the vault."""

    player: Name
    why: str


class AccountAdded(Done, frozen=True, tag="account-added.1"):
    """Somebody was given an account of the local file, or another password or other roles."""

    account: Name
    roles: tuple[str, ...]
    replaced: bool = False


class AccountRemoved(Done, frozen=True, tag="account-removed.1"):
    """Somebody's account was taken out of the local file."""

    account: Name


class SignInLocked(Done, frozen=True, tag="sign-in-locked.1"):
    """Too many sign-ins failed: an account, a name that is no account, or an address is locked until then."""

    of: str  # an account, `no such account`, or an address
    failures: Count
    until: Microseconds


class SignInUnlocked(Done, frozen=True, tag="sign-in-unlocked.1"):
    """Somebody who may keep accounts unlocked one before its time."""

    account: Name


class RecordProved(Done, frozen=True, tag="record-proved.1"):
    """The whole record was read again and held against its hashes, its seals and its checkpoints."""

    records: Count
    streams: Count
    status: Count  # what the command ended with; 0 where all is whole


PROOFS: Final = "access/proofs"


def place_of(record: Fact) -> str:
    """The stream a record of the access log stands in."""
    return PROOFS if isinstance(record, RecordProved) else stream_of(record.at)


def stream_of(at: int) -> str:
    """The stream of the access log at this time."""
    return f"access/{(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).date().isoformat()}"


def looked(
    act: Act,
    what: Looked,
    of: str = "",
    *,
    role: str = "",
    why: str = "",
    shown: int | None = None,
    generation: int | None = None,
) -> Accessed:
    """The record that somebody looked at something."""
    return Accessed(**by(act), what=what, of=of, role=role, why=why.strip(), shown=shown, generation=generation)

"""The access log: who looked at, searched or took away what, when, and why where a reason is asked.

One stream a day of UTC. Nobody's look is left out, not even a look at the access log.
"""

from datetime import UTC, datetime, timedelta
from typing import Literal

from domain.desk.acting import Act, Done, by
from domain.facts.envelope import Count

Looked = Literal["hand", "player", "dealer", "case", "finding", "search", "export", "sql", "report", "access", "page"]


class Accessed(Done, frozen=True, tag="accessed.1"):
    """Somebody looked at something, or took it away."""

    what: Looked
    of: str = ""  # T7/2026-11-18 round 142, a token, a case, the words of a search
    role: str = ""
    why: str = ""
    shown: Count | None = None  # how much was found or taken


class SignedIn(Done, frozen=True, tag="signed-in.1"):
    """Somebody came in, with these roles."""

    roles: tuple[str, ...]


class SignedOut(Done, frozen=True, tag="signed-out.1"):
    """Somebody left, or their time was over."""

    expired: bool = False


class AccessRefused(Done, frozen=True, tag="access-refused.1"):
    """Somebody asked for what their roles do not let them see."""

    what: Looked
    of: str = ""
    role: str = ""


def stream_of(at: int) -> str:
    """The stream of the access log at this time."""
    return f"access/{(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).date().isoformat()}"


def looked(
    act: Act, what: Looked, of: str = "", *, role: str = "", why: str = "", shown: int | None = None
) -> Accessed:
    """The record that somebody looked at something."""
    return Accessed(**by(act), what=what, of=of, role=role, why=why.strip(), shown=shown)

"""Sessions of signed-in people, stored on the server; a browser holds only a signed random name.

A session ends when it expires, when the person signs out, and when the account is removed or changed.
"""

import hmac
import secrets
from collections.abc import Callable, Iterable
from hashlib import sha256
from threading import Lock
from time import monotonic, time
from typing import Final

import msgspec

from consumers.accounts.sign_in_file import SignInFile
from domain.desk.roles import Person, known

_TICKET_SECONDS: Final = 60
_FRESH_SECONDS: Final = 1.0
_MOST_READ: Final = 10_000
_NAME_BYTES: Final = 32

_Row = tuple[str, str, str, float, int]
Proof = Callable[[str], str | None]  # identifies an account's present state; None if the account is gone


class Session(msgspec.Struct, frozen=True):
    """A session's current state: when it expires, and what ended it if it is over."""

    person: Person
    until: float
    over: str = ""  # "time", "left" or "changed"


class Sessions:
    """The sessions of one room. `proof` returns the digest of a local account."""

    def __init__(self, file: SignInFile, proof: Proof, clock: Callable[[], float] = time) -> None:
        self._file = file
        self._proof = proof
        self._clock = clock
        self._secret = b""
        self._read: dict[bytes, tuple[float, _Row | None]] = {}
        self._tickets: dict[bytes, tuple[str, float]] = {}
        self._ticketing = Lock()

    def begin(self, person: Person, until: float, *, by_account: bool = False, name: str = "") -> str:
        """Begin a session under a new name. With a service's own `name`, the same sign-in stays one session."""
        # An account removed in this moment gets a proof that never matches, so its session ends at once.
        proof = (self._proof(person.name) or "gone") if by_account else ""
        chosen = name or secrets.token_urlsafe(_NAME_BYTES)
        with self._file.changing() as held:
            held.execute("DELETE FROM sessions WHERE until < ?", [self._clock()])
            row = [_hash(chosen), person.name, " ".join(person.roles), proof, until]
            held.execute("INSERT OR IGNORE INTO sessions (hash, name, roles, proof, until) VALUES (?, ?, ?, ?, ?)", row)
        self._read.pop(_hash(chosen), None)
        return chosen

    def find(self, name: str) -> Session | None:
        """Return the session of this name, or None if it is unknown or was deleted."""
        row = self._row(_hash(name))
        if row is None:
            return None
        user, roles, proof, until, ended = row
        person = Person(user, known(roles.split()))
        # The first tab to notice ends the session. The other tabs still need to say why it ended.
        if until <= self._clock():
            return Session(person, until, "time")
        if proof and not hmac.compare_digest(proof.encode(), (self._proof(user) or "").encode()):
            return Session(person, until, "changed")
        return Session(person, until, "left" if ended else "")

    def _row(self, hashed: bytes) -> _Row | None:
        """The session's row, cached for a second, because pages ask many times a second."""
        now = monotonic()
        asked, row = self._read.get(hashed, (0.0, None))
        if now - asked >= _FRESH_SECONDS:
            with self._file.reading() as held:
                query = "SELECT name, roles, proof, until, ended FROM sessions WHERE hash = ?"
                row = held.execute(query, [hashed]).fetchone()
            if len(self._read) > _MOST_READ:
                self._read.clear()
            self._read[hashed] = (now, row)
        return row

    def over(self, names: Iterable[str]) -> set[str]:
        """The sessions among these that are over."""
        return {name for name in names if (found := self.find(name)) is None or found.over}

    def end(self, name: str) -> bool:
        """End a session in every tab; return whether this call ended it."""
        with self._file.changing() as held:
            done = held.execute("UPDATE sessions SET ended = 1 WHERE hash = ? AND ended = 0", [_hash(name)])
        self._read.pop(_hash(name), None)
        return done.rowcount == 1

    def ticket(self, name: str) -> str:
        """A one-time ticket that the browser exchanges within a minute for this session's cookie."""
        made, now = secrets.token_urlsafe(_NAME_BYTES), self._clock()
        with self._ticketing:
            for old in [each for each, (_, until) in self._tickets.items() if until < now]:
                del self._tickets[old]
            self._tickets[_hash(made)] = (name, now + _TICKET_SECONDS)
        return made

    def cookie(self, ticket: str) -> tuple[str, int] | None:
        """Return the cookie for a ticket and its lifetime in seconds, or None if the ticket was used or expired."""
        with self._ticketing:
            name, until = self._tickets.pop(_hash(ticket), ("", 0.0))
        found = self.find(name) if self._clock() < until else None
        if found is None or found.over:
            return None
        return f"{name}.{self._signature(name)}", max(1, int(found.until - self._clock()))

    def named(self, cookie: str) -> str:
        """The session's name in a cookie that this room signed; empty for any other cookie."""
        name, _, signature = cookie.partition(".")
        right = name and hmac.compare_digest(signature.encode(), self._signature(name).encode())
        return name if right else ""

    def _signature(self, name: str) -> str:
        self._secret = self._secret or self._file.secret()
        return hmac.new(self._secret, name.encode(), sha256).hexdigest()


def _hash(name: str) -> bytes:
    return sha256(name.encode()).digest()

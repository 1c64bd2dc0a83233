"""Sessions of people who signed in, kept on the server: a browser holds a signed, random name of one and nothing else.

A session ends at its time, when somebody signs out, and when the account behind it is removed or changed.
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
    """Somebody's session as it stands: until when it holds, and what ended it where it holds no more."""

    person: Person
    until: float
    over: str = ""  # "time", "left" or "changed"


class Sessions:
    """The sessions of one room. `proof` tells what a local account is known by."""

    def __init__(self, file: SignInFile, proof: Proof, clock: Callable[[], float] = time) -> None:
        self._file = file
        self._proof = proof
        self._clock = clock
        self._secret = b""
        self._read: dict[bytes, tuple[float, _Row | None]] = {}
        self._tickets: dict[bytes, tuple[str, float]] = {}
        self._ticketing = Lock()

    def begin(self, person: Person, until: float, *, by_account: bool = False, name: str = "") -> str:
        """A new session under a new name; by a service's own `name` of it the same sign-in is one session."""
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
        """The session of this name; none where there is no such one, or it was cleared away."""
        row = self._row(_hash(name))
        if row is None:
            return None
        user, roles, proof, until, ended = row
        person = Person(user, known(roles.split()))
        # The first tab that notices ends the session; the others are to say why it was over all the same.
        if until <= self._clock():
            return Session(person, until, "time")
        if proof and not hmac.compare_digest(proof.encode(), (self._proof(user) or "").encode()):
            return Session(person, until, "changed")
        return Session(person, until, "left" if ended else "")

    def _row(self, hashed: bytes) -> _Row | None:
        """What stands in the file: pages ask many times a second, and are answered from a second ago at most."""
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
        """Those of these sessions that hold no more."""
        return {name for name in names if (found := self.find(name)) is None or found.over}

    def end(self, name: str) -> bool:
        """End a session in every tab; whether it was this call that did."""
        with self._file.changing() as held:
            done = held.execute("UPDATE sessions SET ended = 1 WHERE hash = ? AND ended = 0", [_hash(name)])
        self._read.pop(_hash(name), None)
        return done.rowcount == 1

    def ticket(self, name: str) -> str:
        """A word for which the browser is given the cookie of this session: once, and within a minute."""
        made, now = secrets.token_urlsafe(_NAME_BYTES), self._clock()
        with self._ticketing:
            for old in [each for each, (_, until) in self._tickets.items() if until < now]:
                del self._tickets[old]
            self._tickets[_hash(made)] = (name, now + _TICKET_SECONDS)
        return made

    def cookie(self, ticket: str) -> tuple[str, int] | None:
        """The cookie for a ticket, and how many seconds it holds; none for a ticket that was used or is too old."""
        with self._ticketing:
            name, until = self._tickets.pop(_hash(ticket), ("", 0.0))
        found = self.find(name) if self._clock() < until else None
        if found is None or found.over:
            return None
        return f"{name}.{self._signature(name)}", max(1, int(found.until - self._clock()))

    def named(self, cookie: str) -> str:
        """The name of the session in a cookie that this room signed; nothing in any other."""
        name, _, signature = cookie.partition(".")
        right = name and hmac.compare_digest(signature.encode(), self._signature(name).encode())
        return name if right else ""

    def _signature(self, name: str) -> str:
        self._secret = self._secret or self._file.secret()
        return hmac.new(self._secret, name.encode(), sha256).hexdigest()


def _hash(name: str) -> bytes:
    return sha256(name.encode()).digest()

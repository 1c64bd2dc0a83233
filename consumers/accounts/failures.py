"""Failed sign-ins per account and per address: each delays the next attempt, and ten lock it.

A name without an account is counted, delayed and locked like an account, so that attempts do not reveal which names
exist. An attempt is counted before its password is checked, so that parallel attempts gain nothing.
"""

import ipaddress
from collections.abc import Callable
from hashlib import sha256
from time import time
from typing import Final, Literal

import msgspec

from consumers.accounts.sign_in_file import SignInFile

Kind = Literal["account", "address"]
LOCK_SECONDS: Final = 1_800  # how long a lock lasts, and how long a failure counts
LONGEST_WAIT: Final = 60
_IPV6_NETWORK: Final = 64  # one household can use any address of its network


class FailureLimit(msgspec.Struct, frozen=True):
    """The number of failures without a delay, and the number that locks for half an hour."""

    free: int
    locks: int


LIMITS: Final[dict[Kind, FailureLimit]] = {"account": FailureLimit(2, 10), "address": FailureLimit(10, 40)}


class Wait(msgspec.Struct, frozen=True):
    """A sign-in that must wait, for this account or from this address."""

    kind: Kind
    seconds: float
    locked: bool
    first: bool  # the first wait reported since the last failure


class Lock(msgspec.Struct, frozen=True):
    """A lock: the account or the address, and the time it ends."""

    kind: Kind
    failures: int
    until: float


class Failures:
    """The failed sign-ins of one room and of the commands in its folder."""

    def __init__(self, file: SignInFile, clock: Callable[[], float] = time) -> None:
        self._file = file
        self._clock = clock

    def begin(self, name: str, address: str, *, known: bool) -> Wait | list[Lock]:
        """Count an attempt as failed before checking it; return its wait, or the locks it causes if it fails."""
        now = self._clock()
        counted: list[tuple[Kind, str]] = [("account", _key(name, known=known))]
        if address:
            counted.append(("address", _network(address)))
        with self._file.changing() as held:
            held.execute("DELETE FROM failures WHERE last < ? AND until < ?", [now - LOCK_SECONDS, now])
            rows: dict[tuple[Kind, str], int] = {}
            for kind, key in counted:
                query = "SELECT count, until, told FROM failures WHERE kind = ? AND name = ?"
                count, until, told = held.execute(query, [kind, key]).fetchone() or (0, 0.0, 0)
                if now < min(until, now + LOCK_SECONDS):
                    held.execute("UPDATE failures SET told = 1 WHERE kind = ? AND name = ?", [kind, key])
                    return Wait(kind, min(until - now, LOCK_SECONDS), count >= LIMITS[kind].locks, not told)
                rows[kind, key] = 0 if count >= LIMITS[kind].locks else count
            locks = []
            for (kind, key), before in rows.items():
                count, limit = before + 1, LIMITS[kind]
                seconds = _wait(count, limit)
                put = "INSERT OR REPLACE INTO failures (kind, name, count, last, until) VALUES (?, ?, ?, ?, ?)"
                held.execute(put, [kind, key, count, now, now + seconds])
                if count >= limit.locks:
                    locks.append(Lock(kind, count, now + seconds))
        return locks

    def succeeded(self, name: str, address: str) -> None:
        """Clear the account's failures after a correct password; for the address, cancel only this attempt."""
        with self._file.changing() as held:
            held.execute("DELETE FROM failures WHERE kind = 'account' AND name = ?", [_key(name, known=True)])
            if address:
                back = "UPDATE failures SET count = count - 1, until = 0 WHERE kind = 'address' AND name = ?"
                held.execute(back, [_network(address)])

    def locked(self) -> dict[str, Lock]:
        """The accounts that are locked now, each with its number of failures and the end of its lock."""
        query = "SELECT name, count, until FROM failures WHERE kind = 'account' AND count >= ? AND until > ?"
        now = self._clock()
        with self._file.reading() as held:
            found = held.execute(query, [LIMITS["account"].locks, now])
            return {name: Lock("account", count, min(until, now + LOCK_SECONDS)) for name, count, until in found}

    def unlock(self, name: str) -> bool:
        """Clear the failures of an account; return whether there were any."""
        with self._file.changing() as held:
            gone = held.execute("DELETE FROM failures WHERE kind = 'account' AND name = ?", [_key(name, known=True)])
            return gone.rowcount > 0


def _wait(count: int, limit: FailureLimit) -> float:
    """The seconds that the next attempt waits after this many failures."""
    if count >= limit.locks:
        return LOCK_SECONDS
    return min(LONGEST_WAIT, 2.0 ** (count - limit.free - 1)) if count > limit.free else 0.0


def _key(name: str, *, known: bool) -> str:
    """The key of a counter: the account, or one of 65,536 hashes for an unknown name, which may be a password."""
    return name if known else f"?{sha256(name.encode()).hexdigest()[:4]}"


def _network(address: str) -> str:
    """The network of an address: an IPv4 address itself, or the /64 network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((found, _IPV6_NETWORK), strict=False))
    return str(found)

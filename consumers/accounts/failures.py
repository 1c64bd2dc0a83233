"""Failed sign-ins, counted for each account and each address: the next try has to wait, and after ten nobody is let in.

A name that is no account is counted, slowed and locked like one that is, so that nobody learns names by asking.
Counting comes before the password is looked at: those who try at once do not get more tries.
"""

import ipaddress
from collections.abc import Callable
from hashlib import sha256
from time import time
from typing import Final, Literal

import msgspec

from consumers.accounts.sign_in_file import SignInFile

Kind = Literal["account", "address"]
LOCK_SECONDS: Final = 1_800  # how long a lock lasts; failures that are older count no more
LONGEST_WAIT: Final = 60
_IPV6_NETWORK: Final = 64  # one house has as many addresses as it likes


class Limit(msgspec.Struct, frozen=True):
    """How many failures cost nothing, and at how many nobody is let in for half an hour."""

    free: int
    locks: int


LIMITS: Final[dict[Kind, Limit]] = {"account": Limit(2, 10), "address": Limit(10, 40)}


class Wait(msgspec.Struct, frozen=True):
    """Nobody is let in by this account or from this address yet."""

    kind: Kind
    seconds: float
    locked: bool
    first: bool  # of those who are told so since the last failure


class Lock(msgspec.Struct, frozen=True):
    """What locked an account or an address, and until when."""

    kind: Kind
    failures: int
    until: float


class Failures:
    """The failures of one room and of the commands in its folder."""

    def __init__(self, file: SignInFile, clock: Callable[[], float] = time) -> None:
        self._file = file
        self._clock = clock

    def begin(self, name: str, address: str, *, known: bool) -> Wait | list[Lock]:
        """Count a try as failed before it is looked at: what it locks if it fails, or until when it has to wait."""
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
        """The password was right: the account's failures are over; of the address only this try is taken back."""
        with self._file.changing() as held:
            held.execute("DELETE FROM failures WHERE kind = 'account' AND name = ?", [_key(name, known=True)])
            if address:
                back = "UPDATE failures SET count = count - 1, until = 0 WHERE kind = 'address' AND name = ?"
                held.execute(back, [_network(address)])

    def locked(self) -> dict[str, Lock]:
        """The accounts that are locked now, each with how many failures locked it and until when."""
        query = "SELECT name, count, until FROM failures WHERE kind = 'account' AND count >= ? AND until > ?"
        now = self._clock()
        with self._file.reading() as held:
            found = held.execute(query, [LIMITS["account"].locks, now])
            return {name: Lock("account", count, min(until, now + LOCK_SECONDS)) for name, count, until in found}

    def unlock(self, name: str) -> bool:
        """Forget the failures of an account; whether there were any."""
        with self._file.changing() as held:
            gone = held.execute("DELETE FROM failures WHERE kind = 'account' AND name = ?", [_key(name, known=True)])
            return gone.rowcount > 0


def _wait(count: int, limit: Limit) -> float:
    """How many seconds the next try waits after so many failures."""
    if count >= limit.locks:
        return LOCK_SECONDS
    return min(LONGEST_WAIT, 2.0 ** (count - limit.free - 1)) if count > limit.free else 0.0


def _key(name: str, *, known: bool) -> str:
    """What is counted for: an account; of other names, which may be passwords in the wrong place, one of 65,536."""
    return name if known else f"?{sha256(name.encode()).hexdigest()[:4]}"


def _network(address: str) -> str:
    """An address of IPv4 alone, one of IPv6 with its neighbors."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((found, _IPV6_NETWORK), strict=False))
    return str(found)

"""Sign-in with a local account, from a page or a command; every failure is recorded."""

from collections.abc import Callable
from math import ceil
from secrets import token_hex
from time import time_ns
from typing import Final

from consumers.accounts.accounts import Accounts
from consumers.accounts.failures import Failures, Lock, Wait
from consumers.desk.application import Desk
from domain.desk.access import AccessRefused, SignInLocked
from domain.desk.acting import DeskAct, by
from domain.desk.roles import Person

NO_ACCOUNT: Final = "no such account"  # for the access log, which omits the typed name: it may be a password
WRONG: Final = "The name or the password is wrong."


class KeptOutError(Exception):
    """A refused sign-in. Its message is the same whether the name is an account or not."""

    def __init__(self, says: str, account: str = "") -> None:
        super().__init__(says)
        self.account = account  # the named account, if it exists


class SignInDoor:
    """The sign-in for people who know an account's password; it records every failed attempt."""

    def __init__(
        self,
        accounts: Accounts,
        failures: Failures,
        desk: Callable[[], Desk],
        clock: Callable[[], int] = lambda: time_ns() // 1_000,
    ) -> None:
        self.accounts = accounts
        self._failures = failures
        self._desk = desk
        self._clock = clock

    def enter(self, user: str, password: str, address: str = "", by_whom: str = "nobody") -> Person:
        """Return the person, or raise `KeptOutError`."""
        known = self.accounts.knows(user)
        begun = self._failures.begin(user, address, known=known)
        account = user if known else NO_ACCOUNT
        if isinstance(begun, Wait):
            if begun.first:
                self._refused(account, address, by_whom, "locked" if begun.locked else "too soon after a failure")
            raise KeptOutError(_not_yet(begun), account if known else "")
        who = self.accounts.person(user, password)
        if who is None:
            self._refused(account, address, by_whom, "")
            self._locked(begun, account, address, by_whom)
            raise KeptOutError(WRONG, account if known else "")
        self._failures.succeeded(user, address)
        return who

    def _refused(self, account: str, address: str, by_whom: str, why: str) -> None:
        act = DeskAct(by_whom, self._clock(), f"kept out {token_hex(8)}")
        told = AccessRefused(**by(act), what="sign-in", of=account, why=why, address=address)
        self._desk().looked([told])

    def _locked(self, locks: list[Lock], account: str, address: str, by_whom: str) -> None:
        for lock in locks:
            act = DeskAct(by_whom, self._clock(), f"locked {token_hex(8)}")
            of = account if lock.kind == "account" else address
            until = int(lock.until * 1_000_000)
            self._desk().looked([SignInLocked(**by(act), of=of, failures=lock.failures, until=until)])


def _not_yet(wait: Wait) -> str:
    what = "with this name" if wait.kind == "account" else "from this address"
    if not wait.locked:
        return f"Too many sign-ins {what} failed. Wait {_told(wait.seconds, 'second')} and try again."
    says = f"Too many sign-ins {what} failed. It is locked for another {_told(wait.seconds / 60, 'minute')}"
    return f"{says}; a person who can manage accounts can unlock it sooner." if wait.kind == "account" else f"{says}."


def _told(count: float, unit: str) -> str:
    whole = ceil(count)
    return f"{whole} {unit}{'' if whole == 1 else 's'}"

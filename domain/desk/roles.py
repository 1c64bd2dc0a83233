"""The rights of each role; anything not granted here is denied.

This table is the whole policy. It is checked when data is requested, never when a page is drawn.
"""

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

Role = Literal["operator", "investigator", "manager", "auditor", "regulator", "device-admin"]
Right = Literal[
    "see-floor",  # tables, pace, open findings
    "see-findings",
    "see-hands",  # finished hands, with the cards that were shown
    "see-hidden-cards",  # cards of finished hands that nobody at the table saw
    "see-live-hands",  # a hand in progress, with its open cards
    "see-players",
    "see-identities",  # the names of players from the vault, in an export
    "see-people",  # dealers by name, their errors
    "see-money",
    "see-record",  # lag, gaps, dead letters, seals
    "see-cases",
    "see-access",  # the access log
    "review",  # claim, acknowledge, note, escalate, close
    "take-over",  # a finding that another person has claimed
    "second-review",
    "keep-cases",
    "seal-cases",
    "use-sql",
    "order-exports",
    "sign-exports",
    "copy-record",  # the complete record: a backup, another log
    "keep-accounts",  # who may sign in
    "manage-devices",
]
ROLES: tuple[Role, ...] = get_args(Role)
RIGHTS: tuple[Right, ...] = get_args(Right)

# One row for each right; o operator, i investigator, m manager, a auditor, r regulator, d device admin.
_POLICY = """
see-floor         o i m a r d
see-findings      o i m a r .
see-hands         o i m a r .
see-hidden-cards  . i m a r .
see-live-hands    o i m . . .
see-players       . i m a r .
see-identities    . i m . r .
see-people        . i m a r .
see-money         . . m a r .
see-record        o i m a r d
see-cases         . i m a r .
see-access        . . . a r .
review            o i m . . .
take-over         . . m . . .
second-review     . i m . . .
keep-cases        . i m . . .
seal-cases        . . m . r .
use-sql           . . m a r .
order-exports     . i m a r .
sign-exports      . . m a . .
copy-record       . . m . . d
keep-accounts     . . m . . .
manage-devices    . . . . . d
"""
_LETTERS: dict[str, Role] = {role[0]: role for role in ROLES}


def _granted() -> dict[Role, frozenset[str]]:
    rows = [line.split() for line in _POLICY.strip().splitlines()]
    return {
        role: frozenset(right for right, *letters in rows if letter in letters) for letter, role in _LETTERS.items()
    }


GRANTED = _granted()


class Person(msgspec.Struct, frozen=True):
    """A signed-in person."""

    name: str
    roles: tuple[Role, ...] = ()

    def may(self, right: Right) -> bool:
        """Whether one of their roles grants this right."""
        return any(right in GRANTED[role] for role in self.roles)


class ForbiddenError(Exception):
    """A person asked for something that none of their roles grants."""

    def __init__(self, person: Person, right: Right) -> None:
        roles = ", ".join(person.roles) or "no role"
        super().__init__(f"{person.name} ({roles}) may not {right.replace('-', ' ')}.")
        self.person, self.right = person, right


def require(person: Person, right: Right) -> None:
    """Raise an error if a person does not have this right."""
    if not person.may(right):
        raise ForbiddenError(person, right)


def known(names: Iterable[str]) -> tuple[Role, ...]:
    """Return the names that are roles; an unknown name grants nothing."""
    given = set(names)
    return tuple(role for role in ROLES if role in given)

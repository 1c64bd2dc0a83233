"""Coming in by a sign-in service: whom its claims name, in which roles, and until when that holds.

The service says who somebody is; what they may see follows from one claim of its token, and a token without a role
this room knows lets its bearer see nothing. A token counts no longer than it says itself, and never longer than this
room allows: who lends the browser to the next shift lends it for hours and not for a month.
"""

import os
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.desk.roles import Person, Role, known

SIGN_IN: Final = "CATWALK_SIGN_IN"  # in the environment: how people come in, as JSON
_NAME_LETTERS: Final = 64
_LEEWAY_SECONDS: Final = 120  # by which the service's clock may be ahead of ours


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How people come in."""

    hours: float = 10  # after so long everybody signs in again
    service: bool = False  # by the service that Streamlit's login knows
    name_claim: str = "preferred_username"
    roles_claim: str = "roles"  # a dot leads into an object: realm_access.roles
    roles: dict[str, Role] = {}  # the service's word for a role; where empty, its words are ours
    origin: str = ""  # of the pages, as a browser knows them; where empty, this machine's own names

    @property
    def secure(self) -> bool:
        """Whether browsers reach the pages by HTTPS: whoever runs the room says so, and no header of a request."""
        return self.origin.startswith("https://")

    @property
    def most_seconds(self) -> int:
        """How long a sign-in holds at most."""
        return round(self.hours * 3_600)


class Came(msgspec.Struct, frozen=True):
    """Somebody who came in, and until when, in seconds since 1970."""

    person: Person
    until: int


class NotInError(Exception):
    """Claims that let nobody in; the sentence is for whoever tried."""


def sign_in_of(environment: Mapping[str, str] = os.environ) -> SignIn:
    """How people come in here."""
    said = environment.get(SIGN_IN, "")
    return msgspec.json.decode(said, type=SignIn) if said else SignIn()


def came(claims: Mapping[str, Any], how: SignIn, now: int) -> Came:
    """Who comes with these claims, if they still hold."""
    expires, issued = claims.get("exp"), claims.get("iat")
    name = claims.get(how.name_claim)
    if not isinstance(expires, int) or not isinstance(issued, int) or issued > now + _LEEWAY_SECONDS:
        raise NotInError("The sign-in service does not say until when this sign-in holds, so it does not hold.")
    if not isinstance(name, str) or not 0 < len(name) <= _NAME_LETTERS:
        raise NotInError(f"The sign-in service does not say who you are: its token has no {how.name_claim}.")
    until = min(expires, issued + how.most_seconds)
    if now >= until:
        raise NotInError(f"The session of {name} has expired. Sign in again to continue.")
    return Came(Person(name, _roles(_claim(claims, how.roles_claim), how)), until)


def _claim(claims: Mapping[str, Any], path: str) -> Any:
    """A claim by its name, or by its path through objects."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _roles(said: Any, how: SignIn) -> tuple[Role, ...]:
    """The roles these words are; a word nobody knows grants nothing."""
    words = [said] if isinstance(said, str) else said if isinstance(said, list | tuple) else []
    names = [word for word in words if isinstance(word, str)]
    return known(how.roles[word] for word in names if word in how.roles) if how.roles else known(names)

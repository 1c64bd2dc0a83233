"""Sign-in through a service: the person and roles that its claims name, and the session's end.

The service says who the person is. What they may see follows from one claim of its token; a token without a role known
here lets its holder see nothing. A session ends when the token expires, and never later than this room allows: a
browser that is left to the next shift stays signed in for hours, not for a month.
"""

import os
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.desk.roles import Person, Role, known

SIGN_IN: Final = "CATWALK_SIGN_IN"  # environment variable: the ways to sign in, as JSON
_NAME_LETTERS: Final = 64
_LEEWAY_SECONDS: Final = 120  # how far the service's clock may be ahead of ours


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ways to sign in."""

    hours: float = 10  # the longest session
    service: bool = False  # whether Streamlit's login has a service
    name_claim: str = "preferred_username"
    roles_claim: str = "roles"  # a dot leads into an object: realm_access.roles
    roles: dict[str, Role] = {}  # the service's name for a role -> our role; if empty, the names are ours
    origin: str = ""  # the pages' address in a browser; if empty, this machine's own names

    @property
    def secure(self) -> bool:
        """Whether browsers reach the pages by HTTPS; the configuration says so, never a request's headers."""
        return self.origin.startswith("https://")

    @property
    def most_seconds(self) -> int:
        """The longest duration of a session."""
        return round(self.hours * 3_600)


class Came(msgspec.Struct, frozen=True):
    """A signed-in person, and the end of the session in seconds since 1970."""

    person: Person
    until: int


class NotInError(Exception):
    """Claims that let nobody in; the message is for the person who tried."""


def sign_in_of(environment: Mapping[str, str] = os.environ) -> SignIn:
    """The ways to sign in here."""
    said = environment.get(SIGN_IN, "")
    return msgspec.json.decode(said, type=SignIn) if said else SignIn()


def came(claims: Mapping[str, Any], how: SignIn, now: int) -> Came:
    """Return the person with these claims, if they are still valid."""
    expires, issued = claims.get("exp"), claims.get("iat")
    name = claims.get(how.name_claim)
    if not isinstance(expires, int) or not isinstance(issued, int) or issued > now + _LEEWAY_SECONDS:
        raise NotInError("The sign-in service's token does not say when the sign-in expires, so it is refused.")
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
    """The roles with these names; an unknown name grants nothing."""
    words = [said] if isinstance(said, str) else said if isinstance(said, list | tuple) else []
    names = [word for word in words if isinstance(word, str)]
    return known(how.roles[word] for word in names if word in how.roles) if how.roles else known(names)

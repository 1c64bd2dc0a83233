"""The person signed in in this browser tab, and their dashboard, one for the whole process.

The server stores each sign-in as a session: each tab, and each page load, finds it by the cookie.
"""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from itertools import cycle
from time import time
from typing import Final

import streamlit as st

from consumers.room import (
    NotInError,
    OpenedRoom,
    Person,
    Room,
    RoomVisit,
    Session,
    Sessions,
    SignIn,
    SignInDoor,
    came,
    opened,
)
from dashboards import formatting, open_pages

_SESSION, _VISIT, _UNTIL, _SAYS, _LEFT, _GONE = "session", "visit", "until", "says", "left", "gone"
_TICKET: Final = "ticket"
# Streamlit gives each browser this cookie against forged requests; it holds no data about a person.
_BROWSER = "_streamlit_xsrf"
_KEPT_SECONDS = 900
_asked: dict[str, tuple[str, dict[str, str], float]] = {}


@st.cache_resource(show_spinner=False)
def _opened() -> OpenedRoom:
    return opened()


def room() -> Room:
    """Return the room, the dashboard's access to the record."""
    return _opened().room


def zone() -> tzinfo:
    """Return the property's time zone, used for every time on every page."""
    return formatting.zone(room().zone())


def door() -> SignInDoor | None:
    """Return the door of the local accounts, if there are any."""
    return _opened().door


def how() -> SignIn:
    """Return how people sign in."""
    return _opened().sign_in


def sessions() -> Sessions:
    """Return every session of this dashboard."""
    return _opened().sessions


def currency() -> str:
    """Return the letters of the property's currency."""
    return room().currency()


def now() -> datetime:
    """Return the time of this machine's clock."""
    return datetime.now(UTC)


def address() -> str:
    """Return the address of the browser's machine, as far as it is known."""
    return st.context.ip_address or "127.0.0.1"


def cookie_name(*, secure: bool) -> str:
    """Return the name of the cookie; over HTTPS the browser accepts it from this host only, and only with TLS."""
    return "__Host-catwalk" if secure else "catwalk"


def cookie_here() -> str:
    """Return the cookie of this browser."""
    return st.context.cookies.get(cookie_name(secure=how().secure), "")


def person() -> Person | None:
    """Return the signed-in person, while the session lasts; the session is checked each time."""
    name = st.session_state.get(_SESSION)
    if not isinstance(name, str):
        return _by_cookie() or _by_service()
    found = sessions().find(name)
    if found is None or found.over:
        _over(name, found)
        return None
    st.session_state[_UNTIL] = found.until
    return found.person


def _over(name: str, found: Session | None) -> None:
    """End the session of this tab, clear its state, and set the reason shown at the sign-in."""
    key = _key()
    leave_unsaid()
    if found is None:
        return
    who = found.person.name
    says = {
        "time": f"The session of {who} has expired. Sign in again to continue.",
        "changed": f"The account of {who} was changed or removed. Sign in again if you still have one.",
        "left": f"{who} signed out in another tab.",
    }
    st.session_state[_SAYS] = says[found.over]
    if sessions().end(name):  # one of several tabs records it
        room().left(RoomVisit(found.person, key), expired=found.over == "time")


def _by_cookie() -> Person | None:
    """Return the person whose session this browser's cookie names."""
    cookie = cookie_here()
    name = sessions().named(cookie) if cookie else ""
    found = sessions().find(name) if name else None
    if found is None or found.over or st.session_state.get(_LEFT):
        return None
    _begin(name, found.until)
    return found.person


def _by_service() -> Person | None:
    """Return the person whom the sign-in service has confirmed in this browser."""
    claims = st.user.to_dict() if how().service else {}
    if not claims.get("is_logged_in") or st.session_state.get(_LEFT):
        return None
    try:
        came_in = came(claims, how(), int(time()))
    except NotInError as error:
        st.session_state[_SAYS] = str(error)
        return None
    # A browser keeps its cookie for a moment after the button, and a copy of it may be kept forever. So one
    # confirmation by the service is one session, and after a sign-out from it nobody gets in with it.
    name = _vouched(claims)
    found = sessions().find(name)
    if found is not None and found.over:
        return None
    enter(came_in.person, came_in.until, name=name, new=found is None)
    return came_in.person


def _vouched(claims: Mapping[str, object]) -> str:
    """Return the identity of one sign-in with the service: no two share number and second."""
    return sha256(repr(sorted(claims.items())).encode()).hexdigest()


def visit() -> RoomVisit:
    """Return the visit of the signed-in person; after expiry the page changes to the sign-in."""
    who = person()
    if who is None:
        st.rerun()
    return RoomVisit(who or Person("nobody"), _key(), int(st.session_state[_UNTIL] * 1_000_000))


def ends() -> None:
    """Make the page change to the sign-in at expiry, even if nothing on it is used."""
    left = max(1.0, float(st.session_state[_UNTIL]) - time() + 0.1)
    st.fragment(_gives_way, run_every=left)()


def _gives_way() -> None:
    if person() is None:
        st.rerun()


def says() -> str:
    """Return why a person is at the sign-in, if there is more to say."""
    return str(st.session_state.get(_SAYS, ""))


def _key() -> str:
    key: str = st.session_state.setdefault(_VISIT, secrets.token_hex(8))
    return key


def act(said: str = "") -> str:
    """Return the key of one act: a button pressed once is one act, however often the page runs."""
    return sha256(f"{_key()} {said}".encode()).hexdigest()[:24] if said else secrets.token_hex(12)


def enter(
    who: Person, until: float | None = None, *, by_account: bool = False, name: str = "", new: bool = True
) -> None:
    """Sign a person in, until a given time at most, with a new session whatever the browser had before."""
    ends_at = time() + how().most_seconds if until is None else until
    begun = sessions().begin(who, ends_at, by_account=by_account, name=name)
    leave_unsaid()
    _begin(begun, ends_at)
    if not name:
        st.session_state[_TICKET] = sessions().ticket(begun)
    if new:
        room().came_in(RoomVisit(who, _key()))


def _begin(name: str, until: float) -> None:
    """Make this tab part of a session."""
    st.session_state[_SESSION] = name
    st.session_state[_UNTIL] = until
    st.session_state[_VISIT] = secrets.token_hex(8)
    open_pages.belongs(name)


def ticket() -> str:
    """Return the ticket for the cookie of this session; an empty text if the browser has the cookie."""
    return str(st.session_state.get(_TICKET, ""))


def leave() -> None:
    """Sign out: end the session in every tab, and clear it here and with the service."""
    name = st.session_state.get(_SESSION, "")
    found, key = sessions().find(name), _key()
    if found is not None and sessions().end(name):
        room().left(RoomVisit(found.person, key))
    leave_unsaid()
    st.session_state[_LEFT] = True
    if how().service and st.user.to_dict().get("is_logged_in"):
        st.logout()


def leave_unsaid() -> None:
    """Clear a session without a record."""
    st.session_state.clear()
    st.session_state[_GONE] = True


def gone() -> None:
    """Draw once more after a sign-out, because Streamlit keeps removed widgets until a second drawing without them."""
    if st.session_state.pop(_GONE, False):
        st.rerun()


def to_service(path: str) -> None:
    """Send a person to the sign-in service; the requested page is kept here, because the service forgets it."""
    now_at = time()
    for old in [each for each, (_, _, since) in _asked.items() if now_at - since > _KEPT_SECONDS]:
        _asked.pop(old, None)
    if browser := _browser():
        _asked[browser] = (path, {name: st.query_params[name] for name in st.query_params}, now_at)
    st.login()


def asked_for() -> tuple[str, dict[str, str]] | None:
    """Return, once, the page a person requested before the service asked for the sign-in."""
    found = _asked.pop(_browser(), None) if _asked else None
    return None if found is None else found[:2]


def _browser() -> str:
    """Return the browser's id: its cookie without the changing mask; empty if it has another form."""
    try:
        _, mask, masked, _ = st.context.cookies.get(_BROWSER, "").strip("\"'").split("|")
        over = cycle(bytes.fromhex(mask))
        return bytes(one ^ other for one, other in zip(bytes.fromhex(masked), over, strict=False)).hex()
    except ValueError:
        return ""

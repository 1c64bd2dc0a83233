"""Who is signed in, in this tab of the browser; and the room they are in, one for the whole process.

A sign-in is a session that the server keeps: each tab, and each page loaded again, finds it by the cookie.
"""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from itertools import cycle
from time import time
from typing import Final

import streamlit as st

from consumers.room import Door, NotInError, Opened, Person, Room, Session, Sessions, SignIn, Visit, came, opened
from dashboards import formatting, open_pages

_SESSION, _VISIT, _UNTIL, _SAYS, _LEFT, _GONE = "session", "visit", "until", "says", "left", "gone"
_TICKET: Final = "ticket"
# Streamlit gives each browser this cookie against forged requests; it holds nothing about anybody.
_BROWSER = "_streamlit_xsrf"
_KEPT_SECONDS = 900
_asked: dict[str, tuple[str, dict[str, str], float]] = {}


@st.cache_resource(show_spinner=False)
def _opened() -> Opened:
    return opened()


def room() -> Room:
    """The room."""
    return _opened().room


def zone() -> tzinfo:
    """The property's time zone: every time on every page is told in it."""
    return formatting.zone(room().zone())


def door() -> Door | None:
    """The door of the local accounts, where there are any."""
    return _opened().door


def how() -> SignIn:
    """How people come in."""
    return _opened().sign_in


def sessions() -> Sessions:
    """Every session of this room."""
    return _opened().sessions


def currency() -> str:
    """The letters of the property's currency."""
    return room().currency()


def now() -> datetime:
    """The time by this machine's clock."""
    return datetime.now(UTC)


def address() -> str:
    """The address of the machine the browser is on, as far as it is known."""
    return st.context.ip_address or "127.0.0.1"


def cookie_name(*, secure: bool) -> str:
    """The name of the cookie; by HTTPS browsers take it from this host alone, for every path, and never without TLS."""
    return "__Host-catwalk" if secure else "catwalk"


def cookie_here() -> str:
    """The cookie this browser came with."""
    return st.context.cookies.get(cookie_name(secure=how().secure), "")


def person() -> Person | None:
    """Whoever is signed in, as long as that holds: the session is looked up each time."""
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
    """The session of this tab holds no more: nothing of it stays, and the sign-in says why."""
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
    if sessions().end(name):  # of several tabs one writes it down
        room().left(Visit(found.person, key), expired=found.over == "time")


def _by_cookie() -> Person | None:
    """Whose session the cookie of this browser names."""
    cookie = cookie_here()
    name = sessions().named(cookie) if cookie else ""
    found = sessions().find(name) if name else None
    if found is None or found.over or st.session_state.get(_LEFT):
        return None
    _begin(name, found.until)
    return found.person


def _by_service() -> Person | None:
    """Whom the sign-in service has vouched for in this browser."""
    claims = st.user.to_dict() if how().service else {}
    if not claims.get("is_logged_in") or st.session_state.get(_LEFT):
        return None
    try:
        came_in = came(claims, how(), int(time()))
    except NotInError as error:
        st.session_state[_SAYS] = str(error)
        return None
    # A browser keeps its cookie for a moment behind the button, and a copy of it may be kept for ever: what the service
    # vouched for is one session, and once somebody has signed out of that nobody comes in by it.
    name = _vouched(claims)
    found = sessions().find(name)
    if found is not None and found.over:
        return None
    enter(came_in.person, came_in.until, name=name, new=found is None)
    return came_in.person


def _vouched(claims: Mapping[str, object]) -> str:
    """One sign-in with the service: it gives no two the same number and second."""
    return sha256(repr(sorted(claims.items())).encode()).hexdigest()


def visit() -> Visit:
    """This visit of whoever is signed in; once their time is over the page gives way to the sign-in."""
    who = person()
    if who is None:
        st.rerun()
    return Visit(who or Person("nobody"), _key(), int(st.session_state[_UNTIL] * 1_000_000))


def ends() -> None:
    """Has the page give way to the sign-in at the end of its time, also where nothing on it asks for anything."""
    left = max(1.0, float(st.session_state[_UNTIL]) - time() + 0.1)
    st.fragment(_gives_way, run_every=left)()


def _gives_way() -> None:
    if person() is None:
        st.rerun()


def says() -> str:
    """Why somebody is at the sign-in, where there is more to say than that."""
    return str(st.session_state.get(_SAYS, ""))


def _key() -> str:
    key: str = st.session_state.setdefault(_VISIT, secrets.token_hex(8))
    return key


def act(said: str = "") -> str:
    """A key for one act: a button pressed once is one act, however often the page runs; so is what is `said` twice."""
    return sha256(f"{_key()} {said}".encode()).hexdigest()[:24] if said else secrets.token_hex(12)


def enter(
    who: Person, until: float | None = None, *, by_account: bool = False, name: str = "", new: bool = True
) -> None:
    """Somebody signed in, until then at the longest: a session under a new name, whatever the browser had before."""
    ends_at = time() + how().most_seconds if until is None else until
    begun = sessions().begin(who, ends_at, by_account=by_account, name=name)
    leave_unsaid()
    _begin(begun, ends_at)
    if not name:
        st.session_state[_TICKET] = sessions().ticket(begun)
    if new:
        room().came_in(Visit(who, _key()))


def _begin(name: str, until: float) -> None:
    """This tab is part of that session."""
    st.session_state[_SESSION] = name
    st.session_state[_UNTIL] = until
    st.session_state[_VISIT] = secrets.token_hex(8)
    open_pages.belongs(name)


def ticket() -> str:
    """For what the browser is given the cookie of this session; nothing where it has one already."""
    return str(st.session_state.get(_TICKET, ""))


def leave() -> None:
    """They signed out: the session ends in every tab, and nothing of it stays, here or with the service."""
    name = st.session_state.get(_SESSION, "")
    found, key = sessions().find(name), _key()
    if found is not None and sessions().end(name):
        room().left(Visit(found.person, key))
    leave_unsaid()
    st.session_state[_LEFT] = True
    if how().service and st.user.to_dict().get("is_logged_in"):
        st.logout()


def leave_unsaid() -> None:
    """Nothing of a session stays."""
    st.session_state.clear()
    st.session_state[_GONE] = True


def gone() -> None:
    """Draws once more after somebody left: what they took away is kept by Streamlit until a second page without it."""
    if st.session_state.pop(_GONE, False):
        st.rerun()


def to_service(path: str) -> None:
    """Sends somebody to the sign-in service; where they wanted to go is kept here, for the service forgets it."""
    now_at = time()
    for old in [each for each, (_, _, since) in _asked.items() if now_at - since > _KEPT_SECONDS]:
        _asked.pop(old, None)
    if browser := _browser():
        _asked[browser] = (path, {name: st.query_params[name] for name in st.query_params}, now_at)
    st.login()


def asked_for() -> tuple[str, dict[str, str]] | None:
    """Where somebody wanted to go before the service asked who they are; told once."""
    found = _asked.pop(_browser(), None) if _asked else None
    return None if found is None else found[:2]


def _browser() -> str:
    """Which browser this is: its cookie without the mask that is new each time; nothing where it has another form."""
    try:
        _, mask, masked, _ = st.context.cookies.get(_BROWSER, "").strip("\"'").split("|")
        over = cycle(bytes.fromhex(mask))
        return bytes(one ^ other for one, other in zip(bytes.fromhex(masked), over, strict=False)).hex()
    except ValueError:
        return ""

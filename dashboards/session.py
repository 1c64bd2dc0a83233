"""Who is signed in, in this session of the browser; and the room they are in, one for the whole process."""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from itertools import cycle
from time import time

import streamlit as st

from consumers.room import Accounts, NotInError, Opened, Person, Room, SignIn, Visit, came, opened
from dashboards import look

_PERSON, _VISIT, _UNTIL, _SAYS, _LEFT, _GONE = "person", "visit", "until", "says", "left", "gone"
# Streamlit gives each browser this cookie against forged requests; it holds nothing about anybody.
_BROWSER = "_streamlit_xsrf"
_KEPT_SECONDS = 900
_asked: dict[str, tuple[str, dict[str, str], float]] = {}
# What the service vouched for and was signed out of, until it would have been over: a browser keeps its cookie for a
# moment behind the button, and a page that is asked for in that moment must not let anybody in.
_signed_out: dict[str, float] = {}


@st.cache_resource(show_spinner=False)
def _opened() -> Opened:
    return opened()


def room() -> Room:
    """The room."""
    return _opened().room


def zone() -> tzinfo:
    """The property's time zone: every time on every page is told in it."""
    return look.zone(room().zone())


def accounts() -> Accounts | None:
    """The local accounts, where there are any."""
    return _opened().accounts


def how() -> SignIn:
    """How people come in."""
    return _opened().sign_in


def currency() -> str:
    """The letters of the property's currency."""
    return room().currency()


def now() -> datetime:
    """The time by this machine's clock."""
    return datetime.now(UTC)


def person() -> Person | None:
    """Whoever is signed in, as long as that holds: asked anew each time, for nobody else counts the hours."""
    found = st.session_state.get(_PERSON)
    if not isinstance(found, Person):
        return _by_service()
    if time() < st.session_state.setdefault(_UNTIL, time() + how().most_seconds):
        return found
    who = Visit(found, _key())
    leave_unsaid()
    st.session_state[_SAYS] = f"The sign-in of {found.name} was over. Sign in again to go on where you were."
    room().left(who, expired=True)
    return None


def _by_service() -> Person | None:
    """Whom the sign-in service has vouched for in this browser."""
    claims = st.user.to_dict() if how().service else {}
    if not claims.get("is_logged_in") or st.session_state.get(_LEFT) or _vouched(claims) in _signed_out:
        return None
    try:
        came_in = came(claims, how(), int(time()))
    except NotInError as error:
        st.session_state[_SAYS] = str(error)
        return None
    enter(came_in.person, came_in.until)
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
    st.fragment(_over, run_every=left)()


def _over() -> None:
    if person() is None:
        st.rerun()


def stranger() -> Visit:
    """This visit while nobody is signed in."""
    return Visit(Person("nobody"), _key())


def says() -> str:
    """Why somebody is at the sign-in, where there is more to say than that."""
    return str(st.session_state.get(_SAYS, ""))


def _key() -> str:
    key: str = st.session_state.setdefault(_VISIT, secrets.token_hex(8))
    return key


def act(said: str = "") -> str:
    """A key for one act: a button pressed once is one act, however often the page runs; so is what is `said` twice."""
    return sha256(f"{_key()} {said}".encode()).hexdigest()[:24] if said else secrets.token_hex(12)


def enter(who: Person, until: float | None = None) -> None:
    """Somebody signed in, until then at the longest."""
    leave_unsaid()
    st.session_state[_PERSON] = who
    st.session_state[_UNTIL] = time() + how().most_seconds if until is None else until
    st.session_state[_VISIT] = secrets.token_hex(8)
    room().came_in(Visit(who, _key()))


def leave() -> None:
    """They signed out: nothing of their session stays, here or with the service."""
    who = st.session_state.get(_PERSON)
    if isinstance(who, Person):
        room().left(Visit(who, _key()))
    until, now_at = float(st.session_state.get(_UNTIL, 0)), time()
    leave_unsaid()
    if how().service and (claims := st.user.to_dict()).get("is_logged_in"):
        for old in [each for each, over in _signed_out.items() if over < now_at]:
            _signed_out.pop(old, None)
        _signed_out[_vouched(claims)] = max(until, now_at + _KEPT_SECONDS)
        st.session_state[_LEFT] = True
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

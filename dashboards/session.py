"""Who is signed in, in this session of the browser; and the room they are in, one for the whole process."""

import secrets
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from consumers.room import Accounts, Opened, Person, Room, Visit, opened

_PERSON, _VISIT = "person", "visit"


@st.cache_resource(show_spinner=False)
def _opened() -> Opened:
    return opened()


def room() -> Room:
    """The room."""
    return _opened().room


def accounts() -> Accounts:
    """The local accounts."""
    return _opened().accounts


def now() -> datetime:
    """The time by this machine's clock."""
    return datetime.now(UTC)


def person() -> Person | None:
    """Whoever is signed in."""
    found = st.session_state.get(_PERSON)
    return found if isinstance(found, Person) else None


def visit() -> Visit:
    """This visit of whoever is signed in; one without a person may see nothing."""
    return Visit(person() or Person("nobody"), st.session_state.setdefault(_VISIT, secrets.token_hex(8)))


def act() -> str:
    """A key for one act: a button pressed once is one act, however often the page runs."""
    return secrets.token_hex(12)


def enter(who: Person) -> None:
    """Somebody signed in."""
    st.session_state[_PERSON] = who
    st.session_state[_VISIT] = secrets.token_hex(8)


def leave() -> None:
    """They signed out: nothing of their session stays."""
    st.session_state.clear()


def page(path: str) -> Any:
    """A page of this session by its path."""
    return st.session_state["pages"][path]


def go(path: str, **named: str) -> None:
    """Opens another page, as a link with these names would."""
    st.switch_page(page(path), query_params=named)


def go_to(path: str, query: str) -> None:
    """Opens a page by its path and the names of an address; one that is not in the list stays shut."""
    if path in st.session_state["pages"]:
        go(path, **dict(parse_qsl(query)))

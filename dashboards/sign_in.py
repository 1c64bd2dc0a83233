"""The sign-in by the casino's service, by a local account, or by either; and the page for people without a role."""

from base64 import b64encode
from pathlib import Path

import streamlit as st

from consumers.room import KeptOutError, SignInDoor
from dashboards import formatting, session

_DOOR = "door"
_SIGN = f"data:image/svg+xml;base64,{b64encode(Path(formatting.ICON).read_bytes()).decode()}"


def at(path: str) -> None:
    """Put the sign-in before this page."""
    st.session_state[_DOOR] = path


def page() -> None:
    """Ask the person to sign in."""
    with st.container(key="door"):
        _asks()


def _asks() -> None:
    _headed()
    st.caption("The surveillance record of the card pit")
    if says := session.says():
        st.warning(formatting.plain(says))
    if session.how().service and st.button("Sign in with the house's service", type="primary"):
        session.to_service(str(st.session_state.get(_DOOR, "")))
    if (door := session.door()) is not None:
        _by_account(door)


def no_role() -> None:
    """Show nothing to a known person without a role."""
    who = session.person()
    name = who.name if who else "you"
    told = f"The account of {name} has no role here. Ask the administrator."
    with st.container(key="door"):
        _headed()
        st.warning(formatting.plain(told))


def _headed() -> None:
    st.html(f'<img class="cw-sign" src="{_SIGN}" alt="">')
    st.title("Catwalk")


def _by_account(door: SignInDoor) -> None:
    with st.form("sign-in"):
        user = st.text_input("Name", autocomplete="username")
        password = st.text_input("Password", type="password", autocomplete="current-password")
        if not st.form_submit_button("Sign in", type="primary"):
            return
    try:
        who = door.enter(user, password, session.address())
    except KeptOutError as error:
        st.error(formatting.plain(str(error)))
        return
    session.enter(who, by_account=True)
    st.rerun()

"""The sign-in: by the service of the house, by a local account, or by either; and the door of who has no role here."""

import streamlit as st

from consumers.room import Accounts, Person
from dashboards import look, session

_DOOR = "door"


def at(path: str) -> None:
    """Somebody stands before this page."""
    st.session_state[_DOOR] = path


def page() -> None:
    """Asks who it is."""
    st.title("Catwalk")
    if says := session.says():
        st.warning(look.plain(says))
    if session.how().service and st.button("Sign in with the house's service", type="primary"):
        session.to_service(str(st.session_state.get(_DOOR, "")))
    if (accounts := session.accounts()) is not None:
        _by_account(accounts)


def no_role() -> None:
    """Whoever is known and has no role sees nothing."""
    who = session.person()
    st.title("Catwalk")
    name = who.name if who else "you"
    told = f"Nothing here is for {name}: no role of this room was given. Ask whoever looks after its accounts."
    st.warning(look.plain(told))


def _by_account(accounts: Accounts) -> None:
    with st.form("sign-in", width=420):
        user = st.text_input("Name", autocomplete="username")
        password = st.text_input("Password", type="password", autocomplete="current-password")
        if not st.form_submit_button("Sign in", type="primary"):
            return
        who = accounts.person(user, password)
        if who is None:
            session.room().kept_out(session.stranger(), user if accounts.knows(user) else "no such account")
    _came(who)


def _came(who: Person | None) -> None:
    if who is None:
        st.error("That name and password do not belong together.")
        return
    session.enter(who)
    st.rerun()

"""The chosen thing on a page, drawn again when a colleague acts on it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dashboards import navigation

_DRAWN, _REDRAWN = "drawn_for_acts", "redrawn_for_acts"


def drawn(name: str, of: str, seen: Any) -> None:
    """Note the chosen thing, under the name of its address, and its state as it was drawn."""
    st.session_state[_DRAWN] = (name, of, seen)


def follow(name: str, now: Callable[[str], Any]) -> None:
    """Draw the page again if the state of the chosen thing is another one now; call it in a part that refreshes."""
    held = st.session_state.get(_DRAWN)
    chosen = navigation.asked(name)
    if held is not None and held[:2] == (name, chosen) and now(chosen) != held[2]:
        st.session_state.pop(_DRAWN)
        st.session_state[_REDRAWN] = True
        st.rerun()


def redrawn() -> bool:
    """Return whether this drawing follows a colleague's act, so that the reader's own rows must not move."""
    return bool(st.session_state.pop(_REDRAWN, False))

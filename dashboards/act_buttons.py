"""The buttons of the acts on a finding or an incident, with one comment for whichever is pressed."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from consumers.room import DISPOSITIONS, Disposition, RefusedError, Whose
from dashboards import session
from dashboards.actions import PageAction

Do = Callable[[str, str], object]  # takes the key of an act and a comment
# The labels of a list by whose its rows are.
WHOSE: dict[str, Whose] = {
    "anybody's": "anybody",
    "nobody's": "nobody",
    "mine": "me",
    "waiting for a second review": "to agree",
    "escalated": "escalated",
}
_CLOSE = ("Close", "Close all")
_LEADS = ("Claim", "Agree", "Reopen", *_CLOSE)  # the acts that advance a review


def act_buttons(offered: Sequence[str], acts: Mapping[str, Do], of: str) -> None:
    """Draw the offered acts; one that a colleague did first is tried too, so that the answer says why it failed."""
    why = st.text_input("Comment", key=f"why-{of}") if offered else ""
    if not set(offered).isdisjoint(_CLOSE):
        st.selectbox(
            "Disposition",
            DISPOSITIONS,
            None,
            key=f"what-{of}",
            format_func=lambda each: each.replace("-", " "),
            placeholder="choose one",
        )
    with st.container(horizontal=True):
        for label in offered:
            kind: Literal["primary", "secondary"] = "primary" if label in _LEADS else "secondary"
            PageAction(f"{label} of {of}").draw(st, label, type=kind)
    for label, do in acts.items():
        act = PageAction(f"{label} of {of}")
        if act.pressed(label) and act.done(label, partial(do, act.once(), why)):
            st.rerun()


def disposition(of: str) -> Disposition:
    """Return the chosen disposition, or refuse if there is none."""
    chosen: Disposition | None = st.session_state.get(f"what-{of}")
    if chosen is None:
        raise RefusedError("words-missing", "Choose a disposition.")
    return chosen


def note_key(of: str, text: str) -> str:
    """Return the key of a note: the same words about the same thing are one note."""
    return session.act(f"{of} {text}")

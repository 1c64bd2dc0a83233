"""What may be done with a finding now: the acts that its state and the roles of whoever looks allow, and no others."""

from collections.abc import Callable
from datetime import tzinfo
from functools import partial

import streamlit as st

from consumers.room import DISPOSITIONS, Disposition, RefusedError, Review, Told
from dashboards import look, says, session

Do = Callable[[str, str], object]  # by the key of an act, with a few words
_LEADS = ("Claim", "Agree", "Close", "Reopen")  # the act that goes on with it


def review(told: Told, zone: tzinfo) -> None:
    """How far its review has come, what can be done, and what was remarked."""
    held, name = told.queued.review, told.queued.finding.finding
    st.divider()
    st.markdown(f"**{look.plain(_state(held))}**")
    if held.proposal is not None:
        st.markdown(look.plain(f"{held.proposal.by} proposes: {held.proposal.disposition}. {held.proposal.why}"))
    for each in held.notes:
        when = look.moment(look.at(each.at), zone)
        st.caption(look.plain(f"{when} {each.by}: {each.text}"))
    acts = _acts(held, name)
    if acts:
        _buttons(acts, name)


def _state(held: Review) -> str:
    if held.closed is not None:
        return f"It is closed: {held.closed.disposition}, by {held.closed.by}. {held.closed.why}"
    if held.escalated_to and not held.holder:
        return f"escalated to {held.escalated_to}"
    return f"{held.state}: {held.holder}" if held.holder else "Nobody has it."


def _acts(held: Review, name: str) -> dict[str, Do]:
    """The acts in the order in which they are done."""
    room, visit = session.room(), session.visit()
    me, may = visit.person.name, visit.person.may
    acts: dict[str, Do] = {}
    if held.closed is not None:
        if may("second-review"):
            acts["Reopen"] = lambda key, why: room.reopen(visit, name, key, why)
    elif may("review"):
        if not held.holder:
            acts["Claim"] = lambda key, _: room.claim(visit, name, key)
        elif held.holder != me and may("take-over"):
            acts["Take over"] = lambda key, _: room.claim(visit, name, key, take_over=True)
        if me not in held.acknowledged_by:
            acts["Acknowledge"] = lambda key, _: room.acknowledge(visit, name, key)
    if may("review"):
        acts["Note"] = lambda key, why: room.note(visit, name, key, why)
    if held.closed is None and held.holder == me and may("review"):
        acts["Release"] = lambda key, why: room.release(visit, name, key, why)
        acts["Escalate"] = lambda key, why: room.escalate(visit, name, key, "manager", why)
        if held.proposal is None:
            acts["Close"] = lambda key, why: room.close_finding(visit, name, key, _disposition(name), why)
    if held.proposal is not None and held.proposal.by != me and may("second-review"):
        acts["Agree"] = lambda key, _: room.agree(visit, name, key)
        acts["Reject"] = lambda key, why: room.reject(visit, name, key, why)
    return acts


def _disposition(name: str) -> Disposition:
    chosen: Disposition | None = st.session_state[f"what-{name}"]
    if chosen is None:
        raise RefusedError("words-missing", "Say what it was: choose a disposition.")
    return chosen


def _buttons(acts: dict[str, Do], name: str) -> None:
    why = st.text_input("In a few words", key=f"why-{name}")
    if "Close" in acts:
        st.selectbox(
            "Disposition",
            DISPOSITIONS,
            None,
            key=f"what-{name}",
            format_func=lambda each: each.replace("-", " "),
            placeholder="what it was",
        )
    with st.container(horizontal=True):
        for label, do in acts.items():
            leads = label in _LEADS
            pressed = st.button(label, key=f"{label}-{name}", type="primary" if leads else "secondary")
            if pressed and says.done(partial(do, session.act(), why)):
                st.rerun()

"""What may be done with a finding now: the acts that its state and the roles of whoever looks allow, and no others."""

from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from typing import Literal

import streamlit as st

from consumers.room import DISPOSITIONS, Disposition, RefusedError, Review, Told
from dashboards import formatting, session
from dashboards.actions import Act

Do = Callable[[str, str], object]  # by the key of an act, with a few words
_LEADS = ("Claim", "Agree", "Close", "Reopen")  # the act that goes on with it


def review(told: Told, zone: tzinfo) -> None:
    """How far its review has come, what can be done, and what was remarked."""
    held, name = told.queued.review, told.queued.finding.finding
    st.divider()
    st.markdown(f"**{formatting.plain(_state(held, zone))}**")
    if held.proposal is not None:
        st.markdown(formatting.plain(f"{held.proposal.by} proposes: {held.proposal.disposition}. {held.proposal.why}"))
    for each in held.notes:
        when = formatting.moment(formatting.at(each.at), zone)
        st.caption(formatting.plain(f"{when} {each.by}: {each.text}"))
    _buttons(_offered(held), name)


def _state(held: Review, zone: tzinfo) -> str:
    if held.closed is not None:
        return f"It is closed: {held.closed.disposition}, by {held.closed.by}. {held.closed.why}"
    if held.escalated_to and not held.holder:
        return f"escalated to {held.escalated_to}"
    since = formatting.moment(formatting.at(held.held_since), zone)
    return f"{held.state}: {held.holder}, since {since}" if held.holder else "Not assigned."


def _acts(name: str) -> dict[str, Do]:
    """Every act there is."""
    room, visit = session.room(), session.visit()
    return {
        "Reopen": lambda key, why: room.reopen(visit, name, key, why),
        "Claim": lambda key, _: room.claim(visit, name, key),
        "Take over": lambda key, _: room.claim(visit, name, key, take_over=True),
        "Acknowledge": lambda key, _: room.acknowledge(visit, name, key),
        "Note": lambda _, why: room.note(visit, name, session.act(f"{name} {why}"), why),
        "Release": lambda key, why: room.release(visit, name, key, why),
        "Escalate": lambda key, why: room.escalate(visit, name, key, "manager", why),
        "Close": lambda key, why: room.close_finding(visit, name, key, _disposition(name), why),
        "Agree": lambda key, _: room.agree(visit, name, key),
        "Reject": lambda key, why: room.reject(visit, name, key, why),
    }


def _offered(held: Review) -> list[str]:
    """Those that can be done as it stands, in the order in which they are done."""
    me, may = session.visit().person.name, session.visit().person.may
    acts: list[str] = []
    if held.closed is not None:
        acts += ["Reopen"] if may("second-review") else []
    elif may("review"):
        if not held.holder:
            acts.append("Claim")
        elif held.holder != me and may("take-over"):
            acts.append("Take over")
        acts += [] if me in held.acknowledged_by else ["Acknowledge"]
    acts += ["Note"] if may("review") else []
    if held.closed is None and held.holder == me and may("review"):
        acts += ["Release", "Escalate", *(["Close"] if held.proposal is None else [])]
    if held.proposal is not None and held.proposal.by != me and may("second-review"):
        acts += ["Agree", "Reject"]
    return acts


def _disposition(name: str) -> Disposition:
    chosen: Disposition | None = st.session_state.get(f"what-{name}")
    if chosen is None:
        raise RefusedError("words-missing", "Say what it was: choose a disposition.")
    return chosen


def _buttons(acts: list[str], name: str) -> None:
    """The acts that are offered; one that a colleague has forestalled is tried as well, so that it says why not."""
    why = st.text_input("In a few words", key=f"why-{name}") if acts else ""
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
        for label in acts:
            kind: Literal["primary", "secondary"] = "primary" if label in _LEADS else "secondary"
            Act(f"{label} of {name}").draw(st, label, type=kind)
    for label, do in _acts(name).items():
        act = Act(f"{label} of {name}")
        if act.pressed(label) and act.done(label, partial(do, act.once(), why)):
            st.rerun()

"""The acts on a finding: those that its state and the reader's roles allow."""

from datetime import tzinfo

import streamlit as st

from consumers.room import Review, ToldFinding
from dashboards import formatting, session
from dashboards.act_buttons import Do, act_buttons, disposition, note_key


def review(told: ToldFinding, zone: tzinfo) -> None:
    """Draw the state of the review, the possible acts, and the remarks."""
    held, name = told.queued.review, told.queued.finding.finding
    st.divider()
    st.markdown(f"**{formatting.plain(_state(held, zone))}**")
    if held.proposal is not None:
        st.markdown(formatting.plain(f"{held.proposal.by} proposes: {held.proposal.disposition}. {held.proposal.why}"))
    for each in held.notes:
        when = formatting.moment(formatting.at(each.at), zone)
        st.caption(formatting.plain(f"{when} {each.by}: {each.text}"))
    act_buttons(_offered(held), _acts(name), name)


def _state(held: Review, zone: tzinfo) -> str:
    if held.closed is not None:
        return f"Closed: {held.closed.disposition}, by {held.closed.by}. {held.closed.why}"
    if held.escalated_to and not held.holder:
        return f"escalated to {held.escalated_to}"
    since = formatting.moment(formatting.at(held.held_since), zone)
    return f"{held.state}: {held.holder}, since {since}" if held.holder else "Not assigned."


def _acts(name: str) -> dict[str, Do]:
    """Return every act."""
    room, visit = session.room(), session.visit()
    return {
        "Reopen": lambda key, why: room.reopen(visit, name, key, why),
        "Claim": lambda key, _: room.claim(visit, name, key),
        "Take over": lambda key, _: room.claim(visit, name, key, take_over=True),
        "Acknowledge": lambda key, _: room.acknowledge(visit, name, key),
        "Note": lambda _, why: room.note(visit, name, note_key(name, why), why),
        "Release": lambda key, why: room.release(visit, name, key, why),
        "Escalate": lambda key, why: room.escalate(visit, name, key, "manager", why),
        "Close": lambda key, why: room.close_finding(visit, name, key, disposition(name), why),
        "Agree": lambda key, _: room.agree(visit, name, key),
        "Reject": lambda key, why: room.reject(visit, name, key, why),
    }


def _offered(held: Review) -> list[str]:
    """Return the acts possible in this state, in their usual order."""
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

"""The acts on an incident: those that its state and the reader's roles allow, each on all of its findings."""

from datetime import tzinfo

import streamlit as st

from consumers.room import IncidentRow
from dashboards import formatting, session
from dashboards.act_buttons import Do, act_buttons, disposition, note_key
from dashboards.actions import PageAction


def acts(row: IncidentRow, zone: tzinfo) -> None:
    """Draw the state of the incident, its notes, and the possible acts."""
    st.markdown(f"**{formatting.plain(_state(row, zone))}**")
    if row.proposal is not None:
        says = f"{row.proposal.by} proposes: {row.proposal.disposition.replace('-', ' ')}. {row.proposal.why}"
        st.markdown(formatting.plain(says))
    for each in row.notes:
        when = formatting.moment(formatting.at(each.at), zone)
        st.caption(formatting.plain(f"{when} {each.by}: {each.text}"))
    act_buttons(_offered(row), _acts(row), f"incident {row.incident.incident}")
    if session.visit().person.may("review"):
        with st.container(horizontal=True):
            if len(row.names) > 1:
                _split(row)
            _join(row)


def _state(row: IncidentRow, zone: tzinfo) -> str:
    if row.state == "closed":
        return "Closed."
    if row.holder:
        since = formatting.moment(formatting.at(row.held_since), zone)
        new = f" {row.joined_since} new since then. Claim again to take all." if row.joined_since else ""
        return f"{row.holder} has had it since {since}.{new}"
    return f"Escalated to {row.escalated_to}." if row.escalated_to else "Nobody has it."


def _offered(row: IncidentRow) -> list[str]:
    """Return the acts possible in this state, in their usual order."""
    me, may = session.visit().person.name, session.visit().person.may
    if row.state == "closed":
        return ["Note"] if may("review") else []
    found: list[str] = []
    if may("review"):
        if not row.holder or (row.holder == me and row.joined_since):
            found.append("Claim")
        elif row.holder != me and may("take-over"):
            found.append("Take over")
        found.append("Note")
        if row.holder == me and not row.joined_since:
            found += ["Escalate", *(["Close all"] if row.proposal is None else [])]
    if row.proposal is not None and row.proposal.by != me and may("second-review"):
        found += ["Agree", "Reject"]
    return found


def _acts(row: IncidentRow) -> dict[str, Do]:
    """Return every act."""
    room, visit, names, of = session.room(), session.visit(), row.open or row.names, f"incident {row.incident.incident}"
    return {
        "Claim": lambda key, _: room.claim_incident(visit, names, key),
        "Take over": lambda key, _: room.claim_incident(visit, names, key, take_over=True),
        "Note": lambda _, why: room.note_incident(visit, row.names, note_key(of, why), why),
        "Escalate": lambda key, why: room.escalate_incident(visit, names, key, "manager", why),
        "Close all": lambda key, why: room.close_incident(visit, names, key, disposition(of), why),
        "Agree": lambda key, _: room.agree_incident(visit, names, key),
        "Reject": lambda key, why: room.reject_incident(visit, names, key, why),
    }


def _split(row: IncidentRow) -> None:
    """Draw the form that takes findings out of the incident."""
    name = row.incident.incident
    with st.popover("Not one incident", icon=":material/call_split:"):
        by_name = {item.finding: item for item in row.incident.findings}
        act = PageAction(f"split of incident {name}")
        taken = st.multiselect(
            "Findings with another cause",
            list(by_name),
            key=act.key("taken"),
            format_func=lambda each: formatting.plain(f"round {by_name[each].round}: {by_name[each].says}"),
        )
        why = st.text_input("Why", key=act.key("why"))
        if act.button(st, "Take them out") and act.done(
            "Take them out", lambda: session.room().set_apart(session.visit(), taken, row.names, act.once(), why)
        ):
            st.rerun()


def _join(row: IncidentRow) -> None:
    """Draw the form that joins other incidents of the table with this one."""
    name = row.incident.incident
    shown = session.room().incidents(session.visit(), for_the_log=True).value
    others = {each.incident.incident: each for each in shown if each.incident.stream == row.incident.stream}
    others.pop(name, None)
    if not others:
        return
    with st.popover("Join with others", icon=":material/call_merge:"):
        act = PageAction(f"join of incident {name}")
        chosen = st.multiselect(
            "Incidents with the same cause",
            list(others),
            key=act.key("chosen"),
            format_func=lambda each: formatting.plain(others[each].incident.says),
        )
        why = st.text_input("Why", key=act.key("why"))
        together = [row.names, *(others[each].names for each in chosen)]
        if act.button(st, "Join them") and act.done(
            "Join them", lambda: session.room().join(session.visit(), together, act.once(), why)
        ):
            st.rerun()

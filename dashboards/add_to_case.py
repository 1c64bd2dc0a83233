"""From a finding or a hand to a case: one click adds it to one that is open, or opens a new one with it."""

from collections.abc import Callable
from datetime import datetime

import streamlit as st

from consumers.room import Case
from dashboards import look, says, session

_MOST_OFFERED = 6
Add = Callable[[str, str], object]  # to the case of this number, by the key of an act


def add_to_case(about: str, happened_at: datetime | None, *, there: Callable[[Case], bool], add: Add) -> None:
    """What can be done with this for a case: see in which it is, add it to one, open one with it."""
    room, visit = session.room(), session.visit()
    if not visit.person.may("keep-cases"):
        return
    held = room.cases_to_add_to(visit)
    for each in (each for each in held if there(each)):
        st.page_link(
            session.page("cases"), label=look.plain(f"In case {_name(each)}"), query_params={"case": each.number}
        )
    with st.popover("Add to case", icon=":material/create_new_folder:"):
        numbers = [each for each in held if not there(each)][:_MOST_OFFERED]
        for each in numbers:
            if st.button(look.plain(_name(each)), key=f"add-{each.number}", width="stretch"):
                _done(each.number, add)
        clocks = {"": "no dispute clocks", **room.jurisdictions()}
        where = st.selectbox("A new case, with the dispute clocks of", list(clocks), format_func=clocks.__getitem__)
        if st.button("Open a new case", key="add-new", type="primary", width="stretch"):
            made = room.open_case(
                visit,
                session.act(),
                "dispute" if where else "irregularity",
                title=about,
                jurisdiction=where,
                happened_at=happened_at,
            )
            _done(made.number, add)


def _name(held: Case) -> str:
    return f"{held.number} · {held.opened.title if held.opened else ''}"


def _done(number: str, add: Add) -> None:
    if says.done(lambda: add(number, session.act())):
        session.go("cases", case=number)

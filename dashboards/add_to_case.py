"""Add a finding or a hand to a case: one click adds it to an open case, or opens a new case with it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

import streamlit as st

from consumers.room import Case, Subject
from dashboards import formatting, navigation, session
from dashboards.actions import PageAction

_MOST_OFFERED = 6
Add = Callable[[str, str], object]  # takes a case number and the key of an act


def add_to_case(about: str, happened_at: datetime | None, *, there: Callable[[Case], bool], add: Add) -> None:
    """Draw the cases that hold it, and the buttons that add it to one or open a new one."""
    room, visit = session.room(), session.visit()
    if not visit.person.may("keep-cases"):
        return
    held = room.cases_to_add_to(visit)
    for each in (each for each in held if there(each)):
        st.page_link(
            navigation.page("cases"),
            label=formatting.plain(f"In case {_name(each)}"),
            query_params={"case": each.number},
        )
    with st.popover("Add to case", icon=":material/create_new_folder:"):
        numbers = [each for each in held if not there(each)][:_MOST_OFFERED]
        for each in numbers:
            act = PageAction(f"add to {each.number} {about}")
            if act.button(st, formatting.plain(_name(each)), width="stretch"):
                _done(act, formatting.plain(_name(each)), partial(str, each.number), add)
        clocks = {"": "no dispute clocks", **room.jurisdictions()}
        where = st.selectbox("Dispute clocks of the new case", list(clocks), format_func=clocks.__getitem__)
        act = PageAction(f"new case of {about}")
        if act.button(st, "Open a new case", type="primary", width="stretch"):
            _done(act, "Open a new case", lambda: _opened(act.once(), about, where, happened_at), add)


def _opened(key: str, about: str, where: str, happened_at: datetime | None) -> str:
    """Open a new case and return its number."""
    room, visit = session.room(), session.visit()
    kind: Subject = "dispute" if where else "irregularity"
    return room.open_case(visit, key, kind, title=about, jurisdiction=where, happened_at=happened_at).number


def _name(held: Case) -> str:
    return f"{held.number} · {held.opened.title if held.opened else ''}"


def _done(act: PageAction, label: str, of: Callable[[], str], add: Add) -> None:
    numbers: list[str] = []

    def added() -> None:
        numbers.append(of())
        add(numbers[0], act.once("added"))

    act.done(label, added, lambda: ("cases", {"case": numbers[0]}))

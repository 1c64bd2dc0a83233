"""Cases: the list with its clocks, a form for a new case, and the case that the address names."""

from datetime import date, datetime, tzinfo
from typing import get_args

import streamlit as st

from consumers.room import Case, CaseLine, Subject
from dashboards import formatting, navigation, page_errors, session
from dashboards.actions import PageAction
from dashboards.address import Field, switch
from dashboards.case_acts import acts
from dashboards.case_file import case_file, left
from dashboards.panels import Cell, go, panel, table
from projections.questions.clock import moment

_HEAD = ("case", "about", "kind", "lead", "opened", "claim until", "answer until", "video", "")
_SOON_DAYS = 3


def page() -> None:
    """Draw one case, or the list."""
    number = navigation.asked("case")
    if not number:
        st.title("Cases")
        _list()
        return
    st.title(f"Case {formatting.plain(number)}")
    shown = session.room().case(session.visit(), number)
    told, visit = shown.value, session.visit()
    if told.case.opened:
        st.header(formatting.plain(told.case.opened.title))
    case_file(shown)
    if visit.person.may("keep-cases") or visit.person.may("seal-cases"):
        acts(told)


def _list() -> None:
    name = formatting.zone_name(session.room().zone())
    closed = switch(st, Field("cases", "closed"), "Show closed")
    _lines(formatting.zone(name), closed=closed)
    if session.visit().person.may("keep-cases"):
        _new(name)


@st.fragment(run_every=5)
@page_errors.guarded
def _lines(zone: tzinfo, *, closed: bool) -> None:
    shown = session.room().cases(session.visit(), closed=closed)
    nothing = "No case is closed." if closed else "No case is open."
    rows = (_line(each, zone) for each in shown.value)
    panel(shown.made_at, table("", _HEAD, rows, nothing=nothing), key="cases", follows=True)


def _line(line: CaseLine, zone: tzinfo) -> list[Cell]:
    held, opened = line.case, line.case.opened
    return [
        go(held.number, "cases", case=held.number),
        opened.title if opened else "",
        opened.subject.replace("-", " ") if opened else "",
        held.lead,
        line.opened_at.astimezone(zone).date().isoformat(),
        _until(line.clocks.claim_until, zone, done=held.claim is not None),
        _until(line.clocks.answer_until, zone, done=held.ruling is not None),
        _video(line),
        "SEALED" if held.sealed else f"closed: {held.closed.outcome}" if held.closed else "",
    ]


def _until(last: date | None, zone: tzinfo, *, done: bool) -> str:
    """Return the day of a deadline, and the number of days left."""
    if last is None or done:
        return "done" if done and last is not None else "–"
    days = left(last, zone)
    if days < 0:
        return f"{last}, EXPIRED"
    return f"{last}, {days} days" + (" LEFT" if days <= _SOON_DAYS else "")


def _video(line: CaseLine) -> str:
    """Return the number of videos that wait to be copied, and how long they still exist."""
    if not line.waiting:
        return ""
    return f"{line.waiting} to be copied" + ("" if line.gone_at is None else f", {_remaining(line.gone_at)}")


def _remaining(gone_at: datetime) -> str:
    hours = int((gone_at - session.now()).total_seconds() // 3600)
    if hours < 0:
        return "OVERWRITTEN"
    return f"{hours} h LEFT" if hours < 24 * _SOON_DAYS else f"{hours // 24} days left"


def _new(zone: str) -> None:
    jurisdictions = {"": "none", **session.room().jurisdictions()}
    act = PageAction("new case")
    with st.expander("Open a case", icon=":material/create_new_folder:"), st.form(act.key("form"), border=False):
        title = st.text_input("Subject of the case")
        columns = st.columns(3)
        subject: Subject = columns[0].selectbox("Kind", get_args(Subject), format_func=_words)
        where = columns[1].selectbox("Dispute clocks of", list(jurisdictions), format_func=jurisdictions.__getitem__)
        when = columns[2].text_input(f"Time of the event ({zone})", placeholder="2026-11-18T21:10")
        act.sends("Open")
    if not act.pressed("Open"):
        return
    made: list[Case] = []

    def opened() -> None:
        room, visit = session.room(), session.visit()
        happened = moment(when, zone) if when.strip() else None
        made.append(room.open_case(visit, act.once(), subject, title=title, jurisdiction=where, happened_at=happened))

    act.done("Open", opened, lambda: ("cases", {"case": made[0].number}))


def _words(name: str) -> str:
    return name.replace("-", " ")

"""The acts on a case: one form per act, in order of what the case and the roles allow.

A colleague may change the case while a person fills in a form. So choices have stable keys and no default: a choice
never turns into another item, and a removed item is reported as removed.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import get_args

import streamlit as st

from consumers.room import CaseTold, Outcome, PersonAs, RefusedError, VideoHold, cents_of, hand_name, micros
from dashboards import formatting, session
from dashboards.actions import PageAction
from projections.questions.clock import moment
from projections.questions.rounds import RoundRow

_BESIDE = timedelta(minutes=5)
_KEPT = timedelta(days=7)  # the shortest usual storage time of video; the form can change it
Do = Callable[[str], object]  # takes the key of an act


def acts(told: CaseTold) -> None:
    """Draw the form of the chosen act."""
    may, held = session.visit().person.may, told.case
    every = {"Note": _note, **_OPEN, "Close": _close, "Reopen": _reopen, "Seal": _seal, "Unseal": _unseal}
    offered: list[str] = []
    if may("keep-cases"):
        offered += ["Note", "Reopen"] if held.closed else [*_OPEN, "Close"]
    if may("seal-cases"):
        offered += ["Unseal"] if held.sealed else ["Seal"]
    # A submitted form is answered whatever is chosen now; if a colleague was faster, the answer says why it failed.
    sent = [name for name in every if _act(held.number, name).pressed(name)]
    offered += [name for name in sent if name not in offered]
    st.header("Actions")
    chosen = _chosen(held.number, offered)
    chosen = sent[0] if sent else chosen
    if not chosen:
        return
    act = _act(held.number, chosen)
    with st.form(act.key("form")):
        do = every[chosen](told)
        act.sends(chosen)
    if act.pressed(chosen) and act.done(chosen, lambda: do(act.once())):
        st.rerun()


def _act(number: str, name: str) -> PageAction:
    return PageAction(f"{name} in {number}")


def _chosen(number: str, offered: list[str]) -> str | None:
    """Return the chosen act; if the offered acts change, the choice stays as long as it is among them."""
    key, before = f"act in {number}", f"acts in {number}"
    if st.session_state.get(before) != offered:
        held = st.session_state.get(key)
        st.session_state[key] = held if held in offered else offered[0]
        st.session_state[before] = offered
    return st.pills("Act", offered, key=key, label_visibility="collapsed")


def _note(told: CaseTold) -> Do:
    text = st.text_area("Note")
    return lambda key: session.room().note_case(session.visit(), told.case.number, key, text)


def _finding(told: CaseTold) -> Do:
    name = st.text_input("Finding", placeholder="name from the page's address")
    return lambda key: session.room().link_finding(session.visit(), told.case.number, key, name.strip())


def _hand(told: CaseTold) -> Do:
    columns = st.columns(3)
    stream = columns[0].text_input("Table and gaming day", placeholder="T7/2026-11-18")
    number = columns[1].number_input("Round", min_value=1, step=1)
    seat = columns[2].number_input("Seat", min_value=1, max_value=12, value=None, step=1)

    def do(key: str) -> object:
        if not stream.strip():
            raise RefusedError("words-missing", "Enter the table and the gaming day.")
        held = None if seat is None else int(seat)
        visit = session.visit()
        return session.room().link_hand(visit, told.case.number, key, stream.strip(), int(number), seat=held)

    return do


def _person(told: CaseTold) -> Do:
    columns = st.columns(2)
    who = columns[0].text_input("Who", placeholder="token or license number")
    role: PersonAs = columns[1].selectbox("As", get_args(PersonAs))
    return lambda key: session.room().link_person(session.visit(), told.case.number, key, who, role)


def _unlink(told: CaseTold) -> Do:
    held = told.case
    linked = [*held.findings, *map(hand_name, held.hands), *(each.person for each in held.people)]
    key = _act(held.number, "Unlink").key("what")
    what = st.selectbox("Item to remove", linked, None, key=key, placeholder="choose one")
    why = st.text_input("Why")

    def do(key: str) -> object:
        if what is None:
            raise RefusedError(
                "not-there", "Choose an item to remove. Items that a colleague removed are no longer in the list."
            )
        return session.room().unlink(session.visit(), held.number, key, what, why)

    return do


def _assign(told: CaseTold) -> Do:
    to = st.text_input("Case lead")
    return lambda key: session.room().assign(session.visit(), told.case.number, key, to)


def _claim(told: CaseTold) -> Do:
    claims = st.text_area("Text of the claim")
    amount = st.text_input("Amount", placeholder="1250.50")
    number = told.case.number
    return lambda key: session.room().make_claim(session.visit(), number, key, claims, cents_of(amount))


def _rule(told: CaseTold) -> Do:
    ruling = st.text_area("Text of the ruling")
    columns = st.columns(2)
    who = columns[0].text_input("Ruled by")
    amount = columns[1].text_input("Amount", placeholder="1250.50")
    number = told.case.number
    return lambda key: session.room().rule(session.visit(), number, key, ruling, who, cents=cents_of(amount))


def _video(told: CaseTold) -> Do:
    first, act = st.columns(2), _act(told.case.number, "Hold video")
    known = told.hands[-1] if told.hands else None
    recorder = first[0].text_input("Recorder", placeholder="NVR-2")
    beside = (known.video or "") if known else ""
    channel = first[1].text_input("Channel", beside, key=act.key("channel"), placeholder="cam-14")
    second = st.columns(3)
    values = _around(known, told.zone)
    said = [
        place.text_input(
            f"{name} ({formatting.zone_name(told.zone)})",
            value,
            key=act.key(name),
            placeholder="2026-11-18T21:10",
        )
        for place, name, value in zip(second, ("From", "To", "Overwritten"), values, strict=True)
    ]

    def do(key: str) -> object:
        if not recorder.strip():
            raise RefusedError("words-missing", "Enter the recorder.")
        begin, end = (micros(moment(each, told.zone)) for each in said[:2])
        gone = micros(moment(said[2], told.zone)) if said[2].strip() else None
        hold = VideoHold(recorder.strip(), channel.strip(), begin, end, gone)
        return session.room().hold_video(session.visit(), told.case.number, key, hold)

    return do


def _around(known: RoundRow | None, zone: str) -> tuple[str, str, str]:
    """Return a span of some minutes around the last linked hand, and the time its video is overwritten."""
    if known is None or known.began_at is None or known.ended_at is None:
        return "", "", ""
    begin, end = known.began_at - _BESIDE, known.ended_at + _BESIDE
    times = (each.astimezone(formatting.zone(zone)) for each in (begin, end, begin + _KEPT))
    first, last, gone = (each.strftime("%Y-%m-%dT%H:%M") for each in times)
    return first, last, gone


def _secure(told: CaseTold) -> Do:
    zone = formatting.zone(told.zone)
    waiting = {
        f"{hold.recorder} {hold.channel} from {formatting.moment(formatting.at(hold.from_at), zone)}": hold
        for hold in told.case.holds
        if not hold.copied_to
    }
    key = _act(told.case.number, "Secure video").key("which")
    which = st.selectbox("Which video", list(waiting), None, key=key, placeholder="choose one")
    to = st.text_input("Location of the copy")

    def do(key: str) -> object:
        if which is None:
            raise RefusedError("not-there", "Choose a video that is still to be copied.")
        return session.room().secure_video(session.visit(), told.case.number, key, waiting[which], to)

    return do


def _seal(told: CaseTold) -> Do:
    people = st.text_input("Visible only to", placeholder="dia, mara")
    why = st.text_input("Why")
    number = told.case.number
    return lambda key: session.room().seal_case(session.visit(), number, key, people.split(","), why)


def _unseal(told: CaseTold) -> Do:
    why = st.text_input("Reason for unsealing")
    return lambda key: session.room().unseal_case(session.visit(), told.case.number, key, why)


def _close(told: CaseTold) -> Do:
    columns = st.columns(2)
    outcome: Outcome | None = columns[0].selectbox("Outcome", get_args(Outcome), None, placeholder="choose one")
    amount = columns[1].text_input("Amount", placeholder="1250.50")
    why = st.text_area("Result")
    number = told.case.number

    def do(key: str) -> object:
        if outcome is None:
            raise RefusedError("words-missing", "Choose an outcome.")
        return session.room().close_case(session.visit(), number, key, outcome, why, cents=cents_of(amount))

    return do


def _reopen(told: CaseTold) -> Do:
    why = st.text_input("Reason for reopening")
    return lambda key: session.room().reopen_case(session.visit(), told.case.number, key, why)


_OPEN: dict[str, Callable[[CaseTold], Do]] = {
    "Note": _note,
    "Link finding": _finding,
    "Link hand": _hand,
    "Link person": _person,
    "Claim": _claim,
    "Ruling": _rule,
    "Hold video": _video,
    "Secure video": _secure,
    "Assign": _assign,
    "Unlink": _unlink,
}

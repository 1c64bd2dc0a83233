"""Exports: the orders, the signatures, the digests, and the files to download."""

from collections.abc import Callable
from datetime import date, tzinfo

import streamlit as st

from consumers.room import GAMES, Export, ExportAsked, ExportLine, ForbiddenError, NoExportError, RefusedError
from dashboards import formatting, session
from dashboards.actions import PageAction
from dashboards.panels import Cell, panel, table

_HEAD = ("ordered", "what", "for", "purpose", "by", "state", "SHA-256 of the file")
_LARGEST = 500_000_000  # the largest download in the browser, in bytes; larger files are fetched from disk


def page() -> None:
    """Draw the list and its acts."""
    st.title("Exports")
    shown = session.room().exports(session.visit())
    who, lines, zone = session.visit().person, shown.value, session.zone()
    rows = (_line(each, zone) for each in lines)
    panel(shown.made_at, table("", _HEAD, rows, nothing="No export has been ordered yet."), key="exports")
    if who.may("sign-exports"):
        _sign([each.export for each in lines])
    _download(lines)
    if who.may("order-exports"):
        _order()


def _line(line: ExportLine, zone: tzinfo) -> list[Cell]:
    ordered, signed, declined = line.export.ordered, line.export.signed, line.export.declined
    state = "waiting for a signature"
    if signed is not None:
        state = f"signed by {signed.by}"
    elif declined is not None:
        state = f"declined by {declined.by}: {declined.why}"
    return [
        formatting.moment(line.at, zone),
        ordered.asked if ordered else "",
        ordered.recipient if ordered else "",
        ordered.purpose if ordered else "",
        ordered.by if ordered else "",
        state,
        signed.digest if signed else "",
    ]


def _named(held: Export) -> str:
    return f"{held.ordered.asked}, ordered by {held.ordered.by} ({held.order})" if held.ordered else held.order


def _sign(held: list[Export]) -> None:
    """Draw the form that signs or declines another person's order."""
    own = session.visit().person.name
    waiting = [each for each in held if each.signed is None and each.declined is None]
    others = [each for each in waiting if each.ordered is not None and each.ordered.by != own]
    st.header("Sign")
    if not others:
        says = "No order placed by someone else is waiting for your signature."
        st.write(says if waiting else "No order is waiting for a signature.")
        return
    # The choice has a key and no default: an order that a colleague signs meanwhile never turns into another one here.
    chosen = st.selectbox("Order", others, None, format_func=_named, key="sign-which", placeholder="choose one")
    columns = st.columns([1, 3], vertical_alignment="bottom")
    # A press is for the order that was chosen then, even if choosing another order aborted the making.
    of = chosen.order if chosen else "none"
    before = st.session_state.get("sign-shown", of)
    st.session_state["sign-shown"] = of
    if before != of:
        for act, label in (
            (PageAction(f"sign {before}"), "Sign and make"),
            (PageAction(f"decline {before}"), "Decline"),
        ):
            if act.pressed(label):
                act.done(label, _none_chosen)
    sign, decline = PageAction(f"sign {of}"), PageAction(f"decline {of}")
    signs = sign.button(columns[0], "Sign and make", type="primary")
    why = columns[1].text_input("Reason for declining", key=decline.key("why"))
    declines = decline.button(columns[1], "Decline")
    if chosen is None:
        if signs:
            sign.done("Sign and make", _none_chosen)
        elif declines:
            decline.done("Decline", _none_chosen)
    elif signs:
        _make(chosen, sign)
    elif declines:
        _done(
            decline,
            "Decline",
            lambda: session.room().decline_export(session.visit(), chosen.order, decline.once(), why),
        )


def _none_chosen() -> None:
    said = "Choose an order. Orders that a colleague has signed or declined are no longer in the list."
    raise RefusedError("not-there", said)


def _make(chosen: Export, sign: PageAction) -> None:
    with st.status("Making the export", expanded=True) as status:

        def told(says: str) -> None:
            status.update(label=f"Making the export: {says}")

        _done(
            sign, "Sign and make", lambda: session.room().sign_export(session.visit(), chosen.order, sign.once(), told)
        )


def _download(lines: list[ExportLine]) -> None:
    signed = [each.export for each in lines if each.export.signed is not None]
    named = {each.export.order for each in lines if each.named}
    st.header("Download")
    if not signed:
        st.write("No export has been signed yet.")
        return
    chosen = st.selectbox("Export", signed, format_func=_named, key="taken-away")
    room, visit = session.room(), session.visit()
    if chosen.order in named and not _may_name():
        st.write("This export names players, which your roles do not allow you to see.")
        return
    try:
        file = room.export_file(visit, chosen.order)
    except (NoExportError, RefusedError, ForbiddenError) as error:
        st.warning(formatting.plain(str(error)))
        return
    if chosen.signed is not None:
        st.caption("SHA-256 of the file")
        st.code(chosen.signed.digest, language=None)
    size = file.stat().st_size
    if size > _LARGEST:
        st.write(
            formatting.plain(f"{size:,} bytes are too many for a download in the browser. Copy the file from {file}.")
        )
        return
    st.download_button(
        f"Download {size:,} bytes",
        lambda: room.export_taken(visit, chosen.order),
        file_name=file.name,
        mime="application/x-tar",
        on_click="ignore",
    )


def _order() -> None:
    st.header("Order")
    act = PageAction("order export")
    with st.form(act.key("form")):
        columns = st.columns(3)
        days = columns[0].date_input("Gaming days, first and last", value=[], format="YYYY-MM-DD")
        tables = columns[1].text_input("Tables", placeholder="T7, T8; empty for all")
        games = columns[2].multiselect("Games", list(GAMES))
        rounds = st.columns(4)
        player = rounds[0].text_input("or a player", placeholder="token")
        case = rounds[1].text_input("or a case", placeholder="2026-0001")
        finding = rounds[2].text_input("or a finding", placeholder="name")
        hand = rounds[3].text_input("or a hand", placeholder="T7/2026-11-18:142")
        access = st.checkbox("with the access log of these days")
        to_date = st.checkbox("with the month and year to date, and the year before")
        named = _may_name() and st.checkbox("with the names of players")
        recipient = st.text_input("Recipient")
        purpose = st.text_input("Purpose")
        act.sends("Order")
    if not act.pressed("Order"):
        return
    first, last = _days(days)
    asked = ExportAsked(
        first=first,
        last=last,
        tables=tuple(each.strip() for each in tables.split(",") if each.strip()),
        games=tuple(games),
        player=player.strip(),
        case=case.strip(),
        finding=finding.strip(),
        hand=hand.strip(),
        access=access,
        to_date=to_date,
        named=named,
        purpose=purpose,
        recipient=recipient,
    )
    _done(act, "Order", lambda: session.room().order_export(session.visit(), act.once(), asked))


def _may_name() -> bool:
    return session.visit().person.may("see-identities")


def _days(chosen: object) -> tuple[str, str]:
    """Return the first and last chosen day, as far as they are chosen."""
    days = [each.isoformat() for each in chosen if isinstance(each, date)] if isinstance(chosen, tuple) else []
    return (days[0], days[-1]) if days else ("", "")


def _done(act: PageAction, label: str, do: Callable[[], object]) -> None:
    if act.done(label, do):
        st.rerun()

"""The queue of findings while it is read: rows stay in place, new ones are counted, and finished ones are marked."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal, NamedTuple

import streamlit as st

from consumers.room import QUEUE_PAGE, Queued, Whose
from dashboards import formatting, navigation, session
from dashboards.pick_list import choices
from projections.questions.findings import FindingFilter, Order

_HELD, _ASKED, _ACTED = "queue", "queue_asked", "queue_acted"


class QueueRequest(NamedTuple):
    """The filters and the order of the queue."""

    wanted: FindingFilter
    order: Order
    whose: Whose
    closed: bool


class Followed(NamedTuple):
    """The shown rows compared with the current ones."""

    waiting: list[str]  # of the shown rows, in their order
    new: list[str]  # new rows that belong among them
    rest: list[str]  # rows that come after them
    more: int  # the number of rows after them, even if not all were requested


def follow(held: Sequence[str], found: Sequence[str], total: int) -> Followed:
    """Compare the shown rows with the current ones; `found` are the first of `total`, in order."""
    known = set(held)
    behind = max((place for place, name in enumerate(found) if name in known), default=len(found) - 1) + 1
    new = [name for name in found[:behind] if name not in known]
    waiting = set(found) & known
    more = max(0, total - len(waiting) - len(new))
    return Followed([name for name in held if name in waiting], new, list(found[behind:]), more)


def acted() -> None:
    """Note an act of the user: finished rows may disappear."""
    st.session_state[_ACTED] = True


def queue(asked: QueueRequest) -> None:
    """Draw the queue and follow the choice."""
    room, visit = session.room(), session.visit()
    first, settles = st.session_state.get(_ASKED) != asked, st.session_state.pop(_ACTED, False)
    held: list[str] = [] if first else st.session_state[_HELD]
    limit = max(len(held), QUEUE_PAGE) + QUEUE_PAGE
    of = (asked.wanted, asked.whose, asked.closed)
    shown = room.queue(visit, of[0], whose=of[1], closed=of[2], order=asked.order, limit=limit)
    total = max(len(shown.value), room.queue_length(visit, of[0], whose=of[1], closed=of[2]))
    rows = {row.finding.finding: row for row in shown.value}
    found = list(rows)
    held = held or found[:QUEUE_PAGE]
    told = follow(held, found, total)
    if settles:
        held = [*told.waiting, *told.rest[: max(0, QUEUE_PAGE - len(told.waiting))]]
        told = follow(held, found, total)
    st.session_state[_HELD], st.session_state[_ASKED] = held, asked
    _come(told, found)
    gone = [name for name in held if name not in rows]
    rows |= {row.finding.finding: row for row in room.queued(visit, gone)} if gone else {}
    _drawn(asked, [rows[name] for name in held if name in rows], total, formatting.age(shown.made_at))
    _on(held, told)


def _come(told: Followed, found: list[str]) -> None:
    """Draw the button for new rows; its place is always there, so that no row moves when one arrives."""
    kind: Literal["primary", "secondary"] = "primary" if told.new else "secondary"
    args = (found[: len(told.waiting) + len(told.new)],)
    st.button(_new(told.new), type=kind, disabled=not told.new, key="queue-new", on_click=_hold, args=args)


def _hold(names: list[str]) -> None:
    st.session_state[_HELD] = names
    acted()


def _on(held: list[str], told: Followed) -> None:
    """Draw the button for the rows after the shown ones."""
    if told.more and told.rest:
        label, args = f"{told.more:,} more: show {len(told.rest[:QUEUE_PAGE])}", ([*held, *told.rest[:QUEUE_PAGE]],)
        st.button(label, key="queue-more", on_click=_hold, args=args)
    elif told.more:
        st.caption(f"{told.more:,} more. Filter by table, severity or code to see them.")


def _new(names: Sequence[str]) -> str:
    if not names:
        return "Nothing new"
    return f"{len(names)}{' or more' if len(names) >= QUEUE_PAGE else ''} new: show"


def _drawn(asked: QueueRequest, held: Sequence[Queued], total: int, age: str) -> None:
    what = "closed" if asked.closed else "to do"
    told = f"{total:,} {what}{'' if len(held) >= total else f', {len(held)} shown'}"
    head = f'<div class="cw-head">{age} <span>{told}</span></div>'
    body = "".join(_rows(held, navigation.asked("finding"))) or f"<p>{escape(_nothing(asked.wanted))}</p>"
    chosen = choices(f'{head}<div class="cw-list">{body}</div>', session.now().timestamp(), key="queue-rows")
    if chosen:
        navigation.put("finding", chosen)
        st.rerun()


def _nothing(wanted: FindingFilter) -> str:
    """Return the text of an empty queue."""
    if wanted.table and wanted.table not in session.room().tables(session.visit()):
        return f"There is no table {wanted.table}."
    return "No findings match these filters."


def _rows(held: Iterable[Queued], chosen: str) -> Iterable[str]:
    zone = session.zone()
    for row in held:
        finding = row.finding
        risk = formatting.money(finding.at_risk_cents) if finding.at_risk_cents else ""
        gone = " · withdrawn" if finding.state == "withdrawn" else ""
        name = escape(finding.finding)
        current = ' aria-current="true"' if finding.finding == chosen else ""
        yield (
            f'<a class="cw-line" href="findings?finding={name}" data-go="{name}"{current}>'
            f'<div class="cw-row">{formatting.severity(finding.severity)}<span>{escape(finding.place)}</span>'
            f"<span>{formatting.when(finding.gaming_day, finding.at, zone)}</span></div>"
            f"<div>{escape(finding.says)}</div>"
            f'<div class="cw-row"><span>{escape(_who(row))}{gone}</span><span class="cw-big">{risk}</span></div></a>'
        )


def _who(row: Queued) -> str:
    if row.changed:
        return "changed since it was closed"
    if row.review.closed is not None:
        return f"CLOSED by {row.review.closed.by}: {row.review.closed.disposition.replace('-', ' ')}"
    return row.review.holder or row.review.state

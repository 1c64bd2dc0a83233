"""The queue: what is to be reviewed, who has it, and what became of it.

New findings arrive while somebody reads: they are counted and come in when asked for, so that no row moves away from
under an eye. Evidence comes first: the sentence, what was owed and handed back, the clauses, the hand.
"""

from collections.abc import Callable
from html import escape

import streamlit as st

from consumers.room import DISPOSITIONS, Queued, RefusedError, Told
from dashboards import look, session
from dashboards.choices import choices
from projections.questions.findings import Order, Wanted

_ORDERS: dict[str, Order] = {"newest first": "time", "most money first": "money", "gravest first": "severity"}


def page() -> None:
    """The queue and the finding that was chosen."""
    st.title("Findings")
    wanted, order, closed = _asked()
    left, right = st.columns([2, 3], gap="large")
    with left:
        _queue(wanted, order, closed=closed)
    with right:
        chosen = st.query_params.get("finding", "")
        if chosen:
            _one(chosen)
        else:
            st.info("Choose a finding. The arrow keys, or J and K, go through the queue.")


def _asked() -> tuple[Wanted, Order, bool]:
    """What the queue is to hold."""
    held = st.query_params
    columns = st.columns([1, 1, 1, 1, 1])
    table = columns[0].text_input("Table", held.get("table", ""), placeholder="any")
    severities = ["any", *look.SEVERITIES]
    severity = columns[1].selectbox("Severity", severities, _place(severities, held.get("severity", "any")))
    code = columns[2].text_input("Code", held.get("code", ""), placeholder="any")
    order = columns[3].selectbox("Order", list(_ORDERS))
    closed = columns[4].toggle("Closed ones", held.get("closed") == "yes")
    for name, value in (("table", table), ("severity", "" if severity == "any" else severity), ("code", code)):
        if value:
            held[name] = value
        elif name in held:
            del held[name]
    wanted = Wanted(table=table.strip(), code=code.strip(), severity="" if severity == "any" else severity)
    return wanted, _ORDERS[order], closed


def _place(values: list[str], value: str) -> int:
    return values.index(value) if value in values else 0


@st.fragment(run_every=2)
def _queue(wanted: Wanted, order: Order, *, closed: bool) -> None:
    shown = session.room().queue(session.visit(), wanted, order=order, closed=closed)
    rows = {row.finding.finding: row for row in shown.value}
    asked = (wanted, order, closed)
    if st.session_state.get("queue_asked") != asked:
        st.session_state["queue_asked"], st.session_state["queue"] = asked, list(rows)
    held: list[str] = st.session_state["queue"]
    new = [name for name in rows if name not in held]
    if new and st.button(f"{len(new)} new: show", type="primary", key="queue-new"):
        held[:0] = new
        st.session_state["queue"] = held
        new = []
    here = [rows[name] for name in held if name in rows]
    head = f"{look.age(shown.made_at)} <span>{len(rows)} to do</span>"
    body = "".join(_row(row, st.query_params.get("finding", "")) for row in here)
    chosen = choices(f'{head}<div class="cw-list">{body}</div>', session.now().timestamp(), key="queue-rows")
    if chosen:
        st.query_params["finding"] = chosen
        st.rerun()


def _row(row: Queued, chosen: str) -> str:
    finding = row.finding
    who = row.review.holder or ("changed since it was closed" if row.changed else row.review.state)
    place = f"{finding.table} round {finding.round}" if finding.round is not None else finding.table
    risk = look.money(finding.at_risk_cents) if finding.at_risk_cents else ""
    gone = " · explained since" if finding.state == "withdrawn" else ""
    name = escape(finding.finding)
    current = ' aria-current="true"' if finding.finding == chosen else ""
    return (
        f'<a class="cw-line" href="findings?finding={name}" data-go="{name}"{current}>'
        f'<div class="cw-row">{look.severity(finding.severity)}<span>{escape(place)}</span>'
        f"<span>{look.clock(finding.at)}</span></div><div>{escape(finding.says)}</div>"
        f'<div class="cw-row"><span>{escape(who)}{gone}</span><span class="cw-big">{risk}</span></div></a>'
    )


def _one(name: str) -> None:
    told = session.room().finding(session.visit(), name).value
    finding = told.queued.finding
    st.html(f"{look.severity(finding.severity)} <code>{escape(finding.code)}</code>")
    st.subheader(finding.says)
    if finding.expected_cents is not None or finding.observed_cents is not None:
        owed, back, apart = st.columns(3)
        owed.metric("Owed", look.money(finding.expected_cents))
        back.metric("Handed back", look.money(finding.observed_cents))
        apart.metric("Difference", look.money(_difference(told)))
    for clause, gist in told.clauses.items():
        st.markdown(f"**{clause}** — {look.plain(gist)}")
    if finding.round is not None and st.button("Open the hand", key="open-hand"):
        session.go("hand", stream=finding.stream, round=str(finding.round))
    _review(told)


def _difference(told: Told) -> int | None:
    finding = told.queued.finding
    if finding.expected_cents is None or finding.observed_cents is None:
        return None
    return finding.observed_cents - finding.expected_cents


def _review(told: Told) -> None:
    """What may be done with it now."""
    review, name = told.queued.review, told.queued.finding.finding
    room, visit = session.room(), session.visit()
    st.divider()
    state = {"new": "Nobody has it.", "closed": "It is closed."}.get(review.state, f"{review.state}: {review.holder}")
    st.write(state)
    if review.proposal is not None:
        st.write(f"{review.proposal.by} proposes: {review.proposal.disposition}. {review.proposal.why}")
    why = st.text_input("In a few words", key=f"why-{name}")
    what = st.selectbox("Disposition", DISPOSITIONS, key=f"what-{name}")
    buttons = st.columns(4)
    acts: dict[str, Callable[[str], object]] = {
        "Claim": lambda key: room.claim(visit, name, key),
        "Acknowledge": lambda key: room.acknowledge(visit, name, key),
        "Note": lambda key: room.note(visit, name, key, why),
        "Release": lambda key: room.release(visit, name, key, why),
        "Escalate": lambda key: room.escalate(visit, name, key, "manager", why),
        "Close": lambda key: room.close_finding(visit, name, key, what, why),
        "Agree": lambda key: room.agree(visit, name, key),
        "Reject": lambda key: room.reject(visit, name, key, why),
    }
    for number, (label, do) in enumerate(acts.items()):
        if buttons[number % 4].button(label, key=f"{label}-{name}", width="stretch"):
            try:
                do(session.act())
            except RefusedError as refused:
                st.warning(str(refused))
            else:
                st.rerun()
    for each in review.notes:
        st.caption(f"{each.by}: {each.text}")

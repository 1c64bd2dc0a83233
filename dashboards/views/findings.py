"""The queue: what is to be reviewed, who has it, and what became of it.

New findings arrive while somebody reads: they are counted and come in when asked for, so that no row moves away from
under an eye. Evidence comes first: the sentence, what was owed and handed back, the clauses, the hand.
"""

from datetime import tzinfo
from html import escape

import streamlit as st

from consumers.room import ForbiddenError, Queued, Told
from dashboards import look, session
from dashboards.add_to_case import add_to_case
from dashboards.choices import choices
from dashboards.panels import figures
from dashboards.review import review
from projections.questions.asking import NothingFitsError
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
    columns = st.columns([1, 1, 1, 1, 1], vertical_alignment="bottom")
    table = columns[0].text_input("Table", held.get("table", ""), placeholder="any")
    severities = ["any", *look.SEVERITIES]
    severity = columns[1].selectbox("Severity", severities, _place(severities, held.get("severity", "any")))
    code = columns[2].text_input("Code", held.get("code", ""), placeholder="any")
    orders = list(_ORDERS)
    named = next((words for words, order in _ORDERS.items() if order == held.get("order")), orders[0])
    order = columns[3].selectbox("Order", orders, orders.index(named))
    closed = columns[4].toggle("Closed ones", held.get("closed") == "yes")
    asked = {
        "table": table.strip(),
        "severity": "" if severity == "any" else severity,
        "code": code.strip(),
        "order": "" if order == orders[0] else _ORDERS[order],
        "closed": "yes" if closed else "",
    }
    for name, value in asked.items():
        if value:
            held[name] = value
        elif name in held:
            del held[name]
    wanted = Wanted(table=asked["table"], code=asked["code"], severity=asked["severity"])
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
    zone = session.zone()
    body = "".join(_row(row, st.query_params.get("finding", ""), zone) for row in here)
    chosen = choices(f'{head}<div class="cw-list">{body}</div>', session.now().timestamp(), key="queue-rows")
    if chosen:
        st.query_params["finding"] = chosen
        st.rerun()


def _row(row: Queued, chosen: str, zone: tzinfo) -> str:
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
        f"<span>{look.when(finding.gaming_day, finding.at, zone)}</span></div><div>{escape(finding.says)}</div>"
        f'<div class="cw-row"><span>{escape(who)}{gone}</span><span class="cw-big">{risk}</span></div></a>'
    )


def _one(name: str) -> None:
    zone = session.zone()
    try:
        told = session.room().finding(session.visit(), name).value
    except (NothingFitsError, ForbiddenError) as error:
        st.error(look.plain(str(error)))
        return
    finding = told.queued.finding
    st.html(look.severity(finding.severity) + f" <code>{escape(finding.code)}</code>")
    st.subheader(look.plain(finding.says))
    place = finding.stream if finding.round is None else f"{finding.stream} round {finding.round}"
    seat = "" if finding.seat is None else f", seat {finding.seat}"
    st.caption(look.plain(f"{place}{seat}, {look.moment(finding.at, zone)} · dealer {finding.dealer or 'unknown'}"))
    if finding.expected_cents is not None or finding.observed_cents is not None:
        st.html(
            figures(
                ("owed", look.money(finding.expected_cents), "calm"),
                ("handed back", look.money(finding.observed_cents), "calm"),
                ("difference", look.money(_difference(told)), "bad"),
            )
        )
    for clause, gist in told.clauses.items():
        st.markdown(f"**{look.plain(clause)}** — {look.plain(gist)}")
    if finding.evidence:
        st.caption(look.plain(f"Proved by the facts {', '.join(map(str, finding.evidence))} of {finding.stream}."))
    _ways_on(told)
    review(told, zone)


def _ways_on(told: Told) -> None:
    """The hand, and a case."""
    finding = told.queued.finding
    with st.container(horizontal=True):
        if finding.round is not None and st.button("Open the hand", key="open-hand", icon=":material/playing_cards:"):
            fact = {"fact": str(finding.evidence[-1])} if finding.evidence else {}
            session.go("hand", stream=finding.stream, round=str(finding.round), **fact)
        add_to_case(
            finding.says,
            finding.at,
            there=lambda case: finding.finding in case.findings,
            add=lambda number, key: session.room().link_finding(session.visit(), number, key, finding.finding),
        )


def _difference(told: Told) -> int | None:
    finding = told.queued.finding
    if finding.expected_cents is None or finding.observed_cents is None:
        return None
    return finding.observed_cents - finding.expected_cents

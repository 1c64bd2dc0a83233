"""The queue: findings to review, their reviewers, and their outcomes.

New findings are counted while the queue is read and appear on request, so that no row moves under the reader's eyes.
Evidence comes first: the sentence, the amounts owed and handed back, the clauses, the hand.
"""

from datetime import tzinfo
from html import escape

import streamlit as st

from consumers.room import ToldFinding
from dashboards import colleagues, formatting, navigation, page_errors, session
from dashboards.act_buttons import WHOSE
from dashboards.add_to_case import add_to_case
from dashboards.address import Field, one_of, switch, text
from dashboards.panels import Cell, figures, go, panel, table
from dashboards.queue import QueueRequest, acted, queue
from dashboards.review import review
from projections.questions.findings import FindingFilter, FindingRow, Order

_SEVERITIES = {"any": "", **{each: each for each in formatting.SEVERITIES}}
_ORDERS: dict[str, Order] = {"newest first": "time", "most money first": "money", "most severe first": "severity"}


def page() -> None:
    """Draw the queue and the chosen finding."""
    st.title("Findings")
    asked = _asked()
    with st.container(key="desk"):
        left, right = st.columns([2, 3], gap="large")
    if not colleagues.redrawn():
        acted()
    with left:
        _queue(asked)
    with right:
        chosen = navigation.asked("finding")
        if chosen:
            _one(chosen)
        else:
            st.info("Choose a finding. The arrow keys, or J and K, move through the queue.")


def _asked() -> QueueRequest:
    """Return the filters of the queue, all from the address."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    table = text(row, Field("queue", "table"), "Table", placeholder="any", width=110)
    severity = one_of(row, Field("queue", "severity"), "Severity", _SEVERITIES, width=170)
    code = text(row, Field("queue", "code"), "Code", placeholder="any", width=230)
    order = one_of(row, Field("queue", "order", "time"), "Order", _ORDERS, width=210)
    whose = one_of(row, Field("queue", "whose", "anybody"), "Whose", WHOSE, width=290)
    closed = switch(row, Field("queue", "closed"), "Show closed", width="content")
    return QueueRequest(FindingFilter(table=table, code=code, severity=severity), order, whose, closed)


@st.fragment(run_every=2)
@page_errors.guarded
def _queue(asked: QueueRequest) -> None:
    navigation.part()
    queue(asked)
    colleagues.follow("finding", lambda name: _acted(session.room().finding(session.visit(), name).value))


@page_errors.guarded
def _one(name: str) -> None:
    zone = session.zone()
    shown = session.room().finding(session.visit(), name)
    told, finding = shown.value, shown.value.queued.finding
    colleagues.drawn("finding", name, _acted(told))
    code = f"<p>{formatting.severity(finding.severity)} <code>{escape(finding.code)}</code></p>"
    panel(shown.made_at, code, key="finding-head")
    st.subheader(formatting.plain(finding.says))
    seat = "" if finding.seat is None else f", seat {finding.seat}"
    when = formatting.when(finding.gaming_day, finding.at, zone)
    st.caption(formatting.plain(f"{finding.place}{seat} · {when} · dealer {finding.dealer or 'unknown'}"))
    if finding.expected_cents is not None or finding.observed_cents is not None:
        st.html(
            figures(
                ("owed", formatting.money(finding.expected_cents), "calm"),
                ("handed back", formatting.money(finding.observed_cents), "calm"),
                ("difference", formatting.money(_difference(told)), "bad"),
            )
        )
    for clause, gist in told.clauses.items():
        st.markdown(f"**{formatting.plain(clause)}** — {formatting.plain(gist)}")
    shows = st.container()
    _ways_on(told)
    review(told, zone)
    with shows:  # last, because it folds a hand
        _evidence(finding, zone)


def _acted(told: ToldFinding) -> tuple[int, int]:
    """Return what an act on a finding changes, or later evidence."""
    return told.queued.review.version, told.queued.finding.edition


def _evidence(finding: FindingRow, zone: tzinfo) -> None:
    """Draw the facts that show it: those of its hand in words, others of the day by number."""
    steps = session.room().evidence(session.visit(), finding)
    rows: list[list[Cell]] = [
        [
            formatting.clock(formatting.at(step.at), zone),
            go(step.says, "hand", stream=finding.stream, round=str(finding.round), fact=str(step.sequence)),
            step.source,
        ]
        for step in steps
    ]
    if rows:
        told = table("Evidence", ("time", "fact", "source"), rows)
        panel(None, f'<div class="cw-low">{told}</div>', key="finding-facts")
    named = {step.sequence for step in steps}
    rest = [str(each) for each in finding.evidence or () if each not in named]
    if rest:
        facts = "Fact" if len(rest) == 1 else "Facts"
        st.caption(
            formatting.plain(f"{facts} {', '.join(rest)} of {finding.stream} {'show' if rest[1:] else 'shows'} it.")
        )


def _ways_on(told: ToldFinding) -> None:
    """Draw the links to the hand and to a case."""
    finding = told.queued.finding
    with st.container(horizontal=True):
        if finding.round is not None and st.button("Open the hand", key="open-hand", icon=":material/playing_cards:"):
            # The newest fact of a stretch of rounds is in its last hand.
            shows = (finding.evidence or ())[: None if finding.to_round is None else -1]
            fact = {"fact": str(shows[-1])} if shows else {}
            navigation.go("hand", stream=finding.stream, round=str(finding.round), **fact)
        add_to_case(
            finding.says,
            finding.at,
            there=lambda case: finding.finding in case.findings,
            add=lambda number, key: session.room().link_finding(session.visit(), number, key, finding.finding),
        )


def _difference(told: ToldFinding) -> int | None:
    finding = told.queued.finding
    if finding.expected_cents is None or finding.observed_cents is None:
        return None
    return finding.observed_cents - finding.expected_cents

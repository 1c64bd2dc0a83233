"""Incidents: what needs a human, gravest first, and one screen for the chosen one with its acts always in sight."""

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from html import escape

import streamlit as st

from consumers.room import IncidentRow, Whose
from dashboards import colleagues, formatting, navigation, page_errors, session
from dashboards.act_buttons import WHOSE
from dashboards.address import Field, one_of, switch
from dashboards.incident_acts import acts
from dashboards.panels import Cell, figures, go, panel, table
from dashboards.pick_list import choices

_BARS = 60  # rounds in the chart: beyond that, bars are too thin to tell apart
_LINES = 200  # findings listed
_HALF = 40  # the longest bar, in the units of the chart


def page() -> None:
    """Draw the incidents and the chosen one."""
    st.title("Incidents")
    row = st.container(horizontal=True, vertical_alignment="bottom")
    whose = one_of(row, Field("incidents", "whose", "anybody"), "Whose", WHOSE, width=290)
    for_the_log = switch(row, Field("incidents", "log"), "Also those for the log", width="content")
    with st.container(key="desk"):
        left, right = st.columns([2, 3], gap="large")
    with left:
        _list(whose, for_the_log=for_the_log)
    with right:
        chosen = navigation.asked("incident")
        if chosen:
            _one(chosen)
        else:
            st.info("Choose an incident. The arrow keys, or J and K, move through the list.")


@st.fragment(run_every=2)
@page_errors.guarded
def _list(whose: Whose, *, for_the_log: bool) -> None:
    navigation.part()
    shown = session.room().incidents(session.visit(), whose=whose, for_the_log=for_the_log)
    age = formatting.age(shown.made_at)
    mine = sum(row.holder == session.visit().person.name for row in shown.value)
    free = sum(row.state == "new" for row in shown.value)
    second = sum(row.state == "proposed" for row in shown.value)
    counts = f"{len(shown.value):,} here: {mine:,} mine, {free:,} nobody's, {second:,} waiting for a second review"
    body = "".join(_rows(shown.value, navigation.asked("incident"))) or "<p>No incidents match these filters.</p>"
    head = f'<div class="cw-head">{age} <span>{escape(counts)}</span></div>'
    chosen = choices(f'{head}<div class="cw-list">{body}</div>', session.now().timestamp(), key="incident-rows")
    if chosen:
        navigation.put("incident", chosen)
        st.rerun()
    colleagues.follow("incident", lambda name: _acted(session.room().incident(session.visit(), name).value))


def _rows(rows: Iterable[IncidentRow], chosen: str) -> Iterable[str]:
    zone = session.zone()
    for row in rows:
        each = row.incident
        name = escape(each.incident)
        current = ' aria-current="true"' if chosen in row.names else ""
        money = _money(each.error_cents, each.exposure_cents)
        yield (
            f'<a class="cw-line" href="incidents?incident={name}" data-go="{name}"{current}>'
            f'<div class="cw-row">{formatting.severity(each.severity)}<span>{escape(_place(row))}</span>'
            f"<span>{formatting.clock(formatting.at(each.from_at), zone)}, {waits(each.from_at)}</span></div>"
            f"<div>{escape(each.says)}</div>"
            f'<div class="cw-row"><span>{escape(_who(row))}</span><span class="cw-big">{money}</span></div></a>'
        )


def waits(at: int) -> str:
    """Return how long ago an incident began: 70 min, 5 h, 3 days."""
    minutes = max(0, int((session.now() - formatting.at(at)).total_seconds()) // 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 2_880 else f"{minutes // 1_440} days"


def _money(error_cents: int, exposure_cents: int | None) -> str:
    """Return what was settled wrong, or else what players won beyond expectation."""
    if error_cents or (exposure_cents or 0) <= 0:
        return formatting.money(error_cents) if error_cents else ""
    return f"{formatting.money(exposure_cents)} won"


def _place(row: IncidentRow) -> str:
    each = row.incident
    table_name = each.stream.partition("/")[0]
    if each.from_round is None:
        return table_name
    last = None if each.to_round == each.from_round else each.to_round
    return f"{table_name} {formatting.rounds(each.from_round, last)}"


def _who(row: IncidentRow) -> str:
    if row.state == "claimed":
        new = f", {row.joined_since} new since" if row.joined_since else ""
        return f"{row.holder} has it{new}"
    if row.state == "proposed" and row.proposal is not None:
        return f"{row.proposal.by} proposes {row.proposal.disposition.replace('-', ' ')}"
    if row.state == "escalated":
        return f"escalated to {row.escalated_to}"
    return "closed" if row.state == "closed" else "Nobody has it"


@page_errors.guarded
def _one(name: str) -> None:
    zone = session.zone()
    shown = session.room().incident(session.visit(), name)
    row = shown.value
    colleagues.drawn("incident", name, _acted(row))
    each = row.incident
    head = f"<p>{formatting.severity(each.severity)} <code>{escape(each.primary.code)}</code></p>"
    panel(shown.made_at, head, key="incident-head")
    st.subheader(formatting.plain(each.says))
    st.caption(formatting.plain(_when(row, zone)))
    panel(None, _sums(row), key="incident-sums")
    acts(row, zone)
    panel(None, _bars(row), key="incident-bars")
    panel(None, _findings(row, zone), key="incident-findings")
    st.markdown(f"**Why it is one incident.** {formatting.plain(each.because)}")
    if each.needs_human:
        st.markdown(f"**Why it needs a human.** {formatting.plain(each.needs_human)}.")


def _acted(row: IncidentRow) -> tuple[object, ...]:
    """Return what an act on an incident changes, or a finding that joins it."""
    return row.state, row.holder, row.names, row.open, len(row.notes)


def _when(row: IncidentRow, zone: tzinfo) -> str:
    each = row.incident
    begin, end = (formatting.clock(formatting.at(at), zone) for at in (each.from_at, each.to_at))
    when = begin if begin == end else f"{begin} to {end}"
    dealt = f" · {', '.join(each.dealers)}" if each.dealers else ""
    return f"{_place(row)} · {each.stream.partition('/')[2]} {when}{dealt}"


def _sums(row: IncidentRow) -> str:
    each = row.incident
    told = [
        ("paid too much", formatting.money(each.too_much_cents), "bad" if each.too_much_cents else "calm"),
        ("paid too little", formatting.money(each.too_little_cents), "bad" if each.too_little_cents else "calm"),
        ("rounds", f"{each.rounds:,}", "calm"),
        ("findings", f"{len(each.findings):,}", "calm"),
    ]
    if each.exposure_cents is not None:
        told.append(("players won beyond expectation", formatting.money(each.exposure_cents), "calm"))
    return figures(*told)


def _bars(row: IncidentRow) -> str:
    """Return the chart of differences by round: up is too much, down too little."""
    sums: dict[int, int] = {}
    for item in row.incident.findings:
        if item.round is not None:
            sums.setdefault(item.round, 0)
            if item.severity == "money":
                sums[item.round] += item.difference_cents or 0
    if len(sums) < 2 or not any(sums.values()):
        return ""
    numbers = sorted(sums)[-_BARS:]
    most = max((abs(sums[number]) for number in numbers), default=0) or 1
    width = 900 / len(numbers)
    drawn = "".join(_bar((place * width, width), number, sums[number], most) for place, number in enumerate(numbers))
    label = f"Round by round, from {numbers[0]} to {numbers[-1]}: handed back less owed"
    return (
        f'<div class="cw-pit" role="heading" aria-level="2">Round by round</div>'
        f'<svg viewBox="0 0 900 {2 * _HALF + 16}" role="img" aria-label="{label}" class="cw-bars">'
        f'<line x1="0" x2="900" y1="{_HALF}" y2="{_HALF}" stroke="currentColor" opacity="0.4"/>{drawn}</svg>'
    )


def _bar(place: tuple[float, float], number: int, cents: int, most: int) -> str:
    left, width = place
    high = max(2, _HALF * abs(cents) / most)
    top = _HALF - high if cents >= 0 else _HALF
    title = escape(f"round {number}: {formatting.money(cents)}")
    return (
        f'<rect x="{left + width * 0.15:.1f}" y="{top:.1f}" width="{width * 0.7:.1f}" height="{high:.1f}" '
        f'fill="#c2410c"><title>{title}</title></rect>'
        f'<text x="{left + width / 2:.1f}" y="{2 * _HALF + 12}" font-size="11" text-anchor="middle" '
        f'fill="currentColor">{number}</text>'
    )


def _findings(row: IncidentRow, zone: tzinfo) -> str:
    """Return the table of findings, one line each; amounts only where there are any."""
    items = row.incident.findings[:_LINES]
    amounts = any(item.difference_cents is not None for item in items)
    lines: list[Sequence[Cell]] = []
    for item in items:
        number = "" if item.round is None else str(item.round)
        rounds = number if item.round is None else formatting.rounds(item.round, item.to_round)
        line: list[Cell] = [
            go(rounds, "hand", stream=item.stream, round=number) if number else "",
            formatting.clock(formatting.at(item.at), zone),
            "" if item.seat is None else str(item.seat),
            go(item.says, "findings", finding=item.finding),
        ]
        if amounts:
            line += [formatting.money(item.expected_cents), formatting.money(item.observed_cents)]
        lines.append(line)
    head = ("round", "time", "seat", "what", *(("owed", "handed back") if amounts else ()))
    title = f"All {len(row.incident.findings):,} findings"
    return table(title, head, lines, right=("round", "seat", "owed", "handed back"))

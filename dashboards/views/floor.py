"""The floor: each table as a tile in its pit, with its findings to review."""

from html import escape
from itertools import groupby
from urllib.parse import quote

import streamlit as st

from consumers.room import GAMES
from dashboards import formatting, navigation, page_errors, session
from dashboards.pick_list import choices
from projections.questions.floor import TableNow

_ONE_PIECE = "\u00a0"  # a non-breaking space


def page() -> None:
    """Draw the tables, refreshed automatically."""
    st.title("Floor")
    _tables()


@st.fragment(run_every=2)
@page_errors.guarded
def _tables() -> None:
    shown = session.room().floor(session.visit())
    tables = sorted(shown.value, key=lambda table: (table.pit or "", formatting.natural(table.table)))
    parts = [formatting.age(shown.made_at)]
    for pit, held in groupby(tables, key=lambda table: table.pit or "Floor"):
        parts.append(f'<div class="cw-pit">{escape(pit)}</div><div class="cw-tiles">{"".join(map(_tile, held))}</div>')
    chosen = choices("".join(parts), session.now().timestamp(), key="tiles")
    if not tables:
        st.info("No table has opened yet.")
    if chosen:
        navigation.go("table", table=chosen)


def _tile(table: TableNow) -> str:
    """Return the tile of one table, with the most severe item first."""
    zone = formatting.zone(table.zone)
    worst = "money" if table.money_findings else "integrity" if table.integrity_findings else ""
    worst = worst or ("some" if table.findings else "quiet")
    shut = " shut" if table.state == "closed" else ""
    review = f"{table.findings} to review" if table.findings else "nothing to review"
    risk = f"{formatting.money(table.at_risk_cents)} at risk" if table.at_risk_cents else ""
    played = f"round {formatting.count(table.round)}" if table.round else "no round yet"
    pace = "no pace yet" if table.rounds_an_hour is None else f"{table.rounds_an_hour:.0f} rounds an hour"
    trouble = f"unread from {table.unread_from}" if table.unread_from is not None else ""
    if not trouble and table.unread_days:
        trouble = "1 earlier day unread" if table.unread_days == 1 else f"{table.unread_days} earlier days unread"
    lines = [
        ("cw-game", GAMES.get(table.game or "", table.game or "–"), table.state or "–"),
        ("cw-big", played, table.dealer or "no dealer"),
        ("", pace, f"{table.seats or 0} seated"),
        ("", _count(table), ""),
        ("cw-big", review, risk),
        ("", _by_severity(table), ""),
        ("", f"last fact {formatting.when(table.gaming_day, table.last_at, zone)}", trouble),
    ]
    rows = "".join(
        f'<div class="cw-row {kind}"><span>{escape(left)}</span><span>{escape(right)}</span></div>'
        for kind, left, right in lines
    )
    name = escape(table.table)
    link = f'href="table?table={quote(table.table, safe="")}" data-go="{name}"'
    return f'<a class="cw-tile {worst}{shut}" {link}><div class="cw-name">{name}</div>{rows}</a>'


def _count(table: TableNow) -> str:
    """Return the number of rounds since the deck's last count, if its book requires counts."""
    since = table.rounds_since_count
    if since is None or (table.deck and table.count_every is None):
        return "no count required" if table.deck else "no deck yet"
    due = " · COUNT DUE" if table.count_due else ""
    return f"{since} {'round' if since == 1 else 'rounds'} since the count{due}"


def _by_severity(table: TableNow) -> str:
    counted = {each: getattr(table, f"{each}_findings") for each in formatting.SEVERITIES}
    return ", ".join(f"{count}{_ONE_PIECE}{severity}" for severity, count in counted.items() if count)

"""Numbers: drop, win and hold with the expectation by the odds and a 95 % interval; the pay tables, audited."""

from datetime import date
from typing import get_args

import streamlit as st

from consumers.room import GAMES, PayTables
from dashboards import formatting, navigation, session
from dashboards.address import Field, one_in_a_row, text
from dashboards.interval_chart import Spread, spreads
from dashboards.panels import Cell, figures, go, panel, table
from projections.questions.clock import day
from projections.questions.money import By, Period, TableHold

_BYS: tuple[By, ...] = get_args(By)
_PERIODS: tuple[Period, ...] = get_args(Period)
_HEAD = (
    *(
        "period",
        "of",
        "days counted",
        "rounds",
        "drop",
        "win",
        "hold",
        "tray off",
        "staked",
        "played",
        "expected",
        "95 %",
    ),
    *("deviations", "left out", ""),
)
_MOST_DRAWN = 60
_MEANING = (
    "Win is closer + credits + drop − opener − fills, once all are counted. Played is the house's result in rounds, "
    "on wagers whose amounts were all seen. Expectation and interval are of the same wagers. One in 20 results is "
    "outside its interval by chance. Left out are wagers without odds, or with an unseen amount."
)


def page() -> None:
    """Draw the figures that the address asks for, and the audit of the pay tables."""
    st.title("Numbers")
    by, period = _asked()
    held, first, last = st.query_params, _day("first"), _day("last")
    where, game = held.get("table", ""), held.get("game", "")
    room, visit = session.room(), session.visit()
    shown = room.numbers(visit, by=by, period=period, first=first, last=last, table=where, game=game)
    checked = room.checked(visit, first=first, last=last, table=where, game=game)
    head = _totals(shown.value, f"{by} {period}s", checked)
    panel(shown.made_at, head, _table(shown.value), key="numbers")
    drawn = [each for row in shown.value if (each := _spread(row))]
    if drawn:
        words = f"played, {formatting.PropertyFormat.currency}, against 95 % of such play"
        chart = spreads(drawn[-_MOST_DRAWN:], words, ",.0f", "of")
        st.altair_chart(chart, width="stretch", key="numbers-drawn")
    st.caption(formatting.plain(_MEANING))
    _pay_tables()


def _asked() -> tuple[By, Period]:
    """Return the grouping and the period, both from the address."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    by: By = one_in_a_row(row, Field("numbers", "by", "table"), "By", _BYS)
    period: Period = one_in_a_row(row, Field("numbers", "period", "day"), "Each", _PERIODS)
    fields = (("first", "From gaming day"), ("last", "To gaming day"), ("table", "Table"), ("game", "Game"))
    for name, label in fields:
        text(row, Field("numbers", name), label, placeholder="any", width=170)
    return by, period


def _day(name: str) -> date | None:
    said = navigation.asked(name)
    return day(said) if said else None


def _totals(rows: list[TableHold], what: str, checked: float | None) -> str:
    outside = sum(row.inside is False for row in rows)
    told = sum(row.inside is not None for row in rows)
    return figures(
        (what.replace("alls", "totals"), formatting.count(len(rows)), "calm"),
        ("outside their interval", f"{outside} of {told}", "warn" if outside else "ok"),
        ("wagers checked", formatting.percent(checked), "calm"),
        ("wagers left out of played", formatting.count(sum(row.left_out for row in rows)), "calm"),
    )


def _table(rows: list[TableHold]) -> str:
    return table("Drop, win, hold", _HEAD, map(_line, rows), right=_HEAD[2:-1], nothing="No day on record matches.")


def _line(row: TableHold) -> list[Cell]:
    return [
        row.period,
        _of(row),
        f"{row.closed} of {row.days}",
        formatting.count(row.rounds),
        formatting.money(row.drop_cents),
        formatting.money(row.win_cents),
        formatting.percent(row.hold),
        formatting.money(row.tray_off_cents),
        formatting.money(row.handle_cents),
        formatting.money(row.played_cents),
        formatting.about(row.expected_cents),
        "–" if row.low_cents is None else f"{formatting.about(row.low_cents)} to {formatting.about(row.high_cents)}",
        formatting.number(row.deviations),
        formatting.count(row.left_out),
        "OUTSIDE" if row.inside is False else "",
    ]


def _of(row: TableHold) -> Cell:
    if row.of in GAMES:
        return GAMES[row.of]
    if row.of in ("floor", ""):
        return row.of or "–"
    named = {"table": row.of, "day": row.period} if len(row.period) == len("2026-11-18") else {"table": row.of}
    return go(row.of, "table", **named)


def _spread(row: TableHold) -> Spread | None:
    if row.low_cents is None or row.high_cents is None:
        return None
    value, low, high = (formatting.whole(cents) for cents in (row.played_cents, row.low_cents, row.high_cents))
    expected = formatting.about(row.expected_cents)
    says = f"played {formatting.money(row.played_cents)}, expected {expected}, {row.rounds} rounds"
    return Spread(f"{row.of} {row.period}", value, low, high, says, row.inside is False)


def _pay_tables() -> None:
    st.header("Pay tables")
    shown = session.room().pay_tables(session.visit())
    audited = shown.value
    warned: list[list[Cell]] = [
        [each.house.book, ", ".join(each.house.tables), warning.code, warning.says, warning.clause]
        for each in audited
        for warning in each.warnings
    ]
    head = ("book", "tables", "code", "message", "clause")
    nothing = "Every pay table is in its book, and the house edge of every wager is usual for its kind."
    parts = [table("To check", head, warned, nothing=nothing), *map(_audited, audited)]
    if audited:
        parts.append(f"<p>Per unit wagered; the base game per ante. {audited[0].left_out}</p>")
    panel(shown.made_at, *parts, key="pay-tables")


def _audited(audit: PayTables) -> str:
    head = ("wager", "house edge", "95 %", "hit rate", "deviation", "method", "clause", "note")
    rows: list[list[Cell]] = [
        [
            line.wager,
            formatting.percent(line.edge, 3),
            "" if line.low is None else f"{formatting.percent(line.low, 3)} to {formatting.percent(line.high, 3)}",
            formatting.percent(line.hit_rate, 2),
            formatting.number(line.deviation, 3),
            line.method,
            line.clause,
            line.note,
        ]
        for line in audit.wagers
    ]
    where = ", ".join(audit.house.tables) or "no table now"
    title = f"{GAMES.get(audit.house.book, audit.house.book)} · {where} · house {audit.house.house[:8]}"
    return table(title, head, rows, right=head[1:5], nothing="No odds: the options do not belong to this book.")

"""One table's day: a timeline, its decks, findings and staff, and its money for those who may see it."""

from datetime import date, tzinfo

import streamlit as st

from consumers.room import GAMES, TableDayView
from dashboards import formatting, navigation, page_errors, session
from dashboards.address import Field
from dashboards.panels import Badge, Cell, figures, go, panel, table
from dashboards.timeline import timeline
from projections.questions.asking import NothingFitsError
from projections.questions.clock import day as gaming_day
from projections.questions.decks import DeckRow
from projections.questions.table_day import DayFinding, DayMoney

_DECKS = (
    "deck",
    "rounds",
    "from",
    "to",
    "counts",
    "since the count",
    "last count",
    "shuffles",
    "status",
    "",
)


def page() -> None:
    """Draw the day that the address names; by default the first table's last day."""
    st.title("Table")
    tables = sorted(session.room().tables(session.visit()), key=formatting.natural)
    if not tables:
        st.info("No table has opened yet.")
        return
    _day(tables)


@st.fragment(run_every=5)
@page_errors.guarded
def _day(tables: list[str]) -> None:
    navigation.part()
    chosen = st.container(horizontal=True)
    field = Field("table", "table")

    def named(said: str) -> str | None:
        asked = said or tables[0]
        return asked if asked in tables else None

    where = chosen.selectbox("Table", tables, key=field.key(named), placeholder="choose one", width=160)
    if where is None:
        raise NothingFitsError(f"there is no table {field.held}")
    if field.take(where):
        navigation.put("day", "")
    shown = session.room().table_day(session.visit(), where, _named_day())
    day = shown.value
    with chosen:
        _days(day)
    zone = formatting.zone(day.head.zone)
    panel(shown.made_at, _figures(day, zone), key="table-head", follows=True)
    st.vega_lite_chart(timeline(day), width="stretch", key="timeline")
    parts = [_decks(day)]
    if day.money is not None:
        parts.insert(0, _money(day.money))
    if day.findings is not None:
        parts.append(_findings(day.findings, day.head.stream, zone))
    parts.append(_staff(day, zone))
    panel(shown.made_at, *parts, key="table-rest", follows=True)


def _named_day() -> date | None:
    said = navigation.asked("day")
    return gaming_day(said) if said else None


def _days(day: TableDayView) -> None:
    field = Field("table", "day", day.head.gaming_day.isoformat())
    days = {each.isoformat(): each for each in day.days}
    key = field.key(lambda said: days.get(said, day.head.gaming_day))
    if field.take(st.selectbox("Gaming day", day.days, key=key, format_func=date.isoformat, width=180).isoformat()):
        st.rerun()


def _figures(day: TableDayView, zone: tzinfo) -> str:
    head = day.head
    due = any(deck.count_due and deck.gone_at is None for deck in day.decks)
    asked = [deck.count_every for deck in day.decks if deck.deck == head.deck]
    since = "no count required" if asked and asked[-1] is None else formatting.count(head.rounds_since_count)
    unread = head.unread_from is not None
    return figures(
        ("game", GAMES.get(head.game or "", head.game or "–"), "calm"),
        ("state", head.state or "–", "calm"),
        ("dealer", head.dealer or "–", "calm"),
        ("rounds", formatting.count(head.rounds), "calm"),
        ("hands", formatting.count(head.hands), "calm"),
        ("rounds since the count", since, "warn" if due else "ok"),
        ("last fact", formatting.clock(head.last_at, zone), "bad" if unread else "calm"),
        *((("cannot be read from", formatting.count(head.unread_from), "bad"),) if unread else ()),
    )


def _money(money: DayMoney) -> str:
    told = (
        ("opener", money.opener_cents),
        ("fills", money.fills_cents),
        ("credits", money.credits_cents),
        ("drop", money.drop_cents),
        ("closer", money.closer_cents),
        ("win", money.win_cents),
        ("won in rounds", money.rounds_win_cents),
        ("tray off", money.tray_off_cents),
    )
    return figures(*((name, formatting.money(cents), "calm") for name, cents in told))


def _decks(day: TableDayView) -> str:
    return table(
        "Deck ledger",
        _DECKS,
        map(_deck, day.decks),
        right=("rounds", "from", "to", "counts", "since the count", "last count", "shuffles"),
        nothing="No deck was received at the table.",
    )


def _deck(row: DeckRow) -> list[Cell]:
    rounds = map(formatting.count, (row.rounds, row.first_round, row.last_round))
    counts = (formatting.count(row.counts_done), since(row), formatting.count(row.last_count))
    link = go(row.deck, "decks", deck=row.deck, table=row.table)
    return [link, *rounds, *counts, formatting.count(row.shuffles), row.fate or "", signs(row)]


def since(row: DeckRow) -> str:
    """Return the number of rounds since a deck's last count, if its book requires counts."""
    if row.count_every is None:
        return "not required"
    return formatting.count(row.rounds_since_count) + (f" (+{row.overdue_rounds})" if row.overdue_rounds else "")


def signs(row: DeckRow) -> str:
    """Return the warnings about a deck, in words."""
    told = (
        ("COUNT DUE", row.count_due and row.gone_at is None),
        ("MISCOUNTED", row.miscounted),
        (f"duplicates: {row.duplicates}", bool(row.duplicates)),
        (f"never seen: {row.never_seen}", bool(row.never_seen)),
    )
    return " · ".join(words for words, holds in told if holds)


def _findings(found: tuple[DayFinding, ...], stream: str, zone: tzinfo) -> str:
    rows: list[list[Cell]] = [
        [
            Badge(each.severity),
            formatting.clock(each.at, zone),
            "–" if each.round is None else _link(stream, each.round, each.to_round),
            go(each.says, "findings", finding=each.finding),
        ]
        for each in found
    ]
    head = ("severity", "time", "round", "finding")
    return table("To review", head, rows, right=("round",), nothing="No findings to review.")


def _link(stream: str, first: int, last: int | None) -> Cell:
    """Return a link to a finding's first hand, with its last round if it is about more."""
    return go(formatting.rounds(first, last), "hand", stream=stream, round=str(first))


def _staff(day: TableDayView, zone: tzinfo) -> str:
    return table(
        "Staff",
        ("who", "as", "from", "to", "first round", "last round"),
        (
            (
                post.person,
                post.role,
                formatting.clock(post.came_at, zone),
                formatting.clock(post.went_at, zone),
                formatting.count(post.first_round),
                formatting.count(post.last_round),
            )
            for post in reversed(day.staff)
        ),
        right=("from", "to", "first round", "last round"),
    )

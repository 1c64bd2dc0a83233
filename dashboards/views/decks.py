"""Decks and devices: counts due, the ledger, and the blast radius of a bad deck or device, a dealer or a period."""

from datetime import date, datetime, tzinfo
from typing import get_args

import streamlit as st

from consumers.room import DeckBook
from dashboards import formatting, navigation, page_errors, session
from dashboards.address import Field, chosen, take, text, texts
from dashboards.panels import Cell, figures, go, panel, table
from dashboards.views.table import signs, since
from projections.questions.blast import Affected, AffectedRound, Basis, BlastRadius, Repayment
from projections.questions.clock import day, moment
from projections.questions.decks import DeckRow, DeviceRow

_LEDGER = ("table", "day", "deck", "rounds", "counts", "since the count", "last count", "findings", "status", "")
_RIGHT = ("rounds", "counts", "since the count", "last count", "findings")
_BASES = {"default": "", "return every stake": "void", "by the rule book": "rules"}
_MOST_ROUNDS = 300


def page() -> None:
    """Draw the live ledger, and the blast radius that the address names."""
    st.title("Decks and devices")
    row = st.container(horizontal=True)
    fields = (Field("ledger", name) for name in ("table", "deck"))
    _ledger(*(text(row, each, each.name.capitalize(), placeholder="any", width=190) for each in fields))
    if session.visit().person.may("see-players"):
        st.divider()
        st.header("Blast radius")
        _blast()


@st.fragment(run_every=5)
@page_errors.guarded
def _ledger(where: str, deck: str) -> None:
    shown = session.room().decks(session.visit(), table=where, deck=deck)
    book: DeckBook = shown.value
    zone = session.zone()
    panel(
        shown.made_at,
        table("Counts due", _LEDGER, map(_deck, book.due), right=_RIGHT, nothing="No count is due."),
        table("Ledger", _LEDGER, map(_deck, book.ledger), right=_RIGHT, nothing=_no_deck(where, deck)),
        table(
            "Devices",
            ("device", "tables", "days", "uses", "miscounts", "last used"),
            (_device(each, zone) for each in book.devices),
            right=("days", "uses", "miscounts"),
            nothing="No device is on record.",
        ),
        key="ledger",
        follows=True,
    )


def _no_deck(where: str, deck: str) -> str:
    """Return the text about the missing table or deck."""
    if where and where not in session.room().tables(session.visit()):
        return f"There is no table {where}."
    return f"There is no deck {deck} here." if deck else "No deck is on record."


def _deck(row: DeckRow) -> list[Cell]:
    of_day = row.gaming_day.isoformat()
    numbers = (
        formatting.count(row.rounds),
        formatting.count(row.counts_done),
        since(row),
        formatting.count(row.last_count),
    )
    where = row.fate or ("gone" if row.gone_at else "in use")
    links = (go(row.table, "table", table=row.table, day=of_day), of_day, go(row.deck, "decks", deck=row.deck))
    return [*links, *numbers, formatting.count(row.findings), where, signs(row)]


def _device(row: DeviceRow, zone: tzinfo) -> list[Cell]:
    numbers = (formatting.count(row.days), formatting.count(row.uses), formatting.count(row.miscounts))
    last = formatting.when(row.last_day, row.last_at, zone)
    return [go(row.device, "decks", device=row.device), ", ".join(row.tables), *numbers, last]


def _blast() -> None:
    held, zone = st.query_params, session.room().zone()
    with st.form("blast"):
        of_zone = f"({formatting.zone_name(zone)})"
        asked = {
            "deck": ("Deck", "any"),
            "device": ("Device", "any"),
            "dealer": ("Dealer", "any"),
            "table": ("Table", "any"),
            "first": ("From gaming day", "2026-11-18"),
            "last": ("To gaming day", "2026-11-18"),
            "begin": (f"From {of_zone}", "2026-11-18T21:10"),
            "end": (f"To {of_zone}", "2026-11-18T22:00"),
        }
        said = texts("blast", asked, [*st.columns(4), *st.columns(4)])
        basis = Field("blast", "basis")
        said.append((basis, chosen(st, basis, "Sums", _BASES)))
        if st.form_submit_button("Show affected hands", type="primary"):
            take(said)
            st.rerun()  # the fields above share the same names in the address
    if any(held.get(name) for name in ("deck", "device", "dealer", "begin", "end")):
        with page_errors.said():
            _touched(*_affected())


def _affected() -> tuple[Affected, Basis | None]:
    """Return the deck, device, dealer or period in the address."""
    held = st.query_params
    basis: Basis | None = next((each for each in get_args(Basis) if each == held.get("basis")), None)
    affected = Affected(
        deck=held.get("deck", ""),
        device=held.get("device", ""),
        dealer=held.get("dealer", ""),
        table=held.get("table", ""),
        first=_day("first"),
        last=_day("last"),
        begin=_moment("begin"),
        end=_moment("end"),
    )
    return affected, basis


def _day(name: str) -> date | None:
    said = navigation.asked(name)
    return day(said) if said else None


def _moment(name: str) -> datetime | None:
    said = navigation.asked(name)
    return moment(said, session.room().zone()) if said else None


def _touched(affected: Affected, basis: Basis | None) -> None:
    shown = session.room().blast_radius(session.visit(), affected, basis)
    found: BlastRadius = shown.value
    panel(shown.made_at, _sums(found), _repayments(found.repayments), key="blast-sums")
    if session.visit().person.may("order-exports"):
        room, visit = session.room(), session.visit()
        why = st.text_input("Reason for the download", key="why-taken", placeholder="the case, or a comment")
        st.download_button(
            "Repayment list (CSV)",
            data=lambda: room.repayment_list(visit, affected, basis, why),
            file_name="repayments.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
    panel(shown.made_at, _rounds(found.affected_rounds), key="blast-rounds")


def _sums(found: BlastRadius) -> str:
    how = "return every stake" if found.basis == "void" else "by the rule book"
    return figures(
        ("rounds", formatting.count(found.rounds), "calm"),
        ("hands", formatting.count(found.hands), "calm"),
        ("players", formatting.count(found.players), "calm"),
        ("tables' days", formatting.count(found.streams), "calm"),
        ("owed to players", formatting.money(found.to_players_cents), "bad" if found.to_players_cents else "ok"),
        ("owed by players", formatting.money(found.by_players_cents), "warn" if found.by_players_cents else "ok"),
        ("undecided hands", formatting.count(found.undecided), "warn" if found.undecided else "ok"),
        ("sums", how, "calm"),
    )


def _repayments(rows: tuple[Repayment, ...]) -> str:
    head = (
        "player",
        "rounds",
        "hands",
        "staked",
        "handed back",
        "owed to the player",
        "owed by the player",
        "net",
        "undecided",
    )
    return table("Repayment list", head, map(_repayment, rows), right=head[1:])


def _repayment(row: Repayment) -> list[Cell]:
    cents = (row.staked_cents, row.back_cents, row.to_player_cents, row.by_player_cents, row.net_cents)
    counts = (formatting.count(row.rounds), formatting.count(row.hands))
    link = go(row.player, "people", player=row.player)
    return [link, *counts, *map(formatting.money, cents), formatting.count(row.undecided)]


def _rounds(rows: tuple[AffectedRound, ...]) -> str:
    zone = session.zone()
    cells: list[list[Cell]] = [
        [
            go(f"{row.stream} round {row.round}", "hand", stream=row.stream, round=str(row.round)),
            formatting.moment(row.began_at, zone),
            row.dealer or "–",
            row.deck or "–",
            formatting.count(row.hands),
            formatting.money(row.to_players_cents),
            formatting.money(row.by_players_cents),
            "VOID" if row.voided else "",
        ]
        for row in rows[:_MOST_ROUNDS]
    ]
    more = f", the first {_MOST_ROUNDS} of {len(rows)}" if len(rows) > _MOST_ROUNDS else ""
    head = ("round", "began", "dealer", "deck", "hands", "owed to players", "owed by players", "")
    return table(f"Rounds{more}", head, cells, right=("hands", "owed to players", "owed by players"))

"""Record health: how late it is, what is missing or broken, what is unverified, unsealed or undecided."""

from collections.abc import Iterable
from datetime import datetime, tzinfo
from html import escape

import streamlit as st

from consumers.room import Health, LastCheckpoint, RecordProved
from dashboards import formatting, page_errors, session
from dashboards.panels import Cell, figures, go, panel, table
from projections.questions.coverage import Undecided
from projections.questions.troubles import Behind, ListedTrouble

_BEHIND = (
    "table",
    "day",
    "state",
    "last fact",
    "facts",
    "verified to",
    "unverified",
    "sealed to",
    "unsealed",
    "",
)
_LATE_SECONDS = 60
_UNSIGNED_SECONDS = 3_600  # a property that signs its record does so every few minutes


def page() -> None:
    """Draw the state of the record, refreshed automatically."""
    st.title("Record health")
    _health()


@st.fragment(run_every=2)
@page_errors.guarded
def _health() -> None:
    shown = session.room().record_health(session.visit())
    health, zone = shown.value, session.zone()
    panel(
        shown.made_at,
        _figures(health, zone),
        _signed(health.checkpoint, zone),
        _proved(health.proved, zone),
        table(
            "Gaps, forks, dead letters and other unusable input",
            ("log", "where", "stream", "kind", "message"),
            map(_trouble, health.quality.troubles),
            nothing="Nothing is missing, and everything is readable.",
        ),
        table(
            "Silent tables",
            ("table", "state", "last fact"),
            (
                (
                    go(each.table, "table", table=each.table),
                    each.state or "–",
                    formatting.when(each.gaming_day, each.last_at, zone),
                )
                for each in health.silent
            ),
            nothing="Every open table sends facts.",
        ),
        table(
            "Doubtful feeds",
            ("table", "day", "message"),
            (
                (
                    go(each.table, "table", table=each.table, day=each.gaming_day.isoformat()),
                    each.gaming_day.isoformat(),
                    each.says,
                )
                for each in health.feeds
            ),
            nothing="No table's feed looks mis-mapped on the newest gaming day.",
        ),
        table(
            "Unverified or unsealed facts",
            _BEHIND,
            (_behind(each, zone) for each in health.quality.behind),
            right=_BEHIND[4:9],
            nothing="Every table's day is verified and sealed to its last fact.",
        ),
        _coverage("Decided and undecided wagers, by missing item", health.coverage),
        _coverage("Decided and undecided wagers, by table", health.by_table),
        key="health",
        follows=True,
    )


def _figures(health: Health, zone: tzinfo) -> str:
    held, waiting = health.quality, health.waiting
    return figures(
        ("behind the record", _span(waiting.seconds), "bad" if waiting.seconds > _LATE_SECONDS else "ok"),
        ("facts waiting", formatting.count(waiting.facts), "calm"),
        ("newest fact", formatting.when(held.newest_day, held.newest_fact_at, zone), "calm"),
        ("open troubles", formatting.count(held.troubles_open), "bad" if held.troubles_open else "ok"),
        ("unread tables", formatting.count(held.unread_tables), "bad" if held.unread_tables else "ok"),
        ("silent tables", formatting.count(len(health.silent)), "warn" if health.silent else "ok"),
        ("doubtful feeds", formatting.count(len(health.feeds)), "bad" if health.feeds else "ok"),
        ("unverified facts", formatting.count(held.unverified), "warn" if held.unverified else "ok"),
        ("unsealed facts", formatting.count(held.unsealed), "warn" if held.unsealed else "ok"),
        ("wagers decided", _decided(health.coverage), "calm"),
    )


def _signed(head: LastCheckpoint, zone: tzinfo) -> str:
    """Draw the last checkpoint: its time, its size, and its cosigners."""
    if head.trouble:
        return _title("Last checkpoint") + f"<p>{escape(head.trouble)}</p>"
    if head.at is None:
        return (
            _title("Last checkpoint") + "<p>No checkpoint has been signed yet. Run catwalk checkpoint to sign them.</p>"
        )
    seconds = _since(head.at)
    return _title("Last checkpoint") + figures(
        ("signed", f"{_span(seconds)} ago", "warn" if seconds > _UNSIGNED_SECONDS else "ok"),
        ("at", formatting.moment(head.at, zone), "calm"),
        ("sealed stretches in it", formatting.count(head.leaves), "calm"),
        ("cosigned by", ", ".join(head.cosigners) or "no witness", "ok" if head.cosigners else "warn"),
    )


def _proved(proved: RecordProved | None, zone: tzinfo) -> str:
    """Draw the last full check of the record against its hashes and seals, and its result."""
    if proved is None:
        told = "No run is on record. Run catwalk doctor to read everything again and prove it."
        return _title("Last proof of the record") + f"<p>{told}</p>"
    at = formatting.at(proved.at)
    result = "whole" if proved.status == 0 else f"NOT WHOLE, status {proved.status}"
    return _title("Last proof of the record") + figures(
        ("catwalk doctor ran", f"{_span(_since(at))} ago", "calm"),
        ("at", formatting.moment(at, zone), "calm"),
        ("result", result, "bad" if proved.status else "ok"),
        ("records read", formatting.count(proved.records), "calm"),
        ("streams", formatting.count(proved.streams), "calm"),
        ("run by", proved.by, "calm"),
    )


def _title(words: str) -> str:
    return f'<div class="cw-pit" role="heading" aria-level="2">{escape(words)}</div>'


def _since(at: datetime) -> int:
    return max(0, int((session.now() - at).total_seconds()))


def _decided(coverage: Iterable[Undecided]) -> str:
    return next((formatting.percent(each.share) for each in coverage if each.what == "decided"), "–")


def _span(seconds: int | None) -> str:
    """Return a length of time."""
    if seconds is None:
        return "–"
    for length, unit in ((1, "s"), (60, "min"), (3_600, "h")):
        if seconds < 120 * length:
            return f"{seconds // length} {unit}"
    return f"{seconds // 86_400} days"


def _trouble(trouble: ListedTrouble) -> list[Cell]:
    where = f"{trouble.partition}:{trouble.position}"
    stream = trouble.stream or "–"
    named = f"{stream} from {trouble.sequence}" if trouble.sequence else stream
    return [trouble.log, where, named, trouble.kind, trouble.says or ""]


def _behind(row: Behind, zone: tzinfo) -> list[Cell]:
    unread = f"cannot be read from {row.unread_from}: {row.unread_says}" if row.unread_from is not None else ""
    numbers = (row.sequence, row.up_to, row.unverified, row.sealed_to, row.unsealed)
    day = row.gaming_day.isoformat()
    link = go(row.table, "table", table=row.table, day=day)
    return [link, day, row.state or "–", formatting.clock(row.last_at, zone), *map(formatting.count, numbers), unread]


def _coverage(title: str, rows: Iterable[Undecided]) -> str:
    return table(
        title,
        ("of", "what", "wagers", "share", "days"),
        (
            (
                each.of,
                each.what,
                formatting.count(each.wagers),
                formatting.percent(each.share),
                formatting.count(each.days),
            )
            for each in rows
        ),
        right=("wagers", "share", "days"),
        nothing="No round is finished yet.",
    )

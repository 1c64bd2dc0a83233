"""A table's day along its hours: rounds, staff, decks, counts, shuffles and findings, each in its lane."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any

import altair as alt

from consumers.room import TableDayView
from dashboards import formatting

_LANES = ["rounds", "void rounds", "dealer", "floor", "deck", "shuffles", "counts", "deck changes", "findings"]
_KINDS = ["round", "void round", "dealer", "other staff", "deck", "shuffle", "count", "change", *formatting.SEVERITIES]
# One color per kind that works in both themes; the lane, the shape and the words carry the same meaning.
_INKS = ["#2f7d5b", "#c2410c", "#3b73b9", "#7d8aa0", "#8a6fb3", "#5f8f9f", "#9a7b2f", "#b0517c"]
_GRAVE = ["#d13438", "#c77700", "#4f7cac", "#7d8aa0"]
# The shapes of points, in the order of the kinds: severities have those of their signs.
_SHAPES = [*["circle"] * 6, "diamond", "square", "triangle-up", "diamond", "circle", "square"]
_OF_FACTS = {
    "stub-counted": ("counts", "count"),
    "deck-inspected": ("counts", "count"),
    "inspection-verified": ("counts", "count"),
    "shuffle-completed": ("shuffles", "shuffle"),
    "cards-washed": ("shuffles", "shuffle"),
}
_OF_DECKS = ("deck-changed", "deck-received", "deck-removed", "device-configured")


def timeline(day: TableDayView) -> dict[str, Any]:
    """Return the chart in Vega-Lite; dragging and the wheel move along the hours."""
    zone = formatting.zone(day.head.zone)
    end = day.head.closed_at or day.head.last_at
    spans, points = [*_rounds(day, zone), *_stays(day, zone, end)], [*_handled(day, zone), *_found(day, zone)]
    drawn = _drawn(day.head.zone or "UTC")
    layers = zip(drawn["layer"], (spans, points), strict=True)
    return drawn | {"layer": [layer | {"data": {"values": rows}} for layer, rows in layers]}


@lru_cache
def _drawn(zone: str) -> dict[str, Any]:
    """Return the chart without its data, built once, because Altair takes longer than the day's queries."""
    colour = alt.Color("kind:N", scale=alt.Scale(domain=_KINDS, range=_INKS + _GRAVE), legend=None)
    lane = alt.Y("lane:N", sort=_LANES, title=None, scale=alt.Scale(domain=_LANES), axis=alt.Axis(labelFontSize=15))
    hours = alt.Axis(format="%H:%M", labelFontSize=14, titleFontSize=14, title=zone)
    told = [alt.Tooltip("says:N", title="what"), alt.Tooltip("clock:N", title="when")]
    bars = (
        alt.Chart(alt.InlineData(values=[]))
        .mark_bar(height=18, cornerRadius=2)
        .encode(x=alt.X("from:T", axis=hours), x2="to:T", y=lane, color=colour, tooltip=told)
    )
    ticks = (
        alt.Chart(alt.InlineData(values=[]))
        .mark_point(filled=True, size=70, opacity=0.85)
        .encode(
            x="from:T",
            y=lane,
            color=colour,
            shape=alt.Shape("kind:N", legend=None, scale=alt.Scale(domain=_KINDS, range=_SHAPES)),
            tooltip=told,
        )
    )
    chart = alt.layer(bars, ticks).properties(height=360, usermeta=formatting.DRAWN)
    made: dict[str, Any] = chart.interactive(bind_y=False).to_dict()
    return {name: part for name, part in made.items() if name not in ("config", "data", "datasets")}


def _rounds(day: TableDayView, zone: tzinfo) -> Iterable[dict[str, Any]]:
    for each in day.rounds:
        if each.began_at is not None:
            ended = each.ended_at or each.began_at
            says = (
                f"round {each.round}, {each.hands or 0} hands, {each.dealer or 'no dealer'}, {each.deck or 'no deck'}"
            )
            lane, kind, void = ("void rounds", "void round", ", VOID") if each.voided else ("rounds", "round", "")
            yield _span(lane, kind, says + void, (each.began_at, ended), zone)


def _stays(day: TableDayView, zone: tzinfo, end: datetime | None) -> Iterable[dict[str, Any]]:
    for post in day.staff:
        went = post.went_at or end
        if post.came_at is not None and went is not None:
            lane, kind = ("dealer", "dealer") if post.role == "dealer" else ("floor", "other staff")
            yield _span(lane, kind, f"{post.person}, {post.role}", (post.came_at, went), zone)
    began = {each.round: each.began_at for each in day.rounds}
    ended = {each.round: each.ended_at for each in day.rounds}
    for deck in day.decks:
        first, last = began.get(deck.first_round or 0), ended.get(deck.last_round or 0)
        if first is not None and last is not None:
            says = f"{deck.deck}, rounds {deck.first_round} to {deck.last_round}"
            yield _span("deck", "deck", says, (first, last), zone)


def _handled(day: TableDayView, zone: tzinfo) -> Iterable[dict[str, Any]]:
    for each in day.handled:
        change = ("deck changes", "change") if each.what in _OF_DECKS else None
        lane = _OF_FACTS.get(each.what, change)
        if lane is None or each.at is None:
            continue
        parts = (each.what.replace("-", " "), each.deck, each.method, each.device, each.by and f"by {each.by}")
        cards = "" if each.cards is None else f", {each.cards} cards"
        says = ", ".join(part for part in parts if part) + cards
        yield _span(*lane, says, (each.at, each.at), zone)


def _found(day: TableDayView, zone: tzinfo) -> Iterable[dict[str, Any]]:
    for each in day.findings or ():
        if each.at is not None:
            yield _span("findings", each.severity, f"{each.severity}: {each.says}", (each.at, each.at), zone)


def _span(lane: str, kind: str, says: str, when: tuple[datetime, datetime], zone: tzinfo) -> dict[str, Any]:
    begin = when[0]
    end = max(when[1], begin + timedelta(seconds=1))
    clock = formatting.clock(begin, zone)
    return {
        "lane": lane,
        "kind": kind,
        "says": says,
        "clock": clock,
        "from": _local(begin, zone),
        "to": _local(end, zone),
    }


def _local(at: datetime, zone: tzinfo) -> str:
    """Return a time as the table's clock shows it, because the chart knows only its reader's zone."""
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return aware.astimezone(zone).replace(tzinfo=None).isoformat(timespec="seconds")

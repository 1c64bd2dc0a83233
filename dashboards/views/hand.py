"""One hand: the felt fact by fact, amounts owed and handed back, findings to review, and its neighbors.

A hand in play is followed: it is folded again from the facts every few seconds.
"""

from datetime import tzinfo
from html import escape

import streamlit as st

from consumers.room import GAMES, HandView, name_of_wager
from dashboards import formatting, navigation, page_errors, session
from dashboards.add_to_case import add_to_case
from dashboards.address import take, texts
from dashboards.felt import felt, height_of
from dashboards.panels import Badge, Cell, go, panel, table
from dashboards.scrubber import scrubber
from projections.questions.asking import AskedWronglyError
from projections.questions.clock import day
from projections.questions.rounds import Handle, RoundRow

_AMOUNTS = ("staked", "owed", "handed back", "difference")
_EVERY_SECONDS = 3
_FIELDS = {
    "table": ("Table", "T7"),
    "about": ("About when", "about ten past nine, or 21:10"),
    "day": ("Gaming day", "its last one, or 2026-11-18"),
    "round": ("Round", "142"),
    "player": ("Player", "token"),
    "card": ("Holding", "Ah"),
}


def page() -> None:
    """Draw the hand that a link names, or a search for one."""
    stream, number = navigation.asked("stream"), navigation.asked("round")
    if not stream:
        _search()
        return
    hand = session.room().hand(session.visit(), stream, _round(number))
    if hand.live:
        st.fragment(page_errors.guarded(_followed), run_every=_EVERY_SECONDS)(stream, _round(number))
    else:
        _drawn(hand)


def _followed(stream: str, number: int) -> None:
    """Draw a hand in play, until it is over."""
    navigation.part()
    hand = session.room().hand(session.visit(), stream, number)
    if not hand.live:
        st.rerun()
    _drawn(hand)


def _round(said: str) -> int:
    if not (said.isascii() and said.isdigit()):
        raise AskedWronglyError(f"{said!r} is not a round: write a number like 142")
    return int(said)


def _drawn(hand: HandView) -> None:
    made_at = session.now()
    _head(hand)
    zone = formatting.zone(hand.zone)
    height = height_of(hand.scenes, hand.positions)
    scenes = [
        {
            "felt": felt(scene, hand.positions, height),
            "time": _time(scene.at, zone),
            "says": scene.says,
            "source": scene.source,
        }
        for scene in hand.scenes
    ]
    scrubber(f"{hand.told.stream}:{hand.told.round}", scenes, _step(hand), key="felt")
    panel(made_at, _wagers(hand), _findings(hand), key="settlement", follows=hand.live)
    _case(hand)


def _step(hand: HandView) -> int:
    """Return the scene that the address names, by its place or its fact; by default the last."""
    asked, fact = navigation.asked("step"), navigation.asked("fact")
    if asked.isdigit():
        return int(asked) - 1
    named = [place for place, scene in enumerate(hand.scenes) if str(scene.sequence) == fact]
    return named[0] if named else len(hand.scenes) - 1


def _head(hand: HandView) -> None:
    told = hand.told
    zone = formatting.zone(hand.zone)
    void = " · VOID" if told.void else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(formatting.plain(f"{told.table} · round {told.round}{void}"), width="content")
        if told.previous is not None and st.button("◀ previous", key="previous"):
            navigation.go("hand", stream=told.stream, round=str(told.previous))
        if told.next is not None and st.button("next ▶", key="next"):
            navigation.go("hand", stream=told.stream, round=str(told.next))
    when = f"{told.stream.partition('/')[2]}, {_time(told.began, zone)} to {_time(told.ended, zone)} {hand.zone}"
    camera = next((f" · camera {each.camera} {each.time_code or ''}" for each in told.steps if each.camera), "")
    game = GAMES.get(told.book, told.book)
    said = f"{game} · {when} · dealer {told.dealer or 'unknown'} · {told.deck}{camera}"
    st.caption(formatting.plain(said))
    if hand.live:
        st.warning("This hand is in play. Cards that were not shown are left out.")
    elif hand.veiled:
        st.info("Cards that were not shown are left out for your role.")


def _case(hand: HandView) -> None:
    told = hand.told
    name = f"{told.stream} round {told.round}"
    add_to_case(
        f"Hand {name}",
        formatting.at(told.began),
        there=lambda case: any((each.of_stream, each.of_round) == (told.stream, told.round) for each in case.hands),
        add=lambda number, key: session.room().link_hand(
            session.visit(), number, key, told.stream, told.round, seat=None
        ),
    )


def _wagers(hand: HandView) -> str:
    """Return the wagers with amounts owed and handed back, difference and clause."""
    rows: list[list[Cell]] = [
        [
            str(seat.seat),
            seat.player or "–",
            name_of_wager(line.wager),
            formatting.money(line.staked_cents),
            formatting.money(line.owed_cents),
            formatting.money(line.handed_back_cents),
            formatting.money(line.difference_cents) if line.difference_cents else "",
            line.clause,
            line.basis,
        ]
        for seat in hand.told.seats
        for line in seat.wagers
    ]
    head = ("seat", "player", "wager", *_AMOUNTS, "clause", "how sure")
    told = table(
        "Settlement so far" if hand.live else "Settlement",
        head,
        rows,
        right=("seat", *_AMOUNTS),
        nothing="No wager was made.",
    )
    said = ("Amounts owed appear when the hand is over.",) if hand.live else hand.told.undecided
    return told + "".join(f"<p>{escape(line)}</p>" for line in said)


def _findings(hand: HandView) -> str:
    if not hand.told.findings:
        return ""
    rows: list[list[Cell]] = [
        [Badge(each.severity), go(each.says, "findings", finding=each.finding)] for each in hand.told.findings
    ]
    return table("To review", ("severity", "finding"), rows)


def _search() -> None:
    """Draw a search for a hand; its fields are in the address."""
    st.title("Find a hand")
    held = st.query_params
    with st.form("search"):
        said = texts("search", _FIELDS, st.columns(3))
        if st.form_submit_button("Find", type="primary"):
            take(said)
    if any(held.get(name) for name in _FIELDS):
        _found()


def _found() -> None:
    shown = session.room().find_hands(session.visit(), _handle())
    head = ("hand", "began", "dealer", "deck", "hands", "staked", "handed back", "owed", "")
    where = navigation.asked("table")
    there = not where or where in session.room().tables(session.visit())
    nothing = "No finished hand matches." if there else f"There is no table {where}."
    panel(
        shown.made_at,
        table("", head, map(_hit, shown.value), right=("hands", "staked", "handed back", "owed"), nothing=nothing),
        key="found",
    )


def _handle() -> Handle:
    held = st.query_params
    number = held.get("round", "")
    return Handle(
        table=held.get("table", ""),
        about=held.get("about", ""),
        day=day(held["day"]) if held.get("day") else None,
        round=_round(number) if number else None,
        player=held.get("player", ""),
        card=held.get("card", ""),
    )


def _hit(row: RoundRow) -> list[Cell]:
    return [
        go(f"{row.stream} round {row.round}", "hand", stream=row.stream, round=str(row.round)),
        formatting.moment(row.began_at, formatting.zone(row.zone)),
        row.dealer or "–",
        row.deck or "–",
        formatting.count(row.hands),
        formatting.money(row.staked_cents),
        formatting.money(row.back_cents),
        formatting.money(row.owed_cents),
        "VOID" if row.voided else "",
    ]


def _time(micros: int, zone: tzinfo) -> str:
    return formatting.clock(formatting.at(micros), zone)

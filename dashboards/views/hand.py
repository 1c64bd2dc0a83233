"""One hand: the felt fact by fact, what was owed and handed back, what is to be reviewed, and its neighbours."""

from datetime import UTC, datetime, tzinfo

import streamlit as st

from consumers.room import ForbiddenError, Hand, NoSuchHandError, name_of_wager
from dashboards import look, session
from dashboards.felt import felt
from dashboards.scrubber import scrubber
from projections.questions.asking import AskedWronglyError
from projections.questions.rounds import Handle, RoundRow

_AMOUNTS = ("staked", "owed", "handed back", "difference")


def page() -> None:
    """The hand a link names, or a search for one."""
    stream, number = st.query_params.get("stream", ""), st.query_params.get("round", "")
    if not stream or not number.isdigit():
        _search()
        return
    try:
        hand = session.room().hand(session.visit(), stream, int(number))
    except (NoSuchHandError, ForbiddenError) as error:
        st.error(str(error))
        return
    _head(hand)
    zone = look.zone(hand.zone)
    scenes = [
        {"felt": felt(scene, hand.positions), "time": _time(scene.at, zone), "says": scene.says}
        for scene in hand.scenes
    ]
    asked = st.query_params.get("step", "")
    step = int(asked) - 1 if asked.isdigit() else len(scenes) - 1
    scrubber(f"{stream}:{number}:{len(scenes)}", scenes, step, key="felt")
    _wagers(hand)
    _findings(hand)


def _head(hand: Hand) -> None:
    told = hand.told
    zone = look.zone(hand.zone)
    before, title, after = st.columns([1, 6, 1], vertical_alignment="center")
    if told.previous is not None and before.button("◀ previous", key="previous", width="stretch"):
        session.go("hand", stream=told.stream, round=str(told.previous))
    if told.next is not None and after.button("next ▶", key="next", width="stretch"):
        session.go("hand", stream=told.stream, round=str(told.next))
    void = " · VOID" if told.void else ""
    title.title(f"{told.table} · round {told.round}{void}")
    when = f"{told.stream.partition('/')[2]}, {_time(told.began, zone)} to {_time(told.ended, zone)} {hand.zone}"
    st.caption(f"{look.GAMES.get(told.book, told.book)} · {when} · dealer {told.dealer or 'unknown'} · {told.deck}")
    if hand.live:
        st.warning("This hand is being played. Cards that were not shown are left out.")
    elif hand.veiled:
        st.info("Cards that were not shown are left out for your role.")


def _wagers(hand: Hand) -> None:
    """Wager by wager: owed, handed back, difference, clause."""
    st.subheader("Settlement")
    rows = [
        {
            "seat": seat.seat,
            "player": seat.player,
            "wager": name_of_wager(line.wager),
            "staked": look.money(line.staked_cents),
            "owed": look.money(line.owed_cents),
            "handed back": look.money(line.handed_back_cents),
            "difference": look.money(line.difference_cents) if line.difference_cents else "",
            "clause": line.clause,
            "how sure": line.basis,
        }
        for seat in hand.told.seats
        for line in seat.wagers
    ]
    right = {
        name: st.column_config.TextColumn(alignment="right") for name in ("staked", "owed", "handed back", "difference")
    }
    st.dataframe(rows, hide_index=True, column_config=right, width="stretch")
    for line in hand.told.undecided:
        st.caption(line)


def _findings(hand: Hand) -> None:
    if not hand.told.findings:
        return
    st.subheader("To review")
    for finding in hand.told.findings:
        words, button = st.columns([6, 1], vertical_alignment="center")
        words.html(look.severity(finding.severity))
        words.markdown(look.plain(finding.says))
        if button.button("Open", key=f"open-{finding.finding}"):
            session.go("findings", finding=finding.finding)


def _search() -> None:
    """Finds a hand by what somebody knows of it."""
    st.title("Find a hand")
    with st.form("search"):
        first = st.columns(4)
        table = first[0].text_input("Table", st.query_params.get("table", ""), placeholder="T7")
        about = first[1].text_input("About when", placeholder="about ten past nine, or 21:10")
        day = first[2].date_input("Gaming day", None)
        number = first[3].number_input("Round", min_value=1, value=None, step=1)
        second = st.columns(4)
        player = second[0].text_input("Player", placeholder="token")
        card = second[1].text_input("Holding", placeholder="Ah")
        sent = st.form_submit_button("Find", type="primary")
    if not sent:
        return
    handle = Handle(
        table=table.strip(), about=about.strip(), day=day, round=number, player=player.strip(), card=card.strip()
    )
    try:
        found = session.room().find_hands(session.visit(), handle).value
    except (AskedWronglyError, ForbiddenError) as error:
        st.error(str(error))
        return
    st.session_state["found"] = found
    _found()


def _found() -> None:
    found: list[RoundRow] = st.session_state.get("found", [])
    if not found:
        st.info("No hand that is over fits.")
    for row in found:
        zone = look.zone(row.zone)
        label = f"{row.table} round {row.round} · {look.clock(row.began_at, zone)} · dealer {row.dealer or 'unknown'}"
        named = {"stream": row.stream, "round": str(row.round)}
        st.page_link(session.page("hand"), label=label, query_params=named)


def _time(micros: int, zone: tzinfo) -> str:
    return look.clock(datetime.fromtimestamp(micros / 1_000_000, UTC), zone)

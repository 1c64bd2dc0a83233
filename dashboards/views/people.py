"""People: dealers with their errors by kind and direction and their pace, players with results against expectation."""

from datetime import date

import streamlit as st

from consumers.room import GAMES, DealerTold, name_of_choice
from dashboards import formatting, navigation, session
from dashboards.address import Field, one_in_a_row, text
from dashboards.interval_chart import Spread, spreads
from dashboards.panels import Badge, Cell, figures, go, panel, table
from projections.questions.clock import day
from projections.questions.people import DealerLine, PlayerLine
from projections.questions.players import Evening

_MOST_HANDS = 300
_MOST_DRAWN = 40
_WHO = ("dealers", "players")
_INTERVALS = "These are 95 % intervals: with few wagers they are wide, and 1 person in 20 is outside by chance."


def page() -> None:
    """Draw all dealers or players, or the one that the address names."""
    st.title("People")
    held = st.query_params
    first, last = _days()
    if held.get("dealer"):
        _dealer(held["dealer"], first, last)
    elif held.get("player"):
        _player(held["player"], first, last)
    elif held.get("who") == "players":
        _players(first, last)
    else:
        _dealers(first, last)


def _days() -> tuple[date | None, date | None]:
    """Return the first and last gaming day, and draw the choice of people; all of it is in the address."""
    held = st.query_params
    row = st.container(horizontal=True, vertical_alignment="bottom")
    who = Field("people", "who", "players" if held.get("player") else "dealers")
    before = who.held
    if one_in_a_row(row, who, "Who", _WHO) != before:
        navigation.put_all({"who": who.held})
        st.rerun()
    fields = (("first", "From gaming day"), ("last", "To gaming day"), ("dealer", "Dealer"), ("player", "Player"))
    for name, label in fields:
        field = Field("people", name)
        before = field.held
        if text(row, field, label, placeholder="any", width=190) != before:
            navigation.put_all({each: held[each] for each in ("first", "last", name) if each in held})
            st.rerun()
    return _day("first"), _day("last")


def _day(name: str) -> date | None:
    said = navigation.asked(name)
    return day(said) if said else None


def _dealers(first: date | None, last: date | None) -> None:
    shown = session.room().dealers(session.visit(), first, last)
    drawn = [_share(line) for line in shown.value if line.wrong_share is not None][:_MOST_DRAWN]
    head = (
        "dealer",
        "days",
        "rounds",
        "hands",
        "rounds an hour",
        "checked",
        "overpaid",
        "amount overpaid",
        "underpaid",
        "amount underpaid",
        "wrong",
    )
    told = table("Dealers", (*head, "95 %"), map(_dealer_line, shown.value), right=(*head[1:], "95 %"))
    panel(shown.made_at, told, key="dealers")
    if drawn:
        st.altair_chart(spreads(drawn, "wagers settled wrong", ".1%", "dealer"), width="stretch", key="dealers-drawn")
        st.caption(_INTERVALS)


def _share(line: DealerLine) -> Spread:
    says = f"{line.over} overpaid, {line.under} underpaid, of {line.decided} checked"
    return Spread(line.dealer, line.wrong_share or 0.0, line.wrong_low or 0.0, line.wrong_high or 0.0, says)


def _dealer_line(line: DealerLine) -> list[Cell]:
    counts = (line.days, line.rounds, line.hands)
    return [
        go(line.dealer, "people", dealer=line.dealer),
        *map(formatting.count, counts),
        formatting.number(line.rounds_an_hour),
        formatting.count(line.decided),
        formatting.count(line.over),
        formatting.money(line.over_cents),
        formatting.count(line.under),
        formatting.money(line.under_cents),
        formatting.percent(line.wrong_share, 2),
        _between(line.wrong_low, line.wrong_high),
    ]


def _between(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{formatting.percent(low, 2)} to {formatting.percent(high, 2)}"


def _dealer(name: str, first: date | None, last: date | None) -> None:
    shown = session.room().dealer(session.visit(), name, first, last)
    told: DealerTold = shown.value
    record = told.record
    directions: list[list[Cell]] = [
        [
            each.name,
            formatting.count(each.wagers),
            formatting.money(each.cents),
            formatting.percent(each.share, 2),
            _between(each.low, each.high),
        ]
        for each in told.directions
    ]
    head = ("direction", "wagers", "amount", "share of checked wagers", "95 %")
    panel(
        shown.made_at,
        figures(
            ("dealer", record.dealer, "calm"),
            ("rounds", formatting.count(record.rounds), "calm"),
            ("hands", formatting.count(record.hands), "calm"),
            ("rounds an hour", formatting.number(record.rounds_an_hour), "calm"),
            ("settled wrong", formatting.percent(record.wrong_share, 2), "calm"),
            ("95 % interval", _between(record.wrong_low, record.wrong_high), "calm"),
            ("wagers checked", formatting.count(record.decided), "calm"),
            ("undecided", formatting.count(record.undecided), "calm"),
        ),
        table("Settled wrong, by direction", head, directions, right=head[1:]),
        _kinds(told),
        _dealt(told),
        key="dealer",
    )
    st.caption(_INTERVALS)


def _kinds(told: DealerTold) -> str:
    zone = session.zone()
    head = ("severity", "finding", "direction", "number", "amount", "per 1,000 hands", "95 %", "last")
    rows: list[list[Cell]] = [
        [
            Badge(kind.error.severity),
            go(kind.error.code, "findings", code=kind.error.code),
            kind.error.direction,
            formatting.count(kind.error.count),
            formatting.money(kind.error.at_risk_cents),
            formatting.number(kind.error.per_1000_hands),
            "–" if kind.low is None or kind.high is None else _per_thousand(kind.low, kind.high),
            formatting.when(kind.error.last_day, kind.error.last_at, zone),
        ]
        for kind in told.kinds
    ]
    nothing = "No findings to review."
    return table("Findings while they dealt", head, rows, right=head[3:7], nothing=nothing)


def _per_thousand(low: float, high: float) -> str:
    return f"{formatting.number(1000 * low)} to {formatting.number(1000 * high)}"


def _dealt(told: DealerTold) -> str:
    head = ("day", "table", "game", "rounds", "hands", "rounds an hour", "overpaid", "underpaid")
    rows: list[list[Cell]] = [
        [
            each.gaming_day.isoformat(),
            go(each.table, "table", table=each.table, day=each.gaming_day.isoformat()),
            GAMES.get(each.game or "", each.game or "–"),
            formatting.count(each.rounds),
            formatting.count(each.hands),
            formatting.number(each.rounds_an_hour),
            formatting.count(each.over),
            formatting.count(each.under),
        ]
        for each in told.record.days
    ]
    return table("Where they dealt", head, rows, right=head[3:])


def _players(first: date | None, last: date | None) -> None:
    shown = session.room().players(session.visit(), first, last)
    head = ("player", "days", "hands", "staked", "won", "expected", "95 %", "deviations", "overpaid", "underpaid")
    told = table("Players with the highest stakes", head, map(_player_line, shown.value), right=head[1:])
    panel(shown.made_at, told, key="players")
    drawn = [each for line in shown.value if (each := _result(line))][:_MOST_DRAWN]
    if drawn:
        chart = spreads(
            drawn, f"won, {formatting.PropertyFormat.currency}, against 95 % of such evenings", ",.0f", "player"
        )
        st.altair_chart(chart, width="stretch", key="players-drawn")
        st.caption(_INTERVALS)


def _player_line(line: PlayerLine) -> list[Cell]:
    return [
        go(line.player, "people", player=line.player),
        formatting.count(line.days),
        formatting.count(line.hands),
        formatting.money(line.staked_cents),
        formatting.money(line.result_cents),
        formatting.about(line.expected_cents),
        f"{formatting.about(line.low_cents)} to {formatting.about(line.high_cents)}",
        formatting.number(line.deviations),
        formatting.money(line.over_cents),
        formatting.money(line.under_cents),
    ]


def _result(line: PlayerLine) -> Spread | None:
    if line.low_cents is None or line.high_cents is None:
        return None
    value, low, high = (formatting.whole(cents) for cents in (line.result_cents, line.low_cents, line.high_cents))
    says = f"won {formatting.money(line.result_cents)}, expected {formatting.about(line.expected_cents)}"
    return Spread(line.player, value, low, high, says, not low <= value <= high)


def _player(token: str, first: date | None, last: date | None) -> None:
    shown = session.room().player(session.visit(), token, first, last)
    told: Evening = shown.value
    panel(
        shown.made_at,
        figures(
            ("player", told.player, "calm"),
            ("days", f"{told.first} to {told.last}" if told.first != told.last else str(told.first), "calm"),
            ("hands", formatting.count(told.hands), "calm"),
            ("staked", formatting.money(told.staked_cents), "calm"),
            ("won", formatting.money(told.against_cents), "calm"),
            ("expected", formatting.about(told.expected_cents), "calm"),
            ("95 % interval", f"{formatting.about(told.low_cents)} and {formatting.about(told.high_cents)}", "calm"),
            ("overpaid", formatting.money(told.over_cents), "warn" if told.over_cents else "ok"),
            ("underpaid", formatting.money(told.under_cents), "warn" if told.under_cents else "ok"),
        ),
        _to_review(told),
        _hands(told),
        key="player",
    )


def _to_review(told: Evening) -> str:
    rows: list[list[Cell]] = [
        [Badge(each.severity), go(each.says, "findings", finding=each.finding), each.state] for each in told.findings
    ]
    return table("About their hands", ("severity", "finding", ""), rows, nothing="No findings.")


def _hands(told: Evening) -> str:
    zone = session.zone()
    head = ("round", "began", "seat", "cards", "holds", "choice", "staked", "handed back", "owed", "difference")
    rows: list[list[Cell]] = [
        [
            go(f"{each.stream} round {each.round}", "hand", stream=each.stream, round=str(each.round)),
            formatting.moment(each.began_at, zone),
            str(each.seat),
            each.cards or "–",
            each.holds or "–",
            name_of_choice(each.choice or "–"),
            formatting.money(each.staked_cents),
            formatting.money(each.back_cents),
            formatting.money(each.owed_cents),
            formatting.money(each.difference_cents) if each.difference_cents else "",
        ]
        for each in told.hands_played[:_MOST_HANDS]
    ]
    more = f", the first {_MOST_HANDS} of {told.hands}" if len(told.hands_played) > _MOST_HANDS else ""
    return table(f"Every hand{more}", head, rows, right=("seat", *head[6:]))

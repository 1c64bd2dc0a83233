"""One case drawn: its state, clocks, items, video, and every change ever made to it."""

from datetime import date, datetime, tzinfo
from html import escape

from consumers.room import CaseFileEntry, CaseTold, EntryTold, ShownAnswer, VideoHold, hand_name
from dashboards import formatting, session
from dashboards.panels import Badge, Cell, figures, go, panel, table

# The names of a case record's fields on its page.
_WORDS = {
    "subject": "kind",
    "jurisdiction": "dispute clocks of",
    "happened": "happened at",
    "of stream": "table and gaming day",
    "of round": "round",
    "role": "as",
    "what": "taken out",
    "text": "note",
    "claims": "claimed",
    "cents": "amount",
    "gone": "overwritten at",
    "copied to": "copied to",
    "for people": "for",
    "ruled by": "ruled by",
}


def case_file(shown: ShownAnswer[CaseTold]) -> None:
    """Draw the case."""
    told = shown.value
    zone = formatting.zone(told.zone)
    panel(
        shown.made_at,
        _head(told),
        _clocks(told, zone),
        _claim(told),
        _findings(told, zone),
        _hands(told, zone),
        _people(told),
        _video(told, zone),
        _notes(told, zone),
        _history(told.history, zone),
        key="case",
    )


def time(micros: int | None, zone: tzinfo) -> str:
    """Return a time of a record in the property's zone."""
    return formatting.moment(None if micros is None else formatting.at(micros), zone)


def _head(told: CaseTold) -> str:
    held, opened = told.case, told.case.opened
    state = f"closed: {held.closed.outcome}" if held.closed else "sealed" if held.sealed else "open"
    sealed = f"for {', '.join(held.sealed.for_people)}" if held.sealed else "no"
    why = f"<p>{escape(held.closed.why)}</p>" if held.closed else ""
    return why + figures(
        ("kind", opened.subject.replace("-", " ") if opened else "–", "calm"),
        ("state", state, "calm"),
        ("lead", held.lead, "calm"),
        ("sealed", sealed, "warn" if held.sealed else "calm"),
    )


def _clocks(told: CaseTold, zone: tzinfo) -> str:
    if told.rules is None:
        return ""
    clocks, held = told.clocks, told.case
    report = {True: "yes", False: "no", None: "–"}[clocks.must_report]
    days = (
        ("claim until", clocks.claim_until, held.claim is not None),
        ("answer until", clocks.answer_until, held.ruling is not None),
    )
    source = f"<p>{escape(f'Clocks of {told.rules.name}, by {told.rules.counted}.')}</p>"
    return source + figures(
        *((name, _day(last, zone, done=done), _kind(last, zone, done=done)) for name, last, done in days),
        ("to be reported", report, "warn" if clocks.must_report else "calm"),
    )


def left(last: date, zone: tzinfo) -> int:
    """Return the days left until this day is over at the property."""
    return (last - session.now().astimezone(zone).date()).days


def _day(last: date | None, zone: tzinfo, *, done: bool) -> str:
    if last is None:
        return "–"
    days = left(last, zone)
    return f"{last}, {'done' if done else 'EXPIRED' if days < 0 else f'{days} days left'}"


def _kind(last: date | None, zone: tzinfo, *, done: bool) -> str:
    if last is None or done:
        return "ok" if done else "calm"
    return "bad" if left(last, zone) < 0 else "warn"


def _claim(told: CaseTold) -> str:
    rows: list[list[Cell]] = []
    if claim := told.case.claim:
        rows.append(["claim", claim.claims, formatting.money(claim.cents), claim.by])
    if ruling := told.case.ruling:
        rows.append(["ruling", ruling.ruling, formatting.money(ruling.cents), ruling.ruled_by])
    return table("Claim and ruling", ("", "what", "amount", "by"), rows, right=("amount",), nothing="No claim.")


def _findings(told: CaseTold, zone: tzinfo) -> str:
    rows: list[list[Cell]] = [
        [
            Badge(row.severity),
            go(row.says, "findings", finding=row.finding),
            row.table,
            "–" if row.round is None else _link(row.stream, row.round, row.to_round),
            formatting.when(row.gaming_day, row.at, zone),
            row.state,
        ]
        for row in told.findings
    ]
    return table("Findings", ("severity", "finding", "table", "round", "when", ""), rows, right=("round",))


def _link(stream: str, first: int, last: int | None) -> Cell:
    return go(formatting.rounds(first, last), "hand", stream=stream, round=str(first))


def _hands(told: CaseTold, zone: tzinfo) -> str:
    over = {(row.stream, row.round): row for row in told.hands}
    rows: list[list[Cell]] = []
    for each in told.case.hands:
        row = over.get((each.of_stream, each.of_round))
        when = "–" if row is None else formatting.moment(row.began_at, zone)
        link = go(hand_name(each), "hand", stream=each.of_stream, round=str(each.of_round))
        rows.append([link, when, row.dealer or "–" if row else "–", row.video or "–" if row else "–", each.by])
    return table("Hands", ("hand", "began", "dealer", "camera", "linked by"), rows)


def _people(told: CaseTold) -> str:
    rows: list[list[Cell]] = []
    for each in told.case.people:
        page = {"dealer": "dealer", "player": "player", "claimant": "player"}.get(each.role)
        rows.append([go(each.person, "people", **{page: each.person}) if page else each.person, each.role, each.by])
    return table("People", ("who", "as", "linked by"), rows)


def _video(told: CaseTold, zone: tzinfo) -> str:
    head = ("recorder", "channel", "from", "to", "overwritten", "copied to")
    return table(
        f"Video, {told.zone}", head, (_hold(each, zone) for each in told.case.holds), nothing="No video is held."
    )


def _hold(hold: VideoHold, zone: tzinfo) -> list[Cell]:
    copied = hold.copied_to or "NOT COPIED YET"
    return [hold.recorder, hold.channel, *(time(at, zone) for at in (hold.from_at, hold.to_at, hold.gone_at)), copied]


def _notes(told: CaseTold, zone: tzinfo) -> str:
    rows = ((time(each.at, zone), each.by, each.text) for each in told.case.notes)
    return table("Notes", ("when", "who", "what"), rows)


def _history(history: tuple[CaseFileEntry, ...], zone: tzinfo) -> str:
    rows = ((formatting.moment(each.at, zone), each.by, each.what, _says(each, zone)) for each in reversed(history))
    return table("Every change, newest first", ("when", "who", "what", "details"), rows)


def _says(entry: CaseFileEntry, zone: tzinfo) -> str:
    told = (f"{_name(name, value)}: {_value(name, value, zone).removesuffix('.')}" for name, value in entry.says)
    return "; ".join(told)


def _name(name: str, value: EntryTold) -> str:
    if name == "to":  # the end of held video, or the new case lead
        return "to" if isinstance(value, datetime) else "lead"
    return _WORDS.get(name, name)


def _value(name: str, value: EntryTold, zone: tzinfo) -> str:
    if isinstance(value, datetime):
        return formatting.moment(value, zone)
    if name == "cents" and isinstance(value, int):
        return formatting.money(value)
    if name == "jurisdiction":
        return session.room().jurisdictions().get(str(value), str(value))
    return str(value).replace("-", " ") if name in ("subject", "outcome", "role") else str(value)

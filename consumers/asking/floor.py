"""`catwalk ask floor|findings|undecided|meters|staff|troubles`: the state of the floor and the quality of its data."""

from datetime import UTC, datetime

import click

from consumers.asking.forms import AnswerLayout
from consumers.asking.place import AnswerForm, answer, answers, first_of, gaming_days, span, span_options
from consumers.room.room import nameless
from consumers.settling.option_text import finding_code
from domain.clauses import SEVERITIES
from domain.desk.roles import Person
from projections.questions.asking import AskedWronglyError, Reading, day_of
from projections.questions.clock import moment
from projections.questions.coverage import OpenWager, Undecided, open_wagers, undecided
from projections.questions.findings import FindingFilter, FindingRow, Order, findings
from projections.questions.floor import TableNow, floor_now
from projections.questions.posts import MeterRow, TablePost, meters, staff
from projections.questions.troubles import Quality, quality

_FLOOR = AnswerLayout(
    {
        "": "pit table game state dealer round seats deck rounds_since_count count_due findings money_findings "
        "at_risk_cents undecided unverified unsealed last_at unread_says unread_days"
    },
    TableNow,
)


@click.command("floor", epilog="\b\nExample:\n  catwalk ask floor --open --data pit")
@click.option("--open", "only_open", is_flag=True, help="Only tables that are open.")
@answers
def floor_question(*, how: AnswerForm, only_open: bool) -> None:
    """The floor now: each table's newest day and its findings to review."""

    def ask(reading: Reading) -> list[TableNow]:
        return floor_now(reading, closed=not only_open)

    answer(how, ask, _FLOOR)


_FINDINGS = AnswerLayout(
    {"": "at stream round to_round seat player dealer severity code expected_cents observed_cents at_risk_cents says"},
    FindingRow,
)
_FINDINGS_EXAMPLES = """\b
Examples:
  catwalk ask findings -t T7 --severity money --order money --data pit
  catwalk ask findings --player p-1007 --from 2026-11-01 --status any --csv --data pit
  catwalk ask findings --from 2026-11-18T21:00 --to 2026-11-18T22:00 --at-least 100 --data pit
"""


@click.command("findings", epilog=_FINDINGS_EXAMPLES)
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@click.option("--game", default="", help="Only this rule book: UTH-MD, PIK ...")
@click.option("--dealer", default="", help="Only while this dealer dealt.")
@click.option("--player", default="", help="Only hands of this player.")
@click.option("--code", default="", help="Only this code.")
@click.option("--severity", type=click.Choice(list(SEVERITIES)), help="Only this severity.")
@click.option(
    "--status", default="standing", type=click.Choice(["standing", "withdrawn", "any"]), help="Only this state."
)
@click.option("--at-least", type=float, metavar="DOLLARS", help="Only with at least this much money at risk.")
@click.option("--order", default="time", type=click.Choice(["time", "money", "severity"]), help="What to sort by.")
@click.option("--limit", default=200, show_default=True, type=click.IntRange(1), help="The most findings to show.")
@span_options
@answers
def findings_question(
    *,
    how: AnswerForm,
    since: str,
    until: str,
    status: str,
    severity: str | None,
    at_least: float | None,
    order: Order,
    limit: int,
    **wanted: str,
) -> None:
    """Findings to review, filtered, the newest first."""
    if wanted["code"]:
        finding_code(wanted["code"], "--code")

    def ask(reading: Reading) -> list[FindingRow]:
        when = span(reading, since, until, wanted["table"])
        cents = None if at_least is None else round(at_least * 100)
        chosen = FindingFilter(
            **wanted,
            state=status,
            severity=severity or "",
            first=when.first,
            last=when.last,
            begin=when.begin,
            end=when.end,
            at_least_cents=cents,
        )
        return first_of(findings(reading, chosen, order=order, limit=limit + 1), limit, "give a higher --limit")

    answer(how, ask, _FINDINGS, *(("see-players",) if wanted["player"] else ()), seen_by=_without_players)


def _without_players(person: Person, found: list[FindingRow]) -> list[FindingRow]:
    return [nameless(person, row) for row in found]


_UNDECIDED_EXAMPLES = """\b
Examples:
  catwalk ask undecided --by game --from 2026-11-01 --data pit
  catwalk ask undecided -t T7 --wagers --what card --data pit
"""


@click.command("undecided", epilog=_UNDECIDED_EXAMPLES)
@click.option("--by", default="floor", type=click.Choice(["floor", "table", "game"]), help="How to count.")
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@click.option("--wagers", is_flag=True, help="The wagers themselves, of one table's day (--to, or its last).")
@click.option("--what", default="", help="With --wagers: only wagers for which this was missing.")
@span_options
@answers
def undecided_question(
    *, how: AnswerForm, by: str, table: str, wagers: bool, what: str, since: str, until: str
) -> None:
    """Wagers that could not be decided, and what was missing."""

    def ask(reading: Reading) -> list[Undecided] | list[OpenWager]:
        first, last = gaming_days(reading, since, until)
        if not wagers:
            return undecided(reading, by=by, table=table, first=first, last=last)
        if not table:
            raise AskedWronglyError("--wagers are those of one table's day: say --at-table")
        return open_wagers(reading, table, day_of(reading, table, last or first), what=what)

    answer(how, ask, AnswerLayout(row=OpenWager if wagers else Undecided), *(("see-hands",) if wagers else ()))


@click.command("meters", epilog="\b\nExample:\n  catwalk ask meters -t T7 --from 2026-11-01 --data pit")
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@span_options
@answers
def meters_question(*, how: AnswerForm, table: str, since: str, until: str) -> None:
    """The amounts of the progressive meters, their increases, and how often they were paid out."""

    def ask(reading: Reading) -> list[MeterRow]:
        first, last = gaming_days(reading, since, until)
        return meters(reading, table=table, first=first, last=last)

    answer(how, ask, AnswerLayout(row=MeterRow))


_STAFF_EXAMPLES = """\b
Examples:
  catwalk ask staff -t T7 --at 2026-11-18T21:10 --data pit
  catwalk ask staff --person D-1041 --from 2026-11-01 --data pit
"""


@click.command("staff", epilog=_STAFF_EXAMPLES)
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@click.option("--person", default="", help="Only this license or staff number.")
@click.option("--role", default="", help="Only this role: dealer, floorperson, supervisor.")
@click.option("--at", "at", default="", metavar="WHEN", help="Who was there then: 2026-11-18T21:10.")
@span_options
@answers
def staff_question(*, how: AnswerForm, table: str, person: str, role: str, at: str, since: str, until: str) -> None:
    """The staff at each table, and when they were there."""

    def ask(reading: Reading) -> list[TablePost]:
        first, last = gaming_days(reading, since, until)
        then = span(reading, at, "", table).begin or moment(at) if at else None
        return staff(reading, table=table, person=person, role=role, first=first, last=last, at=then)

    answer(
        how,
        ask,
        AnswerLayout({"": "table gaming_day person role came_at went_at first_round last_round"}, TablePost),
        *(("see-people",) if person else ()),
    )


_TROUBLES = AnswerLayout(
    {
        "troubles": "log partition position stream sequence kind mended says",
        "behind": "stream state sequence unverified unsealed last_at unread_from unread_says",
    },
    main="troubles",
)


_TROUBLES_EXAMPLES = """\b
Example:
  catwalk ask troubles --part behind --data pit

catwalk dead-letters lists the inputs that never entered the log because they could not be read or placed.
"""


@click.command("troubles", epilog=_TROUBLES_EXAMPLES)
@click.option("--mended", is_flag=True, help="Also gaps that were filled later.")
@answers
def troubles_question(*, how: AnswerForm, mended: bool) -> None:
    """Data quality: gaps, unreadable bytes, tables that cannot be read further, unsealed tails, and delays."""

    def ask(reading: Reading) -> Quality:
        return quality(reading, now=datetime.now(UTC), mended=mended)

    answer(how, ask, _TROUBLES)


QUESTIONS = (
    floor_question,
    findings_question,
    undecided_question,
    meters_question,
    staff_question,
    troubles_question,
)

"""`catwalk ask statistics|openers|cards|errors`: the lists that a regulator requests each month."""

import click

from consumers.asking.forms import AnswerLayout
from consumers.asking.place import AnswerForm, answer, answers, gaming_days, span_options
from projections.questions.asking import Reading
from projections.questions.card_record import CardRecord, card_record
from projections.questions.errors import SettledWrongly, settled_wrongly
from projections.questions.openers import Opener, openers
from projections.questions.statistics import Of, Statistic, statistics

_STATISTICS_EXAMPLES = """\b
Examples:
  catwalk ask statistics --by game --data pit
  catwalk ask statistics -t T7 --from 2026-11-01 --to 2026-11-30 --csv --data pit
  catwalk ask statistics --by game --outside --data pit

There are three rows for each gaming day: the day, the month and the year up to its end. Inside says whether the hold
is in the range that holds 95 of 100 such periods, judged by the previous business year, or in the first year by the
previous month. A base of fewer than 30 table days gives no interval. The note has the figures to begin a written
investigation with. Without --from and --to, the last day is shown.
"""


@click.command("statistics", epilog=_STATISTICS_EXAMPLES)
@click.option("--by", default="table", type=click.Choice(["table", "game"]), help="One row for each table or game.")
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@click.option("--game", default="", help="Only this rule book: UTH-MD, PIK ...")
@click.option("--outside", is_flag=True, help="Only figures outside their interval.")
@span_options
@answers
def statistics_question(
    *, how: AnswerForm, by: Of, table: str, game: str, outside: bool, since: str, until: str
) -> None:
    """Drop, win and hold by day, month and year to date, with the previous year's 95 % interval and a note."""

    def ask(reading: Reading) -> list[Statistic]:
        first, last = gaming_days(reading, since, until)
        found = statistics(reading, by=by, first=first, last=last, table=table, game=game)
        return [row for row in found if row.inside is False] if outside else found

    columns = "gaming_day of period table_days counted drop_cents win_cents hold base base_hold low_hold high_hold"
    answer(how, ask, AnswerLayout({"": f"{columns} inside note"}, Statistic))


_OPENERS_EXAMPLES = """\b
Examples:
  catwalk ask openers --from 2026-11-01 --data pit
  catwalk ask openers --at-least 25.01 --csv --data pit

The amount in the tray at the opening, less the closing amount of the table's previous day. Every difference must be
reported at once. A difference of more than $25 requires a signed report, and from $100 on a copy of it goes to the
regulator.
"""


@click.command("openers", epilog=_OPENERS_EXAMPLES)
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@click.option("--at-least", type=float, metavar="DOLLARS", help="Only differences of at least this amount.")
@click.option("--all", "every", is_flag=True, help="Also openings without a difference.")
@span_options
@answers
def openers_question(
    *, how: AnswerForm, table: str, at_least: float | None, every: bool, since: str, until: str
) -> None:
    """Openers that differ from the previous closer, with the duty for each difference."""

    def ask(reading: Reading) -> list[Opener]:
        first, last = gaming_days(reading, since, until)
        cents = None if at_least is None else round(at_least * 100)
        return openers(reading, table=table, first=first, last=last, at_least_cents=cents, every=every)

    answer(how, ask, AnswerLayout(row=Opener))


@click.command("cards", epilog="\b\nExample:\n  catwalk ask cards -t T7 --from 2026-11-01 --csv --data pit")
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@span_options
@answers
def cards_question(*, how: AnswerForm, table: str, since: str, until: str) -> None:
    """Stub counts and deck changes: when, what was counted, and the rounds since the last count."""

    def ask(reading: Reading) -> list[CardRecord]:
        first, last = gaming_days(reading, since, until)
        return card_record(reading, table=table, first=first, last=last)

    answer(how, ask, AnswerLayout(row=CardRecord))


@click.command(
    "errors", epilog="\b\nExample:\n  catwalk ask errors --from 2026-11-01 --csv --data pit > repayments.csv"
)
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@click.option("--game", default="", help="Only this rule book: UTH-MD, PIK ...")
@span_options
@answers
def errors_question(*, how: AnswerForm, table: str, game: str, since: str, until: str) -> None:
    """Wagers settled for a wrong amount: what to repay, and what was overpaid."""

    def ask(reading: Reading) -> list[SettledWrongly]:
        first, last = gaming_days(reading, since, until)
        return settled_wrongly(reading, table=table, game=game, first=first, last=last)

    columns = (
        "gaming_day table round dealer seat player wager staked_cents owed_cents back_cents to_player_cents "
        "by_player_cents clause"
    )
    answer(how, ask, AnswerLayout({"": columns}, SettledWrongly))


QUESTIONS = (statistics_question, openers_question, cards_question, errors_question)

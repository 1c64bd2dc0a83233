"""`catwalk ask`: the room's questions about the published data."""

import click

from consumers.asking import floor, hands, statistics

_EXAMPLES = """\b
Examples:
  catwalk ask floor --data pit
  catwalk ask round T7 --at "about ten past nine" --data pit
  catwalk ask findings --severity money --order money --json --data pit
  catwalk ask blast --deck T7-deck-3 --csv --data pit > repayments.csv

Answers come from what catwalk project published last; each table ends with the age of that data. No answer shows a
card of a live hand.

\b
Exit status: 0 answered; 1 no match; 2 usage error, or nothing that can be read.
"""


@click.group("ask", epilog=_EXAMPLES)
def ask_command() -> None:
    """Ask the published data: the floor, findings, a round, people, decks, money."""


for _question in (*floor.QUESTIONS, *hands.QUESTIONS, *statistics.QUESTIONS):
    ask_command.add_command(_question)

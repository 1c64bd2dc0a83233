"""`catwalk ask round|player|dealer|decks|blast|hold`: hands, people, cards and money."""

from typing import Any

import click
import msgspec

from consumers.asking.forms import AnswerLayout
from consumers.asking.place import AnswerForm, answer, answers, first_of, gaming_days, span, span_options
from consumers.room.tables import unhidden
from domain.desk.roles import Person, Right
from projections.questions.asking import AskedWronglyError, Reading
from projections.questions.blast import Affected, Basis, BlastRadius, blast_radius
from projections.questions.clock import day
from projections.questions.dealers import DealerRecord, dealer_record
from projections.questions.decks import DeckRow, deck_ledger
from projections.questions.money import By, Period, TableHold, hold
from projections.questions.players import Evening, evening
from projections.questions.rounds import Handle, RoundRow, find_rounds
from projections.questions.story import RoundStory, round_story

_MOST_ROUNDS = 500
_ROUNDS = "stream round began_at game dealer deck hands dealer_hand community voided staked_cents back_cents owed_cents"
_ROUND_EXAMPLES = """\b
Examples:
  catwalk ask round T7/2026-11-18:212 --data pit
  catwalk ask round T7 --at "about ten past nine" --card Ah --data pit
  catwalk ask round --player p-1007 --day 2026-11-18 --all --data pit
  catwalk ask round 3f2a9c0d1e4b5a6978f0 --json --data pit

Find a round by its name, by a finding's name, or by what a person remembers: table, number, day, approximate
time (in the property's zone), player, a card held, seat. The best match is shown in full; --all lists all matches.
catwalk reconstruct shows a round step by step from the record itself.

\b
Exit status: 0 found; 1 nothing fits; 2 usage, or nothing to read.
"""


@click.command("round", epilog=_ROUND_EXAMPLES)
@click.argument("named", default="", metavar="[ROUND|FINDING|TABLE]")
@click.option("--round", "number", type=int, help="The round's number.")
@click.option("--day", "on", default="", metavar="DAY", help="The gaming day; default: the table's last one.")
@click.option("--at", "about", default="", metavar="TIME", help="About when: 21:10, 'about ten past nine'.")
@click.option("--player", default="", help="Only rounds with this player.")
@click.option("--card", default="", help="Only rounds with this card at a seat: Ah, Td.")
@click.option("--seat", type=int, help="The seat of that player or card.")
@click.option("--finding", default="", help="The round this finding is about, or the first of them.")
@click.option("--all", "every", is_flag=True, help="List all matching rounds.")
@answers
def round_question(*, how: AnswerForm, on: str, number: int | None, every: bool, **known: Any) -> None:
    """A round found by any clue: its cards, hands, wagers, amounts owed and handed back, and findings."""

    def ask(reading: Reading) -> RoundStory | list[RoundRow]:
        handle = Handle(**known, round=number, day=day(on) if on else None)
        found = find_rounds(reading, handle, limit=_MOST_ROUNDS + 1 if every else 1)
        if every:
            return first_of(found, _MOST_ROUNDS, "narrow the search")
        return round_story(reading, found[0].stream, found[0].round)

    also: list[Right] = ["see-players"] if known["player"] else []
    also += ["see-hidden-cards"] if known["card"] else []
    layout = AnswerLayout({"": _ROUNDS + " seconds_away"}, RoundRow, main="wagers", most=100)
    answer(how, ask, layout, *also, seen_by=_without_cards)


def _without_cards(person: Person, found: RoundStory | list[RoundRow]) -> RoundStory | list[RoundRow]:
    """Remove cards: the read models do not know which were shown, so a role that may see only those gets none here."""
    if person.may("see-hidden-cards"):
        return found
    click.echo("cards are hidden for your role; catwalk reconstruct shows those that were shown at the table", err=True)
    if isinstance(found, list):
        return [_faceless(row) for row in found]
    hands = tuple(msgspec.structs.replace(hand, cards=None, holds=None) for hand in found.hands)
    return msgspec.structs.replace(found, round=_faceless(found.round), hands=hands, cards=())


def _faceless(row: RoundRow) -> RoundRow:
    return msgspec.structs.replace(row, community=None, dealer_hand=None)


_PLAYER = AnswerLayout(
    {
        "hands_played": "began_at stream round seat cards holds choice staked_cents back_cents owed_cents "
        "difference_cents"
    },
    main="hands_played",
)
_PLAYER_EXAMPLES = """\b
Examples:
  catwalk ask player p-1007 --data pit
  catwalk ask player p-1007 --from 2026-11-01 --to 2026-11-18 --part sittings --csv --data pit

Expected is the average result of such wagers by the exact odds; 95 times of 100 the result is between low and high.
Both cover only wagers whose amounts were all seen, and `against` is the result of those. Without --from and --to, the
player's last day is shown.
"""


@click.command("player", epilog=_PLAYER_EXAMPLES)
@click.argument("player")
@span_options
@answers
def player_question(*, how: AnswerForm, player: str, since: str, until: str) -> None:
    """A player's evening: seats, every hand, result, expected result and findings."""

    def ask(reading: Reading) -> Evening:
        first, last = gaming_days(reading, since, until)
        return evening(reading, player, first, last)

    answer(how, ask, _PLAYER, "see-hands")


_DEALER_EXAMPLES = """\b
Examples:
  catwalk ask dealer D-1041 --from 2026-11-01 --data pit
  catwalk ask dealer D-1041 --part errors --csv --data pit

The share of wrongly settled wagers is shown with its 95 % interval. It is a measurement, not a verdict.
"""


@click.command("dealer", epilog=_DEALER_EXAMPLES)
@click.argument("dealer")
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="At this table.")
@span_options
@answers
def dealer_question(*, how: AnswerForm, dealer: str, table: str, since: str, until: str) -> None:
    """A dealer's record: hands dealt, pace, and findings by kind and direction."""

    def ask(reading: Reading) -> DealerRecord:
        first, last = gaming_days(reading, since, until)
        return dealer_record(reading, dealer, first=first, last=last, table=table)

    answer(how, ask, AnswerLayout(main="errors"))


_DECKS = AnswerLayout(
    {
        "": "gaming_day table deck rounds first_round last_round shuffles counts_done rounds_since_count "
        "overdue_rounds last_count miscounted seen never_seen duplicates fate findings"
    },
    DeckRow,
)


@click.command(
    "decks", epilog="\b\nExamples:\n  catwalk ask decks T7 --data pit\n  catwalk ask decks --overdue --data pit"
)
@click.argument("table", default="")
@click.option("--deck", default="", help="This deck, on every day.")
@click.option("--overdue", is_flag=True, help="Only decks in use whose count is overdue.")
@span_options
@answers
def decks_question(*, how: AnswerForm, table: str, deck: str, overdue: bool, since: str, until: str) -> None:
    """The deck ledger of a table's last day: rounds, counts done and overdue, cards never seen, duplicates, fate."""

    def ask(reading: Reading) -> list[DeckRow]:
        if not (table or deck or overdue or since or until):
            raise AskedWronglyError("name a table, --deck, --overdue or --from")
        first, last = gaming_days(reading, since, until)
        return deck_ledger(reading, table, first=first, last=last, deck=deck, overdue=overdue)

    answer(how, ask, _DECKS, seen_by=lambda person, found: [unhidden(person, row) for row in found])


_BLAST_EXAMPLES = """\b
Examples:
  catwalk ask blast --deck T7-deck-3 -t T7 --from 2026-11-18T20:00 --to 2026-11-18T21:30 --data pit
  catwalk ask blast --device shuffler-7 --from 2026-11-18 --to 2026-11-18 --csv --data pit
  catwalk ask blast --dealer D-1041 --basis rules --part affected_hands --csv --data pit

\b
--basis void   every stake goes back: the amount owed is the stake, less the amount handed back (decks and devices)
--basis rules  the amount the rule book gives, less the amount handed back (dealers and times)
A hand with an unknown amount counts as undecided.
CSV is the repayment list, with one line for each player.
"""


@click.command("blast", epilog=_BLAST_EXAMPLES)
@click.option("--deck", default="", help="Every round dealt from this deck or shoe.")
@click.option("--device", default="", help="Every round dealt through this device.")
@click.option("--dealer", default="", help="Every round this dealer dealt.")
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only at this table.")
@click.option("--from-round", "first_round", type=int, help="First round of the day.")
@click.option("--to-round", "last_round", type=int, help="Last round of the day.")
@click.option("--basis", type=click.Choice(["void", "rules"]), help="How to compute the amounts; see below.")
@span_options
@answers
def blast_question(*, how: AnswerForm, since: str, until: str, basis: Basis | None, **bad: Any) -> None:
    """The blast radius of a deck, a device, a dealer or a time: rounds, hands, players, and who is owed what."""

    def ask(reading: Reading) -> BlastRadius:
        when = span(reading, since, until, bad["table"])
        begin, end = when.begin, when.end
        affected = Affected(**bad, first=when.first, last=when.last, begin=begin, end=end)
        return blast_radius(reading, affected, basis=basis)

    columns = {
        "affected_hands": "stream round seat player cards staked_cents back_cents should_cents to_player_cents "
        "by_player_cents"
    }
    answer(how, ask, AnswerLayout(columns, main="repayments", most=60))


_HOLD_EXAMPLES = """\b
Examples:
  catwalk ask hold --by game --period month --from 2026-01-01 --data pit
  catwalk ask hold --by table --period day --from 2026-11-01 --csv --data pit
  catwalk ask hold --by floor --period year --data pit

Win and hold are computed from the drop, for days whose opener, closer, fills, credits and drop are all known. Played
is the house's result on wagers with every amount seen. Expected is that result by the exact odds; 95 times of 100 it
is between low and high. A figure outside this range is only a reason to look. Tray off is what the counts show beyond
what the rounds explain, over as many days as trays says; a negative amount is missing.
"""


@click.command("hold", epilog=_HOLD_EXAMPLES)
@click.option("--by", default="table", type=click.Choice(["table", "game", "floor"]), help="One row for each.")
@click.option("--period", default="day", type=click.Choice(["day", "month", "year", "all"]), help="One row for each.")
@click.option("-t", "--at-table", "table", default="", metavar="TABLE", help="Only this table.")
@click.option("--game", default="", help="Only this rule book: UTH-MD, PIK ...")
@span_options
@answers
def hold_question(*, how: AnswerForm, by: By, period: Period, table: str, game: str, since: str, until: str) -> None:
    """Drop, win and hold per table or game, by day, month or year, with the expected result and its 95 % interval."""

    def ask(reading: Reading) -> list[TableHold]:
        first, last = gaming_days(reading, since, until)
        return hold(reading, by=by, period=period, first=first, last=last, table=table, game=game)

    answer(how, ask, AnswerLayout(row=TableHold))


QUESTIONS = (
    round_question,
    player_question,
    dealer_question,
    decks_question,
    blast_question,
    hold_question,
)

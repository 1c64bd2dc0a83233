"""The stub: taken out, counted when it is due, put into the discard rack."""

from domain.facts import payments
from domain.simulation.table import Table


def count_is_due(table: Table) -> bool:
    """Whether the stub of this round is counted: the fifth since the last count, unless a machine counts the deck.

    Massachusetts knows no such exception (UTH-MA 7(f) s1), Fast Action counts no stub. Of two decks in turn each is
    counted as often: a void round may have brought them out of step.
    """
    if table.book == "FAH" or (table.machine_counts and table.book != "UTH-MA"):
        return False
    every = int(table.house.book.value("rounds_between_stub_counts"))
    out_of_step = table.deck.since_count > table.since_count and table.deck.since_count + 2 >= every
    return table.since_count + 1 >= every or out_of_step


def take_out(table: Table, cards: int) -> None:
    """The stub leaves the shoe or device; dealt from the hand it is where it was."""
    if table.method != "hand":
        table.post.say(payments.StubRemoved, cards)


def count(table: Table, cards: int) -> None:
    """The dealer counts the stub face down on the layout."""
    table.post.say(payments.StubCounted, cards)
    table.since_count = table.deck.since_count = -1  # this round, still to be finished, has its count


def put_away(table: Table) -> None:
    """The stub goes into the discard rack, no card shown."""
    table.post.say(payments.StubDiscarded)


def settle_aside(table: Table, cards: int, *, counted: bool | None = None) -> None:
    """All of it, as an ordinary round has it."""
    take_out(table, cards)
    if count_is_due(table) if counted is None else counted:
        count(table, cards)
    put_away(table)

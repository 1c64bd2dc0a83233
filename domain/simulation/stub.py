"""The stub: taken out, counted when it is due, put into the discard rack."""

from domain.facts import payments
from domain.simulation.table import TableInPlay


def count_is_due(table: TableInPlay) -> bool:
    """Return whether this round's stub is counted: the fifth since the last count, unless a machine counts the deck.

    Massachusetts has no such exception (UTH-MA 7(f) s1), and Fast Action counts no stub. Two alternating decks are each
    counted as often, because a void round may have brought them out of step.
    """
    if table.book == "FAH" or (table.machine_counts and table.book != "UTH-MA"):
        return False
    every = int(table.house.book.value("rounds_between_stub_counts"))
    out_of_step = table.deck.since_count > table.since_count and table.deck.since_count + 2 >= every
    return table.since_count + 1 >= every or out_of_step


def take_out(table: TableInPlay, cards: int) -> None:
    """Take the stub out of the shoe or device; dealt from the hand, it stays where it is."""
    if table.method != "hand":
        table.post.say(payments.StubRemoved, cards)


def count(table: TableInPlay, cards: int) -> None:
    """Count the stub face down on the layout."""
    table.post.say(payments.StubCounted, cards)
    table.since_count = table.deck.since_count = -1  # this round, still unfinished, has its count


def put_away(table: TableInPlay) -> None:
    """Put the stub into the discard rack, without showing a card."""
    table.post.say(payments.StubDiscarded)


def settle_aside(table: TableInPlay, cards: int, *, counted: bool | None = None) -> None:
    """Do all of this, as in an ordinary round."""
    take_out(table, cards)
    if count_is_due(table) if counted is None else counted:
        count(table, cards)
    put_away(table)

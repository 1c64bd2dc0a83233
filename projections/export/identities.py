"""Who players are: told only where the recipient may know, and never by the record, which holds tokens alone.

This is the one place where names come in. Whoever keeps them, outside the record, answers for a token; without such a
keeper nobody is named.
"""

from collections.abc import Callable, Iterable, Iterator

from projections.export.columns import Cells

Names = Callable[[str], str]  # a player's token -> the name, or nothing where it is not kept, or not any more


def unnamed(_: str) -> str:
    """Nobody is named."""
    return ""


def rows_of(tokens: Iterable[str], names: Names) -> Iterator[Cells]:
    """The rows of the table of players, by token."""
    for token in sorted(set(tokens) - {""}):
        yield token, names(token)

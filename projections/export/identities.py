"""The names of players: shown only if the recipient may know them. The record itself holds tokens alone.

Names enter an export only here. The keeper of names, outside the record, answers for a token. Without a keeper no
player is named.
"""

from collections.abc import Callable, Iterable, Iterator

from projections.export.columns import Cells

Names = Callable[[str], str]  # a player's token -> the name, or an empty text if it is not kept


def unnamed(_: str) -> str:
    """Return no name."""
    return ""


def rows_of(tokens: Iterable[str], names: Names) -> Iterator[Cells]:
    """The rows of the table of players, by token."""
    for token in sorted(set(tokens) - {""}):
        yield token, names(token)

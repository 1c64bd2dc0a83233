"""The lists that follow from other tables: errors, players, and in the card record the later rounds and findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from projections.export.verifier.columns import COLUMNS
from projections.export.verifier.container import Export
from projections.export.verifier.places import table_path
from projections.export.verifier.tables import Derived, compare, table_rows, unguarded
from projections.export.verifier.trouble import AlteredError, altered

ABOUT_CARDS = ("stub-", "deck-", "shuffle-", "reshuffle-")


class Standing:
    """The standing findings, by the wagers and the streams they are about, each with its first and last round."""

    def __init__(self, export: Export) -> None:
        self._of_wagers: dict[tuple[str, ...], list[tuple[int, int, str]]] = {}
        self._of_cards: dict[str, list[tuple[int, int, str]]] = {}
        for row in table_rows(export, "findings"):
            stream, _, _, name, code, _, state, _, _, first, last, seat, wager = row.cells[:13]
            if state == "standing" and first:
                rounds = int(first), int(last or first)
                if seat and wager:
                    self._of_wagers.setdefault((stream, seat, wager), []).append((*rounds, name))
                if code.startswith(ABOUT_CARDS):
                    self._of_cards.setdefault(stream, []).append((*rounds, code))

    def names(self, stream: str, of_round: str, seat: str, wager: str) -> str:
        """Return the names of findings about a wager in this round, in byte order."""
        return _listed(self._of_wagers.get((stream, seat, wager), ()), int(of_round))

    def codes(self, stream: str, of_round: str) -> str:
        """Return the codes of findings about the cards of this round, each once, in byte order."""
        return _listed(self._of_cards.get(stream, ()), int(of_round or 0))


def _listed(said: Iterable[tuple[int, int, str]], number: int) -> str:
    return "; ".join(sorted({text for first, last, text in said if first <= number <= last}))


def check_lists(export: Export) -> None:
    """Check the errors and the card record against the tables they follow from."""
    standing = Standing(export)
    with altered(table_path("errors"), None, ""):
        _check_errors(export, standing)
    with altered(table_path("card_record"), None, ""):
        _check_cards(export, standing)


def check_players(export: Export) -> None:
    """Check that the named players are those in the hands, each once and by token. Their names are not checked."""
    tokens = {row.cells[5] for row in table_rows(export, "hands")} - {""}
    table = Derived(export, "players", "tables")
    for token in sorted(tokens, key=unguarded):
        table.row(lambda cells, token=token: [token, cells[1]])  # type: ignore[misc]
    table.end()


def _check_errors(export: Export, standing: Standing) -> None:
    table, rounds_of, here = (
        Derived(export, "errors", "tables"),
        table_rows(export, "rounds"),
        [""] * len(COLUMNS["rounds"]),
    )
    for row in table_rows(export, "wagers"):
        cells = row.cells
        if cells[15] in ("", "0"):
            continue
        while [here[0], here[3]] != [cells[0], cells[3]]:
            following = next(rounds_of, None)
            if following is None:
                says = f"round {cells[3]} of {cells[0]} is not in {table_path('rounds')}, or is out of order"
                raise AlteredError(says, table_path("wagers"), line=row.line, byte=row.byte)
            here = following.cells
        cents, names = int(cells[15]), standing.names(cells[0], cells[3], cells[4], cells[6])
        repaid = [str(max(-cents, 0)), str(max(cents, 0))]
        due = [*cells[:4], here[7], here[13], *cells[4:8], cells[14], cells[13], *repaid, cells[16], cells[17]]
        table.row([*due, names])
    table.end()


def _check_cards(export: Export, standing: Standing) -> None:
    """Check the rounds dealt since the previous count: the finished ones after the last row that restarts the count."""
    name, rounds_of = "card_record", table_rows(export, "rounds")
    stream, dealt, counted, ahead = "", list[int](), 0, next(rounds_of, None)
    for row in table_rows(export, name):
        cells = row.cells
        if cells[0] != stream:
            stream, dealt, counted = cells[0], [], 0
            while ahead is not None and ahead.cells[0] <= stream:
                dealt += [int(ahead.cells[3] or 0)] if ahead.cells[0] == stream else []
                ahead = next(rounds_of, None)
            dealt.sort()
        number_of, what = int(cells[6] or 0), cells[5]
        behind = bisect_right(dealt, number_of) - bisect_right(dealt, counted)
        since = str(max(0, behind)) if what == "stub-counted" else ""
        if what in ("stub-counted", "deck-changed", "method-changed"):
            counted = max(counted, number_of)
        compare(name, row, [*cells[:9], since, *cells[10:13], standing.codes(stream, cells[6])], "tables")

"""The page of announced hands and settlement rules, game by game, from the rankers, the rule books and the register."""

from types import ModuleType
from typing import Final

from domain.clauses import register
from domain.games import BOOKS, GAMES
from domain.hands import multideck, standard, three_card
from domain.hands.ranked import CATEGORY_BITS, announced
from domain.rulebooks import PayTable, RuleBook, TableGroup, newest

_KING, _NINE = 11, 7  # the ranks in the examples of the page
_RANKERS: Final = {
    "ultimate": (("hands of five cards", standard),),
    "pik-it": (("hands of five cards", standard), ("hands of three cards", three_card)),
    "fast-action": (("hands of five cards, from several decks", multideck),),
    "colorado": (("hands of five cards", standard),),
}
_ANNOUNCED: Final = {
    "ultimate": "The dealer announces each hand, in `hand-announced.1`: also `no qualify` for less than a pair.",
    "pik-it": "The dealer announces each hand, in `hand-announced.1`, with `of_cards` 5 or 3. `no qualify` and "
    "`qualifies` are announcements of their own.",
    "fast-action": "Rounds need no announcement. If hands are announced, these words are understood.",
    "colorado": "Rounds need no announcement. If hands are announced, these words are understood.",
}
_HEAD = """\
# Announced hands and settlement

Written by `make docs` from the rankers, the pay tables and the register of clauses.

A hand is announced as a dealer says it. What the dealer leaves out does not count against the hand: `full house` agrees
with any full house, `nines full` with any full house of nines. `quads`, `boat`, `trips`, `wheel`, `broadway` and the
digits and letters of ranks are understood too. Words that name no hand are recorded, and decide nothing.

Each game below has its words from the highest hand down, its pay tables, and the clauses that settle its wagers, in
short; `domain/rulebooks/*/clauses.csv` has our reading of each. `catwalk books RULEBOOK --tables` prints the tables,
and with `--set` those of one house. `catwalk settle` settles a round.
"""


def settlement_page() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *map(_game, BOOKS)])


def _game(book: str) -> str:
    edition, game = newest(book), GAMES[book]
    lines = [f"## {book}: {edition.title}\n", f"{_ANNOUNCED[game.kind]}\n"]
    for title, ranker in _RANKERS[game.kind]:
        lines.append(f"{title.capitalize()}, such as: {', '.join(f'`{words}`' for words in words_of(ranker))}.\n")
    lines += ["| wager | chosen by | pays |", "|---|---|---|", *_tables(edition), ""]
    lines += ["| clause | settles |", "|---|---|", *_rules(book)]
    return "\n".join(lines) + "\n"


def words_of(ranker: ModuleType) -> list[str]:
    """Return the announcement of one hand of each category, the highest first: kings, and nines beside them."""
    value = _KING << 16 | _NINE << 12
    return [announced(category, number << CATEGORY_BITS | value) for number, category in _from_the_top(ranker)]


def _from_the_top(ranker: ModuleType) -> list[tuple[int, str]]:
    return list(reversed(list(enumerate(ranker.CATEGORIES))))


def _tables(edition: RuleBook) -> list[str]:
    rows = []
    for wager, group in edition.tables.items():
        for letter, table in group.tables.items():
            chosen = f"`{group.option}` = {letter}" if group.option else "" if letter == "only" else letter
            rows.append(f"| {wager} | {chosen} | {_paid(group, table)} |")
    return rows


def _paid(group: TableGroup, table: PayTable) -> str:
    least = "" if group.exact else "no less than "
    lines = ", ".join(f"{hand.replace('_', ' ')} {odds}" for hand, odds in table.printed.items())
    return f"{least}{lines} ({table.clause})"


def _rules(book: str) -> list[str]:
    text = GAMES[book].text
    return [
        f"| {row.id} | {row.gist.replace('|', '/')} |" for row in register(text).values() if row.kind == "settlement"
    ]

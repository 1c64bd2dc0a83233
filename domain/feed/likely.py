"""Likely mistakes of a mapping that make a finding in most rounds of a table."""

import re

_MONEY = "`cents` of wager-paid is the winnings without the wager, and the wager itself is wager-returned"
_ORDER = "`at` and the order of the lines: each fact comes when it happened, not when a round is exported"
# The findings, by the words in their codes, and what to compare first. The first row that fits is given.
_ROWS = (
    ("unseated|player-left", "player-seated and player-left, and that `player` is the same token as in the wagers"),
    ("positions", "`player` in wager-placed: each person has a token, and one person's seats are adjacent"),
    ("overpaid|underpaid|paid-twice|void|unsettled|winner-unpaid|winner-collected|loser|push|surrender-amount", _MONEY),
    ("misranked|misjudged|qualification|declared", "the ranks and suits of cards, and the words of hand-announced"),
    ("after-close|outside-window|late|early|mistimed|out-of-order|out-of-sequence|before", _ORDER),
    ("amount|limits|play-multiple", "`cents` of wager-placed in cents, and `limits` of the opening"),
    ("misplaced|not-offered|precondition|wager-missing", "`wager` and `area` of wager-placed, and the seat's number"),
    ("decision|fold|check", "`decision` of decision-made and its seat"),
    ("duplicated|deck|shoe|shuffle|cut|stub|wash|burn", "`deck`, and the facts of shuffles, loads, cuts and burns"),
    ("announced|revealed|collect|round-not-closed|no-more-bets", _ORDER),
    ("option|pay-table|odds|cap|version", "`options` of the opening: the pay tables and limits that this table has"),
)  # fmt: skip
LIKELY = tuple((re.compile(words), what) for words, what in _ROWS)


def likely(code: str) -> str:
    """Return what to compare first where most rounds have this finding."""
    what = next((what for words, what in LIKELY if words.search(code)), "the facts that the finding names")
    says = "Compare one such round with the table. If it was dealt as required, the mapping is wrong"
    return f"{says}; look first at {what}."

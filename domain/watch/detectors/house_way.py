"""Fast Action's house way: the two cards the dealer keeps."""

from itertools import product

from domain.cards import UNKNOWN, show
from domain.facts.decisions import HandSet
from domain.house_way import ROWS, acceptable
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import raised

_NUMERALS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv")
_RUNNING_ROWS = frozenset({4, 6, 11, 13})

WRONG = law(
    "house-way-wrong",
    {
        "": "FAH (h)(9)",
        "running": "FAH (a)(1)(viii)",
        **{f"row {number}": f"FAH (h)(9)({numeral})" for number, numeral in enumerate(_NUMERALS, 1)},
    },
)
ALTERNATIVE = law(
    "house-way-alternative",
    {"row 1": "FAH (h)(9)(i)", "row 11": "FAH (h)(9)(xi)", "row 13": "FAH (h)(9)(xiii)"},
)
_READINGS = ("both", "high-only")


@judge(WRONG, ALTERNATIVE, games=("fast-action",))
def dealer_keeps_by_the_house_way(told: RoundInPlay) -> Found:
    """Check that the dealer keeps the two cards of the first row that the four cards satisfy."""
    if told.voided:
        return
    made = [fact for fact in told.of(HandSet) if fact.seat is None]
    held, pair = told.dealer.cards, tuple(sorted(told.dealer.kept))
    if not made or len(held) != 4 or len(pair) != 2 or UNKNOWN in (*held, *pair) or not set(pair) <= set(held):
        return
    viii, ix = told.house["house_way.viii"], told.house["house_way.ix"]
    decided = acceptable(held, viii, ix)
    if decided is None or pair in decided[1]:
        return
    number, right, lower = decided
    row = ROWS[viii, ix][number - 1]
    keeps = " or ".join(show(each[::-1]) for each in sorted(right, reverse=True))
    told_cards = f"the dealer kept {show(pair[::-1])} of {show(held)}"
    if pair in lower:
        says = (
            f"Row ({_NUMERALS[number - 1]}), {row.words}, allows several pairs; {told_cards}, "
            f"but the highest is {keeps}."
        )
        yield from raised(told, ALTERNATIVE, f"row {number}", made[-1], says)
        return
    ranks = sorted(card >> 2 for card in pair)
    keys = ["", f"row {number}"]
    if number in _RUNNING_ROWS or ranks[1] - ranks[0] == 1:
        keys.append("running")
    says = f"Row ({_NUMERALS[number - 1]}), {row.words}, keeps {keeps}, but {told_cards}."
    yield from raised(told, WRONG, keys, made[-1], says, basis=_basis(held, pair))


def _basis(held: list[int], pair: tuple[int, ...]) -> str:
    """Return "reading" for a pair that another reading of (viii) and (ix) keeps, and else "certain"."""
    for viii, ix in product(_READINGS, _READINGS):
        decided = acceptable(held, viii, ix)
        if decided is not None and pair in decided[1]:
            return "reading"
    return "certain"

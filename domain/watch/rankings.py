"""The clauses that rank hands: by category, card ranks, the ace and suits.

One law serves every detector that finds a hand ranked wrongly.
"""

from collections.abc import Iterator

from domain.cards import ACE
from domain.hands.heard import Heard
from domain.hands.ranked import CATEGORY_BITS
from domain.watch.laws import law
from domain.watch.values import MadeHand

# Five cards of one deck, compared with the dealer's or, in Colorado, with a pay table.
FIVE = {
    "five royal_flush": "UTH-MA 5(b)(1); UTH-MD 6.D(1); PIK 39.4(b)1",
    "five straight_flush": "UTH-MA 5(b)(2); UTH-MD 6.D(2); PIK 39.4(b)2",
    "five four_of_a_kind": "UTH-MA 5(b)(3); UTH-MD 6.D(3); PIK 39.4(b)3",
    "five full_house": "UTH-MA 5(b)(4); UTH-MD 6.D(4); PIK 39.4(b)4",
    "five flush": "UTH-MA 5(b)(5); UTH-MD 6.D(5); PIK 39.4(b)5",
    "five straight": "UTH-MA 5(b)(6); UTH-MD 6.D(6); PIK 39.4(b)6",
    "five three_of_a_kind": "UTH-MA 5(b)(7); UTH-MD 6.D(7); PIK 39.4(b)7",
    "five two_pair": "UTH-MA 5(b)(8); UTH-MD 6.D(8); PIK 39.4(b)8",
    "five pair": "UTH-MA 5(b)(9); UTH-MD 6.D(9); PIK 39.4(b)9",
}
COLORADO = {
    "five royal_flush": "COL 3(b)(1)",
    "five straight_flush": "COL 3(b)(2)",
    "five four_of_a_kind": "COL 3(b)(3)",
    "five full_house": "COL 3(b)(4)",
    "five flush": "COL 3(b)(5)",
    "five straight": "COL 3(b)(6)",
    "five three_of_a_kind": "COL 3(b)(7)",
    "five two_pair": "COL 3(b)(8)",
    "five pair": "COL 3(b)(9)",
}
# Three cards, in Pik-it.
THREE = {
    "three royal_flush": "PIK 39.4(c)1",
    "three straight_flush": "PIK 39.4(c)2",
    "three three_of_a_kind": "PIK 39.4(c)3",
    "three straight": "PIK 39.4(c)4",
    "three flush": "PIK 39.4(c)5",
    "three pair": "PIK 39.4(c)6",
}
# The box's four cards and the player's two, in Maryland.
SIX = {
    "six royal_flush": "UTH-MD 6.F(1)",
    "six straight_flush": "UTH-MD 6.F(2)",
    "six four_of_a_kind": "UTH-MD 6.F(3)",
    "six full_house": "UTH-MD 6.F(4)",
    "six flush": "UTH-MD 6.F(5)",
    "six straight": "UTH-MD 6.F(6)",
    "six three_of_a_kind": "UTH-MD 6.F(7)",
    "six super_royal": "UTH-MD 6.F(8); UTH-MD 7.F(4)(a)",
}
# Six or eight decks, in Fast Action.
SEVENTEEN = {
    "seventeen flush_with_five_of_a_kind": "FAH (c)(2)(i)",
    "seventeen royal_flush": "FAH (c)(2)(ii)",
    "seventeen flush_with_four_of_a_kind": "FAH (c)(2)(iii)",
    "seventeen straight_flush": "FAH (c)(2)(iv)",
    "seventeen flush_with_full_house": "FAH (c)(2)(v)",
    "seventeen five_of_a_kind": "FAH (c)(2)(vi)",
    "seventeen flush_with_three_of_a_kind": "FAH (c)(2)(vii)",
    "seventeen flush_with_two_pair": "FAH (c)(2)(viii)",
    "seventeen flush_with_pair": "FAH (c)(2)(ix)",
    "seventeen four_of_a_kind": "FAH (c)(2)(x)",
    "seventeen full_house": "FAH (c)(2)(xi)",
    "seventeen flush": "FAH (c)(2)(xii)",
    "seventeen straight": "FAH (c)(2)(xiii)",
    "seventeen three_of_a_kind": "FAH (c)(2)(xiv)",
    "seventeen two_pair": "FAH (c)(2)(xv)",
    "seventeen pair": "FAH (c)(2)(xvi)",
    "seventeen high_card": "FAH (c)(2)(xvii)",
}

MISRANKED = law(
    "hand-misranked",
    {
        **{hand: f"{clauses}; {COLORADO[hand]}" for hand, clauses in FIVE.items()},
        **THREE,
        **SIX,
        **SEVENTEEN,
        # The mistake may be in the rank of a card, in the ace, or in a suit.
        "card rank": "UTH-MA 5(a) s1; UTH-MD 6.A; PIK 39.4(a)/s1; FAH (c)(1)/s1; COL 3(a)/s1",
        "ace": "UTH-MA 5(a) s2; UTH-MD 6.B; PIK 39.4(a)/s3; FAH (c)(1)/s2; COL 3(a)/s2",
        "suit": "COL 3(a)/s3",
        # The player of the hand, and the cards it is made of.
        "hand": 'UTH-MA 1 (Hand); PIK 39.4(e); FAH (a)(1)(iv); COL 1 "Hand"',
        "dealer": "UTH-MA 10(f) s2; UTH-MD 11.G(2); UTH-MD 11.G(3); PIK 39.10(d)/s1; PIK 39.10(d)/s2-announce",
        "player": "UTH-MA 10(h) s1; UTH-MD 11.H(2)(b); UTH-MD 11.H(2)(c)",
        "dealer designates": "PIK 39.10(d)/s3",
        "dealer's three": "PIK 39.10(d)/s4",
        "procedure 1": "PIK 39.10(e)1i",
        "procedure 2": "PIK 39.10(e)2i",
        "required": "COL 10(d)(1)",
        "permissible": "COL 11(d)(1)",
    },
)

_RUNS = ("straight", "straight_flush")
_LOWEST_TOP = {"three": 1, "five": 3, "six": 3, "seventeen": 3}  # the top of a run with a low ace: a three or a five


def mistaken(taken_for: Heard, made: MadeHand) -> Iterator[str]:
    """Return what the mistake touches: the announced category, the true one, and any other explanation."""
    yield f"{made.order} {taken_for.category}"
    yield f"{made.order} {made.category}"
    if about_the_ace(taken_for, made):
        yield "ace"
    elif taken_for.category == made.category:
        yield "card rank"


def about_the_ace(taken_for: Heard, made: MadeHand) -> bool:
    """Whether an ace was judged high where it is low, low where it is high, or in the middle of a run."""
    lowest = _LOWEST_TOP[made.order]
    top = made.value >> (CATEGORY_BITS - 4) & 15
    if made.category in _RUNS:
        if taken_for.category not in _RUNS:
            return top == lowest and _below(taken_for, made)
        said = taken_for.ranks[:1]
        return (top == lowest and said == (ACE,)) or (top == ACE and said == (lowest,))
    return taken_for.category in _RUNS and wraps_around(
        {card >> 2 for card in made.cards}, 3 if made.order == "three" else 5
    )


def _below(taken_for: Heard, made: MadeHand) -> bool:
    ladder = list(made.categories)
    return taken_for.category in ladder and ladder.index(taken_for.category) < ladder.index(made.category)


def wraps_around(ranks: set[int], length: int) -> bool:
    """Whether these ranks wrap around the ace, as in queen, king, ace, two and three."""
    tops = range(length - 1)  # the possible tops of a run with the ace in the middle
    return any({(top - down) % 13 for down in range(length)} <= ranks for top in tops if top != length - 2)

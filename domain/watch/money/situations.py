"""The clauses on each wager's payment, by situation: one table for every finding about money.

A finding cites the clauses of a situation that raise its code in the register. Laws that are not about one wager's
money are beside their detectors.
"""

from collections.abc import Iterable

from domain.clauses import clause, register
from domain.games import BOOKS, followers_of
from domain.watch.laws import Law, law

# The name of each situation of a wager, with every clause about it.
SITUATIONS: dict[str, str] = {
    "any": 'UTH-MA 1 (Round of play); UTH-MD 11.H(2)(d); PIK 39.1 "Round of play"; FAH (a)(1)(vii);'
    ' COL 1 "Round of play"',
    # Ultimate Texas Hold'em against the dealer.
    "fold": "UTH-MA 10(e)(2); UTH-MD 11.F(2); PIK 39.3(b)/s2; PIK 39.10(c)4; COL 10(b)(2)/s2",
    "dealer below a pair": "UTH-MA 10(g); UTH-MD 11.H(1)",
    "lower": "UTH-MA 10(h)(1); UTH-MD 11.H(3)(a)",
    "higher": "UTH-MA 10(h)(2); UTH-MD 11.H(3)(b)",
    "equal": "UTH-MA 5(c) s2; UTH-MA 10(h)(3); UTH-MD 6.E(2); UTH-MD 11.H(3)(d)",
    "even money": "UTH-MA 11(b); UTH-MD 12.A",
    "blind": "UTH-MA 11(c)",
    "blind A": "UTH-MD 12.B(1)",
    "blind B": "UTH-MD 12.B(2)",
    "blind below its table": "UTH-MA 10(h)(2); UTH-MD 11.H(3)(c)",
    "left": "UTH-MD 7.C(2)",
    # Its side wagers.
    "trips": "UTH-MA 1 (Trips wager); UTH-MA 11(d); UTH-MD 11.I(1)",
    "trips won": "UTH-MA 10(h)(4) s2; UTH-MD 11.I(2)",
    "trips A": "UTH-MA 11(d) Paytable A; UTH-MD 12.C(1)",
    "trips B": "UTH-MA 11(d) Paytable B; UTH-MD 12.C(2)",
    "trips C": "UTH-MA 11(d) Paytable C; UTH-MD 12.C(3)",
    "trips D": "UTH-MA 11(d) Paytable D; UTH-MD 12.C(4)",
    "trips E": "UTH-MD 12.C(5)",
    "cover_all": "UTH-MA 13(b)",
    "cover_all 7": "UTH-MA 13(f); UTH-MA 13(k) column 7",
    "cover_all 6": "UTH-MA 13(k) column 6",
    "cover_all 5": "UTH-MA 13(k) column 5",
    "cover_all 4": "UTH-MA 13(k) column 4",
    "cover_all 3": "UTH-MA 13(k) column 3",
    "cover_all 2": "UTH-MA 13(k) column 2",
    "cover_all once": "UTH-MA 13(g)",
    "six_card": "UTH-MD 11.I(3)",
    "six_card won": "UTH-MD 11.I(4)",
    "six_card A": "UTH-MD 12.E(1)",
    "six_card B": "UTH-MD 12.E(2)",
    "ultimate_pairs A": "UTH-MD 12.E#2(1)",
    "ultimate_pairs B": "UTH-MD 12.E#2(2)",
    "ultimate_pairs C": "UTH-MD 12.E#2(3)",
    "ultimate_pairs D": "UTH-MD 12.E#2(4)",
    "ultimate_pairs E": "UTH-MD 12.E#2(5)",
    "ultimate_pairs F": "UTH-MD 12.E#2(6)",
    "bad_beat A": "UTH-MD 12.F#2(1)",
    "bad_beat B": "UTH-MD 12.F#2(2)",
    "bad_beat C": "UTH-MD 12.F#2(3)",
    "play_the_board A": "UTH-MD 12.G(1)",
    "play_the_board B": "UTH-MD 12.G(2)",
    "play_the_board C": "UTH-MD 12.G(3)",
    # Progressive and envy.
    "progressive": "UTH-MA 14(c); UTH-MD 1.B(6)",
    "progressive won": "UTH-MD 11.J(1); UTH-MD 11.J(2)(d)",
    "progressive A": "UTH-MD 12.D(1)(a)",
    "progressive B": "UTH-MD 12.D(1)(b)",
    "progressive C": "UTH-MD 12.D(1)(c)",
    "progressive D": "UTH-MD 12.D(1)(d)",
    "progressive meter": "UTH-MD 12.D(4)",
    "progressive once": "UTH-MD 12.D(2)",
    "envy": "UTH-MD 1.B(2); UTH-MD 1.B(3); UTH-MD 11.J(2)(e); UTH-MD 11.J(2)(e)(i); UTH-MD 12.D(5)(a)",
    "envy holder": "UTH-MD 11.J(2)(e)(ii)",
    "envy several": "UTH-MD 11.J(2)(e)(iii)",
    "envy own": "UTH-MD 11.J(2)(e)(iv)",
    **{f"envy 100 {letter}": f"UTH-MD 12.D(6)({letter.lower()})" for letter in "ABCD"},
    **{f"envy 500 {letter}": f"UTH-MD 12.D(7)({letter.lower()})" for letter in "ABCD"},
    # Pik-it.
    "compared": "PIK 39.11(a)/s1",
    "lost by procedure 1": "PIK 39.10(e)1ii",
    "won by procedure 1": "PIK 39.10(e)1iii",
    "lost by procedure 2": "PIK 39.10(e)2ii",
    "won by procedure 2": "PIK 39.10(e)2ii",
    "tie": "PIK 39.4(d)/s2",
    "no qualify, ante": "PIK 39.10(f)/ante",
    "no qualify, play5": "PIK 39.10(f)/play5; PIK 39.11(a)/s2",
    "no qualify, play3": "PIK 1.13Y(d)2ii",
    "bonus5": "PIK 39.11(b)/s1",
    "bonus5 1": "PIK 39.11(b)/Pay Table 1",
    "bonus5 2": "PIK 39.11(b)/Pay Table 2",
    "bonus3": "PIK 39.11(c)/s1",
    "bonus3 1": "PIK 39.11(c)/Pay Table 1",
    "bonus3 2": "PIK 39.11(c)/Pay Table 2",
    "bonus3 3": "PIK 39.11(c)/Pay Table 3",
    # Fast Action.
    "natural": "FAH (h)(2)/s2",
    "surrender": "FAH (h)(6)/s2",
    "dealer's natural": "FAH (h)(8)/s1",
    "dealer's natural, split": "FAH (h)(8)/s2",
    "lost at showdown": "FAH (h)(11)/s1",
    "copy": "FAH (a)(1)(ii); FAH (c)(3)/s2; FAH (h)(11)/s2",
    "won at showdown": "FAH (h)(12)/s1",
    # Colorado, in its two versions.
    "declared required": "COL 10(b)(3)(i)/s4",
    "declared permissible": "COL 11(b)(2)(i)/s4",
    "declared in error": "COL 14(d)",
    "undeclared required": 'COL 1 "Instant winner"; COL 10(b)(3)(ii)',
    "undeclared permissible": 'COL 1 "Instant winner"; COL 11(b)(2)(ii)',
    "loses required": "COL 10(e)/s1; COL 10(e)/s2",
    "loses permissible": "COL 11(e)/s1; COL 11(e)/s2",
    "pushes": 'COL 1 "Push"',
    "pushes required": "COL 10(f)/s1; COL 10(f)/s2",
    "pushes permissible": "COL 11(f)/s1; COL 11(f)/s2",
    "wins required": "COL 10(g)/s1; COL 12(b)",
    "wins permissible": "COL 11(g); COL 13(b)",
    "main required": "COL 12(b)/Payout Odds",
    "main permissible": "COL 13(b)/Payout Odds",
    "bonus required": "COL 12(d)/Bonus Payout",
    "bonus permissible": "COL 13(d)/Bonus Payout",
    "bonus won": "COL 6a(c)",
    "bonus won required": "COL 12(d)",
    "bonus won permissible": "COL 13(d)",
    # Limits on the winnings of a hand.
    "limit UTH-MA 11(e)": "UTH-MA 11(e)",
    "limit UTH-MA 14(d)": "UTH-MA 14(d)",
    "limit UTH-MD 12.F": "UTH-MD 12.F; UTH-MD 12.F(2)",
    "limit COL 12(c)/s1": "COL 12(c)/s1",
    "limit COL 13(c)/s1": "COL 13(c)/s1",
    "outside the limit": "UTH-MD 12.F(2)",
}

# Every clause that voids hands or lets trips survive them; each is a situation of its own.
VOIDING = (
    *("UTH-MA 7(f)(2) s2", "UTH-MA 7(f)(2) s3", "UTH-MA 15(a) s1", "UTH-MA 15(b) s2", "UTH-MA 15(d) s1"),
    *("UTH-MA 15(d) s2", "UTH-MA 15(f)"),
    *("UTH-MD 8.G(1)", "UTH-MD 8.G(2)", "UTH-MD 9.E(1)", "UTH-MD 9.E(2)", "UTH-MD 10.E(1)", "UTH-MD 10.E(2)"),
    *("UTH-MD 13.B", "UTH-MD 13.E", "UTH-MD 13.F", "UTH-MD 13.H(2)", "UTH-MD 13.I(1)"),
    *("PIK 39.7(e)2/s2", "PIK 39.7(e)2/s3", "PIK 38.12(a)/s2", "PIK 38.12(c)", "PIK 38.12(d)", "PIK 38.12(f)"),
    *("FAH (i)(3)", "FAH (i)(5)"),
    *("COL 7(e)(2)/s2", "COL 7(e)(2)/s3", "COL 14(a)/s2", "COL 14(c)", "COL 14(f)"),
)
SURVIVING = ("UTH-MA 15(a) s2", "UTH-MA 15(b) s3", "UTH-MD 13.C", "UTH-MD 13.G")
SITUATIONS |= {name: name for name in (*VOIDING, *SURVIVING)}
SITUATIONS["UTH-MD 13.I(1)"] = "UTH-MD 13.I; UTH-MD 13.I(1)"

# What a book that goes by another's text prints itself: the clause of a pay table is its own situation.
SITUATIONS |= {name: name for text in BOOKS for book in followers_of(text) for name in register(book)}

# The possible faults in the money of one wager.
CODES = (
    *("loser-paid", "loser-not-collected", "winner-collected", "winner-unpaid", "push-mishandled"),
    *("wager-overpaid", "wager-underpaid", "paid-above-floor", "wager-paid-twice", "paid-without-wager"),
    *("wager-unsettled", "folded-wager-not-collected", "envy-unpaid", "cap-exceeded"),
    *("surrender-amount-wrong", "instant-winner-undeclared-paid", "abandoned-wager-mishandled"),
    *("void-wager-not-returned", "void-trips-unsettled"),
)


def rows_of(code: str, situations: Iterable[str] | None = None) -> dict[str, str]:
    """Return the table with only the clauses that raise this code."""
    rows = {}
    for key in situations or SITUATIONS:
        held = [name for name in map(str.strip, SITUATIONS[key].split(";")) if code in clause(name).findings]
        if held:
            rows[key] = "; ".join(held)
    return rows


LAW: dict[str, Law] = {code: law(code, rows_of(code)) for code in CODES}


def cited(code: str, book: str, keys: Iterable[str]) -> tuple[str, ...]:
    """Return the clauses of these situations that raise this code, the wager's own first."""
    found = LAW[code].clauses
    return tuple(dict.fromkeys(name for key in keys for name in found.get((book, key), ())))

"""The dealer's calls before and during a round."""

from domain.facts.envelope import Fact
from domain.facts.wagers import BetsClosed
from domain.table.day import TableDay
from domain.watch.deck_queries import the_round
from domain.watch.detecting import DealBegins, Found, watch
from domain.watch.finding import found
from domain.watch.laws import law

NO_MORE_BETS = law(
    "no-more-bets-missing",
    {
        "manual-shoe": "UTH-MA 7(b); UTH-MD 8.C(1); PIK 39.7(b)/s1; COL 7(b); FAH (g)(2)/s1",
        "hand": "UTH-MA 8(b)(3) s1; UTH-MD 9.A(3); PIK 39.8(b)3/s1; COL 8(b)(3)",
        "automated-shoe": "UTH-MA 9(b)(2); UTH-MD 10.A(2)(a); PIK 39.9(b)2; COL 9(b)(2)",
        "continuous-shoe": "FAH (g)(2)/s1",
    },
)


@watch(DealBegins, laws=(NO_MORE_BETS,), needs=(BetsClosed,))
def no_more_bets(day: TableDay, deals: Fact) -> Found:
    """Check that "no more bets" is announced before the first card or stack."""
    told = the_round(day)
    if not told.of(BetsClosed):
        cited = NO_MORE_BETS.cites(day.book, day.method)
        yield found(
            NO_MORE_BETS, cited, deals, f"Round {told.number} was dealt without an announcement of no more bets."
        )

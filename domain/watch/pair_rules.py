"""Rules that look across tables: one version of a game at every table, one seat at a time for a player, and a deck that
is at one table and not where the vault has it.

What a table's own verifier sees is left to it. A finding is about two tables: the fact at one that does not go
together with what holds at the other.
"""

from collections.abc import Iterator

from domain.facts.streams import owner
from domain.rulebooks import BOOKS
from domain.spoken import the_wager
from domain.watch.claims import DECK, VERSION, Claim, Question, Told
from domain.watch.detecting import Detector
from domain.watch.finding import Finding, found, of_the_record
from domain.watch.laws import law

MIXED = law("versions-mixed", "COL 6(f)/s2")
ELSEWHERE = law("wager-unseated", "UTH-MA 6(e) s1; UTH-MD 7.C; PIK 39.3(d)/s1; FAH (f)(2)/s1; COL 6(b)/s1")


def one_version(question: Question, here: Told, claim: Claim, there: Told) -> Iterator[Finding]:
    """Every Colorado table of a licensee plays the same version at the same time."""
    table, other = owner(here.stream), owner(there.stream)
    says = f"Table {table} plays the {question.value} version while table {other} plays the {claim.value} one."
    yield found(MIXED, MIXED.cites(here.book), question, says, beside=f"{there.stream}:{claim.shown_by}")


def one_seat(question: Question, here: Told, claim: Claim, there: Told) -> Iterator[Finding]:
    """Who wagers is seated at that table, and so not in the middle of a round at another."""
    says = (
        f"Seat {question.seat}'s {the_wager(question.wager)} was taken from a player who held cards at table "
        f"{owner(there.stream)} in a round that was not over."
    )
    beside = f"{there.stream}:{claim.shown_by}"
    yield found(
        ELSEWHERE, ELSEWHERE.cites(here.book), question, says, seat=question.seat, wager=question.wager, beside=beside
    )


def one_table(question: Question, here: Told, claim: Claim, there: Told) -> Iterator[Finding]:
    """A deck is at the table the vault issued it to. No rule book says so: two records contradict one another."""
    says = f"Table {owner(here.stream)} received deck {question.deck}, which the vault has at table {claim.value}."
    beside = f"{there.stream}:{claim.shown_by}"
    yield of_the_record("deck-elsewhere", question, says, [question], beside)


DETECTORS = (
    Detector("one_version", (MIXED,), frozenset(), frozenset(book for book, _ in MIXED.clauses), one_version),
    Detector("one_seat", (ELSEWHERE,), frozenset(), frozenset(BOOKS), one_seat),
    Detector("one_table", (), frozenset(), frozenset(BOOKS), one_table),
)


def shown(what: str, question: Question, here: Told, claim: Claim, there: Told) -> Iterator[Finding]:
    """What a question shows against the claim of another table."""
    detector = DETECTORS[0] if what == VERSION else DETECTORS[2] if what.startswith(DECK) else DETECTORS[1]
    yield from detector.run(question, here, claim, there)

"""Rules across tables: one version of a game everywhere, one seat at a time, one table for each deck, approved options.

A deck must be at the table to which the vault issued it. Rules about one table are left to that table's verifier. Each
finding is about two tables: a fact at one that contradicts a claim of the other.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.facts.streams import owner
from domain.rulebooks import BOOKS, House, edition, edition_on
from domain.spoken import listed, number_of, plain, the_wager
from domain.table.day import in_force
from domain.watch.claims import DECK, OPTIONS, VERSION, Claim, DayClaims, OpenClaim, OpenedOptions, contradicting
from domain.watch.detecting import Detector
from domain.watch.finding import Finding, found, of_the_record
from domain.watch.laws import law

MIXED = law("versions-mixed", "COL 6(f)/s2")
ELSEWHERE = law("wager-unseated", "UTH-MA 6(e) s1; UTH-MD 7.C; PIK 39.3(d)/s1; FAH (f)(2)/s1; COL 6(b)/s1")


def one_version(question: OpenClaim, here: DayClaims, claim: Claim, there: DayClaims) -> Iterator[Finding]:
    """Check that every Colorado table of a licensee plays the same version at the same time."""
    table, other = owner(here.stream), owner(there.stream)
    says = f"Table {table} plays the {question.value} version while table {other} plays the {claim.value} one."
    yield found(MIXED, MIXED.cites(here.book), question, says, beside=f"{there.stream}:{claim.shown_by}")


def one_seat(question: OpenClaim, here: DayClaims, claim: Claim, there: DayClaims) -> Iterator[Finding]:
    """Check that a player who wagers at one table is not in the middle of a round at another."""
    says = (
        f"Seat {question.seat}'s {the_wager(question.wager)} was accepted from a player who held cards at table "
        f"{owner(there.stream)} in a round that was not over."
    )
    beside = f"{there.stream}:{claim.shown_by}"
    yield found(
        ELSEWHERE, ELSEWHERE.cites(here.book), question, says, seat=question.seat, wager=question.wager, beside=beside
    )


def one_stay(what: str, last: OpenClaim, here: DayClaims, there: DayClaims) -> Finding:
    """Return the one finding on a player at two tables, as far as it is known with the last wager of these.

    Whatever the player wagers between the two tables on one day is one state, found at its first wager.
    """
    asked = [
        (question.key, question, table, other, claim)
        for table, other in ((here, there), (there, here))
        for question in table.questions.get(what, [])
        if question.key <= last.key and (claim := contradicting(question, other.claims.get(what, []))) is not None
    ]
    _, question, table, other, claim = min(asked, key=lambda each: each[0])
    (finding,) = one_seat(question, table, claim, other)
    if len(asked) == 1:
        return finding
    ended = f"the last in round {last.round} of table {owner(here.stream)}"
    says = f"{finding.says} So were wagers in {number_of(len(asked), 'round')} at these two tables, {ended}."
    return msgspec.structs.replace(finding, says=says)


def one_table(question: OpenClaim, here: DayClaims, claim: Claim, there: DayClaims) -> Iterator[Finding]:
    """Check that a deck is at the table the vault issued it to; no rule says so, but two records contradict."""
    says = f"Table {owner(here.stream)} received deck {question.deck}, but the vault issued it to table {claim.value}."
    beside = f"{there.stream}:{claim.shown_by}"
    yield of_the_record("deck-elsewhere", question, says, [question], beside)


def options_approved(question: OpenClaim, here: DayClaims, claim: Claim, there: DayClaims) -> Iterator[Finding]:
    """Check that a table opens with options approved at that hour, however they are written."""
    opened = msgspec.json.decode(question.value, type=OpenedOptions)
    book = edition(opened.book, opened.book_digest) or edition_on(opened.book, opened.gaming_day)
    house, refused = in_force(book, opened.options, opened.dealing_method)
    if refused:
        return  # an invalid option has a finding of its own
    fewest = min((_others(house, opened.dealing_method, each) for each in claim.value.split("\n")), key=len)
    if fewest:
        table, named = owner(here.stream), listed([plain(name.replace(".", " ")) for name in fewest])
        says = f"Table {table} opened with options of {opened.book} that nobody had approved: {named}."
        yield of_the_record("options-not-approved", question, says, [question], f"{there.stream}:{claim.shown_by}")


def _others(house: House, method: str, approved: str) -> list[str]:
    """Return the names of the options that differ from this approval; the house's own rules need none."""
    options = msgspec.json.decode(approved, type=dict[str, Any])
    meant = in_force(house.book, options, options.get("dealing_method", method))[0].options
    return [name for name, value in house.options.items() if name in house.book.options and meant[name] != value]


DETECTORS = (
    Detector("one_version", (MIXED,), frozenset(), frozenset(book for book, _ in MIXED.clauses), one_version),
    Detector("one_seat", (ELSEWHERE,), frozenset(), frozenset(BOOKS), one_seat),
    Detector("one_table", (), frozenset(), frozenset(BOOKS), one_table),
    Detector("options_approved", (), frozenset(), frozenset(BOOKS), options_approved),
)


def shown(what: str, question: OpenClaim, here: DayClaims, claim: Claim, there: DayClaims) -> Iterator[Finding]:
    """Return the findings that a question shows against another table's claim."""
    which = 0 if what == VERSION else 2 if what.startswith(DECK) else 3 if what.startswith(OPTIONS) else 1
    yield from DETECTORS[which].run(question, here, claim, there)

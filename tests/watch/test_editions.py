"""A day is judged by the edition its opening names, under whichever of its digests; without it nothing is."""

import pytest

from domain.clauses import findings
from domain.rulebooks import BOOKS, edition, editions, install, not_shipped
from domain.simulation.edits import change, insert_after, insert_before, said, where
from domain.simulation.scripted import round_, seat
from domain.table.day import evolve, initial
from tests.rulebooks.two_editions import BOOK, SINCE, changed
from tests.watch.harness import recorded, verified
from tests.watch.lawful import day

ROUNDS = [round_(seat(1), seat(3)) for _ in range(2)]
PAID_AGAIN = insert_before(where("round-completed"), said("wager-paid", 1, "ante", 7_700))
OF_MONEY = ("paid", "winner", "loser", "push")


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "FAH"])
def test_a_day_that_names_a_former_digest_is_judged_as_under_todays(book: str) -> None:
    facts = PAID_AGAIN(day(book, rounds=ROUNDS)())
    today = verified(facts)
    assert any(word in finding.code for finding in today for word in OF_MONEY)
    for former in editions(book)[0].former:
        assert verified(change("table-opened", to={"book_digest": former})(facts)) == today


def test_a_missing_edition_is_of_severity_integrity_and_says_which_to_install() -> None:
    digest = "ab" * 32
    facts = PAID_AGAIN(change("table-opened", to={"book_digest": digest})(day("COL", rounds=ROUNDS)()))
    (found,) = verified(facts)
    assert (found.code, found.severity) == ("rule-book-unknown", "integrity")
    assert f"the edition of COL with digest {digest}, which is not installed, so no round of this day" in found.says
    assert "Install the release of Catwalk, or the file, that contains this edition." in found.says
    assert "install that edition" in findings()["rule-book-unknown"].says


def test_an_edition_that_is_not_in_force_yet_is_told_and_the_day_is_judged_by_it() -> None:
    """The table opens in November under the edition that the law has from January on."""
    later = not_shipped("uth-md", SINCE, changed())
    assert later is not None
    install([later])
    try:
        lawful = day(BOOK, rounds=ROUNDS)()
        (told,) = verified(change("table-opened", to={"book_digest": later.digest})(lawful))
        assert verified(lawful) == []
    finally:
        install(())
    assert (told.code, told.severity) == ("rule-book-not-in-force", "integrity")
    assert told.says.startswith(f"The table opened under the edition {SINCE} of {BOOK}, but on 2026-11-18 the edition ")


def test_an_option_like_none_of_the_book_is_told_without_a_clause() -> None:
    options = change("table-opened", to={"options": lambda held: {**held, "jukebox": "loud"}})
    (told,) = verified(options(day(BOOK)()))
    assert (told.code, told.clauses) == ("house-option-unknown", ())


def test_an_option_holds_for_the_rounds_that_open_after_it_was_changed() -> None:
    """The round in play keeps the table it began with (UTH-MD 12.C)."""
    changed = insert_after(where("bets-closed"), said("option-changed", "trips_table", "E"))
    state = initial("T7")
    for fact in recorded(changed(day("UTH-MD", options={"trips_table": "B"}, rounds=ROUNDS)())):
        evolve(state, fact)
    assert [told.house["trips_table"] for told in state.rounds.values()] == ["B", "E"]
    assert all(told.house.book is edition("UTH-MD", editions("UTH-MD")[0].digest) for told in state.rounds.values())


def test_a_whole_group_takes_the_place_of_what_was_changed_of_it() -> None:
    options = {"progressive": {"table": "A"}}
    later = (
        said("option-changed", "progressive.table", "B"),
        said("option-changed", "progressive", {"table": "C"}),
    )
    state, seen = initial("T7"), []
    for fact in recorded(insert_after(where("game-commenced"), *later)(day("UTH-MD", options=options)())):
        evolve(state, fact)
        if type(fact).__name__ == "OptionChanged" and state.house is not None:
            seen.append(state.house["progressive.table"])
    assert seen == ["B", "C"]

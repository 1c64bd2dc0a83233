"""A rule book file in which anything lacks its clause, or cannot be read, is refused with the place."""

import tomllib

import pytest

from domain.clauses import clause
from domain.rulebooks import BOOKS, BadRuleBookError, first_file, newest, parse

BOOK = """
book = "PIK"
title = "Pik-it Poker"
wagers = ["ante"]

[tables.bonus3]
clause = "PIK 39.11(c)/s1"
option = "bonus3_table"
rule = "no less than"
[tables.bonus3.1]
clause = "PIK 39.11(c)/Pay Table 1"
pair = "1 to 1"

[values.deck_size]
clause = "PIK 39.7(e)1"
value = 52

[options.bonus3_table]
clause = "PIK 39.11(c)/s1"
allowed = [1]
default = 1
says = "The 3 card bonus pay table."
"""

# what is wrong | written | instead of | the refusal names
REFUSED = """
a table's odds without a clause     |                            | clause = "PIK 39.11(c)/Pay Table 1" | tables.bonus3.1 cites no clause of PIK
a group of tables without a clause  |                            | clause = "PIK 39.11(c)/s1"¶option   | tables.bonus3 cites no clause of PIK
a value without a clause            |                            | clause = "PIK 39.7(e)1"             | values.deck_size cites no clause of PIK
a value that is nothing but a value | [values]¶deck_size = 52¶[values.other] | [values.deck_size]      | values.deck_size cites no clause of PIK
an option without a clause          |                            | clause = "PIK 39.11(c)/s1"¶allowed  | options.bonus3_table cites no clause of PIK
a citation of another book          | clause = "COL 7(e)(1)"     | clause = "PIK 39.7(e)1"             | values.deck_size cites no clause of PIK
a citation that is no text          | clause = 39                | clause = "PIK 39.7(e)1"             | values.deck_size cites no clause of PIK
odds that cannot be read            | pair = "1 on 1"            | pair = "1 to 1"                     | tables.bonus3.1: '1 on 1' is not a pay-table line
odds over nothing                   | pair = "1 to 0"            | pair = "1 to 1"                     | tables.bonus3.1: '1 to 0' is not a pay-table line
odds that are a number              | pair = 1                   | pair = "1 to 1"                     | tables.bonus3.1:
an unknown section                  | [sayings.deck_size]        | [values.deck_size]                  | unknown section 'sayings'
a missing section                   |                            | wagers = ["ante"]                   | section 'wagers' is missing
neither exact nor a floor           | rule = "about"             | rule = "no less than"               | tables.bonus3 must say whether its odds are
an unknown kind of option           | kind = "mood"              | allowed = [1]                       | options.bonus3_table must list what is allowed
a choice of nothing listed          |                            | allowed = [1]                       | options.bonus3_table must list what is allowed
an option without a default         |                            | default = 1                         | options.bonus3_table needs a default and a sentence
an option without a sentence        |                            | says = "The 3 card bonus pay table." | options.bonus3_table needs a default and a sentence
a value that is missing             |                            | value = 52                          | values.deck_size has no value
"""
ROWS = [[cell.strip().replace("¶", "\n") for cell in row.split("|")] for row in REFUSED.strip().splitlines()]


def test_the_book_from_which_each_refusal_departs_by_a_line_is_read() -> None:
    """Without a fault the same text loads, with its clauses and odds."""
    book = parse(BOOK.encode())
    assert (book.book, book.title, book.wagers) == ("PIK", "Pik-it Poker", ("ante",))
    assert book.tables["bonus3"].tables["1"].printed == {"pair": "1 to 1"}
    assert not book.tables["bonus3"].exact
    assert (book.value("deck_size"), book.clause_of("deck_size")) == (52, "PIK 39.7(e)1")


@pytest.mark.parametrize(("what", "written", "instead", "says"), ROWS, ids=[row[0] for row in ROWS])
def test_a_file_that_cannot_be_law_is_refused(what: str, written: str, instead: str, says: str) -> None:
    """A line is changed or left out, and the refusal says where."""
    lines = instead.split("\n")
    replaced = written if len(lines) == 1 else "\n".join([written, *lines[1:]]).lstrip("\n")
    assert BOOK.count(instead) == 1
    with pytest.raises(BadRuleBookError) as refusal:
        parse(BOOK.replace(instead, replaced).encode())
    assert says in str(refusal.value)


def test_a_book_that_does_not_exist_is_refused_with_those_that_do() -> None:
    """The message is a list to choose from."""
    with pytest.raises(BadRuleBookError, match="choose one of UTH-MA, UTH-MD, PIK, FAH, COL"):
        newest("UTH")


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_a_rule_book_cites_is_in_the_register(book: str) -> None:
    """No value, table or option rests on a clause that is in no book."""
    raw = tomllib.loads(first_file(book).decode())
    cited: list[str] = []

    def collect(entry: object) -> None:
        if isinstance(entry, dict):
            cited.extend(held for name, held in entry.items() if name == "clause")
            for held in entry.values():
                collect(held)

    collect(raw)
    assert len(cited) > 20
    assert {clause(name).book for name in cited} == {book}


@pytest.mark.parametrize("book", BOOKS)
def test_the_letters_of_a_choice_are_those_of_its_tables(book: str) -> None:
    """A table nobody can select, or a letter without a table, is a slip of the pen."""
    rules = newest(book)
    for name, group in rules.tables.items():
        if group.option:
            assert [str(letter) for letter in rules.options[group.option].allowed] == list(group.tables), name

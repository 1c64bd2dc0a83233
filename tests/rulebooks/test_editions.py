"""An edition is known by what it says: its digest outlives every rewording, and no edition is ever forgotten."""

import hashlib
import re
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from domain.rulebooks import BOOKS, BadRuleBookError, RuleBook, edition, edition_on, editions, first_file, newest, parse
from tests.citations import ROOT

# Each edition that was released, with its digest: a line is added for a new one, and none is ever changed.
RELEASED = """
uth-ma/2026-11-18 32feb551da728e2945e2cba339fbd805a55e1e483d8e13f5c4d851475b801dce
uth-md/2026-11-18 3ba3a7712bc3903c47e27c309c753616fb2d580be625c4e1dbe39b0bcc811d4f
pik/2026-11-18 e00a716fd7b0861942c5b2e8ec936f41c5505c9b84c194cf3c3da41e761c8d20
fah/2026-11-18 f8333577076e02669e1b801bd527b87145948032bb0ddec9da5064761ec16e61
col/2026-11-18 5c9daba0fe310d4650e1d25c6b957d8e4078f9c2a44a7c31b7f30b27c024462c
"""
# What records named before 0.2.0: the SHA-256 of the files as they were released then.
BYTES = """
uth-ma 65f8cb17c1cb56c4049bba03b5223e2d3000260abce3c3ad2376fcf2f58cc23b
uth-md 861da1ba254c9c66f55d66446f2411589f4125048fb818fb6b87246bfcc84606
pik a039f1c3be0e83e3fb9f1546be8e7ce27c3c9dcc8dcb0d2083a5630bd9e29bdd
fah b8186e0b2d025c6eb8c7b7f14ffeac5f55a07c79b841c4f9ce3b0f3c185086b7
col 1ec9e2cafca16a6f0cdcbf124476ffc8ef559970aa61d05db1b208679556a3fc
"""

# what is changed | in the file | to | whether it is another edition
CHANGES = """
a comment reworded          | # Table B prints no straight line: | # The second table has no such line: |
a comment added             | [tables.trips.B]                   | # reviewed in May¶[tables.trips.B]   |
white space                 | full_house = "8 to 1"              | full_house   =   "8 to 1"            |
a sentence about an option  | says = "The trips pay table of the Rules Submission." | says = "Trips." |
a reading in words          | reading = "Taken by the letter     | reading = "By the letter             |
the title                   | title = "Ultimate Texas Hold'em, Maryland" | title = "UTH" |
a line's odds               | straight = "5 to 1"                | straight = "6 to 1"                  | another
the clause of a table       | clause = "UTH-MD 12.C(2)"          | clause = "UTH-MD 12.C(3)"            | another
an option's default         | allowed = ["A", "B", "C", "D", "E"]¶default = "A" | allowed = ["A", "B", "C", "D", "E"]¶default = "B" | another
what an option allows       | allowed = ["A", "B", "C", "D", "E"] | allowed = ["A", "B", "C", "D"]      | another
exact odds made a floor     | option = "trips_table"¶clause = "UTH-MD 12.C"¶rule = "exact" | option = "trips_table"¶clause = "UTH-MD 12.C"¶rule = "no less than" | another
"""
ROWS = [[cell.strip().replace("¶", "\n") for cell in row.split("|")] for row in CHANGES.strip().splitlines()]


def _rows(text: str) -> list[tuple[str, ...]]:
    return [tuple(line.split()) for line in text.strip().splitlines()]


def _file(each: RuleBook) -> str:
    return f"{each.book.lower()}/{each.name}"


def _turned_round(text: str) -> str:
    """The file with its tables, and the names in each, in the opposite order."""
    head, *tables = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    return "".join(_lines_turned(part) for part in (head, *reversed(tables)))


def _lines_turned(table: str) -> str:
    lines = [line for line in table.splitlines() if line and not line.startswith("#")]
    first = lines[:1] if lines and lines[0].startswith("[") else []
    return "\n".join([*first, *reversed(lines[len(first) :])]) + "\n"


def _in_order(held: Any) -> Any:
    """Everything an edition says, with the order of its names."""
    if isinstance(held, dict):
        return [(name, _in_order(inner)) for name, inner in held.items()]
    if hasattr(held, "__struct_fields__"):
        return [_in_order(getattr(held, name)) for name in held.__struct_fields__]
    return held


@pytest.mark.parametrize(("what", "was", "now", "another"), ROWS, ids=[row[0] for row in ROWS])
def test_only_what_can_change_an_amount_a_finding_or_a_citation_makes_another_edition(
    what: str, was: str, now: str, another: str
) -> None:
    text = first_file("UTH-MD").decode()
    assert was in text
    changed = parse(text.replace(was, now, 1).encode())
    assert (changed.digest != editions("UTH-MD")[0].digest) == bool(another)


@pytest.mark.parametrize("book", BOOKS)
def test_the_order_of_a_file_shows_neither_in_the_digest_nor_in_what_is_read(book: str) -> None:
    text = first_file(book)
    turned = parse(_turned_round(text.decode()).encode(), text)
    assert turned.digest == parse(text).digest
    assert _in_order(turned) == _in_order(parse(text))


@pytest.mark.parametrize("value", ["0.5", "2026-11-18", "[1, 2.5]"])
def test_a_value_json_can_write_in_two_ways_is_refused(value: str) -> None:
    text = f'{first_file("UTH-MD").decode()}\n[values.odd]\nclause = "UTH-MD 12.A"\nvalue = {value}\n'
    with pytest.raises(
        BadRuleBookError, match=r"^values\.odd\.value is .*: write text, a whole number, true or false$"
    ):
        parse(text.encode())


def test_a_stranger_computes_the_same_digest_from_the_file_with_the_lines_of_the_docs(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/rule-books.md").read_text("utf-8"), re.DOTALL)
    for book in BOOKS:
        file = tmp_path / "edition.toml"
        file.write_bytes(first_file(book))
        command = [sys.executable, "-I", "-c", code, str(file)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        assert told == editions(book)[0].digest


def test_every_edition_that_was_released_is_still_found() -> None:
    """By today's digest, and by those that older records name."""
    there = {_file(each): each for book in BOOKS for each in editions(book) if each.shipped}
    assert [(file, each.digest) for file, each in there.items()] == _rows(RELEASED)
    assert all(edition(each.book, each.digest) is each for each in there.values())
    for folder, digest in _rows(BYTES):
        assert edition(folder.upper(), digest) is editions(folder.upper())[0]


def test_every_former_digest_is_of_an_edition_there_is_and_of_one_alone() -> None:
    held = tomllib.loads((files("domain.rulebooks") / "former.toml").read_text("utf-8"))
    digests = [digest for names in held.values() for former in names.values() for digest in former]
    assert len(set(digests)) == len(digests)
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
    assert {f"{book.lower()}/{name}" for book in held for name in held[book]} <= {file for file, _ in _rows(RELEASED)}
    assert set(digests).isdisjoint(each.digest for book in BOOKS for each in editions(book))


def test_a_digest_of_another_book_is_no_edition_of_this_one() -> None:
    assert edition("UTH-MA", newest("UTH-MD").digest) is None
    assert edition("UTH-MD", hashlib.sha256(b"").hexdigest()) is None


def test_the_first_edition_is_in_force_on_every_day_before_it() -> None:
    first: RuleBook = editions("COL")[0]
    assert edition_on("COL", "1999-12-31") is first
    assert edition_on("COL", first.since) is first

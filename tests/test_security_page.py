"""The threat model: each attacker has rows, each row names tests that exist, each chapter of ASVS has its answer."""

import re

import pytest

from tests.citations import ROOT

PAGE = (ROOT / "docs/security.md").read_text("utf-8")
ATTACKERS = (
    "Player",
    "Dealer",
    "Floor supervisor",
    "Device",
    "A person on the gateway's machine",
    "Database or broker administrator",
    "The property's management, holding every key",
    "The receiver of an export",
    "A passer-by on the network",
)
CHAPTERS = [f"V{number}" for number in range(1, 18)]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`")


def sections() -> dict[str, str]:
    """Each attacker's part of the page."""
    return {part.partition("\n")[0]: part for part in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]}


def rows(part: str) -> list[list[str]]:
    """The rows of its table, without the heading."""
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def test_each_attacker_has_a_part_with_rows() -> None:
    held = sections()
    assert tuple(held) == ATTACKERS
    assert all(len(rows(part.partition("\n## ")[0])) >= 3 for part in held.values())


@pytest.mark.parametrize("attacker", ATTACKERS)
def test_each_row_names_tests_that_exist(attacker: str) -> None:
    for row in rows(sections()[attacker].partition("\n## ")[0]):
        assert len(row) in (3, 4), row
        tests = NAMED.findall(row[2])
        assert tests, f"{row[0]} names no test"
        for file, name in tests:
            assert name, f"{row[0]} names a file and no test of it"
            assert f"def {name}(" in (ROOT / file).read_text("utf-8"), f"{file} has no {name}"


def test_each_chapter_of_asvs_is_answered() -> None:
    answered = rows(PAGE.partition("## OWASP ASVS")[2])
    assert [row[0].partition(" ")[0] for row in answered] == CHAPTERS
    for chapter, applies, stands in answered:
        assert re.match(r"yes|not applicable", applies), chapter
        assert len(stands) > 10, chapter
        if applies == "yes, partly":
            assert len(stands) > 100, f"{chapter} does not say what is missing"
    for file, _ in NAMED.findall(PAGE):
        assert (ROOT / file).is_file(), file

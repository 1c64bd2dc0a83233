"""Decisions are numbered files with the same headings, a date and a status, and the index lists them all."""

import re
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.citations import ROOT

FOLDER = ROOT / "docs/decisions"
FILES = sorted(FOLDER.glob("[0-9]*.md"))
PAGES = sorted(FOLDER.glob("*.md"))
HEADINGS = ["Question", "Options considered", "Choice"]
MEASURED = "What was measured"
NAME = re.compile(r"(?P<number>\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md")
TITLE = re.compile(r"# (?P<number>\d{4})\. (?P<title>.+)")
STATUS = re.compile(r"accepted|superseded by \[(?P<number>\d{4})\]\((?P<file>[\w.-]+)\)")
ROW = re.compile(r"\| \[(\d{4})\]\(([\w.-]+)\) \| ([^|]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|")


class Head(NamedTuple):
    """The lines above the first heading of a decision."""

    number: str
    title: str
    dated: str
    status: str


def head(path: Path) -> Head:
    """The number, title, date and status of a decision."""
    first, _, dated, status, *_ = path.read_text("utf-8").splitlines()
    found = TITLE.fullmatch(first)
    assert found is not None, f"{path.name} begins with no numbered title"
    assert dated.startswith("- Date: "), f"{path.name} has no date"
    assert status.startswith("- Status: "), f"{path.name} has no status"
    return Head(found["number"], found["title"], dated.removeprefix("- Date: "), status.removeprefix("- Status: "))


def test_a_number_is_given_once() -> None:
    """Numbers taken for work at the same time may leave gaps."""
    numbers = [path.name[:4] for path in FILES]
    assert numbers == sorted(set(numbers))


def test_a_later_decision_has_a_later_number() -> None:
    """Numbers and dates rise together."""
    dates = [head(path).dated for path in FILES]
    assert dates == sorted(dates)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_decision_has_its_number_headings_date_and_status(path: Path) -> None:
    """Whatever stands under a heading is not empty; only what was measured may be missing."""
    told = head(path)
    name = NAME.fullmatch(path.name)
    assert name is not None
    assert told.number == name["number"]
    assert date.fromisoformat(told.dated).isoformat() == told.dated
    assert STATUS.fullmatch(told.status) is not None
    _, *parts = re.split(r"^## (.+)$", path.read_text("utf-8"), flags=re.MULTILINE)
    headings, texts = parts[::2], parts[1::2]
    assert headings in (HEADINGS, [*HEADINGS, MEASURED])
    assert all(text.strip() for text in texts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_superseded_decision_names_a_later_one(path: Path) -> None:
    """The number and the file of its link are of one decision, which is accepted or was superseded itself."""
    told = head(path)
    found = STATUS.fullmatch(told.status)
    assert found is not None
    if found["number"] is not None:
        assert found["file"].startswith(found["number"])
        assert (FOLDER / found["file"]).exists()
        assert found["number"] > told.number


def test_the_index_lists_every_decision_in_order() -> None:
    """Number, title, date and status in the index are those of the file."""
    rows = ROW.findall((FOLDER / "README.md").read_text("utf-8"))
    told = [(path.name, head(path)) for path in FILES]
    assert rows == [(here.number, name, here.title, here.dated, here.status) for name, here in told]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_link_of_a_decision_leads_somewhere(path: Path) -> None:
    """Links to neighbors and pages, and the names of modules between backticks."""
    text = path.read_text("utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", text):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"
    for target in re.findall(r"`((?:domain|projections|consumers|dashboards|tests|docs)/[\w./-]+)`", text):
        assert (ROOT / target).exists(), f"{path.name} names {target}"

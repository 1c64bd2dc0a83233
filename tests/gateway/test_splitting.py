"""Bytes into lines: however they come, the lines are the same, and no more than a line is held."""

import random

import pytest

from consumers.gateway import splitting
from consumers.gateway.splitting import TOO_LONG, Piece, Splitter

LONGEST = 12


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "LONGEST_PIECE", LONGEST)


def told(sent: bytes) -> list[Piece]:
    """The expected result for these bytes, computed line by line; the last line has no end."""
    found: list[Piece] = []
    *lines, rest = sent.split(b"\n")
    for number, line in enumerate([*lines, rest], start=1):
        whole = "" if number <= len(lines) else "hung up"
        begins = range(0, len(line) - LONGEST + 1, LONGEST)
        found += [Piece(number, line[at : at + LONGEST], TOO_LONG, ends=False) for at in begins]
        left = line[len(begins) * LONGEST :]
        if left or not whole:
            found.append(Piece(number, left.rstrip(b"\r"), TOO_LONG if begins else whole, ends=True))
    return found


def taken(splitter: Splitter) -> list[Piece]:
    found = []
    while (piece := splitter.take()) is not None:
        found.append(piece)
    return found


@pytest.mark.parametrize("seed", range(300))
def test_the_lines_are_the_same_however_the_bytes_come(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same bytes every time
    sent = bytes(chance.choices(b"ab\r\n", (10, 10, 1, chance.choice((1, 3, 9))), k=chance.randrange(200)))
    splitter = Splitter()
    found: list[Piece] = []
    at = 0
    while at < len(sent):
        size = chance.choice((1, 2, 5, 40))
        splitter.feed(sent[at : at + size])
        at += size
        while chance.random() < 0.7 and (piece := splitter.take()) is not None:
            found.append(piece)
        if not splitter.waiting:
            assert splitter.held < LONGEST
    found += taken(splitter)
    splitter.finish("hung up")
    found += taken(splitter)
    assert found == told(sent)
    assert splitter.held == 0


def test_what_is_held_of_a_line_without_an_end_is_no_more_than_a_fact_may_have() -> None:
    splitter = Splitter()
    for _ in range(1000):
        splitter.feed(b"x" * 7)
        taken(splitter)
        assert splitter.held < LONGEST

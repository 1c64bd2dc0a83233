"""The page of a hand in a browser: however long names and evidence are, nothing runs over its edge, on paper neither."""

from datetime import UTC
from functools import cache

import msgspec
import pytest
from playwright.sync_api import Browser, ViewportSize

from consumers.watching.finding_hands import rebuilt
from consumers.watching.hand_page import page
from domain.simulation.edits import broken, change
from domain.simulation.scripted import day, round_, seat
from domain.watch.reconstruction import FindingLine
from domain.watch.verifier import Verifier
from tests.watch.harness import recorded

LONG = "thehouseontheboulevard" * 8  # nothing in it to break a line at
PAPER: ViewportSize = {"width": 740, "height": 1000}  # Letter, without its margins
OVER = """[...document.querySelectorAll("body *")]
    .filter(each => each.getBoundingClientRect().right > innerWidth + 1).map(each => each.textContent.slice(0, 80))"""


@cache
def long_hand() -> str:
    """A hand of a table, a player and devices with long names, whose finding is shown by sixty facts."""
    facts = recorded(
        broken(
            day("UTH-MD", rounds=[round_(seat(2, player=LONG), seat(4))]),
            change("wager-placed", 1, to={"camera": LONG, "time_code": "21:10:05:12"}),
        )
    )
    verifier = Verifier(facts[0].stream)
    for fact in facts:
        verifier.take(fact)
    (hand,) = rebuilt(verifier, verifier.day.rounds.values())
    shown = tuple(f"{LONG}/2026-11-18:{each}" for each in range(60))
    line = FindingLine("f", "wager-overpaid", "money", f"Deck {LONG} was dealt.", {}, 4, 1000, 1500, shown)
    return page([msgspec.structs.replace(hand, stream=f"{LONG}/2026-11-18", findings=(line,), around=(line,))], UTC)


@pytest.mark.parametrize("width", [1100, 1920])
def test_nothing_runs_over_the_edge_of_a_window(chrome: Browser, width: int) -> None:
    window = chrome.new_page(viewport={"width": width, "height": 1000})
    window.set_content(long_hand())
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert window.evaluate(OVER) == []
    window.close()


def test_nothing_runs_over_the_edge_of_the_paper_and_paper_is_light(chrome: Browser) -> None:
    window = chrome.new_page(viewport=PAPER, color_scheme="dark")
    window.set_content(long_hand())
    assert window.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    window.emulate_media(media="print", color_scheme="dark")
    assert window.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]
    assert window.evaluate(OVER) == []
    assert window.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    window.close()


def test_the_name_of_a_fact_stays_in_one_piece_where_it_can(chrome: Browser) -> None:
    """`T7/2026-11-` at the end of one line and `18:1179` on the next is a name that a reader cannot find."""
    window = chrome.new_page(viewport={"width": 1100, "height": 1000})
    window.set_content(long_hand().replace(LONG, "T7"))
    heights = window.evaluate("[...document.querySelectorAll('.fact')].map(each => each.getClientRects().length)")
    lines = window.evaluate("[...document.querySelectorAll('.fact')].map(each => each.getBoundingClientRect().height)")
    assert len(heights) == 120
    assert set(heights) == {1}
    assert max(lines) < 1.5 * 16 * 1.45
    window.close()

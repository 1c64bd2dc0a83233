"""Layout: all fits in its place, on a tablet, and on the felt with every wager there is."""

import pytest
from playwright.sync_api import Browser, expect

from consumers.room import Card, Chips, FeltPlace, FeltScene
from dashboards.felt import WIDTH, felt, height_of
from tests.room.addresses import filled, gaps
from tests.room.browser import Served, entered

pytestmark = pytest.mark.xdist_group("room")


@pytest.mark.parametrize("path", ["floor", "findings?finding=ITS"])
def test_a_tablet_shows_the_head_of_a_page_and_the_queue_above_what_was_chosen(
    chrome: Browser, pages: Served, path: str
) -> None:
    page = entered(chrome, pages, "ivan", filled(path, gaps(pages.data, "")), width=760)
    head = page.get_by_role("heading", level=1)
    expect(head).to_have_count(1)
    bar = page.get_by_test_id("stHeader").bounding_box()
    place = head.bounding_box()
    assert bar is not None
    assert place is not None
    assert place["y"] >= bar["y"] + bar["height"]
    if path != "floor":
        told = page.locator(".cw-list, .st-key-desk h3")
        expect(told).to_have_count(2)
        queue, finding = (each.bounding_box() for each in told.all())
        assert queue is not None
        assert finding is not None
        assert finding["y"] > queue["y"] + queue["height"]
    page.close()


WAGERS = ("ante", "blind", "play", "trips", "progressive", "six_card_bonus", "hole_card_bonus", "bad_beat")
STATES = (("lying", 0), ("collected", 0), ("returned", 0), ("paid", 36_000), ("paid", 10_000_000), ("withdrawn", 0))

_TEXTS = """
[...document.querySelectorAll('text')].map(e => {
  const b = e.getBBox();
  return [e.textContent, b.x, b.x + b.width, b.y + b.height, Number(e.getAttribute('x')), e.getAttribute('text-anchor')];
})
"""


@pytest.mark.parametrize("positions", [5, 6, 8])
@pytest.mark.parametrize("cents", [18_000, 1_234_550])
def test_every_wager_of_every_seat_stands_within_its_seat(chrome: Browser, positions: int, cents: int) -> None:
    chips = tuple(Chips(wager, cents, *STATES[number % len(STATES)]) for number, wager in enumerate(WAGERS))
    cards = tuple(Card(face, open=True) for face in ("Ah", "Kd", "Qs", "Tc", "9h", "2d"))
    place = FeltPlace(cards, chips, "p-0e2a037ccd-of-another-house", "bet-four-times", taken=True)
    empty = FeltPlace()
    full = FeltScene(
        1, 0, "T7-pit", "All of it.", "seat 2", empty, empty, empty, dict.fromkeys(range(1, positions + 1), place)
    )
    height = height_of([full], positions)
    page = chrome.new_page(viewport={"width": WIDTH, "height": 1_400})
    page.set_content(f'<div style="width:{WIDTH}px">{felt(full, positions, height)}</div>')
    wide = min(226, (WIDTH - 60) / positions)
    for words, left, right, low, at, anchor in page.evaluate(_TEXTS):
        assert 0 <= left <= right <= WIDTH, words
        assert low <= height, words
        if anchor == "start":
            assert right <= at - 25 + wide, words
        elif words not in ("Dealer", ""):
            assert right - left <= wide, words
    page.close()

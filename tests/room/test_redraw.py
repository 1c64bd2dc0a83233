"""A panel redrawn every few seconds while a user works in it: the user's input is kept."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from dashboards import pick_list
from dashboards.panels import go, table

pytestmark = pytest.mark.xdist_group("room")

BEGUN = """async code => {
  const { default: draws } = await import('data:text/javascript,' + code);
  window.chosen = [];
  window.shows = html => draws({
    data: { html, now: Date.now() / 1000 },
    parentElement: document.body,
    setTriggerValue: (_, value) => window.chosen.push(value),
  });
}"""


def rows(*names: str, says: str = "") -> str:
    """A queue, made at another second each time."""
    lines = (f'<a class="cw-line" href="#" data-go="{name}">{name} {says}</a>' for name in names)
    age = f'<span class="cw-age" data-made-at="{1_795_000_000 + len(names)}"></span>'
    return f'{age}<div class="cw-list">{"".join(lines)}</div>'


def ledger(*names: str, count: int = 0) -> str:
    """A table of a panel."""
    return table("Ledger", ("what", "rounds"), [[go(name, "decks", deck=name), str(count)] for name in names])


@pytest.fixture
def shown(chrome: Browser) -> Iterator[Page]:
    """A page that nothing but one panel stands on."""
    page = chrome.new_page()
    page.set_content("<style>.cw-list, .cw-wide { height: 9rem; overflow: auto } .cw-line { display: block }</style>")
    page.evaluate(BEGUN, quote(pick_list._JS))
    yield page
    page.close()


def show(page: Page, html: str) -> None:
    """Draw it, for the first time or again."""
    page.evaluate("html => { window.shows(html) }", html)


NAMES = [f"f{number}" for number in range(40)]


def test_who_has_gone_down_a_list_stays_where_they_are(shown: Page) -> None:
    show(shown, rows(*NAMES))
    shown.evaluate("document.querySelector('.cw-list').scrollTop = 120")
    show(shown, rows(*NAMES, says="claimed"))
    assert shown.evaluate("document.querySelector('.cw-list').scrollTop") == 120
    assert shown.locator(".cw-line").first.text_content() == "f0 claimed"


def test_a_table_keeps_its_place_and_its_focus_where_rows_come_and_go(shown: Page) -> None:
    show(shown, ledger(*NAMES))
    shown.evaluate("document.querySelector('.cw-wide').focus(); document.querySelector('.cw-wide').scrollTop = 200")
    read = shown.get_by_role("link", name="f20", exact=True)
    before = read.bounding_box()
    show(shown, ledger("new", *NAMES[1:], count=7))
    assert shown.evaluate("document.activeElement.className") == "cw-wide"
    assert read.bounding_box() == before
    assert shown.locator("tbody tr").all_text_contents() == [f"{name}7" for name in ("new", *NAMES[1:])]


def test_words_that_are_marked_stay_marked(shown: Page) -> None:
    show(shown, ledger("T1-deck-1"))
    shown.evaluate("getSelection().selectAllChildren(document.querySelector('tbody a'))")
    show(shown, ledger("T2-deck-1", "T1-deck-1", count=3))
    assert shown.evaluate("getSelection().toString()") == "T1-deck-1"


def test_the_focus_stays_on_its_row_whatever_comes_before_it(shown: Page) -> None:
    show(shown, rows("a", "b", "c"))
    shown.locator("[data-go=b]").focus()
    show(shown, rows("new", "a", "b", "c", says="later"))
    assert shown.evaluate("document.activeElement.dataset.go") == "b"
    assert [each.get_attribute("tabindex") for each in shown.locator("[data-go]").all()] == ["-1", "-1", "0", "-1"]


def test_a_row_that_is_pressed_while_others_come_is_the_one_that_is_chosen(shown: Page) -> None:
    show(shown, rows("a", "b", "c"))
    box = shown.locator("[data-go=b]").bounding_box()
    assert box is not None
    shown.mouse.move(box["x"] + 5, box["y"] + 5)
    shown.mouse.down()
    show(shown, rows("new", "newer", "a", "b", "c"))
    shown.mouse.up()
    assert shown.evaluate("window.chosen") == ["b"]
    assert shown.locator("[data-go]").count() == 5  # it comes with the click, and not under it


@pytest.mark.parametrize("after", [["c", "a", "b"], ["b"], [], ["d", "b", "a", "e", "c"], ["a", "a", "b"]])
def test_what_is_shown_is_what_was_said_last(shown: Page, after: list[str]) -> None:
    show(shown, rows("a", "b", "c"))
    show(shown, rows(*after, says="now"))
    assert [each.strip() for each in shown.locator("[data-go]").all_text_contents()] == [f"{one} now" for one in after]
    show(shown, ledger(*after) if after else "<p>None.</p>")
    assert shown.locator(".cw-list").count() == 0
    assert [each.strip() for each in shown.locator("tbody a").all_text_contents()] == after

"""Every page by its address, as it was left, dark and light, and open to those who do not see it: WCAG 2.2 AA by axe."""

import pytest
from playwright.sync_api import Browser, Page, expect

from projections.reading import opened as reading
from tests.room.browser import PASSWORD, Served, entered, violations

pytestmark = pytest.mark.xdist_group("room")

# Who, the address | what has to stand there again, as a selector
ADDRESSES = """
mara  floor                                            | .cw-tile[data-go=T2]
mara  table?table=T2&day=2026-11-18                    | .cw-figure:has-text("win")
ivan  findings?severity=money&order=money&finding=ITS  | .cw-line[aria-current][data-go="ITS"]
ivan  findings?code=wager-overpaid                     | .cw-line
ivan  hand?stream=T1%2F2026-11-18&round=2&step=9       | .cw-facts li:nth-child(9) [aria-current]
ivan  hand?table=T1&day=2026-11-18&round=3             | [data-go*="round=3"]
mara  decks?table=T1&deck=T1-deck-1&basis=void         | .cw-figure:has-text("every stake handed back")
mara  people?who=players&first=2026-11-18              | [data-go*="player=p-"]
mara  people?dealer=dealer-1                           | .cw-figure:has-text("dealer-1")
mara  numbers?by=game&period=month                     | td:has-text("2026-11")
ivan  cases?closed=yes                                 | p:has-text("No case is closed")
dave  record                                           | .cw-figure:has-text("troubles open")
"""


@pytest.mark.parametrize("row", ADDRESSES.strip().splitlines())
def test_an_address_restores_its_view_and_everybody_can_use_it(chrome: Browser, pages: Served, row: str) -> None:
    asked_for, _, shown = (each.strip() for each in row.partition("|"))
    name, path = asked_for.split()
    with reading(pages.data / "read") as held:
        query = "SELECT finding FROM findings WHERE code = 'wager-overpaid' AND gaming_day = '2026-11-18' ORDER BY 1"
        finding = held.query(query)[0][0]
    page = entered(chrome, pages, name, path.replace("ITS", finding))
    expect(page.locator(shown.replace("ITS", finding)).first).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    found = violations(page)
    page.close()
    assert not found, "\n".join(found)


def test_whoever_comes_in_can_use_the_sign_in(chrome: Browser, pages: Served) -> None:
    page = chrome.new_page()
    page.goto(pages.address)
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    found = violations(page)
    page.close()
    assert not found, "\n".join(found)


HERE = "(e => e.getAttribute('aria-label') || e.className.split(' ').concat(e.innerText.trim()).join('|'))"


def tab_to(page: Page, name: str) -> None:
    """Goes on by the tab key to what is called so, or is of this class."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if name in page.evaluate(f"{HERE}(document.activeElement)").split("|"):
            return
    raise AssertionError(f"the tab key does not lead to {name}")


def test_the_queue_is_worked_by_keyboard_alone(chrome: Browser, pages: Served) -> None:
    page = chrome.new_page(viewport={"width": 1600, "height": 1000})
    page.goto(f"{pages.address}/findings?table=T1")
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    tab_to(page, "Name")
    page.keyboard.type("ivan")
    tab_to(page, "Password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".cw-line").nth(1)).to_be_visible()
    tab_to(page, "cw-line")
    page.keyboard.press("j")
    name = page.evaluate("document.activeElement.dataset.go")
    assert name == page.locator(".cw-line").nth(1).get_attribute("data-go")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nobody has it.")).to_be_visible()
    tab_to(page, "Claim")
    page.keyboard.press("Enter")
    expect(page.get_by_text("claimed: ivan")).to_be_visible()
    tab_to(page, "In a few words")
    page.keyboard.type("counted again: 36")
    tab_to(page, "Close")
    page.keyboard.press("Enter")
    expect(page.get_by_text("ivan proposes").or_(page.get_by_text("It is closed: "))).to_be_visible()
    page.close()

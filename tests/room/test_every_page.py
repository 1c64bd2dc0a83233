"""Access for everyone: the sign-in by axe, the queue by keyboard alone, no page left out of test_closed_off's walk."""

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboards.app import PAGES
from tests.room.addresses import addresses
from tests.room.browser import PASSWORD, Served, violations

pytestmark = pytest.mark.xdist_group("room")


def test_no_page_is_left_out() -> None:
    assert {each.page for each in addresses()} == {path for _, path, *_ in PAGES}


def test_whoever_comes_in_can_use_the_sign_in(chrome: Browser, pages: Served) -> None:
    page = chrome.new_page()
    page.goto(pages.address)
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    found = violations(page)
    page.close()
    assert not found, "\n".join(found)


HERE = "(e => e.getAttribute('aria-label') || e.className.split(' ').concat(e.innerText.trim()).join('|'))"


def tab_to(page: Page, name: str) -> None:
    """Press the tab key up to the element with this name or class."""
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
    expect(page.get_by_text("Not assigned.")).to_be_visible()
    tab_to(page, "Claim")
    page.keyboard.press("Enter")
    expect(page.get_by_text("claimed: ivan")).to_be_visible()
    tab_to(page, "Comment")
    page.keyboard.type("counted again: 36")
    tab_to(page, "Disposition")
    page.keyboard.type("dealer")
    page.keyboard.press("Enter")
    tab_to(page, "Close")
    page.keyboard.press("Enter")
    expect(page.get_by_text("ivan proposes").or_(page.get_by_text("Closed: "))).to_be_visible()
    page.close()

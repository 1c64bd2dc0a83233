"""Every page by its address, as it was left, dark and light, and open to those who do not see it: WCAG 2.2 AA by axe.

On a narrow screen it holds all that it shows.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from consumers.desk.application import desk_of
from dashboards.app import PAGES
from domain.desk.acting import Act
from tests.room.addresses import Address, addresses, filled, gaps, order_exports
from tests.room.browser import PASSWORD, Served, entered, outside, violations
from tests.room.conftest import NOON

pytestmark = pytest.mark.xdist_group("room")


@pytest.fixture(scope="module")
def held(pages: Served) -> dict[str, str]:
    """What the addresses name, with a case that was opened and an export that was ordered."""
    desk = desk_of(data=pages.data)
    act = Act("mara", NOON, "k1")
    number = desk.open_case(act, "dispute", "Play not paid", jurisdiction="PA", happened_at=NOON).number
    order_exports(desk, pages.data)
    desk.close()
    return gaps(pages.data, number)


def test_no_page_is_left_out() -> None:
    assert {each.page for each in addresses()} == {path for _, path, *_ in PAGES}


@pytest.mark.parametrize("address", addresses(), ids=lambda each: each.path)
def test_an_address_restores_its_view_and_everybody_can_use_it(
    chrome: Browser, pages: Served, held: dict[str, str], address: Address
) -> None:
    page = entered(chrome, pages, address.name, filled(address.path, held))
    expect(page.locator(filled(address.shown, held)).first).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    found = violations(page) + outside(page)
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
    tab_to(page, "Disposition")
    page.keyboard.type("dealer")
    page.keyboard.press("Enter")
    tab_to(page, "Close")
    page.keyboard.press("Enter")
    expect(page.get_by_text("ivan proposes").or_(page.get_by_text("It is closed: "))).to_be_visible()
    page.close()

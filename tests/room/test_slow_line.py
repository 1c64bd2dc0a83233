"""A user with a slow line, who presses again before their browser shows the result of the last press."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.room.browser import Served, entered, slow_line, standing

pytestmark = pytest.mark.xdist_group("room")

MILLISECONDS = 500


def far_away(chrome: Browser, pages: Served, path: str) -> Page:
    return entered(chrome, pages, "ivan", path, before=lambda page: page.add_init_script(slow_line(MILLISECONDS)))


def test_a_case_opened_by_an_impatient_hand_is_shown(chrome: Browser, pages: Served) -> None:
    page = far_away(chrome, pages, "cases")
    page.get_by_text("Open a case").click()
    page.get_by_role("textbox", name="Subject of the case").fill("Opened from afar")
    standing(page.get_by_test_id("stFormSubmitButton").get_by_role("button")).dblclick(delay=MILLISECONDS // 2)
    expect(page.get_by_role("heading", name="Opened from afar")).to_be_visible()
    page.wait_for_timeout(3 * MILLISECONDS)
    expect(page.get_by_role("heading", name="Opened from afar")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Cases")).to_be_visible()
    page.close()


def test_two_choices_made_at_once_are_both_taken_and_going_back_undoes_them(chrome: Browser, pages: Served) -> None:
    page = far_away(chrome, pages, "findings")
    closed = page.get_by_role("switch", name="Show closed")
    code = page.get_by_role("textbox", name="Code")
    code.fill("wager-overpaid")
    code.press("Enter")
    page.wait_for_timeout(MILLISECONDS // 2)
    page.get_by_text("Show closed").click()
    expect(page).to_have_url(f"{pages.address}/findings?code=wager-overpaid&closed=yes")
    page.wait_for_timeout(3 * MILLISECONDS)
    expect(page).to_have_url(f"{pages.address}/findings?code=wager-overpaid&closed=yes")
    expect(code).to_have_value("wager-overpaid")
    expect(closed).to_be_checked()
    page.go_back()
    expect(closed).not_to_be_checked()
    expect(code).to_have_value("wager-overpaid")
    page.go_back()
    expect(code).to_have_value("")
    page.close()


def test_a_click_on_a_page_that_was_left_does_not_take_the_new_one_away(chrome: Browser, pages: Served) -> None:
    page = far_away(chrome, pages, "floor")
    tile = page.locator(".cw-tile").first
    for between in (60, 120, 180):
        page.locator('[data-testid="stSidebarNavLink"][href$="/floor"]').click()
        expect(tile).to_be_visible()
        page.locator('[data-testid="stSidebarNavLink"][href$="/findings"]').click()
        page.wait_for_timeout(between)
        tile.click()
        page.wait_for_timeout(3 * MILLISECONDS)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        expect(page.locator("[data-go]").first).to_be_visible()
    page.close()

"""Each press acts once, however impatient the hand; typed text stays until the act is done."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.room.browser import Served, entered, standing

pytestmark = pytest.mark.xdist_group("room")


def a_case(chrome: Browser, pages: Served, title: str) -> Page:
    """A case that was just opened, by one who double-clicks everything."""
    page = entered(chrome, pages, "ivan", "cases")
    page.get_by_text("Open a case").click()
    page.get_by_role("textbox", name="Subject of the case").fill(title)
    standing(page.get_by_test_id("stFormSubmitButton").get_by_role("button")).dblclick()
    expect(page.get_by_role("heading", name="Case 2026-")).to_be_visible()
    return page


def answered(page: Page) -> None:
    """Whatever was asked for is answered."""
    page.wait_for_timeout(500)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def test_a_double_click_opens_one_case_and_writes_one_note(chrome: Browser, pages: Served) -> None:
    page = a_case(chrome, pages, "Twice in a hurry")
    notes = page.get_by_role("region", name="Notes").locator("tbody tr")
    for count, between in enumerate((0, 120, 250), start=1):
        page.get_by_role("textbox", name="Note").fill(f"note {between}")
        page.get_by_test_id("stForm").get_by_role("button", name="Note").dblclick(delay=between)
        expect(notes).to_have_count(count)
        answered(page)
    assert sorted(notes.locator("td:nth-child(3)").all_text_contents()) == ["note 0", "note 120", "note 250"]
    page.goto(f"{pages.address}/cases")
    page.close()
    again = entered(chrome, pages, "mara", "cases")
    expect(again.locator("tbody tr", has_text="Twice in a hurry")).to_have_count(1)
    again.close()


def test_an_act_is_done_also_where_something_else_is_pressed_at_once(chrome: Browser, pages: Served) -> None:
    page = a_case(chrome, pages, "Two things at once")
    page.get_by_role("textbox", name="Note").fill("seen on camera")
    page.get_by_test_id("stForm").get_by_role("button", name="Note").click()
    page.get_by_role("radio", name="Claim", exact=True).click()
    expect(page.get_by_role("region", name="Notes")).to_contain_text("seen on camera")
    page.close()


def test_a_form_that_is_refused_keeps_what_was_typed_and_one_that_is_done_is_empty(
    chrome: Browser, pages: Served
) -> None:
    page = a_case(chrome, pages, "A slip of the pen")
    page.get_by_role("radio", name="Claim", exact=True).click()
    claims, amount = (page.get_by_role("textbox", name=name) for name in ("Text of the claim", "Amount"))
    claims.fill("the whole pot")
    amount.fill("a lot")
    sends = page.get_by_test_id("stForm").get_by_role("button", name="Claim")
    sends.click()
    expect(page.get_by_text("is not an amount")).to_be_visible()
    expect(claims).to_have_value("the whole pot")
    amount.fill("12.50")
    sends.click()
    expect(page.get_by_role("region", name="Claim and ruling")).to_contain_text("$12.50")
    expect(claims).to_have_value("")
    page.close()


def test_the_same_words_are_one_note_of_a_finding(chrome: Browser, pages: Served) -> None:
    page = entered(chrome, pages, "ivan", "findings")
    page.locator(".cw-line").first.click()
    words = page.get_by_role("textbox", name="Comment")
    for text in ("camera 3", "camera 4"):
        words.fill(text)
        note = page.get_by_role("button", name="Note")
        note.click()
        expect(page.get_by_text(f"ivan: {text}")).to_have_count(1)
        answered(page)
        expect(note).to_be_visible()
        note.click()  # the words are still there, for the user who closes it with them
        answered(page)
        expect(page.get_by_text(f"ivan: {text}")).to_have_count(1)
    page.close()


# What is open | how the page begins
BEGUN = """
people?dealer=dealer-1                | From gaming day
hand?stream=T1%2F2026-11-18&round=2   | Find a hand
findings?severity=money&closed=yes    | Choose a finding
"""


def test_the_list_of_pages_leads_to_the_beginning_of_the_page_that_is_open(chrome: Browser, pages: Served) -> None:
    for row in BEGUN.strip().splitlines():
        path, said = (each.strip() for each in row.split("|"))
        page = entered(chrome, pages, "mara", path)
        expect(page.locator(".cw-root").first).to_be_visible()
        name = path.partition("?")[0]
        for _ in range(2):
            page.locator(f'[data-testid="stSidebarNavLink"][href$="/{name}"]').click()
            expect(page).to_have_url(f"{pages.address}/{name}")
            answered(page)
            expect(page.get_by_text(said).first).to_be_visible()
        page.close()


def test_going_back_leads_to_the_view_that_was_left(chrome: Browser, pages: Served) -> None:
    page = entered(chrome, pages, "mara", "findings?severity=money")
    expect(page.locator(".cw-line").first).to_be_visible()
    for name in ("people", "cases"):
        page.locator(f'[data-testid="stSidebarNavLink"][href$="/{name}"]').click()
        expect(page).to_have_url(f"{pages.address}/{name}")
        answered(page)
    page.go_back()
    expect(page).to_have_url(f"{pages.address}/people")
    page.go_back()
    expect(page).to_have_url(f"{pages.address}/findings?severity=money")
    expect(page.get_by_role("combobox", name="Severity")).to_have_value("money")
    page.close()

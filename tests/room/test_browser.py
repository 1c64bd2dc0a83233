"""What people do in the room, in a real browser: a finding to its end, a hand by its link."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from consumers.room.accounts import added
from domain.desk.roles import Role
from tests.room.browser import NoBrowserError, browser, served, sign_in

pytestmark = pytest.mark.xdist_group("room")

PASSWORD = "a long enough one"  # noqa: S105
PEOPLE: dict[str, Role] = {"olga": "operator", "ivan": "investigator", "mara": "manager", "dave": "device-admin"}
HAND = "/hand?stream=T1%2F2026-11-18&round=2"


@pytest.fixture(scope="module")
def address(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The pages."""
    folder = tmp_path_factory.mktemp("pages")
    for name, role in PEOPLE.items():
        added(folder / "accounts.toml", name, (role,), PASSWORD)
    with served(folder, record) as found:
        yield found


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """The browser, or a plain reason why there is none."""
    with ExitStack() as held:
        try:
            made = held.enter_context(browser())
        except NoBrowserError as error:
            if os.environ.get("CI"):
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield made


def entered(chrome: Browser, address: str, name: str, path: str = "") -> Page:
    """Somebody signed in, on the page they asked for."""
    page = chrome.new_page(viewport={"width": 1600, "height": 1000})
    sign_in(page, address + path, name, PASSWORD)
    return page


def test_a_wrong_password_lets_nobody_in(chrome: Browser, address: str) -> None:
    page = chrome.new_page()
    page.goto(address)
    page.get_by_role("textbox", name="Name").fill("mara")
    page.get_by_role("textbox", name="Password").fill("something else")
    page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    expect(page.get_by_text("do not belong together")).to_be_visible()
    page.close()


def test_a_finding_goes_from_the_floor_to_its_end_by_two_people(chrome: Browser, address: str) -> None:
    ivan = entered(chrome, address, "ivan")
    ivan.locator("[data-go=T1]").click()
    expect(ivan.get_by_role("heading", name="Findings")).to_be_visible()
    row = ivan.locator(".cw-line", has_text="money").first
    name = row.get_attribute("data-go")
    row.click()
    ivan.get_by_role("button", name="Claim").click()
    expect(ivan.get_by_text("claimed: ivan")).to_be_visible()
    ivan.get_by_role("textbox", name="In a few words").fill("camera 14 shows it")
    ivan.get_by_role("button", name="Close", exact=True).click()
    expect(ivan.get_by_text("ivan proposes")).to_be_visible()
    mara = entered(chrome, address, "mara", f"/findings?finding={name}")
    expect(mara.get_by_text("ivan proposes")).to_be_visible()
    mara.get_by_role("button", name="Agree").click()
    expect(mara.get_by_text("It is closed.")).to_be_visible()
    expect(ivan.locator(f'.cw-line[data-go="{name}"]')).to_have_count(0)
    for page in (ivan, mara):
        page.close()


def test_a_link_leads_to_the_same_moment_of_the_hand_and_it_plays(chrome: Browser, address: str) -> None:
    page = entered(chrome, address, "ivan", f"{HAND}&step=5")
    expect(page.locator(".cw-facts [aria-current]")).to_have_count(1)
    assert page.locator(".cw-facts button").nth(4).get_attribute("aria-current") == "step"
    page.get_by_role("button", name="One fact on").click()
    assert "step=6" in page.url
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".cw-facts button").nth(7)).to_have_attribute("aria-current", "step")
    page.close()


def test_an_operator_sees_backs_where_an_investigator_sees_faces(chrome: Browser, address: str) -> None:
    backs = {}
    for name in ("olga", "ivan"):
        page = entered(chrome, address, name, f"{HAND}&step=14")
        expect(page.locator(".cw-facts [aria-current]")).to_have_count(1)
        backs[name] = page.locator("rect.back").count()
        page.close()
    assert backs["ivan"] == 0
    assert backs["olga"] > 0


def test_who_may_not_see_a_page_has_it_neither_in_the_list_nor_by_its_address(chrome: Browser, address: str) -> None:
    page = entered(chrome, address, "dave", HAND)
    expect(page.get_by_role("link", name="Hand")).to_have_count(0)
    expect(page.locator("svg[role=img]")).to_have_count(0)
    page.close()

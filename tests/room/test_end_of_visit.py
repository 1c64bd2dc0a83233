"""A sign-in that is over leaves nothing: not on an open page, not as a download, not by an address."""

import sqlite3
import time
from contextlib import closing
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from consumers.accounts.sign_in_file import SIGN_INS
from tests.room.browser import Served, entered

pytestmark = pytest.mark.xdist_group("room")


def with_a_list(chrome: Browser, pages: Served) -> tuple[Page, str]:
    """Mara on the page of a deck, and the address of the list she has downloaded there."""
    page = entered(chrome, pages, "mara", "decks?deck=T1-deck-1")
    expect(page.get_by_role("region", name="Repayment list")).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_test_id("stDownloadButton").get_by_role("button").click()
    assert taken.value.url.startswith(pages.address)
    return page, taken.value.url


def is_gone(address: str) -> None:
    """Require that the address leads nowhere."""
    with pytest.raises(HTTPError) as refused:
        urlopen(address, timeout=60)  # noqa: S310 - our own
    assert refused.value.code == 404


def test_a_page_that_asks_for_nothing_gives_way_and_what_was_taken_is_gone(chrome: Browser, pages: Served) -> None:
    page, address = with_a_list(chrome, pages)
    with closing(sqlite3.connect(pages.data / SIGN_INS, isolation_level=None)) as held:
        held.execute("UPDATE sessions SET until = ? WHERE name = 'mara'", [time.time() - 1])  # her hours are over
    expect(page.get_by_text("The session of mara has expired.")).to_be_visible()  # nobody touched the page
    expect(page.get_by_test_id("stDownloadButton")).to_have_count(0)
    expect(page.locator(".cw-table")).to_have_count(0)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
    is_gone(address)
    page.close()


def test_signing_out_leaves_nothing_to_be_fetched(chrome: Browser, pages: Served) -> None:
    page, address = with_a_list(chrome, pages)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    is_gone(address)
    page.close()

"""When a sign-in is over nothing of it stays: not on a page nobody touches, not to take away, not by an address."""

from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from consumers.room.accounts import added
from tests.room.browser import PASSWORD, Served, entered, served

pytestmark = pytest.mark.xdist_group("room")

SECONDS = 30


@pytest.fixture(scope="module")
def brief(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages of a house where a sign-in lasts seconds."""
    folder = tmp_path_factory.mktemp("brief")
    file = folder / "accounts.toml"
    added(file, "mara", ("manager",), PASSWORD)
    words = f'accounts = "{file}"\nhours = {SECONDS / 3600}\n'
    data = folder / "pit"
    data.mkdir()
    for each in record.iterdir():
        if each.name != "desk.sqlite":
            (data / each.name).symlink_to(each)
    with served(folder, data, words) as address:
        yield Served(address, data)


def test_a_page_that_asks_for_nothing_gives_way_and_what_was_taken_is_gone(chrome: Browser, brief: Served) -> None:
    page = entered(chrome, brief, "mara", "decks?deck=T1-deck-1")
    expect(page.get_by_role("region", name="Repayment list")).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_test_id("stDownloadButton").get_by_role("button").click()
    address = taken.value.url
    assert address.startswith(brief.address)
    expect(page.get_by_text("The sign-in of mara was over.")).to_be_visible()  # nobody touched the page
    expect(page.get_by_test_id("stDownloadButton")).to_have_count(0)
    expect(page.locator(".cw-table")).to_have_count(0)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
    with pytest.raises(HTTPError) as refused:
        urlopen(address, timeout=60)  # noqa: S310 - our own
    assert refused.value.code == 404
    page.close()


def test_signing_out_leaves_nothing_to_be_fetched(chrome: Browser, brief: Served) -> None:
    page = entered(chrome, brief, "mara", "decks?deck=T1-deck-1")
    with page.expect_download() as taken:
        page.get_by_test_id("stDownloadButton").get_by_role("button").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    with pytest.raises(HTTPError) as refused:
        urlopen(taken.value.url, timeout=60)  # noqa: S310 - our own
    assert refused.value.code == 404
    page.close()

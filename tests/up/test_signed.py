"""One person orders an export on the pages, another signs it there: the file is made, though the room holds no key."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from consumers.accounts.accounts import added
from tests.room.browser import PASSWORD, free_port, sign_in
from tests.room.conftest import checkpointed, chrome, record
from tests.up.running import answers, no_room_has_a_key, proved, started, until

__all__ = ["chrome", "record"]

pytestmark = pytest.mark.xdist_group("room")

HAND = "T1/2026-11-18:2"
UP = """
[record]
data = "."
passphrase_file = "passphrase"
[signer]
[room]
address = "127.0.0.1"
port = {port}
"""


def as_somebody(chrome: Browser, address: str, name: str) -> Page:
    """A user on the page of exports."""
    page = chrome.new_context(viewport={"width": 1600, "height": 1400}).new_page()
    sign_in(page, f"{address}/exports", name, PASSWORD)
    return page


def ordered_and_signed(chrome: Browser, address: str) -> None:
    """Mara orders a hand; she cannot sign it herself; adam signs it and downloads it."""
    mara = as_somebody(chrome, address, "mara")
    for field, value in (("or a hand", HAND), ("Recipient", "The board"), ("Purpose", "a dispute")):
        mara.get_by_role("textbox", name=field).fill(value)
    mara.get_by_role("button", name="Order", exact=True).click()
    expect(mara.locator("td", has_text="waiting for a signature")).to_be_visible()
    expect(mara.get_by_text("No order placed by someone else is waiting for your signature.")).to_be_visible()
    adam = as_somebody(chrome, address, "adam")
    adam.get_by_role("combobox", name="Order").click()
    adam.get_by_role("option").first.click()
    expect(adam.locator("[class*='st-key-sign-none']")).to_have_count(0)  # the room knows which order was chosen
    adam.get_by_role("button", name="Sign and make").click()
    expect(adam.get_by_text("signed by adam")).to_be_visible()
    expect(adam.get_by_text("SHA-256 of the file").last).to_be_visible()
    with adam.expect_download() as taken:
        adam.get_by_test_id("stDownloadButton").get_by_role("button").click()
    assert Path(taken.value.path()).stat().st_size > 10_000
    for page in (mara, adam):
        page.context.close()


def test_an_export_is_ordered_and_signed_on_the_pages_of_catwalk_up(
    chrome: Browser, record: Path, tmp_path: Path
) -> None:
    port, pit = free_port(), checkpointed(record, tmp_path)
    for name, role in (("mara", "manager"), ("adam", "auditor")):
        added(pit / "accounts.toml", name, (role,), PASSWORD)
    (pit / "up.toml").write_text(UP.format(port=port))
    with started(tmp_path, "up", str(pit / "up.toml")) as runs:
        until(lambda: answers(port), tmp_path / "said", runs)
        ordered_and_signed(chrome, f"http://127.0.0.1:{port}")
        no_room_has_a_key(pit)
        proved(pit, tmp_path)

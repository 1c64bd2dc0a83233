"""Two people at one thing: what one of them does stands on the other's screen, who presses nothing."""

import pytest
from playwright.sync_api import Browser, expect

from tests.room.browser import Served, entered

pytestmark = pytest.mark.xdist_group("room")


@pytest.mark.parametrize(
    ("page_of", "free", "held"),
    [("findings", "Not assigned.", "claimed: ivan, since"), ("incidents", "Nobody has it.", "ivan has had it since")],
)
def test_what_a_colleague_does_stands_on_the_other_screen(
    chrome: Browser, pages: Served, page_of: str, free: str, held: str
) -> None:
    waits = entered(chrome, pages, "mara", page_of)
    waits.locator(".cw-line").last.click()
    expect(waits.get_by_text(free)).to_be_visible()
    acts = entered(chrome, pages, "ivan", waits.url.removeprefix(f"{pages.address}/"))
    acts.get_by_role("button", name="Claim", exact=True).click()
    expect(acts.get_by_text(held)).to_be_visible()
    expect(waits.get_by_text(held)).to_be_visible()
    expect(waits.get_by_text(free)).to_have_count(0)
    expect(waits.get_by_role("button", name="Take over")).to_be_visible()
    acts.close()
    waits.close()

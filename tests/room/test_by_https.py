"""Access through a proxy that speaks TLS: the cookie is for this host by HTTPS alone; the address names the client."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from consumers.accounts.accounts import added
from consumers.desk.application import desk_of
from domain.desk.access import AccessRefused
from domain.desk.records import decode
from tests.room.browser import PASSWORD, PATIENCE, NoBrowserError, chromium, driver, free_port, served, sign_in
from tests.room.tls_proxy import tls_proxy

pytestmark = pytest.mark.xdist_group("room")

NAME, CLIENT = "room.example", "203.0.113.5"


@contextmanager
def browser_that_knows(name: str) -> Iterator[BrowserContext]:
    """A browser for which this machine has that name, and the proxy's certificate is good."""
    rules = f"--host-resolver-rules=MAP {name} 127.0.0.1"
    with driver() as starts:
        made = starts.chromium.launch(executable_path=chromium(), args=["--no-sandbox", rules])
        context = made.new_context(ignore_https_errors=True)
        context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        try:
            yield context
        finally:
            made.close()


def test_behind_a_proxy_the_cookie_is_for_https_and_a_failure_is_of_the_browsers_address(
    record: Path, tmp_path: Path
) -> None:
    shutil.copytree(record, tmp_path / "pit")
    added(tmp_path / "accounts.toml", "olga", ("operator",), PASSWORD)
    port, behind = free_port(), free_port()
    address = f"https://{NAME}:{port}"
    words = f'accounts = "{tmp_path / "accounts.toml"}"\norigin = "{address}"\n'
    try:
        chromium()
    except NoBrowserError as error:
        pytest.skip(str(error))
    with (
        served(tmp_path, tmp_path / "pit", words, port=behind),
        tls_proxy(tmp_path, port, behind, NAME, f"198.51.100.99, {CLIENT}"),
        browser_that_knows(NAME) as context,
    ):
        page = context.new_page()
        page.goto(address)
        page.get_by_role("textbox", name="Name").fill("olga")
        page.get_by_role("textbox", name="Password").fill("something else")
        page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
        expect(page.get_by_text("name or the password is wrong")).to_be_visible()
        with page.expect_response(f"{address}/sign-in/cookie") as given:
            sign_in(page, f"{address}/floor", "olga", PASSWORD)
        assert given.value.status == 204
        (cookie,) = [each for each in context.cookies() if each.get("name") == "__Host-catwalk"]
        assert (cookie.get("secure"), cookie.get("httpOnly"), cookie.get("sameSite")) == (True, True, "Strict")
        assert all(each.get("secure") for each in context.cookies())
        page.reload()
        expect(page.get_by_text("olga · operator")).to_be_visible()
    with closing(desk_of(data=tmp_path / "pit")) as desk:
        rows = [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 1_000)]
    # what the browser itself claims to be forwarded for, before the proxy's own word, counts for nothing
    assert [row.address for row in rows if isinstance(row, AccessRefused) and row.what == "sign-in"] == [CLIENT]

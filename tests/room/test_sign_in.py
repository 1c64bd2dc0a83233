"""Coming in through a real OpenID Connect provider, in a real browser: roles followed, hours counted, links restored."""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from consumers.desk.application import desk_of
from domain.desk.access import SignedIn, SignedOut
from domain.desk.records import decode
from domain.facts.envelope import Fact
from tests.room.browser import PATIENCE, Served, served
from tests.room.provider import CLIENT, SECRET, Provider

pytestmark = pytest.mark.xdist_group("room")


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider().running() as made:
        yield made


@pytest.fixture(scope="module")
def room(provider: Provider, record: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages, with no way in but the service."""
    folder = tmp_path_factory.mktemp("service")
    shutil.copytree(record, folder / "pit")
    (folder / "client.txt").write_text(SECRET)
    service = (
        f'[room.sign_in]\nmetadata = "{provider.address}/.well-known/openid-configuration"\n'
        f'address = "http://127.0.0.1:{{port}}"\nclient_id = "{CLIENT}"\nclient_secret_file = "client.txt"\n'
        'roles = { surveillance = "operator", "shift managers" = "manager" }\n'
    )
    with served(folder, folder / "pit", service) as address:
        yield Served(address, folder / "pit")


@pytest.fixture
def page(chrome: Browser) -> Iterator[Page]:
    context: BrowserContext = chrome.new_context()
    made = context.new_page()
    made.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield made
    context.close()


def come_in(page: Page, room: Served, path: str = "") -> None:
    """Ask for a page and go to the service from there."""
    page.goto(f"{room.address}/{path}")
    page.get_by_role("button", name="Sign in with the house's service").click()


def told(room: Served) -> list[Fact]:
    """Entries of the access log."""
    with closing(desk_of(data=room.data)) as desk:
        rows = desk.recorder.select_notifications(1, 1_000)
    return [decode(bytes(row.state)) for row in rows]


def test_who_the_service_knows_comes_in_with_their_roles_to_the_page_they_asked_for(
    page: Page, room: Served, provider: Provider
) -> None:
    provider.claims, provider.seconds = {"preferred_username": "olga", "roles": ["surveillance", "staff"]}, 600
    page.goto(room.address)
    expect(page.get_by_role("button", name="Sign in with the house's service")).to_be_visible()
    assert not page.get_by_role("textbox", name="Password").count()
    come_in(page, room, "hand?stream=T1%2F2026-11-18&round=2")
    expect(page.get_by_text("olga · operator")).to_be_visible()
    expect(page).to_have_url(re.compile(r"hand\?stream=T1%2F2026-11-18&round=2"))
    expect(page.get_by_role("link", name="Findings")).to_be_visible()
    assert not page.get_by_role("link", name="Numbers").count()  # a manager's
    again = page.context.new_page()  # the browser is known, so another tab is in at once
    again.goto(f"{room.address}/floor")
    expect(again.get_by_text("olga · operator")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in with the house's service")).to_be_visible()
    expect(again.get_by_text("olga signed out in another tab.")).to_be_visible()
    page.goto(f"{room.address}/floor")
    expect(page.get_by_role("button", name="Sign in with the house's service")).to_be_visible()
    assert any(isinstance(one, SignedIn) and (one.by, one.roles) == ("olga", ("operator",)) for one in told(room))
    assert any(isinstance(one, SignedOut) and not one.expired for one in told(room))
    assert provider.refused == []


def test_a_token_that_has_run_out_signs_out_the_page_that_is_open_and_says_so(
    page: Page, room: Served, provider: Provider
) -> None:
    provider.claims, provider.seconds = {"preferred_username": "mara", "roles": "shift managers"}, 8
    come_in(page, room, "floor")
    expect(page.get_by_text("mara · manager")).to_be_visible()
    expect(page.get_by_text("The session of mara has expired.")).to_be_visible()  # by itself: nobody touched the page
    assert not page.get_by_role("link", name="Findings").count()
    page.goto(f"{room.address}/findings")  # the browser's cookie is good for a month
    expect(page.get_by_text("The session of mara has expired.")).to_be_visible()
    assert any(isinstance(one, SignedOut) and (one.by, one.expired) == ("mara", True) for one in told(room))
    provider.seconds = 600
    page.get_by_role("button", name="Sign in with the house's service").click()
    expect(page.get_by_text("mara · manager")).to_be_visible()


def test_who_has_no_role_here_sees_nothing_at_any_address(page: Page, room: Served, provider: Provider) -> None:
    provider.claims, provider.seconds = {"preferred_username": "eve", "roles": ["operator", "staff"]}, 600
    come_in(page, room)
    expect(page.get_by_text("The account of eve has no role here")).to_be_visible()
    for path in ("floor", "findings", "record", "cases"):
        page.goto(f"{room.address}/{path}")
        expect(page.get_by_text("The account of eve has no role here")).to_be_visible()
        assert not page.get_by_test_id("stSidebarNavLink").count()

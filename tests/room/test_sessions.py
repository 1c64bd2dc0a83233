"""A sign-in holds in the whole browser and ends in the whole browser: reloaded, in a second tab, after a restart."""

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, expect

from consumers.accounts_command import PASSWORD as GIVEN
from consumers.command import main
from consumers.desk.application import desk_of
from consumers.room.accounts import added
from consumers.room.sign_in_file import SIGN_INS
from domain.desk.access import SignedIn, SignedOut
from domain.desk.records import decode
from domain.desk.roles import Role
from tests.room.browser import PASSWORD, PATIENCE, Served, free_port, served, sign_in

pytestmark = pytest.mark.xdist_group("room")

PEOPLE: dict[str, Role] = dict.fromkeys(("olga", "otto", "oda", "omar", "ole", "opal"), "operator")
SECONDS = 10_000  # milliseconds within which an open page has to notice


@pytest.fixture(scope="module")
def room(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages of a house whose accounts come and go."""
    folder = tmp_path_factory.mktemp("sessions")
    shutil.copytree(record, folder / "pit")
    for name, role in PEOPLE.items():
        added(folder / "accounts.toml", name, (role,), PASSWORD)
    with served(folder, folder / "pit") as address:
        yield Served(address, folder / "pit")


@pytest.fixture
def context(chrome: Browser) -> Iterator[BrowserContext]:
    """A browser nobody has signed in with."""
    made = chrome.new_context()
    made.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield made
    made.close()


def signed_in(context: BrowserContext, room: Served, name: str, path: str = "floor") -> Page:
    """Somebody signs in with this browser, which is given its cookie."""
    page = context.new_page()
    with page.expect_response(f"{room.address}/sign-in/cookie") as given:
        sign_in(page, f"{room.address}/{path}", name, PASSWORD)
    assert given.value.status == 204
    return page


def the_cookie(context: BrowserContext) -> dict[str, object]:
    (found,) = [dict(each) for each in context.cookies() if each.get("name") == "catwalk"]
    return found


def test_a_sign_in_survives_a_reload_a_second_tab_a_pasted_link_and_a_link_from_another_site(
    context: BrowserContext, room: Served
) -> None:
    page = signed_in(context, room, "olga", "findings?severity=money")
    page.reload()
    expect(page.get_by_text("olga · operator")).to_be_visible()
    expect(page).to_have_url(f"{room.address}/findings?severity=money")
    second = context.new_page()
    second.goto(f"{room.address}/hand?stream=T1%2F2026-11-18&round=2")
    expect(second.get_by_role("heading", name="round 2")).to_be_visible()
    assert second.url.startswith(f"{room.address}/hand?stream=T1%2F2026-11-18&round=2")
    third = context.new_page()
    third.goto(f"data:text/html,<a href='{quote(room.address)}/floor'>the floor</a>")
    third.get_by_role("link", name="the floor").click()
    expect(third.get_by_text("olga · operator")).to_be_visible()
    with closing(desk_of(data=room.data)) as desk:
        rows = [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 1_000)]
    assert len([row for row in rows if isinstance(row, SignedIn) and row.by == "olga"]) == 1


def test_no_script_reads_the_cookie_and_the_server_keeps_only_a_hash_of_it(
    context: BrowserContext, room: Served
) -> None:
    page = signed_in(context, room, "olga")
    cookie = the_cookie(context)
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
    name = str(cookie["value"]).partition(".")[0]
    held = page.evaluate("document.cookie + JSON.stringify(localStorage) + document.documentElement.outerHTML")
    assert name not in held
    file = room.data / SIGN_INS
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0
    assert name.encode() not in file.read_bytes()
    assert PASSWORD.encode() not in file.read_bytes()


def test_signing_out_in_one_tab_ends_the_session_in_the_others_and_the_cookie_is_worth_nothing(
    context: BrowserContext, chrome: Browser, room: Served
) -> None:
    page = signed_in(context, room, "otto")
    cookie = the_cookie(context)
    other = context.new_page()
    other.goto(f"{room.address}/findings")
    expect(other.get_by_text("otto · operator")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    expect(other.get_by_text("otto signed out in another tab.")).to_be_visible(timeout=SECONDS)  # nobody touched it
    expect(other.get_by_test_id("stSidebarNavLink")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    with closing(desk_of(data=room.data)) as desk:
        rows = [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 1_000)]
    assert len([row for row in rows if isinstance(row, SignedOut) and row.by == "otto"]) == 1
    thief = chrome.new_context()
    thief.add_cookies([{"name": "catwalk", "value": str(cookie["value"]), "url": room.address}])
    stolen = thief.new_page()
    stolen.goto(f"{room.address}/floor")
    expect(stolen.get_by_role("textbox", name="Password")).to_be_visible()
    thief.close()


# Who, what is done to their account
CHANGES = {
    "oda": "remove oda",
    "omar": "add omar --role investigator",
    "ole": "password ole",
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_removed_or_changed_account_loses_its_open_pages_within_seconds(
    context: BrowserContext, room: Served, name: str
) -> None:
    page = signed_in(context, room, name)
    words = ["accounts", *CHANGES[name].split(), "--data", str(room.data)]
    file = str(room.data.parent / "accounts.toml")
    time.sleep(1.1)  # what the room knows of a session is a second old at most: now it is asked again
    done = CliRunner().invoke(main, [*words, "--file", file], env={GIVEN: "another long enough one"})
    assert done.exit_code == 0, done.output
    expect(page.get_by_text(f"The account of {name} was changed or removed.")).to_be_visible(timeout=SECONDS)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()


def test_a_name_somebody_planted_in_the_browser_is_never_that_of_a_session(
    context: BrowserContext, room: Served
) -> None:
    """Session fixation: each sign-in makes a new name; what was there before it gives nobody anything."""
    planted = "a" * 43
    for value in (planted, f"{planted}.{'0' * 64}"):
        context.add_cookies([{"name": "catwalk", "value": value, "url": room.address}])
        page = context.new_page()
        page.goto(f"{room.address}/floor")
        expect(page.get_by_role("textbox", name="Password")).to_be_visible()
        page.close()
    signed_in(context, room, "opal").get_by_role("button", name="Sign out").click()
    first = str(the_cookie(context)["value"])
    signed_in(context, room, "opal")
    second = str(the_cookie(context)["value"])
    assert planted not in first
    assert first != second


def test_a_ticket_for_the_cookie_is_good_once_and_from_our_own_pages_alone(
    context: BrowserContext, room: Served
) -> None:
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.post_data or "") if "/sign-in/" in request.url else None)
    with page.expect_response(f"{room.address}/sign-in/cookie"):
        sign_in(page, room.address, "olga", PASSWORD)
    (ticket,) = asked
    again = page.evaluate("async body => (await fetch('/sign-in/cookie', {method: 'POST', body})).status", ticket)
    assert again == 403
    assert page.evaluate("async () => (await fetch('/sign-in/cookie', {method: 'POST', body: ''})).status") == 403
    long = "async () => (await fetch('/sign-in/cookie', {method: 'POST', body: 'x'.repeat(300)})).status"
    assert page.evaluate(long) == 413


def test_a_restart_of_the_room_signs_nobody_out(context: BrowserContext, record: Path, tmp_path: Path) -> None:
    shutil.copytree(record, tmp_path / "pit")
    added(tmp_path / "accounts.toml", "olga", ("operator",), PASSWORD)
    port = free_port()
    with served(tmp_path, tmp_path / "pit", port=port) as address:
        signed_in(context, Served(address, tmp_path / "pit"), "olga").close()
    with served(tmp_path, tmp_path / "pit", port=port) as address:
        page = context.new_page()
        page.goto(f"{address}/floor")
        expect(page.get_by_text("olga · operator")).to_be_visible()
        with closing(sqlite3.connect(tmp_path / "pit" / SIGN_INS, isolation_level=None)) as held:
            held.execute("UPDATE sessions SET until = ?", [time.time() - 1])  # their hours are over
        expect(page.get_by_text("The sign-in of olga was over.")).to_be_visible(timeout=SECONDS)

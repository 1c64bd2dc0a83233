"""A sign-in holds in the whole browser and ends in the whole browser: reloaded, in a second tab, after a restart."""

import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, expect

from consumers.accounts import accounts
from consumers.accounts.accounts import Accounts, added, removed
from consumers.accounts.sessions import Sessions
from consumers.accounts.sign_in_file import SIGN_INS, SignInFile
from consumers.command import main
from consumers.desk.application import desk_of
from domain.desk.access import SignedIn, SignedOut
from domain.desk.records import decode
from domain.desk.roles import Person
from domain.facts.envelope import Fact
from tests.room.browser import PASSWORD, PATIENCE, Served, served, sign_in

pytestmark = pytest.mark.xdist_group("room")

SECONDS = 10_000  # milliseconds within which an open page has to notice


@pytest.fixture(scope="module")
def room(pages: Served) -> Served:
    """The pages, with people of this module alone."""
    for name in ("oren", "otto", "oda", "opal", "odile"):
        added(accounts_of(pages), name, ("operator",), PASSWORD)
    return pages


def accounts_of(room: Served) -> Path:
    return room.data.parent / "accounts.toml"


def told(room: Served) -> list[Fact]:
    """Entries of the access log."""
    with closing(desk_of(data=room.data)) as desk:
        return [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 10_000)]


@pytest.fixture(scope="module")
def context(chrome: Browser) -> Iterator[BrowserContext]:
    """A browser; each test signs in for itself."""
    made = chrome.new_context()
    made.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield made
    made.close()


class Oren(NamedTuple):
    """A user who signed in once, and the ticket for which their browser was given its cookie."""

    context: BrowserContext
    page: Page
    ticket: str


@pytest.fixture(scope="module")
def oren(chrome: Browser, room: Served) -> Iterator[Oren]:
    """A browser that oren has signed in with."""
    made = chrome.new_context()
    page = made.new_page()
    with page.expect_response(f"{room.address}/sign-in/cookie") as given:
        sign_in(page, f"{room.address}/findings?severity=money", "oren", PASSWORD)
    assert given.value.status == 204
    yield Oren(made, page, given.value.request.post_data or "")
    made.close()


def signed_in(context: BrowserContext, room: Served, name: str) -> Page:
    """Sign in with this browser, which is given its cookie."""
    context.clear_cookies()
    page = context.new_page()
    with page.expect_response(f"{room.address}/sign-in/cookie"):
        sign_in(page, f"{room.address}/floor", name, PASSWORD)
    return page


def the_cookie(context: BrowserContext) -> dict[str, object]:
    (found,) = [dict(each) for each in context.cookies() if each.get("name") == "catwalk"]
    return found


def test_a_sign_in_survives_a_reload_a_second_tab_a_pasted_link_and_a_link_from_another_site(
    oren: Oren, room: Served
) -> None:
    oren.page.reload()
    expect(oren.page.get_by_text("oren · operator")).to_be_visible()
    expect(oren.page).to_have_url(f"{room.address}/findings?severity=money")
    second = oren.context.new_page()
    second.goto(f"{room.address}/hand?stream=T1%2F2026-11-18&round=2")
    expect(second.get_by_role("heading", name="round 2")).to_be_visible()
    assert second.url.startswith(f"{room.address}/hand?stream=T1%2F2026-11-18&round=2")
    second.goto(f"data:text/html,<a href='{quote(room.address)}/floor'>the floor</a>")
    second.get_by_role("link", name="the floor").click()
    expect(second.get_by_text("oren · operator")).to_be_visible()
    second.close()
    assert len([row for row in told(room) if isinstance(row, SignedIn) and row.by == "oren"]) == 1


def test_no_script_reads_the_cookie_and_the_server_keeps_only_a_hash_of_it(oren: Oren, room: Served) -> None:
    cookie = the_cookie(oren.context)
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
    name = str(cookie["value"]).partition(".")[0]
    held = oren.page.evaluate("document.cookie + JSON.stringify(localStorage) + document.documentElement.outerHTML")
    assert name not in held
    file = room.data / SIGN_INS
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0
    assert name.encode() not in file.read_bytes()
    assert PASSWORD.encode() not in file.read_bytes()


def test_a_ticket_for_the_cookie_is_good_once_and_from_our_own_pages_alone(oren: Oren) -> None:
    again = "async body => (await fetch('/sign-in/cookie', {method: 'POST', body})).status"
    assert oren.page.evaluate(again, oren.ticket) == 403
    assert oren.page.evaluate(again, "") == 403
    assert oren.page.evaluate(again, "x" * 300) == 413


def test_signing_out_in_one_tab_ends_the_session_in_the_others_and_the_cookie_is_worth_nothing(
    context: BrowserContext, room: Served
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
    assert len([row for row in told(room) if isinstance(row, SignedOut) and row.by == "otto"]) == 1
    context.clear_cookies()
    context.add_cookies([{"name": "catwalk", "value": str(cookie["value"]), "url": room.address}])  # an attacker's copy
    page.reload()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    for each in (page, other):
        each.close()


def test_a_removed_or_changed_account_loses_its_open_pages_within_seconds(
    context: BrowserContext, room: Served
) -> None:
    page = signed_in(context, room, "oda")
    words = ["accounts", "remove", "oda", "--data", str(room.data), "--file", str(accounts_of(room))]
    own = room.data.parent / "mara.txt"
    own.write_text(PASSWORD)
    time.sleep(1.1)  # what the room knows of a session is a second old at most: now it is asked again
    done = CliRunner().invoke(main, [*words, "--as", "mara", "--own-password-file", str(own)])
    assert done.exit_code == 0, done.output
    expect(page.get_by_text("The account of oda was changed or removed.")).to_be_visible(timeout=SECONDS)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    page.close()


@pytest.mark.parametrize("change", ["removed", "another role", "another password"])
def test_each_change_of_an_account_ends_its_sessions_and_no_other_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(accounts, "_COST", 2**4)
    file = tmp_path / "accounts.toml"
    for each in ("olga", "otto"):
        added(file, each, ("operator",), PASSWORD)
    sessions = Sessions(SignInFile(tmp_path), Accounts(file).proof)
    names = {
        each: sessions.begin(Person(each, ("operator",)), time.time() + 60, by_account=True)
        for each in ("olga", "otto")
    }
    assert sessions.over(names.values()) == set()
    if change == "removed":
        removed(file, "olga")
    elif change == "another role":
        added(file, "olga", ("investigator",), PASSWORD)
    else:
        added(file, "olga", ("operator",), "another long enough one")
    assert sessions.over(names.values()) == {names["olga"]}
    for _ in range(2):  # the tab that notices first ends the session, and the next one says the same
        found = sessions.find(names["olga"])
        assert found is not None
        assert found.over == "changed"
        sessions.end(names["olga"])


def test_a_name_somebody_planted_in_the_browser_is_never_that_of_a_session(
    context: BrowserContext, room: Served
) -> None:
    """Session fixation: each sign-in makes a new name; what was there before it gives nobody anything."""
    context.clear_cookies()
    page, planted = context.new_page(), "a" * 43
    for value in (planted, f"{planted}.{'0' * 64}"):
        context.add_cookies([{"name": "catwalk", "value": value, "url": room.address}])
        page.goto(f"{room.address}/floor")
        expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    values = [planted]
    for _ in range(2):
        with page.expect_response(f"{room.address}/sign-in/cookie"):
            sign_in(page, f"{room.address}/floor", "opal", PASSWORD)
        values.append(str(the_cookie(context)["value"]))
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    assert len(set(values)) == len(values)
    assert not any(planted in value for value in values[1:])
    page.close()


def half_a_request(line: socket.socket, address: str) -> None:
    """The pages wait for a cookie from a client that never sends the whole of it."""
    own = urlsplit(address)
    line.connect((own.hostname, own.port))
    asked = f"POST /sign-in/cookie HTTP/1.1\r\nHost: {own.netloc}\r\nOrigin: {address}\r\nContent-Length: 9\r\n\r\nx"
    line.sendall(asked.encode())


def test_a_restart_of_the_room_signs_nobody_out(context: BrowserContext, room: Served, tmp_path: Path) -> None:
    """Another process serves the same folder; a browser sends its cookie to every port of a host.

    It ends in time, although one client's request never comes to an end.
    """
    signed_in(context, room, "odile").close()
    with socket.socket() as stuck, served(tmp_path, room.data, f'accounts = "{accounts_of(room)}"\n') as address:
        half_a_request(stuck, address)
        page = context.new_page()
        page.goto(f"{address}/floor")
        expect(page.get_by_text("odile · operator")).to_be_visible()
        with closing(sqlite3.connect(room.data / SIGN_INS, isolation_level=None)) as held:
            held.execute("UPDATE sessions SET until = ? WHERE name = 'odile'", [time.time() - 1])  # the hours are over
        expect(page.get_by_text("The session of odile has expired.")).to_be_visible(timeout=SECONDS)
        page.close()

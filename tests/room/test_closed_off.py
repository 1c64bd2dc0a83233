"""Every page by its address, after a visit, with hostile names of people and things.

A page asks no host outside the house for anything, is open to those who do not see it (WCAG 2.2 AA by axe, light and
dark), and a narrow screen holds all that it shows.
"""

from collections.abc import Iterator
from contextlib import closing
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, WebSocket, expect

from consumers.accounts.accounts import added
from consumers.desk.application import desk_of
from domain.desk import case, review
from domain.desk.acting import DeskAct
from tests.room.addresses import Address, addresses, filled, gaps, order_exports
from tests.room.browser import PASSWORD, Served, entered, outside, served, violations
from tests.room.conftest import NOON, PEOPLE, recorded

pytestmark = pytest.mark.xdist_group("room")

# Names that try to make a browser in the room fetch something, or a reader follow a link.
EVIL = "![x](http://evil.test/a.png) www.evil.test <img src=//evil.test/b.png> m@evil.test https://evil.test [x](//evil.test)"


def evil(day: str) -> str:
    """The day with people and places of such names."""
    for name in ("pit-1", "dealer-2", "supervisor-1", "p-1", "p-2", "p-3", "p-4"):
        for before in ('"player":"', '"pit":"', '"person":"'):
            day = day.replace(f"{before}{name}", f"{before}{EVIL[:100]}{name}")
    return day


@pytest.fixture(scope="module")
def case_number() -> str:
    """The case whose every word is such a name."""
    return "2026-0001"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, case_number: str) -> Iterator[Served]:
    """The pages of such a house."""
    folder = tmp_path_factory.mktemp("evil")
    data = recorded(folder, changed=evil)
    with closing(desk_of(data=data)) as desk:
        finding = gaps(data, "")["ITS"]
        desk.on_finding(finding, lambda state: review.note(state, DeskAct("mara", NOON, "n1"), EVIL))
        opened = desk.open_case(DeskAct("mara", NOON, "k1"), "dispute", EVIL, jurisdiction="PA", happened_at=NOON)
        assert opened.number == case_number
        desk.on_case(case_number, lambda state: case.note(state, DeskAct("mara", NOON, "k2"), EVIL))
        desk.on_case(case_number, lambda state: case.link_person(state, DeskAct("mara", NOON, "k3"), EVIL, "player"))
        desk.on_case(case_number, lambda state: case.link_finding(state, DeskAct("mara", NOON, "k5"), finding))
        desk.on_case(case_number, lambda state: case.make_claim(state, DeskAct("mara", NOON, "k4"), EVIL, 100))
        order_exports(desk, data)
    for name, role in PEOPLE.items():
        added(folder / "accounts.toml", name, (role,), PASSWORD)
    with served(folder, data) as address:
        yield Served(address, data)


def watched(page: Page, own: str) -> list[str]:
    """Every request of a page to another host, as it comes, and what the page's own policy stopped."""
    found: list[str] = []

    def asked(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(own).netloc:
            found.append(request.url)

    def spoken(told: ConsoleMessage) -> None:
        if "Content Security Policy" in told.text:
            found.append(told.text)

    def connected(line: WebSocket) -> None:
        if urlsplit(line.url).netloc != urlsplit(own).netloc:
            found.append(line.url)

    page.on("request", asked)
    page.on("console", spoken)
    page.on("websocket", connected)
    return found


def links(page: Page, own: str) -> list[str]:
    """Every way from a page to another host: links, pictures, what a sheet of styles names, the icon."""
    found = page.evaluate(
        "[...document.querySelectorAll('[href],[src]')].map(e => [e.href, e.src]).flat().filter(e => typeof e === 'string')"
    )
    hosts = ((each, urlsplit(each)) for each in found)
    return [each for each, at in hosts if at.scheme.startswith("http") and at.netloc != urlsplit(own).netloc]


@pytest.mark.parametrize("address", addresses(), ids=lambda each: each.path)
def test_an_address_restores_its_view_asks_no_other_host_and_everybody_can_use_it(
    chrome: Browser, room: Served, case_number: str, address: Address
) -> None:
    held = gaps(room.data, case_number)
    quoted = {name: quote(value, safe="") for name, value in held.items()}
    page = entered(chrome, room, address.name, filled(address.path, quoted), before=lambda page: watching(page, room))
    expect(page.locator(filled(address.shown, held)).first).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    assert WATCHED.pop(page) == []
    assert links(page, room.address) == []
    found = violations(page) + outside(page)
    page.close()
    assert not found, "\n".join(found)


WATCHED: dict[Page, list[str]] = {}


def watching(page: Page, room: Served) -> None:
    """Watch the browser from its first request on."""
    WATCHED[page] = watched(page, room.address)


def test_the_words_stand_there_as_they_were_typed(chrome: Browser, room: Served, case_number: str) -> None:
    """Text that is not fetched is not left out either: a reader of the case sees every letter of its title."""
    page = entered(chrome, room, "ivan", f"cases?case={case_number}")
    title = page.get_by_role("heading", level=2).first
    expect(title).to_contain_text("evil.test/a.png")
    assert (title.inner_text()).replace("\u2060", "").strip() == EVIL
    page.close()


def test_the_icon_is_our_own(chrome: Browser, room: Served) -> None:
    page = chrome.new_page()
    found = watched(page, room.address)
    page.goto(room.address)
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    icon = page.evaluate("document.querySelector('link[rel*=icon]').href")
    assert icon.startswith((room.address, "data:"))
    assert found == []
    page.close()

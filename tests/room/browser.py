"""The pages served, and a real browser in front of them."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect, sync_playwright

from consumers.up.configuration import parts, read

# WCAG 2.2 AA, as far as axe can tell; the other theme differs in its colors alone.
_RULES = {
    "light": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "dark": {"type": "rule", "values": ["color-contrast"]},
}
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_NOBODY_OUTSIDE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
Before = Callable[[Page], None]
PATIENCE = 60_000  # milliseconds
PASSWORD = "a long enough one"  # noqa: S105


class Served(NamedTuple):
    """The pages: their address, and the folder of the record behind them."""

    address: str
    data: Path


class NoBrowserError(Exception):
    """No browser can be driven here, and why."""


def chromium() -> str:
    """The system's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise NoBrowserError("there is no chromium. On Debian, as root: apt-get install chromium")
    return found


_OWN: dict[tuple[Browser, str, str], BrowserContext] = {}  # of each who has signed in at an address
_DRIVERS: list[Playwright] = []  # one for each who uses it, all the same: a second one in a thread is refused


@contextmanager
def driver() -> Iterator[Playwright]:
    """Starter of browsers: one a process, as long as it is in use."""
    _DRIVERS.append(_DRIVERS[-1] if _DRIVERS else sync_playwright().start())
    try:
        yield _DRIVERS[-1]
    finally:
        used = _DRIVERS.pop()
        if not _DRIVERS:
            used.stop()


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    with driver() as starts:
        made = starts.chromium.launch(executable_path=chromium(), args=["--no-sandbox", _NOBODY_OUTSIDE])
        try:
            yield made
        finally:
            made.close()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(
    folder: Path, data: Path, service: str = "", *, port: int = 0, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The pages on a record, as `catwalk up` serves them, with local accounts or a sign-in service; their address."""
    port = port or free_port()
    file = folder / "up.toml"
    accounts = folder / "accounts.toml"
    way_in = service.replace("{port}", str(port)) or f'accounts = "{accounts}"\n'
    file.write_text(f'[record]\ndata = "{data}"\n[room]\nport = {port}\naddress = "127.0.0.1"\n{way_in}')
    [part] = parts(read(file), folder)
    if part.prepare is not None:
        part.prepare()
    with (folder / "pages.log").open("wb") as log:
        process = subprocess.Popen(
            part.command, env={**os.environ, **part.environment, **(environment or {})}, stdout=log, stderr=log
        )
        try:
            yield _answering(process, f"http://127.0.0.1:{port}", folder / "pages.log")
        finally:
            process.terminate()
            process.wait(30)


def _answering(process: "subprocess.Popen[bytes]", address: str, log: Path) -> str:
    end = time.monotonic() + PATIENCE / 1_000
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(f"{address}/_stcore/health", timeout=5):  # noqa: S310 - our own address
                return address
        except (URLError, OSError):
            time.sleep(0.1)
    raise NoBrowserError(f"the pages do not answer: {log.read_text()[-2000:]} {sys.executable}")


def entered(
    chrome: Browser, pages: Served, name: str, path: str = "", *, width: int = 1600, before: Before = lambda _: None
) -> Page:
    """A user on the requested page: the first sign-in uses a browser of its own, which keeps its cookie."""
    key = (chrome, pages.address, name)
    if key not in _OWN:
        _OWN[key] = chrome.new_context(color_scheme="light")
    page = _OWN[key].new_page()
    page.set_viewport_size({"width": width, "height": 1000})
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    before(page)
    page.goto(f"{pages.address}/{path}")
    out, password = page.get_by_role("button", name="Sign out"), page.get_by_role("textbox", name="Password")
    expect(out.or_(password)).to_be_visible()
    if password.is_visible():
        _fill_in(page, name, PASSWORD)
    return page


def sign_in(page: Page, address: str, user: str, password: str) -> None:
    """Sign in at the page the user was sent to."""
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    page.goto(address)
    _fill_in(page, user, password)


def _fill_in(page: Page, user: str, password: str) -> None:
    page.get_by_role("textbox", name="Name").fill(user)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def standing(one: Locator) -> Locator:
    """The same, once it stands where it stays: what slides open takes a button away from under the mouse."""
    before = one.bounding_box()
    while True:
        one.page.wait_for_timeout(300)
        if (now := one.bounding_box()) == before:
            return one
        before = now


def slow_line(milliseconds: int) -> str:
    """A script for a page: whatever the server says is heard so much later, in its order."""
    return f"""
const hears = WebSocket.prototype.addEventListener;
WebSocket.prototype.addEventListener = function (kind, listener, ...rest) {{
  const late = event => setTimeout(() => listener.call(this, event), {milliseconds});
  return hears.call(this, kind, kind === 'message' ? late : listener, ...rest);
}};
"""


# The theme is the one that was asked for, and no color is on its way there any more.
_FOLLOWED = """scheme => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === scheme
  && document.getAnimations().every(each => each.playState !== 'running'
    || each.effect.getComputedTiming().iterations === Infinity)"""


def violations(page: Page) -> list[str]:
    """Violations that axe finds on this page, in the light and in the dark theme. Streamlit's widgets must pass too."""
    found = []
    for scheme in _SCHEMES:
        page.emulate_media(color_scheme=scheme)
        while not page.evaluate(_FOLLOWED, scheme):
            page.wait_for_timeout(20)
        for rule in Axe().run(page, options={"runOnly": _RULES[scheme]}).response["violations"]:
            found += [f"{scheme} {rule['id']}: {node['html'][:300]} {node['failureSummary']}" for node in rule["nodes"]]
    return found


# What is wider than its place, words that are cut off, and labels that take two lines.
_OUTSIDE = """() => {
const main = '[data-testid=stMain] ', cut = e => e.clientWidth && e.scrollWidth > e.clientWidth + 1;
const told = (kind, found) => found.map(e => kind + ' ' + (e.innerText || e.value || e.className).slice(0, 60));
const all = (selector, wrong) => [...document.querySelectorAll(selector)].filter(wrong);
return [
  ...told('wide', all('.cw-tile, .cw-line, .cw-figure, .cw-figures, .cw-list, [data-testid=stMain]', cut)),
  ...told('cut', all(main + 'input', e => cut(e) && e.value.length < 60)), // a longer one is scrolled
  ...told('cut', all(main + 'button p, ' + main + '[data-testid=stWidgetLabel] p', cut)),
  ...told('high', all(main + '[data-testid=stWidgetLabel] p', e => e.offsetHeight > 32)),
  ...told('high', all(main + 'button p', e => e.offsetHeight > 32)),
];
}"""


def outside(page: Page) -> list[str]:
    """Elements that do not fit, on a screen as narrow as this."""
    page.set_viewport_size({"width": 1100, "height": 1000})
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    before: list[list[str]] = []
    while len(before) < 3 or before[-1] != before[-2]:  # the page follows
        page.wait_for_timeout(100)
        before.append(page.evaluate(_OUTSIDE))
    return before[-1]

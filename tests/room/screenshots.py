"""`make screenshots`: every page, dark and light and narrow, of a simulated floor, into a folder.

`python -m tests.room.screenshots FOLDER [ADDRESS]`; with an address, of the pages that are served there already.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect

from consumers.commands.up import PASSWORD
from tests.room.browser import browser, free_port, sign_in

WAIT_SECONDS = 300
TALLEST = 2_400
WIDE, NARROW = 1_920, 1_100
Scheme = Literal["light", "dark"]
# What a picture's name ends with, and how it is looked at.
LOOKS: dict[str, tuple[Scheme, int]] = {"light": ("light", WIDE), "dark": ("dark", WIDE), "narrow": ("light", NARROW)}

# The picture's name, who looks, the address; `*` is something that the page before it shows.
PAGES = """
sign-in  -     -
floor    mara  floor
incidents mara  incidents
table    mara  table?table=T4
findings ivan  findings?order=severity
finding  ivan  findings?order=severity&finding=*
hand     ivan  hand?*
search   olga  hand?table=T3&about=14:20
decks    mara  decks?table=T1
blast    mara  decks?*
people   mara  people
dealer   mara  people?dealer=dealer-1
players  mara  people?who=players
numbers  mara  numbers
cases    mara  cases
case     mara  cases?case=*
exports  mara  exports
record   mara  record
"""


@contextmanager
def demo() -> Iterator[str]:
    """A floor of a dozen tables, live; gives the address of its pages."""
    port = free_port()
    with (
        tempfile.TemporaryDirectory(prefix="catwalk-pictures-") as folder,
        Path(f"{folder}/demo.log").open("wb") as log,
    ):
        words = ("demo", "--pace", "1", "--port", str(port), "--data", f"{folder}/pit")
        command = (sys.executable, "-c", "from consumers.command import main; main(prog_name='catwalk')", *words)
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(60)


def entered(chrome: Browser, address: str, who: str, path: str, look: tuple[Scheme, int]) -> Page:
    """A page as a user sees it, when everything on it is drawn."""
    scheme, width = look
    page = chrome.new_page(viewport={"width": width, "height": 1_000}, color_scheme=scheme)
    if who == "-":
        page.goto(address)
    else:
        sign_in(page, f"{address}/{path}", who, PASSWORD)
        page.mouse.move(width - 10, 990)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    page.wait_for_timeout(2_500)
    high = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": max(1_000, min(TALLEST, high + 20))})
    page.wait_for_timeout(700)
    return page


def until_there_is_something(chrome: Browser, address: str) -> None:
    """Wait until the floor is under way and findings are listed."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            page = chrome.new_page()
            sign_in(page, f"{address}/findings", "ivan", PASSWORD)
            expect(page.locator(".cw-line").nth(20)).to_be_attached()
        except Exception:  # the pages are not served yet, or nothing is published
            if time.monotonic() > end:
                raise
            time.sleep(2)
        else:
            return
        finally:
            page.close()


def a_case(chrome: Browser, address: str, finding: str) -> None:
    """Ivan opens a case about a finding, has video kept and makes a remark."""
    page = chrome.new_page(viewport={"width": 1600, "height": 1000})
    sign_in(page, f"{address}/findings?finding={finding}", "ivan", PASSWORD)
    page.get_by_role("button", name="Add to case").click()
    page.get_by_role("combobox", name="Dispute clocks of the new case").click()
    page.get_by_role("option", name="Michigan").click()
    page.get_by_role("button", name="Open a new case").click()
    expect(page.get_by_role("heading", name="Case 2026-")).to_be_visible()
    for act, fields in (
        ("Claim", {"Text of the claim": "The player says that nothing is to be given back.", "Amount": "180"}),
        ("Hold video", {"Recorder": "NVR-2", "Channel": "cam-14"}),
        ("Note", {"Note": "Looked at camera 14 with the shift manager."}),
    ):
        page.get_by_role("radio", name=act, exact=True).click()
        form = page.get_by_test_id("stForm")
        expect(form.get_by_role("button", name=act)).to_be_visible()
        for label, value in fields.items():
            form.get_by_role("textbox", name=label, exact=True).fill(value)
        form.get_by_role("button", name=act).click()
        page.wait_for_timeout(1_500)
    page.close()


def pictures(chrome: Browser, address: str, folder: Path) -> None:
    """All of them."""
    until_there_is_something(chrome, address)
    found: dict[str, str] = {}
    for ending, look in LOOKS.items():
        for name, who, path in (line.split() for line in PAGES.strip().splitlines()):
            page = entered(chrome, address, who, path.replace("*", found.get(name, "")), look)
            page.screenshot(path=folder / f"{name}-{ending}.png")
            print(folder / f"{name}-{ending}.png", flush=True)  # noqa: T201 - says what it writes
            if name == "findings":
                found["finding"] = page.locator(".cw-line", has_text="money").first.get_attribute("data-go") or ""
            elif name == "finding" and "hand" not in found:
                a_case(chrome, address, found["finding"])
                page.get_by_role("button", name="Open the hand").click()
                expect(page.locator(".cw-facts")).to_be_visible()
                found["hand"] = page.url.partition("?")[2]
            elif name == "decks":
                named = page.locator("[data-go*='deck=']").first.get_attribute("data-go") or ""
                found["blast"] = named.partition("?")[2]
            elif name == "cases":
                found["case"] = page.locator("[data-go*='case=']").first.text_content() or ""
            page.close()


def main(folder: Path, address: str = "") -> None:
    """Into this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with browser() as chrome:
        if address:
            pictures(chrome, address, folder)
        else:
            with demo() as own:
                pictures(chrome, own, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])

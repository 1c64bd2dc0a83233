"""A user in a hurry on a slow line: whatever they press, the page in the end is the one its address names.

`python -m tests.room.hasty SEED MANY`: from SEED on, MANY times a page is opened and two or three things on it are
pressed, chosen or written one upon the other, before their answers come. Then the same address is opened again; page
and fields must be the same. What differs is printed with what was done.
"""

import re
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Error, Locator, Page

from consumers.accounts.accounts import added
from tests.room.browser import PASSWORD, Served, browser, served, sign_in, slow_line
from tests.room.conftest import PEOPLE, recorded

LATE = 400  # milliseconds
_TOLD = 12  # of what differs
PATHS = (
    *("floor", "table?table=T1", "table?table=T2&day=2026-11-18", "findings", "findings?severity=money"),
    *("hand?stream=T1%2F2026-11-18&round=2", "hand?table=T1&day=2026-11-18", "decks?table=T1", "decks?deck=T1-deck-1"),
    *("people?who=players", "people?dealer=dealer-1", "numbers?by=game", "cases", "exports", "record"),
)
WORDS = ("T1", "T2", "", "wager-overpaid", "dealer-1", "2026-11-18", "2", "T1-deck-1")
# What can be pressed, chosen or written in.
KINDS = {
    "link": "[data-testid=stMain] [data-go]",
    "button": '[data-testid=stMain] button:not(:has-text("more: show"))',  # how far a list is opened stands nowhere
    "switch": "[data-testid=stMain] [data-testid=stCheckbox] label",
    "text": "[data-testid=stMain] [data-testid=stTextInput] input",
    "choice": "[data-testid=stMain] [data-testid=stSelectbox] input",
    "page": "[data-testid=stSidebarNavLink]",
}
# Words that can be seen, but for forms that were not sent and what was refused; and the fields that stand in the address.
_SHOWS = """() => {
const main = document.querySelector('[data-testid=stMain]');
const left = '[data-testid=stForm], [data-testid=stExpander], [data-testid=stAlert], .cw-age, [data-made-at], style, script';
const words = [], walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
for (let node; node = walk.nextNode();) {
  const at = node.parentElement;
  if (at.offsetParent && !at.closest(left) && node.data.trim()) words.push(node.data.trim());
}
const asked = [...main.querySelectorAll('input')].filter(each => each.offsetParent && !each.closest(left)
  && each.closest('[class*="st-key-"]')?.className.match(/st-key-(queue|ledger|numbers|people|table|cases)-/));
const on = [...main.querySelectorAll('button[aria-checked=true]')].filter(each => !each.closest(left));
return [...words, ...asked.map(each => `${each.ariaLabel}: ${each.type === 'checkbox' ? each.checked : each.value}`),
  ...on.map(each => `chosen: ${each.innerText}`)];
}"""


def at_rest(page: Page) -> list[str]:
    """The page once everything requested has come."""
    before: list[str] = []
    for _ in range(40):
        page.wait_for_timeout(LATE + 600)
        shown = [re.sub(r"\d+ (s|min|h) ago", "a while ago", each) for each in page.evaluate(_SHOWS)]
        if shown == before and not page.get_by_test_id("stStatusWidget").count():
            break
        before = shown
    return shown


def hurried(page: Page, random: Random) -> str:
    """Does one thing that can be done there, and says what."""
    there = [
        (kind, found) for kind, named in KINDS.items() if (found := page.locator(f"{named} >> visible=true")).count()
    ]
    kind, found = random.choice(there)
    try:
        return f"{kind} {_done(page, kind, found.nth(random.randrange(found.count())), random)}"
    except (Error, ValueError):  # it went while the hand came near
        return f"{kind} that is gone"


def _done(page: Page, kind: str, one: Locator, random: Random) -> str:
    soon = {"timeout": 1_500}
    name = " ".join((one.get_attribute("aria-label", **soon) or one.inner_text(**soon)).split())[:40]
    if kind == "text":
        words = random.choice(WORDS)
        one.fill(words, **soon)
        one.press("Enter", **soon)
        return f"{name} = {words}"
    if kind == "choice":
        one.click(**soon)
        options = page.get_by_role("option")
        chosen = options.nth(random.randrange(max(1, options.count())))
        words = chosen.inner_text(**soon)
        chosen.click(**soon)
        return f"{name} = {words}"
    twice = random.random() < 0.4
    (one.dblclick if twice else one.click)(**soon)
    return f"{name}{', twice' if twice else ''}"


def hurry(chrome: Browser, pages: Served, who: str, seed: int) -> str:
    """One hurry; what was wrong in the end, or nothing."""
    random = Random(seed)  # noqa: S311 - the same hurry every time
    path, did = random.choice(PATHS), []
    page = chrome.new_page(viewport={"width": 1_600, "height": 1_000})
    try:
        page.add_init_script(slow_line(LATE))
        sign_in(page, f"{pages.address}/{path}", who, PASSWORD)
        at_rest(page)
        for _ in range(random.choice((2, 2, 3))):
            did.append(hurried(page, random))
            page.wait_for_timeout(random.choice((0, 100, 300, 600)))
        shown = at_rest(page)
        address = page.url
        sign_in(page, address, who, PASSWORD)
        again = at_rest(page)
    finally:
        page.close()
    if shown == again:
        return ""
    only = [[each for each in one if each not in other][:_TOLD] for one, other in ((shown, again), (again, shown))]
    return f"seed {seed}, {who} on {path}: {'; '.join(did)}\n  at {address}\n  it shows   {only[0]}\n  and again  {only[1]}"


def main(seed: int, many: int) -> int:
    """Run so many, from this seed on, and count the pages that ended wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="catwalk-hasty-") as name, browser() as chrome:
        folder = Path(name)
        data = recorded(folder)
        for person, role in PEOPLE.items():
            added(folder / "accounts.toml", person, (role,), PASSWORD)
        with served(folder, data) as address:
            for each in range(seed, seed + many):
                said = hurry(chrome, Served(address, data), ("mara", "ivan", "olga")[each % 3], each)
                wrong += bool(said)
                if said:
                    print(said, flush=True)  # noqa: T201
    print(f"{many} in a hurry from seed {seed} on: {wrong} did not end as their address shows")  # noqa: T201
    return wrong


if __name__ == "__main__":
    parser = ArgumentParser(description="Somebody in a hurry on a slow line.")
    parser.add_argument("seed", type=int)
    parser.add_argument("many", type=int)
    asked = parser.parse_args()
    sys.exit(1 if main(asked.seed, asked.many) else 0)

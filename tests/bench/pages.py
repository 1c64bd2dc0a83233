"""The pages on a simulated month, in a real browser: from pressing the sign-in button to what the page is opened for.

`python -m tests.bench.pages` makes ten tables' month of 300 rounds a table's day, and a real day for the hand, and opens
every page twice: the first time nobody has asked anything yet. What is measured has the check of the password in it.
"""

import shutil
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

from playwright.sync_api import Browser, expect

from consumers.accounts.accounts import added
from tests.bench.questions import FIRST, Year
from tests.room.browser import PASSWORD, browser, served
from tests.room.conftest import run

DAYS: Final = 31
TABLES: Final = 10
ROUNDS: Final = 300  # a table's day
TIMES: Final = 3
GOAL: Final = 1.0  # seconds
DAY: Final = FIRST.replace(day=15)

# The address | what the page is opened for
PAGES: Final = f"""
floor                                                       | .cw-tile
table?table=T003&day={DAY}                                   | .cw-table
findings                                                    | .cw-line
findings?table=T003&finding=T003/{DAY}-1                      | [class*="st-key-Claim"]
hand?stream=T1%2F2026-11-18&round=9                         | svg[role=img]
hand?table=T003&day={DAY}&about=about+ten+past+three+pm      | [data-go*="round="]
decks                                                       | .cw-pit
decks?table=T003&deck=T003-1&first={DAY}&last={DAY}           | [aria-label="Repayment list"]
people                                                      | .cw-table
people?dealer=D-1                                           | .cw-figure
people?who=players                                          | .cw-table
people?player=p-1                                           | .cw-figure
numbers                                                     | .cw-table
numbers?by=game&period=month                                | .cw-table
cases                                                       | .cw-age
record                                                      | .cw-figure
"""
# Pressed and seen by the browser's own clock: no message to us lies in between.
_PRESS: Final = """shown => new Promise(done => {
  const began = performance.now();
  const look = () => document.querySelector(shown) ? done(performance.now() - began) : requestAnimationFrame(look);
  document.querySelector('[data-testid=stFormSubmitButton] button').click();
  look();
})"""


def month(data: Path) -> None:
    """A day on record, of which a hand is looked at, and a month in the read models."""
    facts = str(data.parent / "day.jsonl")
    run("simulate", "--tables", "1", "--out", facts)
    run("ingest", "--data", str(data), facts)
    made = Year(data / "read", TABLES, rounds=ROUNDS, days=DAYS)
    made.make()
    print(f"{made.rounds:,} rounds in {DAYS} days")


def seen(chrome: Browser, address: str, path: str, shown: str) -> float:
    """Seconds from pressing the button to what the page is opened for, in a browser that has Streamlit's own files."""
    page = chrome.contexts[0].new_page()
    page.goto(f"{address}/{path}")
    page.get_by_role("textbox", name="Name").fill("mara")
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("textbox", name="Password").press("Tab")
    expect(page.get_by_test_id("stFormSubmitButton")).to_be_visible()
    page.wait_for_timeout(500)
    took: float = page.evaluate(_PRESS, shown) / 1_000
    page.close()
    return took


def main() -> None:
    """Every page, the first time and then."""
    folder = Path(tempfile.mkdtemp(prefix="catwalk-bench-"))
    try:
        month(folder / "pit")
        added(folder / "accounts.toml", "mara", ("manager",), PASSWORD)
        print(f"{'first':>8} {'then':>8}  page, seconds from the sign-in button to what it is opened for")
        with served(folder, folder / "pit") as address, browser() as chrome:
            chrome.new_context(viewport={"width": 1600, "height": 1000})
            for line in PAGES.strip().splitlines():
                path, _, shown = (each.strip() for each in line.partition("|"))
                first, *then = (seen(chrome, address, path, shown) for _ in range(TIMES))
                verdict = "held" if max(first, median(then)) <= GOAL else "MISSED"
                print(f"{first:>8.2f} {median(then):>8.2f}  {path:<62} {verdict}", flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()

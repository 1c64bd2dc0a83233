"""Work in the room, in a real browser: a finding to its end, a disputed hand, a bad deck, a case."""

import csv
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Page, expect

from projections.reading import opened as reading
from tests.room.browser import Served, entered, violations
from tests.room.conftest import run

pytestmark = pytest.mark.xdist_group("room")

HAND = "hand?stream=T1%2F2026-11-18&round=2"


def asked(pages: Served, query: str) -> Any:
    """The first row that the record gives for this."""
    with reading(pages.data / "read") as held:
        return held.query(query)[0]


def a_day_more(pages: Served, folder: Path) -> None:
    """The floor goes on: another table's hours with an incident, watched and published."""
    file, data = str(folder / "more.jsonl"), str(pages.data)
    codes = ("--incidents", "wager-underpaid", "--labels", f"{file}.labels")
    run("simulate", "--tables", "1", "--hours", "3", "--start", "2026-11-19", "--seed", "3", *codes, "--out", file)
    run("ingest", "--data", data, file)
    run("watch", "--quiet", "--data", data, "--once")
    run("project", "--data", data, "--once")


def test_a_wrong_password_lets_nobody_in(chrome: Browser, pages: Served) -> None:
    page = chrome.new_page()
    page.goto(pages.address)
    page.get_by_role("textbox", name="Name").fill("mara")
    page.get_by_role("textbox", name="Password").fill("something else")
    page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    expect(page.get_by_text("name or the password is wrong")).to_be_visible()
    page.close()


def test_a_finding_comes_while_the_queue_is_open_and_goes_to_its_end_by_two_people(
    chrome: Browser, pages: Served, tmp_path: Path
) -> None:
    """Queue, claim, hand, step by step, note, second reviewer; and when nothing new comes, each page says so."""
    ivan = entered(chrome, pages, "ivan", "findings")
    rows = ivan.locator(".cw-line")
    expect(rows.first).to_be_visible()
    before = [row.get_attribute("data-go") for row in rows.all()]
    places = [row.bounding_box() for row in rows.all()]
    a_day_more(pages, tmp_path)
    new = ivan.get_by_role("button", name="new: show")
    expect(new).to_be_visible()
    assert [row.get_attribute("data-go") for row in rows.all()] == before
    assert [row.bounding_box() for row in rows.all()] == places  # the row in view has not moved
    floor = entered(chrome, pages, "olga", "floor")
    expect(floor.locator("[data-made-at]")).to_contain_text("as of")
    count = int((new.text_content() or "").split()[0])
    new.click()
    expect(rows).to_have_count(len(before) + count)
    assert [row.get_attribute("data-go") for row in rows.all()][count:] == before
    row = ivan.locator(".cw-line", has_text="money").first
    name = row.get_attribute("data-go")
    assert name not in before
    row.click()
    ivan.get_by_role("button", name="Claim").click()
    expect(ivan.get_by_text("claimed: ivan")).to_be_visible()
    step_through_the_hand(ivan)
    expect(ivan.get_by_text("claimed: ivan")).to_be_visible()
    ivan.get_by_role("textbox", name="Comment").fill("camera 14 shows it")
    ivan.get_by_role("button", name="Note").click()
    expect(ivan.get_by_text("ivan: camera 14 shows it")).to_be_visible()
    ivan.get_by_role("combobox", name="Disposition").click()
    ivan.get_by_role("option", name="dealer error").click()
    ivan.get_by_role("button", name="Close", exact=True).click()
    expect(ivan.get_by_text("ivan proposes: dealer-error")).to_be_visible()
    mara = entered(chrome, pages, "mara", f"findings?finding={name}")
    mara.get_by_role("button", name="Agree").click()
    expect(mara.get_by_text("Closed: ")).to_be_visible()
    expect(ivan.locator(f'.cw-line[data-go="{name}"]')).to_contain_text("CLOSED by mara")  # it stays while he reads
    expect(floor.locator("[data-made-at].stale")).to_contain_text("STALE: nothing new for")
    for page in (ivan, mara, floor):
        page.close()


def step_through_the_hand(page: Page) -> None:
    """From the finding to the facts of its hand, on and on by one, and back by the finding below them."""
    page.get_by_role("button", name="Open the hand").click()
    current = page.locator(".cw-facts [aria-current]")
    expect(current).to_have_count(1)
    said = current.text_content()
    for _ in range(2):
        page.get_by_role("button", name="One fact back").click()
    expect(current).not_to_have_text(said or "")
    page.locator('[data-go^="findings?"]').first.click()


def test_the_disputed_hand_is_found_by_table_and_time_and_says_what_was_owed(chrome: Browser, pages: Served) -> None:
    query = (
        'SELECT "table", "at", expected_cents, wager, round FROM findings WHERE code = \'winner-collected\' ORDER BY 2'
    )
    table, at, owed, wager, number = asked(pages, query)
    clock = at.replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo("America/New_York"))
    page = entered(chrome, pages, "olga", "hand")
    page.get_by_role("textbox", name="Table").fill(table)
    page.get_by_role("textbox", name="About when").fill(f"about {clock:%H:%M}")
    page.get_by_role("textbox", name="Gaming day").fill("2026-11-18")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator("[data-go*=round]").first).to_be_visible()
    assert f"table={table}" in page.url  # what was looked for stands in the address
    page.locator(f'[data-go$="round={number}"]').click()
    expect(page.get_by_role("heading", name=f"round {number}")).to_be_visible()
    line = page.locator("tr", has_text=wager).filter(has_text="−$")
    expect(line).to_have_count(1)
    expect(line.locator("td").nth(4)).to_have_text(f"${owed // 100:,}" + (f".{owed % 100:02}" if owed % 100 else ""))
    page.close()


def test_a_bad_deck_s_repayment_list_is_taken_away_as_it_is_shown(
    chrome: Browser, pages: Served, tmp_path: Path
) -> None:
    page = entered(chrome, pages, "mara", "decks")
    form = page.get_by_test_id("stForm")
    form.get_by_role("textbox", name="Deck").fill("T1-deck-1")
    form.get_by_role("button", name="Show affected hands").click()
    players = page.get_by_role("region", name="Repayment list").locator("tbody tr")
    expect(players.first).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_test_id("stDownloadButton").get_by_role("button").click()
    taken.value.save_as(tmp_path / "list.csv")
    listed = list(csv.DictReader((tmp_path / "list.csv").read_text().splitlines()))
    assert [row["player"] for row in listed] == [row.locator("td").first.text_content() for row in players.all()]
    page.close()


def test_a_case_is_opened_from_a_hand_in_one_click_and_video_is_kept_for_it(chrome: Browser, pages: Served) -> None:
    page = entered(chrome, pages, "ivan", HAND)
    page.get_by_role("button", name="Add to case").click()
    page.get_by_role("button", name="Open a new case").click()
    expect(page.get_by_role("heading", name="Case 2026-")).to_be_visible()
    expect(page.locator('[data-go*="hand?"]')).to_contain_text("round 2")
    expect(page.get_by_role("region", name="Hands")).to_contain_text("cam-T1")
    page.get_by_role("radio", name="Hold video").click()
    page.get_by_role("textbox", name="Recorder").fill("NVR-2")
    page.get_by_test_id("stForm").get_by_role("button", name="Hold video").click()
    expect(page.get_by_role("region", name="Video")).to_contain_text("NOT COPIED YET")
    expect(page.get_by_role("region", name="Every change")).to_contain_text("video held")
    assert not violations(page)
    page.close()


def test_a_link_leads_to_the_same_moment_of_the_hand_and_it_plays(chrome: Browser, pages: Served) -> None:
    page = entered(chrome, pages, "ivan", f"{HAND}&step=5")
    expect(page.locator(".cw-facts [aria-current]")).to_have_count(1)
    assert page.locator(".cw-facts button").nth(4).get_attribute("aria-current") == "step"
    page.get_by_role("button", name="One fact on").click()
    assert "step=6" in page.url
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".cw-facts button").nth(7)).to_have_attribute("aria-current", "step")
    page.close()


def test_an_operator_sees_backs_where_an_investigator_sees_faces(chrome: Browser, pages: Served) -> None:
    backs = {}
    for name in ("olga", "ivan"):
        page = entered(chrome, pages, name, f"{HAND}&step=14")
        expect(page.locator(".cw-facts [aria-current]")).to_have_count(1)
        backs[name] = page.locator("rect.back").count()
        page.close()
    assert backs["ivan"] == 0
    assert backs["olga"] > 0


# Who, the address they type | what the page would show them if they might see it
BARRED = """
dave  hand?stream=T1%2F2026-11-18&round=2 | svg[role=img]
olga  numbers?by=game                     | .cw-figures
olga  people?who=players                  | .cw-table
olga  cases                               | .cw-table
olga  table?table=T1&day=2026-11-18       | .cw-figure:has-text("win")
olga  decks?deck=T1-deck-1                | [aria-label="Repayment list"]
"""


@pytest.mark.parametrize("row", BARRED.strip().splitlines())
def test_who_may_not_see_it_has_it_neither_in_the_list_nor_by_its_address(
    chrome: Browser, pages: Served, row: str
) -> None:
    asked_for, _, shown = row.partition("|")
    name, path = asked_for.split()
    page = entered(chrome, pages, name, path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator('[data-stale="true"]')).to_have_count(0)
    listed = page.get_by_test_id("stSidebarNavLink").all_text_contents()
    assert ("People" in "".join(listed)) == (name not in ("olga", "dave"))
    expect(page.locator(shown.strip())).to_have_count(0)
    page.close()


def test_money_of_a_table_is_there_for_a_manager_so_that_its_absence_means_something(
    chrome: Browser, pages: Served
) -> None:
    page = entered(chrome, pages, "mara", "table?table=T1&day=2026-11-18")
    expect(page.locator('.cw-figure:has-text("win")').first).to_be_visible()
    expect(page.get_by_role("region", name="Deck ledger")).to_be_visible()
    page.close()

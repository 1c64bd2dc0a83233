"""Details that pages show: pace and severities on the floor, when the record was signed and proved, each currency."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import streamlit as st
from msgspec.structs import replace

from consumers.desk.application import desk_of
from consumers.desk.noting import note_proof
from consumers.room import LastCheckpoint, Room, VideoHold, cents_of
from consumers.room.looking import RoomVisit
from dashboards import session
from dashboards.views import floor
from dashboards.views import record as health
from dashboards.views.table import since
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.roles import Person
from tests.dashboards.conftest import Opening, texts
from tests.room.addresses import Address, addresses, filled, gaps, order_exports
from tests.room.conftest import NOON, PEOPLE

pytestmark = pytest.mark.xdist_group("record")


def mara() -> RoomVisit:
    """A user who may see everything."""
    return RoomVisit(Person("mara", ("manager",)), "visit of mara")


def test_a_tile_tells_the_pace_and_what_is_open_by_severity(opening: Opening) -> None:
    said = texts(opening("floor", "manager"))
    for table in session.room().floor(mara()).value:
        assert f"{table.rounds_an_hour:.0f} rounds an hour" in said
        assert f"{table.findings} to review" in said
        assert f"{table.money_findings} money, {table.integrity_findings} integrity" in said.replace("\u00a0", " ")


def test_a_book_that_asks_for_no_counts_has_none_due(opening: Opening) -> None:
    opening("floor", "manager")
    table = session.room().floor(mara()).value[0]
    assert table.count_every
    asked = replace(table, deck="D-1", rounds_since_count=163)
    assert "163 rounds since the count" in floor._tile(asked)
    never = floor._tile(replace(asked, count_every=None))
    assert "no count required" in never
    assert "163" not in never
    ledger = session.room().table_day(mara(), table.table).value.decks[0]
    assert since(replace(ledger, rounds_since_count=159)) == "159"
    assert since(replace(ledger, rounds_since_count=7, overdue_rounds=2)) == "7 (+2)"
    assert since(replace(ledger, rounds_since_count=159, count_every=None)) == "not required"
    assert "1 round since the count · COUNT DUE" in floor._tile(replace(asked, rounds_since_count=1, count_due=True))


def test_record_health_tells_who_signed_cosigned_and_proved_it_and_how_long_ago(
    opening: Opening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "No checkpoint has been signed yet" in texts(opening("record", "auditor"))
    assert "No run is on record" in texts(opening("record", "auditor"))
    head = LastCheckpoint(datetime.now(UTC) - timedelta(minutes=9), 480, ("witness.example",))
    monkeypatch.setattr(Room, "_checkpoint", lambda _: head)
    assert note_proof(tmp_path, "root", records=480, streams=2, status=13) == ""
    said = re.sub(r"(<[^>]*>|\s)+", " ", texts(opening("record", "auditor")))
    assert "signed 9 min ago" in said
    assert "sealed stretches in it 480" in said
    assert "cosigned by witness.example" in said
    assert "result NOT WHOLE, status 13" in said
    assert "records read 480" in said
    assert "run by root" in said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, "–"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h"), (432_000, "5 days")],
)
def test_a_stretch_of_time_has_one_unit(seconds: int | None, said: str) -> None:
    assert health._span(seconds) == said


def in_euros(opening: Opening, far: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opening:
    """Open a page of that house."""
    monkeypatch.setenv("CATWALK_DATA", str(far))
    (tmp_path / "read").unlink()
    (tmp_path / "read").symlink_to(far / "read")
    st.cache_resource.clear()
    return opening


# Sentences of findings and of facts come from the record and are shown unchanged.
_OWN = re.compile(r'(?s)<a class="cw-line".*?</a>|"says": ".*?"|<td[^>]*><a[^>]*findings\?.*?</a></td>')


@pytest.mark.parametrize("address", addresses(), ids=lambda each: each.path)
def test_every_amount_is_told_in_the_currency_of_the_house(
    opening: Opening, far: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: Address
) -> None:
    page = in_euros(opening, far, tmp_path, monkeypatch)
    held = gaps(far, "2026-0001")
    opened = desk_of(data=tmp_path)
    opened.open_case(
        DeskAct("mara", 1_795_003_200_000_000, "k1"), "dispute", "Not paid", jurisdiction="PA", happened_at=None
    )
    order_exports(opened, tmp_path)
    opened.close()
    named = {name: filled(value, held) for name, value in address.named.items()}
    test = page(address.page, PEOPLE[address.name], **named)
    assert not test.exception
    said = _OWN.sub("", texts(test)).partition("To check")[0]  # a pay table appears as its book prints it
    finding = not named.keys().isdisjoint({"finding", "incident"})  # its sentence stands above it, too
    amounts = [each for each in re.findall(r".{12}\$\d.{3}", said) if not finding]
    assert not amounts
    if address.page in ("numbers", "people", "table") or "incident" in named:
        assert "€" in said


@pytest.mark.parametrize(
    ("written", "cents"),
    [("", None), ("1,250", 125_000), ("$12.5", 1_250), ("€ 1250.50", 125_050), ("EUR 3", 300), ("3 CHF", 300)],
)
def test_an_amount_is_read_as_people_write_it(written: str, cents: int | None) -> None:
    assert cents_of(written) == cents


@pytest.mark.parametrize("written", ["-3", "1.234", "twelve", "1e3", "$", "1 2"])
def test_what_is_no_amount_is_refused(written: str) -> None:
    with pytest.raises(RefusedError, match="is not an amount"):
        cents_of(written)


def test_the_history_of_a_case_is_told_in_words(opening: Opening) -> None:
    opening("cases", "manager")
    room, visit = session.room(), mara()
    number = room.open_case(visit, "k1", "dealer-error", title="Not paid", jurisdiction="PA", happened_at=None).number
    room.link_hand(visit, number, "k2", "T1/2026-11-18", 2, seat=4)
    room.link_person(visit, number, "k3", "p-1", "claimant")
    room.make_claim(visit, number, "k4", "the play.", 1_250)
    ten_minutes, week = 600_000_000, 604_800_000_000
    room.hold_video(visit, number, "k5", VideoHold("NVR-2", "cam-14", NOON, NOON + ten_minutes, NOON + week))
    room.assign(visit, number, "k6", "ivan")
    said = texts(opening("cases", "manager", case=number))
    for words in (
        "kind: dealer error; title: Not paid; dispute clocks of: Pennsylvania",
        "table and gaming day: T1/2026-11-18; round: 2; seat: 4",
        "person: p-1; as: claimant",
        "claimed: the play; amount: $12.50",
        "from: 2026-11-18 07:00; to: 2026-11-18 07:10; overwritten at: 2026-11-25 07:00",
        "lead: ivan",
    ):
        assert words in said
    assert "of stream" not in said
    assert "subject" not in said


def test_every_panel_says_as_of_when_it_is(opening: Opening) -> None:
    for path, named in (
        ("hand", {"stream": "T1/2026-11-18", "round": "2"}),
        ("table", {"table": "T1"}),
        ("decks", {"deck": "T1-deck-1"}),
        ("numbers", {}),
    ):
        said = texts(opening(path, "manager", **named))
        panels = [part for part in said.split("\n") if "cw-table" in part or "cw-figures" in part]
        assert panels
        assert all("data-made-at" in part for part in panels)


def test_a_hand_that_is_played_is_followed_and_says_so(opening: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Room.hand

    def live(self: Room, *asked: object) -> object:
        return replace(seen(self, *asked), live=True)  # type: ignore[arg-type]

    over = texts(opening("hand", "manager", stream="T1/2026-11-18", round="2"))
    assert "data-stale-after" not in over
    monkeypatch.setattr(Room, "hand", live)
    said = texts(opening("hand", "manager", stream="T1/2026-11-18", round="2"))
    assert "data-stale-after" in said
    assert "Settlement so far" in said

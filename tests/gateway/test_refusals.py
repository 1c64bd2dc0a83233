"""The refusals of a real gateway for wrong lines: the code, the field, and the whole sentence.

Each row goes through a `catwalk ingest` process and, by a source that its account proves, through the socket of a
`catwalk gateway` process. Both must say the same.
"""

import json
import os
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.facts.refused import READING
from domain.rulebooks import edition_on, first_file, parse
from tests.citations import ROOT
from tests.gateway.admitted import AHEAD, ALL, ME, run
from tests.gateway.test_commands import CATWALK, streams

_COMMON = {"at": 1795035603000000, "source": "T7-reader", "stream": "T7"}
_ROUND = {**_COMMON, "round": 1}
BASES: dict[str, dict[str, Any]] = {
    "wager": {"type": "wager-placed.1", "seat": 2, "wager": "ante", "cents": 1000, **_ROUND},
    "paid": {"type": "wager-paid.1", "seat": 2, "wager": "ante", "cents": 1000, **_ROUND},
    "card": {"type": "card-dealt.1", "to": "seat", "seat": 2, "card": "Ah", **_ROUND},
    "reveal": {"type": "hand-revealed.1", "seat": 2, "cards": ["Ah", "Kd"], **_ROUND},
    "limits": {"type": "limits-posted.1", "wager": "ante", "least_cents": 500, **_COMMON},
    "choice": {"type": "decision-made.1", "seat": 2, "decision": "play", **_ROUND},
    "meter": {"type": "meter-read.1", "meter": "main", "cents": 100000, **_COMMON},
    "tray": {"type": "inventory-counted.1", "cents": 5000000, **_COMMON},
    "open": {
        "type": "table-opened.1",
        "table": "T8",
        "gaming_day": "2026-11-18",
        "writer_epoch": 0,
        "book": "UTH-MD",
        "options": {},
        "dealing_method": "manual-shoe",
        "positions": 6,
        "at": 1795032100000000,
        "source": "T7-reader",
    },
    "line": {},
}
SHORT = {
    "<card>": "a card is a rank of 23456789TJQKA and a suit of cdhs, or ?? if it was not seen",
    "<time>": "a time is in whole microseconds since 1970-01-01 UTC, up to 9999-12-29",
    "<unit>": "a time is in whole microseconds since 1970-01-01 UTC, and for the gaming day 2026-11-18 these are",
    "<money>": "an amount is in whole cents, from 0 to 100,000,000,000",
    "<wagers>": "it is one of ante, blind, play, trips, cover_all, progressive, envy, six_card, ultimate_pairs, bad_beat,"
    " play_the_board, bonus5, bonus3, play3, play5, original, split, bonus or bet",
    "<book>": "UTH-MD has ante, blind, play, trips, six_card, progressive, envy, ultimate_pairs, bad_beat, play_the_board",
    "<offer>": "this table's options offer ante, blind, play, trips, envy: correct the mapping or the opening's options,"
    " or send area if the chips were seen in that wager's area",
    "<days>": "it must be within 2 days of the opening's time: at is 1795032100000000, which is 2026-11-18 in UTC",
    "<seats>": "this table opened with the seats 1 to 6: count the seats from the dealer's left, from 1",
    "<most>": "this property takes amounts of at most 1000000000 cents ($10,000,000): write whole cents, or state"
    " most_cents in property-opened.1",
}
# what is changed, - a field left out | the code | the field | the whole sentence
ROWS = r"""
card card="10h" | card-unknown | card | card-dealt.1: card is "10h", and <card>: write "Th"
card card="TH" | card-unknown | card | card-dealt.1: card is "TH", and <card>: write "Th"
card card="h10" | card-unknown | card | card-dealt.1: card is "h10", and <card>: write "Th"
card card="T♥" | card-unknown | card | card-dealt.1: card is "T♥", and <card>: write "Th"
card card="Ten of Hearts" | card-unknown | card | card-dealt.1: card is "Ten of Hearts", and <card>: write "Th"
card card="🂺" | card-unknown | card | card-dealt.1: card is "🂺", and <card>: write "Th"
card card="back" | card-unknown | card | card-dealt.1: card is "back", and <card>: write "??"
card card=null | card-unknown | card | card-dealt.1: card is null, and <card>: write "??"
card card=12 | card-unknown | card | card-dealt.1: card is 12, and <card>
card card="1x" | card-unknown | card | card-dealt.1: card is "1x", and <card>
card to="player" | word-unknown | to | card-dealt.1: to is "player", and it is one of seat, dealer, community or box: write "seat"
card to="board" | word-unknown | to | card-dealt.1: to is "board", and it is one of seat, dealer, community or box: write "community"
card seat="2" | value-wrong | seat | card-dealt.1: seat is "2", and a whole number from 1 to 12 is expected: write 2
card seat=0 | value-wrong | seat | card-dealt.1: seat is 0, and a whole number from 1 to 12 is expected
card seat=13 | value-wrong | seat | card-dealt.1: seat is 13, and a whole number from 1 to 12 is expected
card seat=8 | seat-not-here | seat | card-dealt.1: seat is 8, and <seats>
card face_up="true" | value-wrong | face_up | card-dealt.1: face_up is "true", and it is true or false: write true
reveal cards="Ah 10h" | card-unknown | cards | hand-revealed.1: cards is "Ah 10h", and a list is expected: write ["Ah","Th"]
reveal cards=["Ah","10h"] | card-unknown | cards[1] | hand-revealed.1: cards[1] is "10h", and <card>: write "Th"
reveal card="Ah" & -cards | field-unknown | card | hand-revealed.1 has no field 'card', which came with "Ah": write "cards"
reveal seat=9 | seat-not-here | seat | hand-revealed.1: seat is 9, and <seats>
wager at="2026-11-18T21:10:05Z" | time-wrong | at | wager-placed.1: at is "2026-11-18T21:10:05Z", and <time>: write 1795036205000000
wager at="2026-11-18T21:10:05-05:00" | time-wrong | at | wager-placed.1: at is "2026-11-18T21:10:05-05:00", and <time>: write 1795054205000000
wager at="2026-11-18T21:10:05" | time-wrong | at | wager-placed.1: at is "2026-11-18T21:10:05", and <time>: write 1795036205000000, if the time is in UTC
wager at="21:10" | time-wrong | at | wager-placed.1: at is "21:10", and <time>
wager at="1795035603000000" | time-wrong | at | wager-placed.1: at is "1795035603000000", and <time>: write 1795035603000000
wager at=1795035603.25 | time-wrong | at | wager-placed.1: at is 1795035603.25, and <time>: write 1795035603250000
wager at=1795035603000000.0 | time-wrong | at | wager-placed.1: at is 1795035603000000.0, and <time>: write 1795035603000000
wager at=1795035603 | time-unit | at | wager-placed.1: at is 1795035603, and <unit> seconds: write 1795035603000000
wager at=1795035603000 | time-unit | at | wager-placed.1: at is 1795035603000, and <unit> milliseconds: write 1795035603000000
wager at=1795035603000000000 | time-wrong | at | wager-placed.1: at is 1795035603000000000, and <time>: write 1795035603000000
wager at=-1 | time-wrong | at | wager-placed.1: at is -1, and <time>
wager -at & time="2026-11-18T21:10:05Z" | field-unknown | time | wager-placed.1 has no field 'time', which came with "2026-11-18T21:10:05Z": write "at"
wager -at & timestamp=1795035603 | field-unknown | timestamp | wager-placed.1 has no field 'timestamp', which came with 1795035603: write "at"
wager cents="10.00" | money-wrong | cents | wager-placed.1: cents is "10.00", and <money>: write 1000, if 10.00 is in dollars
wager cents="$10" | money-wrong | cents | wager-placed.1: cents is "$10", and <money>: write 1000, if $10 is in dollars
wager cents="$1,250.50" | money-wrong | cents | wager-placed.1: cents is "$1,250.50", and <money>: write 125050, if $1,250.50 is in dollars
wager cents="1000" | money-wrong | cents | wager-placed.1: cents is "1000", and <money>: write 1000
wager cents=10.0 | money-wrong | cents | wager-placed.1: cents is 10.0, and <money>: write 10, if it is in cents, or 1000, if it is in dollars
wager cents=10.5 | money-wrong | cents | wager-placed.1: cents is 10.5, and <money>: write 1050, if 10.5 is in dollars
wager cents=-1000 | money-wrong | cents | wager-placed.1: cents is -1000, and <money>
wager cents=true | money-wrong | cents | wager-placed.1: cents is true, and <money>
wager cents=200000000000 | money-wrong | cents | wager-placed.1: cents is 200000000000, and <money>
wager cents=1000000001 | amount-implausible | cents | wager-placed.1: cents is 1000000001, and <most>
wager -cents & amount=1000 | field-unknown | amount | wager-placed.1 has no field 'amount', which came with 1000: write "cents"
wager coupon_cents="5.00" | money-wrong | coupon_cents | wager-placed.1: coupon_cents is "5.00", and <money>: write 500, if 5.00 is in dollars
wager -seat | field-missing | seat | wager-placed.1 must have seat: add the field `seat`: a whole number from 1 to 12
wager -seat & -wager | field-missing | seat | wager-placed.1 must have seat and wager: add the field `seat`: a whole number from 1 to 12
wager -seat & position=2 | field-unknown | position | wager-placed.1 has no field 'position', which came with 2: write "seat"
wager wager="Ante" | word-unknown | wager | wager-placed.1: wager is "Ante", and <wagers>: write "ante"
wager wager="six card" | word-unknown | wager | wager-placed.1: wager is "six card", and <wagers>: write "six_card"
wager wager="pair_plus" | word-unknown | wager | wager-placed.1: wager is "pair_plus", and <wagers>
wager wager="bonus3" | wager-not-in-book | wager | wager-placed.1: wager is "bonus3", and <book>
wager wager="split" | wager-not-in-book | wager | wager-placed.1: wager is "split", and <book>
wager wager="six_card" | wager-not-offered | wager | wager-placed.1: wager is "six_card", and <offer>
wager wager="progressive" | wager-not-offered | wager | wager-placed.1: wager is "progressive", and <offer>
wager form="chip" | word-unknown | form | wager-placed.1: form is "chip", and it is one of chips, plaque, coupon, verbal or cash: write "chips"
wager round="1" | value-wrong | round | wager-placed.1: round is "1", and a whole number from 0 to 1,000,000 is expected: write 1
wager round=48237711 | value-wrong | round | wager-placed.1: round is 48237711, and a whole number from 0 to 1,000,000 is expected: number the rounds of each table from 1 every gaming day
wager source="" | value-wrong | source | wager-placed.1: source is "", and a text of 1 to 128 characters is expected
wager source=7 | value-wrong | source | wager-placed.1: source is 7, and a text of 1 to 128 characters is expected: write "7"
wager stream=7 | value-wrong | stream | wager-placed.1: stream is 7, and a text is expected: write "7"
wager id="x" & -round | field-unknown | id | wager-placed.1 has no field 'id', which came with "x": its fields are seat, wager, cents, form, coupon_cents, player, area, at, source, source_key, stream, round, camera, time_code, source_signature and type
wager type="wager-placed" | type-unknown | type | type is "wager-placed", and no type of fact has this name: write "wager-placed.1"
wager type="WagerPlaced" | type-unknown | type | type is "WagerPlaced", and no type of fact has this name: write "wager-placed.1"
wager type="wager-placed.2" | type-unknown | type | type is "wager-placed.2", and no type of fact has this name: write "wager-placed.1"
wager type="bets-closed" | type-unknown | type | type is "bets-closed", and no type of fact has this name: write "bets-closed.1"
wager type="catwalk.card-dealt.1" | type-unknown | type | type is "catwalk.card-dealt.1", and no type of fact has this name: write "card-dealt.1"
wager type="nonsense" | type-unknown | type | type is "nonsense", and no type of fact has this name: docs/facts has the names
wager type=7 | type-unknown | type | type is 7, and no type of fact has this name: docs/facts has the names
wager -type | field-missing | type | the line names no type of fact: add one, such as "type":"wager-placed.1"
wager -type & event="wager-placed.1" | field-missing | type | the line names no type of fact: rename 'event' to 'type'
paid wager="bonus5" | wager-not-in-book | wager | wager-paid.1: wager is "bonus5", and <book>
paid seat=7 | seat-not-here | seat | wager-paid.1: seat is 7, and <seats>
paid cents="25,00" | money-wrong | cents | wager-paid.1: cents is "25,00", and <money>
choice decision="surrender" | decision-not-in-book | decision | decision-made.1: decision is "surrender", and UTH-MD has check, play, fold
choice decision="play3" | decision-not-in-book | decision | decision-made.1: decision is "play3", and UTH-MD has check, play, fold: write "play"
meter meter="grand" | meter-not-here | meter | meter-read.1: meter is "grand", and this table has the meters main, mega, major, minor
meter meter="Major" | meter-not-here | meter | meter-read.1: meter is "Major", and this table has the meters main, mega, major, minor: write "major"
limits wager="original" | wager-not-in-book | wager | limits-posted.1: wager is "original", and <book>
limits least_cents="5.00" | money-wrong | least_cents | limits-posted.1: least_cents is "5.00", and <money>: write 500, if 5.00 is in dollars
limits most_cents=5000000000 | amount-implausible | most_cents | limits-posted.1: most_cents is 5000000000, and <most>
tray cents=5000000000 | amount-implausible | cents | inventory-counted.1: cents is 5000000000, and <most>
open unrecorded=["card-burned.1"] | fact-type-unknown | unrecorded[0] | table-opened.1: unrecorded[0] is "card-burned.1", and it must be the name of a type of fact, without its version: write "card-burned"
open unrecorded=["cards-burned"] | fact-type-unknown | unrecorded[0] | table-opened.1: unrecorded[0] is "cards-burned", and it must be the name of a type of fact, without its version: write "card-burned"
open unrecorded=["nothing"] | fact-type-unknown | unrecorded[0] | table-opened.1: unrecorded[0] is "nothing", and it must be the name of a type of fact, without its version
open unseen_wagers=["bonus5"] | wager-not-in-book | unseen_wagers[0] | table-opened.1: unseen_wagers[0] is "bonus5", and <book>
open unseen_wagers=["Trips"] | word-unknown | unseen_wagers[0] | table-opened.1: unseen_wagers[0] is "Trips", and <wagers>: write "trips"
open limits={"bonus3":{"least_cents":500}} | wager-not-in-book | limits (name) | table-opened.1: limits (name) is "bonus3", and <book>
open limits={"pairs":{"least_cents":500}} | word-unknown | limits (name) | table-opened.1: limits (name) is "pairs", and <wagers>
open limits={"ante":{"least":500}} | field-unknown | limits.ante.least | table-opened.1 has no field 'limits.ante.least', which came with 500: write "least_cents"
open limits={"ante":{"least_cents":"5.00"}} | money-wrong | limits.ante.least_cents | table-opened.1: limits.ante.least_cents is "5.00", and <money>: write 500, if 5.00 is in dollars
open limits={"ante":{"least_cents":500,"most_cents":5000000000}} | amount-implausible | limits.ante.most_cents | table-opened.1: limits.ante.most_cents is 5000000000, and <most>
open limits={"ante":500} | value-wrong | limits.ante | table-opened.1: limits.ante is 500, and an object is expected
open book="UTH" | word-unknown | book | table-opened.1: book is "UTH", and it is one of UTH-MA, UTH-MD, PIK, FAH or COL
open book="uth-md" | word-unknown | book | table-opened.1: book is "uth-md", and it is one of UTH-MA, UTH-MD, PIK, FAH or COL: write "UTH-MD"
open book_digest="abc" | value-wrong | book_digest | table-opened.1: book_digest is "abc", and a text of 64 characters is expected
open positions="6" | value-wrong | positions | table-opened.1: positions is "6", and a whole number from 1 to 12 is expected: write 6
open positions=14 | value-wrong | positions | table-opened.1: positions is 14, and a whole number from 1 to 12 is expected
open dealing_method="manual" | word-unknown | dealing_method | table-opened.1: dealing_method is "manual", and it is one of manual-shoe, hand, automated-shoe or continuous-shoe: write "manual-shoe"
open devices=[{"device":"T8-shuffler"}] | field-missing | devices[0].kind | table-opened.1 must have kind: add the field `devices[0].kind`: one of shuffler, shoe, progressive, camera, table-reader, chip-reader or gateway
open devices=[{"device":"T8-shuffler","kind":"shufler"}] | word-unknown | devices[0].kind | table-opened.1: devices[0].kind is "shufler", and it is one of shuffler, shoe, progressive, camera, table-reader, chip-reader or gateway: write "shuffler"
open meters_cents={"grand":100} | word-unknown | meters_cents (name) | table-opened.1: meters_cents (name) is "grand", and it is one of main, mega, major or minor
open options=[] | value-wrong | options | table-opened.1: options is [], and an object is expected
open opener_cents=50000.00 | money-wrong | opener_cents | table-opened.1: opener_cents is 50000.0, and <money>: write 50000, if it is in cents, or 5000000, if it is in dollars
open at=1795032100 | time-unit | at | table-opened.1: at is 1795032100, and <unit> seconds: write 1795032100000000
open gaming_day="2025-01-18" | gaming-day-implausible | gaming_day | table-opened.1: gaming_day is "2025-01-18", and <days>: write "2026-11-18", if at is right
open gaming_day="0001-01-01" | gaming-day-implausible | gaming_day | table-opened.1: gaming_day is "0001-01-01", and <days>: write "2026-11-18", if at is right
open gaming_day="2026-11-15" | gaming-day-implausible | gaming_day | table-opened.1: gaming_day is "2026-11-15", and <days>: write "2026-11-18", if at is right
open zone="Amerika/New_York" | zone-unknown | zone | table-opened.1: zone is "Amerika/New_York", and it must be a time zone of the IANA database, such as America/New_York: write "America/New_York"
open zone="EST5" | zone-unknown | zone | table-opened.1: zone is "EST5", and it must be a time zone of the IANA database, such as America/New_York
open zone="MST7" | zone-unknown | zone | table-opened.1: zone is "MST7", and it must be a time zone of the IANA database, such as America/New_York
open book="COLORADO" | word-unknown | book | table-opened.1: book is "COLORADO", and it is one of UTH-MA, UTH-MD, PIK, FAH or COL: write "COL"
open book="Ultimate Texas Hold'em" | word-unknown | book | table-opened.1: book is "Ultimate Texas Hold'em", and it is one of UTH-MA, UTH-MD, PIK, FAH or COL
open -book | field-missing | book | table-opened.1 must have book: add the field `book`: one of UTH-MA, UTH-MD, PIK, FAH or COL
line junk | not-json |  | it is not JSON: JSON is malformed: invalid character (byte 0)
line ﻿{"type":"card-dealt.1"} | not-json |  | it starts with a byte order mark: save the file as UTF-8 without one
line Round;Seat;Wager | not-json |  | this is CSV: use `catwalk map`, which turns rows into facts
line {"type":"card-dealt.1","source":"\ud800x"} | not-json |  | it has half of a surrogate pair, \ud800: write the whole character
line [1,2] | not-an-object |  | the line is [1,2], and a fact is one JSON object
line "text" | not-an-object |  | the line is "text", and a fact is one JSON object
line {} | field-missing | type | the line names no type of fact: add one, such as "type":"wager-placed.1"
line {"type":"wager-placed.1" | not-json |  | it is not JSON: Input data was truncated
line {"specversion":"1.0","type":"wager-placed.1"} | event-wrong | type | type is 'wager-placed.1': write it like catwalk.wager-placed.1
"""


class Row(NamedTuple):
    """One wrong line and its expected refusal."""

    line: bytes
    code: str
    field: str
    says: str


def rows() -> list[Row]:
    """The table, with its short forms written out."""
    return [_row(number, text) for number, text in enumerate(ROWS.strip().splitlines(), 1)]


def _row(number: int, text: str) -> Row:
    change, code, field, says = (part.strip() for part in text.split(" | "))
    base, _, edit = change.partition(" ")
    for short, long in SHORT.items():
        says = says.replace(short, long)
    if base == "line":
        return Row(edit.encode(), code, field, says)
    fact = {**BASES[base], "source_key": f"row:{number}"}
    for part in edit.split(" & "):
        name, _, value = part.partition("=")
        if name.startswith("-"):
            del fact[name[1:]]
        else:
            fact[name] = json.loads(value)
    return Row(json.dumps(fact, ensure_ascii=False).encode(), code, field, says)


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record whose property and table are open, as in the shipped example."""
    folder = tmp_path_factory.mktemp("pit")
    opened = [json.loads(line) for line in (ROOT / "docs/examples/openings.jsonl").read_text().splitlines()]
    opened[0]["ahead_seconds"] = AHEAD
    given = b"".join(json.dumps(line).encode() + b"\n" for line in opened)
    assert run("ingest", "--data", folder, "-", given=given).exit_code == 0
    return folder


def copied(pit: Path, to: Path) -> Path:
    """The same record without letters."""
    folder = to / "pit"
    subprocess.run(["cp", "-r", pit, folder], check=True)
    for file in folder.glob("gateway/dead-letters.sqlite*"):
        file.unlink()
    return folder


def letters(folder: Path) -> dict[int, dict[str, Any]]:
    """The dead letters as their command lists them, by their line."""
    told = subprocess.run(
        [CATWALK, "dead-letters", "list", "--json", "--data", folder], capture_output=True, check=True
    )
    return {letter["place"]: letter for letter in map(json.loads, told.stdout.splitlines())}


def test_each_wrong_line_of_a_file_is_answered_by_its_row(pit: Path, tmp_path: Path) -> None:
    """The report counts each line in a group, and each group names its first line."""
    file = tmp_path / "wrong.jsonl"
    file.write_bytes(b"".join(row.line + b"\n" for row in rows()))
    ran = subprocess.run(
        [CATWALK, "ingest", "--data", pit, file, "--json"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1, ran.stderr
    kept = letters(pit)
    assert [_told(kept.get(place)) for place in range(1, len(rows()) + 1)] == [row[1:] for row in rows()]
    groups = json.loads(ran.stdout)["refused"]
    assert sum(group["count"] for group in groups) == len(rows())
    assert Counter(group["code"] for group in groups).keys() == {row.code for row in rows()}
    for group in groups:
        where = int(group["example"].rpartition(":")[2])
        assert _told(kept[where]) == (group["code"], group["first"].get("field", ""), group["first"]["says"])
        assert group["first"]["says"] in ran.stderr


def test_lines_after_a_refused_opening_are_one_cause_that_names_it(tmp_path: Path) -> None:
    """The opening comes first, although one line has it and hundreds follow."""
    stored = (ROOT / "docs/examples/days/uth-md-hand.jsonl").read_text().replace('"positions":', '"positions":1', 1)
    place = next(number for number, line in enumerate(stored.splitlines(), 1) if '"table-opened.1"' in line)
    (tmp_path / "day.jsonl").write_text(stored)
    ran = run("ingest", "--data", str(tmp_path / "pit"), str(tmp_path / "day.jsonl"))
    causes = [line for line in ran.stderr.splitlines() if " refused, " in line]
    assert ran.exit_code == 1
    assert len(causes) == 2, causes
    assert "of table-opened.1" in causes[0]
    assert "day-not-open" in causes[1]
    assert f"day.jsonl:{place}, the opening of T1, which is refused" in causes[1]


def test_each_wrong_line_at_the_socket_is_answered_by_its_row(pit: Path, tmp_path: Path) -> None:
    """The answer counts the lines; the dead letters say what is wrong with them."""
    folder = copied(pit, tmp_path)
    assert run("sources", "register", "T7-reader", *ALL, *ME, "--data", folder).exit_code == 0
    for path, gateway in _listening(folder, tmp_path / "sock"):
        with socket.socket(socket.AF_UNIX) as device:
            device.settimeout(60)
            device.connect(str(path))
            device.sendall(b"".join(row.line + b"\n" for row in rows()))
            with device.makefile("rb") as told:
                assert any(json.loads(line) == {"taken": len(rows())} for line in told)
        gateway.terminate()
        assert gateway.wait(60) == 0
    kept = letters(folder)
    assert [_told(kept.get(place)) for place in range(1, len(rows()) + 1)] == [row[1:] for row in rows()]


def _told(letter: dict[str, Any] | None) -> tuple[str, str, str]:
    refused = letter["refused"] if letter is not None else {"code": "accepted", "says": ""}
    return refused["code"], refused.get("field", ""), refused["says"]


def _listening(folder: Path, path: Path) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    gateway = subprocess.Popen([CATWALK, "gateway", "--data", folder, "--socket", path], env={**os.environ})
    deadline = time.monotonic() + 120
    while not path.exists():
        assert gateway.poll() is None, "the gateway ended"
        assert time.monotonic() < deadline, "the gateway does not listen"
        time.sleep(0.05)
    yield path, gateway


def test_the_table_has_each_code_and_operations_names_it() -> None:
    """Cut, long and deep lines have other tests."""
    told = (ROOT / "docs/operations.md").read_text("utf-8")
    assert [code for code in READING if f"`{code}`" not in told] == []
    table = told.partition("| code | what is refused |\n")[2].partition("\n\n")[0]
    implausible = {line.split("`")[1] for line in table.splitlines()[1:]}
    others = {"line-cut", "line-too-long", "nested-too-deeply", "number-too-long"}
    assert (READING.keys() | implausible) - others == {row.code for row in rows()}


def test_a_person_s_word_puts_the_impossible_on_record_and_the_watch_finds_it(pit: Path, tmp_path: Path) -> None:
    """A retry without `--vouch` refuses the letter again."""
    folder = copied(pit, tmp_path)
    wager = {**BASES["wager"], "wager": "six_card", "cents": 500, "source_key": "six"}
    opened = {"type": "round-opened.1", **_ROUND, "source_key": "round"}
    given = b"\n".join(json.dumps(line).encode() for line in (opened, wager))
    assert run("ingest", "--data", folder, "-", given=given).exit_code == 1
    ((_, letter),) = letters(folder).items()
    number = letter["number"]
    again = run("dead-letters", "retry", number, "--data", folder)
    assert (again.exit_code, "0 of 1 letters are on record now" in again.stderr) == (1, True)
    assert run("dead-letters", "retry", number, "--vouch", "--data", folder).exit_code == 0
    over = {"type": "round-completed.1", **_ROUND, "source_key": "over"}
    assert run("ingest", "--data", folder, "-", given=json.dumps(over).encode()).exit_code == 0
    assert run("doctor", "--data", folder).stdout.count("outbox-bad") == 0
    told = run("watch", "--once", "--data", folder)
    assert "wager-not-offered" in told.stdout
    assert "source-not-allowed" in told.stdout


def test_a_later_declaration_counts_also_for_a_gateway_started_again(tmp_path: Path) -> None:
    """An option changed in mid-day offers the wager, and the property states its own limit of amounts."""
    given = [json.loads(line) for line in (ROOT / "docs/examples/openings.jsonl").read_text().splitlines()]
    given[0]["most_cents"] = 10_000_000
    changed = {"type": "option-changed.1", "option": "six_card_table", "value": "A", **_COMMON, "source_key": "option"}
    six = {**BASES["wager"], "wager": "six_card", "source_key": "six"}
    much = {**BASES["wager"], "cents": 10_000_001, "source_key": "much"}
    for lines, dead in ((given, 0), ([six], 1), ([changed], 0), ([six, much], 1)):
        told = run(
            "ingest", "--json", "--data", tmp_path, "-", given=b"\n".join(json.dumps(line).encode() for line in lines)
        )
        found = json.loads(told.stdout.splitlines()[-1])
        assert (found["dead_letters"], found["recorded"]) == (dead, len(lines) - dead)
    assert "at most 10000000 cents" in told.stderr


def test_an_opening_without_a_digest_is_judged_by_the_edition_in_force(tmp_path: Path) -> None:
    """The stored bytes carry the digest; the same line sent again is the same fact."""
    opened, second = (ROOT / "docs/examples/openings.jsonl").read_bytes(), b""
    played = (ROOT / "docs/examples/round.jsonl").read_bytes()
    assert b"book_digest" not in opened
    for _ in range(2):
        second = run("ingest", "--json", "--data", tmp_path, "-", given=opened + played).stdout.encode()
    assert json.loads(second)["known"] == 32
    stored = json.loads(streams(tmp_path)["T7/2026-11-18"][0])
    assert stored["book_digest"] == edition_on("UTH-MD", "2026-11-18").digest
    (tmp_path / "day.jsonl").write_bytes(opened + played)
    assert "4 of 4 wagers checked" in run("verify-log", tmp_path / "day.jsonl").stderr


def test_an_edition_installed_meanwhile_makes_no_second_opening(tmp_path: Path) -> None:
    """The gateway takes the same line again after a new edition came into force on its day."""
    opened = (ROOT / "docs/examples/openings.jsonl").read_bytes()
    assert run("ingest", "--data", tmp_path / "pit", "-", given=opened).exit_code == 0
    text = (ROOT / "domain/rulebooks/uth-md/2026-11-18.toml").read_text("utf-8")
    later = text.replace('royal_flush = "500 to 1"', 'royal_flush = "501 to 1"', 1)
    assert later != text
    (tmp_path / "own/uth-md").mkdir(parents=True)
    file = tmp_path / "own/uth-md/2026-11-18.2.toml"
    file.write_text(later, "utf-8")
    digest = parse(later.encode(), first_file("UTH-MD")).digest
    (tmp_path / "own/DIGESTS").write_text(f"{digest}  uth-md/2026-11-18.2.toml\n", "utf-8")
    given = opened + opened.replace(b"T7", b"T9").splitlines()[1] + b"\n"
    command = [CATWALK, "ingest", "--json", "--data", tmp_path / "pit", "-"]
    environment = {**os.environ, "CATWALK_EDITIONS": str(tmp_path / "own")}
    ran = subprocess.run(command, input=given, capture_output=True, env=environment, check=False)
    assert (json.loads(ran.stdout)["known"], json.loads(ran.stdout)["recorded"]) == (2, 1), ran.stderr
    assert json.loads(streams(tmp_path / "pit")["T9/2026-11-18"][0])["book_digest"] == digest

"""Attacks by the property on what a reader believes first: amounts, cards, the question, the workbook around its rows."""

import csv
import io
import json
import zipfile
from collections.abc import Callable

from domain.ledger.stretches import stretch_of
from domain.ledger.tree import leaf_hash
from tests.export.attacks import attack, honest, lines, resigned, shown
from tests.export.builder import Bundle, Site, canonical, table, workbook, zipped
from tests.export.scenes import DAYS, exported


def fitting(bundle: Bundle) -> Bundle:
    """The bundle with the workbook written again to fit its tables."""
    tables = {path[12:-4]: text for path, text in bundle.files.items() if path.startswith("data/tables/")}
    bundle.files["data/tables.xlsx"] = workbook(tables)
    return bundle


def cell(name: str, row: int, column: str, value: str) -> bytes:
    """One cell of a table exchanged, the workbook made to fit, all of it signed again."""
    bundle = honest().copy()
    text = io.StringIO(bundle.files[f"data/tables/{name}.csv"].decode(), newline="")
    head, *rows = list(csv.reader(text))
    if rows[row - 1][head.index(column)] == value:
        raise ValueError(f"{column} has been {value} before")
    rows[row - 1][head.index(column)] = value
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows([head, *rows])
    bundle.files[f"data/tables/{name}.csv"] = out.getvalue().encode()
    return fitting(bundle).listed().signed().tar()


# Table, row, column, and another value; each follows from the facts, or from the tables that do.
CELLS = """
wagers | 2 | collected_cents | 1
wagers | 2 | paid_cents | 1100
wagers | 2 | returned_cents | 0
wagers | 2 | staked_cents | 999
wagers | 2 | late_cents | 5
wagers | 2 | coupon_cents | 5
wagers | 2 | back_cents | 2100
wagers | 2 | difference_cents | 0
wagers | 2 | player | p-9
wagers | 2 | wager | blind
hands | 1 | cards | As
hands | 1 | player | p-9
hands | 1 | seat | 3
hands | 1 | choice | fold
hands | 1 | void | true
hands | 1 | back_cents | 1
hands | 1 | staked_cents | 1
hands | 1 | owed_cents | 1
hands | 2 | difference_cents | 0
rounds | 1 | dealer | d-9
rounds | 1 | first | 5
rounds | 1 | last | 17
rounds | 1 | began_at | 2026-11-18T15:40:05.160001-05:00
rounds | 1 | ended_at | 2026-11-18T14:40:05.640000-05:00
rounds | 1 | pit | pit-9
rounds | 1 | book | UTH-MA
rounds | 1 | method | hand
rounds | 1 | hands | 3
rounds | 1 | community | As Ks Qs
rounds | 1 | dealer_hand | As Ks
rounds | 1 | voided | true
rounds | 1 | staked_cents | 1
rounds | 1 | back_cents | 1
rounds | 1 | owed_cents | 1
rounds | 1 | video | tape 9
"""


def _altered(name: str, row: str, column: str, value: str) -> None:
    def made() -> bytes:
        return cell(name, int(row), column, value)

    made.__name__, made.__module__ = f"{column}_of_{name}", __name__
    attack(f"data/tables/{name}.csv, line {int(row) + 1}, .* for {column}, but the (records|tables) give")(made)


for each in CELLS.strip().splitlines():
    _altered(*(part.strip() for part in each.split("|")))


@attack("data/tables/hands.csv.*: row 9 follows from no record")
def a_hand_made_up() -> bytes:
    bundle = honest().copy()
    path = "data/tables/hands.csv"
    bundle.files[path] += b"T7/2026-11-19,T7,2026-11-19,1,4,p-9,As Ah,,,false,0,0,0,0\r\n"
    return fitting(bundle).listed().signed().tar()


@attack("data/tables/rounds.csv.*: row 4 is missing")
def a_round_left_out_of_the_table() -> bytes:
    bundle = honest().copy()
    stored = bundle.files["data/tables/rounds.csv"]
    bundle.files["data/tables/rounds.csv"] = stored[: stored[:-2].rindex(b"\r\n") + 2]
    return fitting(bundle).listed().signed().tar()


# The workbook: everything around its rows.


def repacked(change: Callable[[dict[str, bytes]], dict[str, bytes]]) -> bytes:
    """The workbook with other parts, stored as plainly as the honest one."""

    def made(stored: bytes) -> bytes:
        with zipfile.ZipFile(io.BytesIO(stored)) as book:
            parts = {name: book.read(name) for name in book.namelist()}
        changed = change(dict(parts))
        if changed == parts:
            raise ValueError("nothing has changed")
        return zipped(changed)

    return resigned("data/tables.xlsx", made)


def _once(part: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    return lambda parts: {**parts, part: parts[part].replace(old, new, 1)}


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def sheets_that_show_each_others_rows() -> bytes:
    return repacked(_once("xl/_rels/workbook.xml.rels", b"sheet1.xml", b"sheet2.xml"))


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def a_hidden_sheet() -> bytes:
    return repacked(_once("xl/workbook.xml", b'<sheet name="errors"', b'<sheet state="hidden" name="errors"'))


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def a_hidden_column() -> bytes:
    cols = b'<cols><col min="8" max="8" hidden="1"/></cols><sheetData>'
    return repacked(_once("xl/worksheets/sheet13.xml", b"<sheetData>", cols))


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def something_behind_the_rows_of_a_sheet() -> bytes:
    return repacked(_once("xl/worksheets/sheet1.xml", b"</sheetData>", b'</sheetData><drawing r:id="rId1"/>'))


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def a_macro_in_the_workbook() -> bytes:
    return repacked(lambda parts: {**parts, "xl/vbaProject.bin": b"Sub Auto_Open()"})


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def properties_in_the_workbook() -> bytes:
    return repacked(lambda parts: {**parts, "docProps/core.xml": b"<cp:coreProperties/>"})


@attack(r"data/tables.xlsx, byte 0: ")
def bytes_before_the_workbook() -> bytes:
    return resigned("data/tables.xlsx", lambda stored: b"MZ" * 10 + stored)


@attack(r"data/tables.xlsx, byte [0-9]+: there is more after its end")
def bytes_behind_the_workbook() -> bytes:
    return resigned("data/tables.xlsx", lambda stored: stored + b"\0")


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def a_remark_at_the_end_of_the_workbook() -> bytes:
    return resigned("data/tables.xlsx", lambda stored: stored[:-2] + b"\5\0hello")


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def a_workbook_with_another_date() -> bytes:
    return resigned("data/tables.xlsx", lambda stored: stored.replace(b"\0\0\x21\0", b"\0\0\x22\0", 1))


@attack(r"data/tables.xlsx, byte [0-9]+: ")
def a_workbook_that_is_compressed() -> bytes:
    def made(stored: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(stored)) as book, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as other:
            for name in book.namelist():
                other.writestr(name, book.read(name))
        return out.getvalue()

    return resigned("data/tables.xlsx", made)


@attack("data/tables.xlsx: it is not in the export, although the tables have only [0-9]+ rows")
def no_workbook() -> bytes:
    bundle = honest().copy()
    del bundle.files["data/tables.xlsx"]
    return bundle.listed().signed().tar()


# The question: the content is not what it asks for.


def asked(change: Callable[[dict[str, object]], object]) -> bytes:
    """Another question over the same files, renamed to fit, and all of it signed again."""
    bundle = honest().copy()
    question = bundle.question
    change(question)
    bundle.files["data/question.json"] = (canonical(question) + "\n").encode()
    return bundle.listed().signed().tar()


def scoped(**changes: object) -> bytes:
    return asked(lambda question: question["scope"].update(changes))  # type: ignore[attr-defined]


SCOPES: dict[str, tuple[dict[str, object], str]] = {
    "fewer days": ({"days": ["2026-11-19", "2026-11-19"]}, "T7/2026-11-18 is shown whole but was not requested"),
    "another table": ({"tables": ["T8"]}, "is shown whole but was not requested"),
    "every table": ({"tables": []}, "property/2026-11-18 was requested whole but is shown in part"),
    "another game": ({"games": ["PIK"]}, "is shown whole but was not requested"),
    "a player": ({"player": "p-1", "days": None, "tables": []}, "is shown whole but was not requested"),
    "a hand": ({"hand": "T7/2026-11-18:1", "days": None, "tables": []}, "is shown whole but was not requested"),
    "no hand": ({"hand": "T7:1", "days": None, "tables": []}, "'T7:1' is not a hand"),
    "a hand and a finding": ({"hand": "T7/2026-11-18:1", "finding": "f-a"}, "cannot be combined"),
    "days in another order": ({"days": ["2026-11-19", "2026-11-18"]}, "is not written like a scope"),
    "days that are none": ({"days": ["yesterday", "yesterday"]}, "is not written like a scope"),
    "a table twice": ({"tables": ["T7", "T7"]}, "is not written like a scope"),
    "nothing": ({"days": None, "tables": []}, "it asks for nothing"),
    "a number for a table": ({"tables": [7]}, "is not written like a scope"),
    "another part": ({"dealer": "d-1"}, "does not have the fields of a scope"),
    "figures to date": ({"to_date": True}, "data/tables/statistics.csv"),
}


def _asks(name: str, changes: dict[str, object], says: str) -> None:
    def made() -> bytes:
        return scoped(**changes)

    made.__name__, made.__module__ = f"a_question_that_asks_for_{name}", __name__
    attack(says)(made)


for name, (changes, says) in SCOPES.items():
    _asks(name.replace(" ", "_"), changes, says)

_EDITION = {"book": "UTH-MD", "digest": "00", "title": "Maryland"}
QUESTIONS: dict[str, tuple[dict[str, object], str]] = {
    "identities that are none": ({"identities": "faces"}, "identities are tokens or named"),
    "names that are not told": ({"identities": "named"}, "but players are to be named"),
    "a purpose of two lines": ({"purpose": "one\ntwo"}, "purpose must be one line"),
    "no recipient": ({"recipient": ""}, "recipient must be one line"),
    "a zone that is a number": ({"zone": 5}, "a field that must be text is not"),
    "books of another form": ({"books": [{"book": "UTH-MD"}]}, "its books or files"),
    "no list of books": ({"books": 7}, "its books or files"),
    "an edition shipped in words": ({"books": [{**_EDITION, "shipped": "no"}]}, "its books or files"),
    "an edition shipped as a number": ({"books": [{**_EDITION, "shipped": 0}]}, "its books or files"),
    "an edition twice": ({"books": [_EDITION, {**_EDITION, "shipped": False}]}, "it names an edition of a book"),
}


def _told(name: str, changes: dict[str, object], says: str) -> None:
    def made() -> bytes:
        return asked(lambda question: question.update(changes))

    made.__name__, made.__module__ = f"a_question_with_{name}", __name__
    attack(says)(made)


for name, (changes, says) in QUESTIONS.items():
    _told(name.replace(" ", "_"), changes, says)


@attack("players.csv: it is here, but identities are tokens")
def names_of_players_that_nobody_asked_for() -> bytes:
    bundle = honest().copy()
    bundle.files["data/tables/players.csv"] = table("players", [["p-1", "Somebody"]])
    return fitting(bundle).listed().signed().tar()


def named(*tokens: str) -> bytes:
    """The export with a table of players and their names."""
    bundle = honest().copy()
    question = bundle.question
    question["identities"] = "named"
    bundle.files["data/question.json"] = (canonical(question) + "\n").encode()
    bundle.files["data/tables/players.csv"] = table("players", [[token, "Somebody"] for token in tokens])
    return fitting(bundle).listed().signed().tar()


@attack("data/tables/players.csv: row 2 is missing: p-2")
def a_player_who_is_not_named() -> bytes:
    return named("p-1")


@attack("data/tables/players.csv, line 4, byte [0-9]+: row 3 follows from no table")
def a_player_who_had_no_hand() -> bytes:
    return named("p-1", "p-2", "p-3")


@attack("T7/2026-11-19 follows T7/2026-11-18, which is left out")
def the_first_day_left_out() -> bytes:
    site = honest().site
    kept = {
        place: stored for place, stored in site.records.items() if place[1] == "T7/2026-11-19" or "property" in place[1]
    }
    return exported(site, kept).tar()


# Whole streams left out: the list of the tree's leaves still has them.

LEAVES = "data/proofs/leaves.jsonl"


def left_out(*streams: str, **scope: object) -> bytes:
    """An export by an insider who leaves these streams out of what is asked for, with all that follows from them."""
    site = honest().site
    kept = {place: stored for place, stored in site.records.items() if place[1] not in streams}
    return exported(site, kept, scope=scope).tar()


@attack("data/facts/T8/2026-11-18.jsonl, .*T8/2026-11-18 is in the property's tree and the question covers it")
def a_table_left_out() -> bytes:
    return left_out("T8/2026-11-18", "T8/2026-11-19", tables=[])


@attack("data/facts/T7/2026-11-19.jsonl, .* is in the property's tree and the question covers it, but it is left out")
def the_last_day_left_out() -> bytes:
    return left_out("T7/2026-11-19", "T8/2026-11-18", "T8/2026-11-19")


@attack("data/findings/T7/2026-11-18.jsonl, .* but it is left out")
def findings_left_out() -> bytes:
    site = honest().site
    kept = {place: stored for place, stored in shown(site.records).items() if place[0] != "findings"}
    return exported(site, kept).tar()


@attack("data/proofs/leaves.jsonl: it is not in the export")
def the_list_of_leaves_left_out() -> bytes:
    bundle = honest().copy()
    del bundle.files[LEAVES]
    return bundle.listed().signed().tar()


@attack("data/proofs/leaves.jsonl: it does not hold all 14 leaves 0 to 13 of the tree")
def a_leaf_left_out() -> bytes:
    return resigned(LEAVES, lines(lambda all_of: all_of[:5] + all_of[6:]))


@attack("data/proofs/leaves.jsonl: it does not hold all 14 leaves 0 to 13 of the tree")
def a_leaf_under_another_name() -> bytes:
    return resigned(LEAVES, lambda text: text.replace(b'"stream":"T8/2026-11-18"', b'"stream":"T9/2026-11-01"', 1))


@attack("data/proofs/leaves.jsonl: it does not hold all 14 leaves 0 to 13 of the tree")
def two_leaves_in_each_others_place() -> bytes:
    return resigned(LEAVES, lines(lambda all_of: [all_of[0], all_of[2], all_of[1], *all_of[3:]]))


@attack("data/proofs/leaves.jsonl, line 1, byte 0: it must list leaves 0 to 13")
def a_list_of_leaves_that_begins_later() -> bytes:
    site = honest().site
    peaks = [site.tree.node(2, 0).hex()]
    begun = json.dumps({"from": 4, "to": 14, "peaks": peaks}, separators=(",", ":")).encode()
    return resigned(LEAVES, lines(lambda all_of: [begun, *all_of[5:]]))


@attack("data/findings/T7/2026-11-18.jsonl, .*: the property's tree holds records up to 5: the tail was cut off")
def the_tail_of_findings_cut_off() -> bytes:
    """In two stretches: the second and the seal over it are left out, and all that follows from them is made to fit."""
    place, seals = ("findings", "T7/2026-11-18"), ("findings", "T7/2026-11-18~")
    parts, site = honest().site.records[place], Site(honest().site.records)
    forged = Site({}, key=site.key)
    for leaf in site.leaves:
        if (leaf.kind, leaf.stream) == place:
            halves = (parts[:3], parts[3:])
            for first, half in zip((1, 4), halves, strict=True):
                forged.add(stretch_of(*place, first, [leaf_hash(each) for each in half], half[-1]))
        else:
            forged.add(leaf)
    for day in DAYS:
        forged.close(day)
    forged.records = site.records
    kept = {of: stored for of, stored in shown(site.records).items() if of != seals} | {place: parts[:3]}
    bundle = exported(forged, kept)
    path = "data/proofs/stretches/findings/T7/2026-11-18.jsonl"
    bundle.files[path] = lines(lambda all_of: all_of[:1])(bundle.files[path])
    told = bundle.files["data/streams.jsonl"]
    bundle.files["data/streams.jsonl"] = told.replace(b'"last":5,"records":3', b'"last":3,"records":3')
    return bundle.listed().signed().tar()


@attack("data/streams.jsonl.*: it says that property/2026-11-18 ends with record 9, but the property's tree holds 7")
def a_stream_in_part_said_to_be_longer() -> bytes:
    return resigned("data/streams.jsonl", lambda text: text.replace(b'"last":7,"records":5', b'"last":9,"records":5'))

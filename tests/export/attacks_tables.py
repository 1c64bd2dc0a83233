"""Attacks by the property on tables and what else follows from the record: it signs the export again."""

import re

from tests.export.attacks import attack, honest, lines, resigned, shown
from tests.export.builder import TAGS, manifest, public
from tests.export.scenes import exported


def table(name: str, old: str, new: str) -> bytes:
    return resigned(f"data/tables/{name}.csv", lambda text: _once(text, old, new))


def _once(text: bytes, old: str, new: str) -> bytes:
    found = re.subn(old.encode(), new.encode(), text, count=1)
    if not found[1]:
        raise ValueError(f"{old} is not in it")
    return found[0]


@attack(r"data/tables/paid.csv, line 2, byte [0-9]+: row 1 has '1501' for staked_cents, but the records give '1500'")
def an_amount_paid() -> bytes:
    return table("paid", ",ante,1500,", ",ante,1501,")


@attack("data/tables/paid.csv: row 12 is missing")
def a_row_of_what_was_paid_left_out() -> bytes:
    return resigned("data/tables/paid.csv", lambda text: text[: text[:-2].rindex(b"\r\n") + 2])


@attack("data/tables/paid.csv, line 14, byte [0-9]+: row 13 follows from no record")
def a_row_of_what_was_paid_made_up() -> bytes:
    return resigned("data/tables/paid.csv", lambda text: text + text[text[:-2].rindex(b"\r\n") + 2 :])


@attack("data/tables/table_money.csv, line 2, .* for win_cents, but the records give")
def a_win() -> bytes:
    return resigned("data/tables/table_money.csv", lambda text: _second_row(text, b"1"))


def _second_row(text: bytes, cell: bytes) -> bytes:
    rows = text.split(b"\r\n")
    rows[1] = rows[1][: rows[1].rindex(b",") + 1] + cell
    return b"\r\n".join(rows)


@attack("data/tables/openers.csv, line 3, .* has '500000' for closer_cents, but the records give '525000'")
def a_closer_that_fits_the_opener() -> bytes:
    return table("openers", ",525000,500000,-25000,[^\r]*", ",500000,500000,0,")


@attack("data/tables/openers.csv, line 3, .* for duty, but the records give 'signed report, copy to the regulator'")
def a_duty_that_is_none() -> bytes:
    return table("openers", '"signed report, copy to the regulator"', "report at once")


@attack("data/tables/openers.csv: row 2 is missing: T7/2026-11-19")
def an_opener_left_out() -> bytes:
    return resigned("data/tables/openers.csv", lambda text: text[: text[:-2].rindex(b"\r\n") + 2])


@attack("data/tables/statistics.csv, line 2, .* for win_cents, but the records give")
def a_win_in_the_statistics() -> bytes:
    return table("statistics", ",day,1,1,20000,[0-9]+,", ",day,1,1,20000,1,")


@attack("data/tables/statistics.csv, line 2, .* has '2025' for base, but the records give ''")
def a_base_nobody_asked_for() -> bytes:
    return table("statistics", r",,,,,,,\r", ",2025,,,,,,\r")


@attack("data/tables/card_record.csv, line 2, .* has '41' for cards, but the records give '40'")
def a_count_of_the_stub() -> bytes:
    return table("card_record", ",deck-1,40,", ",deck-1,41,")


@attack("data/tables/card_record.csv, line 2, .* for rounds_since_count, but the tables give '3'")
def the_rounds_since_a_count() -> bytes:
    return table("card_record", ",40,3,", ",40,2,")


@attack("data/tables/card_record.csv, line 2, .* has 'stub-short' for findings, but the tables give ''")
def a_finding_in_the_card_record_alone() -> bytes:
    return table("card_record", ",dealer,", ",dealer,stub-short")


@attack("data/tables/errors.csv: row 1 is missing: T7/2026-11-18")
def an_error_left_out() -> bytes:
    return resigned("data/tables/errors.csv", lambda text: text[: text.index(b"\r\n") + 2])


@attack("data/tables/errors.csv, line 2, .* has '90' for to_player_cents, but the tables give '100'")
def a_repayment() -> bytes:
    return table("errors", ",100,0,UTH-MD", ",90,0,UTH-MD")


@attack("data/tables/errors.csv, line 4, .* row 3 follows from no table")
def an_error_made_up() -> bytes:
    return resigned("data/tables/errors.csv", lambda text: text + text[text[:-2].rindex(b"\r\n") + 2 :])


@attack("data/tables/findings.csv, line 2, .* has 'standing' for state, but the records give 'withdrawn'")
def a_finding_said_to_stand() -> bytes:
    return table("findings", "withdrawn", "standing")


@attack("data/tables/findings.csv, .* for at, but the records give")
def the_moment_of_a_finding() -> bytes:
    return table("findings", "2026-11-18T", "2026-11-17T")


@attack("data/tables/counts.csv, line 2, .* for records, but the records give")
def a_count() -> bytes:
    return resigned("data/tables/counts.csv", lambda text: _second_row(text, b"99"))


@attack(r"data/tables.xlsx, byte [0-9]+: row 2 of sheet wagers is not row 1 of data/tables/wagers.csv")
def an_amount_owed_in_the_table_alone() -> bytes:
    return table("wagers", "UTH-MD 12.B,certain", "UTH-MD 12.A,certain")


@attack(r"data/tables.xlsx, byte [0-9]+: row 2 of sheet wagers is not row 1 of data/tables/wagers.csv")
def an_amount_owed_in_the_workbook_alone() -> bytes:
    def other(stored: bytes) -> bytes:
        from tests.export.builder import workbook

        sheets = {path[12:-4]: text for path, text in honest().files.items() if path.startswith("data/tables/")}
        sheets["wagers"] = sheets["wagers"].replace(b"UTH-MD 12.B", b"UTH-MD 12.A", 1)
        return workbook(sheets)

    return resigned("data/tables.xlsx", other)


@attack("a cell begins like a formula")
def a_formula_in_a_table() -> bytes:
    return table("wagers", "certain", "=1+1")


@attack("it is not written like a row of a table")
def a_table_with_other_line_ends() -> bytes:
    return resigned("data/tables/wagers.csv", lambda text: text.replace(b"\r\n", b"\n"))


@attack("data/keys/devices.jsonl, line 1, byte [0-9]+: .* follows from the other files")
def a_device_key_exchanged() -> bytes:
    return resigned(
        "data/keys/devices.jsonl", lambda text: text.replace(public(11).hex().encode(), public(3).hex().encode())
    )


@attack("data/keys/property.pub, line 1")
def another_key_in_the_key_file() -> bytes:
    return resigned("data/keys/property.pub", lambda text: text.replace(b"pit.example", b"pot.example"))


@attack("the same person ordered and signed it")
def ordered_and_signed_by_one() -> bytes:
    return exported(honest().site, shown(honest().site.records), signed_by="a.inspector").tar()


@attack("data/streams.jsonl does not list it")
def a_stream_that_is_not_told_of() -> bytes:
    return resigned("data/streams.jsonl", lines(lambda all_of: all_of[1:]))


@attack("pieces-sha256.txt, line 1, byte 0: .* follows from the other files")
def a_list_of_pieces_that_does_not_fit() -> bytes:
    bundle = honest().copy()
    listed = bundle.files["pieces-sha256.txt"]
    bundle.files["pieces-sha256.txt"] = (b"1" if listed[:1] == b"0" else b"0") + listed[1:]
    bundle.files["tagmanifest-sha256.txt"] = manifest(bundle.files, TAGS)
    return bundle.signed().tar()

"""Forgeries of the record itself: records changed, dropped, moved, hidden, or said to be what they are not."""

import base64
import json

from tests.export.forged_pit import days
from tests.export.forger import Forged, chained
from tests.export.forgeries import (
    CHAIN,
    REFUSED,
    T7,
    T8,
    UNREAD,
    forgery,
    lines_of,
    listed,
    put,
    replaced,
    sealed_wrongly,
    tabled,
    with_faults,
)

FACTS = f"data/facts/{T7}.jsonl"


@forgery(REFUSED, f"{FACTS}, line 4, byte [0-9]+, {T7} record 4: record 5 names a different hash")
def a_record_changed_by_a_stranger() -> Forged:
    """Without any key: manifests and statement stay."""
    return replaced(days().signed(), FACTS, b'"cents":1000', b'"cents":9000')


@forgery(REFUSED, f"{T7} record [0-9]+: record [0-9]+ names a different hash than these bytes have")
def a_record_changed_and_signed() -> Forged:
    return replaced(days(), FACTS, b'"cents":1000', b'"cents":9000').signed()


@forgery(REFUSED, f"{T7} record 6: record 7 is in the place of 6: a record was dropped or moved")
def a_record_dropped() -> Forged:
    of = days()
    stored = lines_of(of, FACTS)
    return put(of, FACTS, stored[:5] + stored[6:]).signed()


@forgery(REFUSED, f"{T7} record 6: record 7 is in the place of 6: a record was dropped or moved")
def two_records_in_each_others_place() -> Forged:
    of = days()
    stored = lines_of(of, FACTS)
    return put(of, FACTS, [*stored[:5], stored[6], stored[5], *stored[7:]]).signed()


@forgery(REFUSED, f"{T7} record 7: it repeats the record before it")
def a_record_that_stands_there_twice() -> Forged:
    of = days()
    stored = lines_of(of, FACTS)
    return put(of, FACTS, [*stored[:6], stored[5], *stored[6:]]).signed()


@forgery(REFUSED, "it says that it belongs to 'T8/2026-11-18'")
def a_record_of_another_table() -> Forged:
    of = days()
    stored, other = lines_of(of, FACTS), of.records("facts", T8)
    return put(of, FACTS, [*stored[:9], other[9], *stored[10:]]).signed()


@forgery(REFUSED, "the property's tree has a different hash for record [0-9]+|the chain was rebuilt")
def a_chain_made_anew_and_the_tree_left() -> Forged:
    of = days()
    return put(of, FACTS, chained(of.records("facts", T7), 9, time_code="forged")).signed()


@forgery(REFUSED, f"{T7} record [0-9]+: the seal is invalid: its signature .* the table faults does not list it")
def a_record_made_anew_with_chain_and_tree() -> Forged:
    """The device's key alone is missing, and the property says nothing of it."""
    of = days()
    return listed(of.rewrite("facts", T7, chained(of.records("facts", T7), 9, time_code="forged")))


@forgery("faulty", f"FAULTS: {FACTS}, .* {T7} record [0-9]+: the seal is invalid: its signature does not match what")
def a_record_made_anew_and_the_bad_seals_told() -> Forged:
    of = days()
    of.rewrite("facts", T7, chained(of.records("facts", T7), 9, time_code="forged"))
    return listed(with_faults(of, *sealed_wrongly(of, T7, 9)))


def _unchained() -> Forged:
    """A record that names another one before it, in the tree as well."""
    of = days()
    stored = of.records("facts", T7)
    stored[-1] = json.dumps({**json.loads(stored[-1]), "previous": "0" * 64}, separators=(",", ":")).encode()
    return of.rewrite("facts", T7, stored)


@forgery(REFUSED, "it does not name the record before it; but the table faults does not list it")
def a_broken_chain_in_the_tree() -> Forged:
    return listed(_unchained())


@forgery("faulty", f"FAULTS: {FACTS}, {T7} record [0-9]+: it does not name the record before it")
def a_broken_chain_in_the_tree_that_is_told() -> Forged:
    of = _unchained()
    last = len(of.records("facts", T7))
    told = [(T7, last, CHAIN)]
    if b"chain-sealed" in of.records("facts", T7)[-1]:
        told.append((T7, last, "signature-wrong"))
    return listed(with_faults(of, *told))


def _unread(stored: bytes, lines: bytes = b"") -> Forged:
    """A last record nobody can read, in the tree as well."""
    of = days()
    records = of.records("facts", T7)
    kind = json.loads(records[-1])["type"]
    whole = [*records[:-1], stored]
    of.rewrite("facts", T7, whole, [*records[:-1], lines or stored])
    counts = of.files["data/tables/counts.csv"].decode().splitlines(keepends=True)
    at = next(n for n, row in enumerate(counts) if row.startswith(f"facts,{T7},{kind},"))
    left = int(counts[at].rpartition(",")[2]) - 1
    counts[at] = f"facts,{T7},{kind},{left}\r\n" if left else ""
    return tabled(of, "counts", "".join(counts).encode())


BEYOND = b'{"type":"from-a-later-version.9","what":1.5}'


@forgery(REFUSED, f"{T7} record [0-9]+: it is not JSON")
def a_record_that_nobody_can_read() -> Forged:
    return listed(_unread(b'{"type":"'))


@forgery("faulty", f"FAULTS: .*{T7} record [0-9]+: the property reports it as unreadable, and the tables leave it out")
def a_record_that_nobody_can_read_and_that_is_told() -> Forged:
    of = _unread(BEYOND)
    return listed(with_faults(of, (T7, len(of.records("facts", T7)), UNREAD)))


@forgery("faulty", f"{T7} record [0-9]+: the property reports it as unreadable")
def a_record_with_line_ends_that_is_told() -> Forged:
    stored = b'{"type":"noted.1",\n"text":"two lines"}'
    of = _unread(stored, b"~" + base64.b64encode(stored))
    return listed(with_faults(of, (T7, len(of.records("facts", T7)), UNREAD)))


@forgery(REFUSED, "it contains a line end, but the table faults does not list it")
def a_record_with_line_ends() -> Forged:
    stored = b'{"type":"noted.1",\n"text":"two lines"}'
    return listed(_unread(stored, b"~" + base64.b64encode(stored)))


@forgery(REFUSED, "it is written as base64, but contains no line end")
def a_record_written_in_a_second_way() -> Forged:
    of = days()
    stored = lines_of(of, FACTS)
    return put(of, FACTS, [*stored[:-1], b"~" + base64.b64encode(stored[-1])]).signed()


@forgery("faulty", f"{T7} record 2: the property reports it as unreadable, and the tables leave it out")
def a_fact_hidden_from_the_tables_as_unreadable() -> Forged:
    """A seal, so that no table but one changes: it is named all the same."""
    of = days()
    at = next(n for n, each in enumerate(of.records("facts", T7), 1) if each.startswith(b'{"type":"chain-sealed'))
    counts = of.files["data/tables/counts.csv"].decode().splitlines(keepends=True)
    row = next(n for n, each in enumerate(counts) if each.startswith(f"facts,{T7},chain-sealed.1,"))
    counts[row] = f"facts,{T7},chain-sealed.1,{int(counts[row].rpartition(',')[2]) - 1}\r\n"
    of = tabled(of, "counts", "".join(counts).encode())
    return with_faults(of, (T7, at, UNREAD)).signed()


@forgery(
    REFUSED, "data/tables/faults.csv, line 2: the facts of T7/2026-11-18 have no such fault at record 5: chain-broken"
)
def a_fault_that_is_none() -> Forged:
    return with_faults(days(), (T7, 5, CHAIN)).signed()


@forgery(REFUSED, "data/tables/faults.csv, line 2, byte [0-9]+: row 1 is not a fault of a record, or is out of order")
def a_fault_nobody_knows() -> Forged:
    return with_faults(days(), (T7, 5, "dog-ate-it")).signed()


@forgery(REFUSED, "it is not written like a record of its type: 1000.0 is not a number")
def an_amount_with_a_point_in_the_record() -> Forged:
    of = days()
    stored = of.records("facts", T7)
    at = next(n for n, each in enumerate(stored, 1) if b'"cents":1000' in each)
    made = [each.replace(b'"cents":1000,', b'"cents":1000.0,') if n == at else each for n, each in enumerate(stored, 1)]
    of.rewrite("facts", T7, chained(made, at))
    return listed(with_faults(of, *sealed_wrongly(of, T7, at)))


@forgery(REFUSED, "data/tables/paid.csv, line [0-9]+, .* for paid_cents, but the records give")
def an_amount_changed_in_a_table() -> Forged:
    of = days()
    return tabled(of, "paid", of.files["data/tables/paid.csv"].replace(b"2500", b"2400", 1)).signed()


@forgery(REFUSED, "'-0' is not a number")
def a_number_written_in_a_second_way() -> Forged:
    of = days()
    return tabled(of, "wagers", of.files["data/tables/wagers.csv"].replace(b",0,0,", b",-0,0,", 1)).signed()


@forgery(
    REFUSED, f"data/findings/{T8}.jsonl, .*the property's tree has a different|records [0-9]+ to [0-9]+ are missing"
)
def the_last_finding_taken_out_of_its_stream() -> Forged:
    of = days()
    path = f"data/findings/{T8}.jsonl"
    return put(of, path, lines_of(of, path)[:-1]).signed()

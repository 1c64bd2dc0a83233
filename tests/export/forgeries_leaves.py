"""Forgeries of what is there and what is not: leaves, tails, whole streams, and what a question is said to ask."""

import json

from tests.export.builder import table
from tests.export.forged_pit import BEFORE, DAY, FIRST_TIME, OTHER, WITNESS, days, hand
from tests.export.forger import Forged, Head, Signer
from tests.export.forgeries import REFUSED, T7, T8, forgery, lines_of, put, replaced, tabled, with_faults

LEAVES = "data/proofs/leaves.jsonl"


@forgery(REFUSED, f"{LEAVES}: it is not in the export")
def the_list_of_leaves_left_out() -> Forged:
    of = days()
    del of.files[LEAVES]
    return of.signed()


@forgery(REFUSED, f"{LEAVES}: it does not hold all [0-9]+ leaves")
def a_leaf_left_out() -> Forged:
    of = days()
    return put(of, LEAVES, lines_of(of, LEAVES)[:-1]).signed()


@forgery(REFUSED, f"{LEAVES}: it does not hold all [0-9]+ leaves")
def two_leaves_in_each_others_place() -> Forged:
    of = days()
    first, *rest = lines_of(of, LEAVES)
    return put(of, LEAVES, [first, rest[1], rest[0], *rest[2:]]).signed()


@forgery(REFUSED, f"{LEAVES}: it does not hold all [0-9]+ leaves")
def one_leaf_more() -> Forged:
    of = days()
    return put(of, LEAVES, [*lines_of(of, LEAVES), lines_of(of, LEAVES)[-1]]).signed()


@forgery(REFUSED, f"{LEAVES}, line 1, byte 0: it must list leaves 2 to [0-9]+")
def a_list_that_begins_later_than_the_question_asks() -> Forged:
    return days().listed_from(5).signed()


@forgery(REFUSED, f"{LEAVES}, line 1, byte 0: it must list leaves 2 to [0-9]+")
def a_list_that_ends_before_the_checkpoint() -> Forged:
    of = days()
    return of.listed_from(2, of.heads[-1].size - 1).signed()


@forgery(REFUSED, f"{LEAVES}, line 1, byte 0: it has .* subtrees for the first 2 leaves")
def a_list_with_one_subtree_too_many() -> Forged:
    of = days()
    return replaced(of, LEAVES, b'"peaks":[', b'"peaks":["' + b"0" * 64 + b'",').signed()


@forgery(REFUSED, f"{LEAVES}, line 1, byte 0: it must list leaves 0 to [0-9]+")
def false_for_the_number_0() -> Forged:
    of = _unseen()
    return replaced(of.listed_from(0), LEAVES, b'"from":0', b'"from":false').signed()


@forgery(REFUSED, f"{LEAVES}, line 1, byte 0: .*2.0 is not a number")
def a_number_with_a_point_for_a_place() -> Forged:
    return replaced(days(), LEAVES, b'"from":2', b'"from":2.0').signed()


def _without(of: Forged, kind: str, stream: str) -> Forged:
    """A stream left out with its proofs and its rows; report and Parquet stay as they are."""
    for path in [each for each in of.files if each.endswith(f"{kind}/{stream}.jsonl")]:
        del of.files[path]
    told = lines_of(of, "data/streams.jsonl")
    mine = f'"kind":"{kind}","stream":"{stream}"'.encode()
    put(of, "data/streams.jsonl", [each for each in told if mine not in each])
    for path in [each for each in of.files if each.startswith("data/tables/") and each.endswith(".csv")]:
        rows = of.files[path].split(b"\r\n")
        own = f"{kind},{stream},".encode() if path.endswith("counts.csv") else f"{stream},".encode()
        about = path.endswith("findings.csv") == (kind == "findings") or path.endswith("counts.csv")
        if about:
            tabled(of, path[12:-4], b"\r\n".join(row for row in rows if not row.startswith(own)))
    return of


@forgery(REFUSED, f"data/findings/{T8}.jsonl, .*: {T8} is in the property's tree and the question covers it")
def the_findings_about_a_table_left_out() -> Forged:
    return findings_dropped()


def findings_dropped() -> Forged:
    """All findings about table 8 are left out."""
    of = _without(_without(days(), "findings", T8), "findings", f"{T8}~")
    of = tabled(of, "errors", of.files["data/tables/errors.csv"].replace(_finding(of), b""))
    return of.signed()


def _finding(of: Forged) -> bytes:
    """The name of the finding that stands in the table of errors."""
    return of.files["data/tables/errors.csv"].split(b"\r\n")[1].rpartition(b",")[2]


@forgery(REFUSED, f"{T8} is in the property's tree and the question covers it, but it is left out")
def a_table_left_out() -> Forged:
    of = days()
    for kind, stream in (("findings", T8), ("findings", f"{T8}~"), ("facts", T8)):
        _without(of, kind, stream)
    for name in ("statistics", "openers", "coverage", "card_record", "deck_ledger", "errors"):
        tabled(of, name, of.files[f"data/tables/{name}.csv"])
    made = of.files["data/tables/statistics.csv"].decode().splitlines(keepends=True)
    kept = [row.replace(",UTH-MD,day,2,", ",UTH-MD,day,1,") for row in made if ",T8," not in row]
    tabled(of, "statistics", "".join(kept).encode())
    of.files["data/proofs/after.jsonl"] = b""
    of.heads[-1] = of.heads[-1]
    of._after()
    return of.signed()


@forgery(REFUSED, "the tail was cut off|records [0-9]+ to [0-9]+ too")
def the_tail_of_a_table_cut_off() -> Forged:
    """Cut where a stretch ends; the property made two stretches of the day."""
    of = days()
    path, stored = f"data/facts/{T7}.jsonl", of.records("facts", T7)
    cut = len(stored) - 1  # a seal, which only counts mention
    at = of.places("facts", T7)[0]
    halves = [{**of.leaves[at], "last": cut}, {**of.leaves[at], "first": cut + 1}]
    of.leaves[at : at + 1] = halves
    of.heads[-1] = of.heads[-1]._replace(size=len(of.leaves))
    of.rewrite("facts", T7, stored).bound()
    told = (
        of.files["data/streams.jsonl"]
        .decode()
        .replace(
            f'"stream":"{T7}","whole":true,"last":{len(stored)},"records":{len(stored)}',
            f'"stream":"{T7}","whole":true,"last":{cut},"records":{cut}',
        )
    )
    of.files["data/streams.jsonl"] = told.encode()
    put(of, path, stored[:cut])
    _rows_of(of, cut)
    put(of, "data/proofs/after.jsonl", [of.leaf(after)[:-1] for after in range(at + 1, len(of.leaves))])
    return of.listed_from(2).signed()


def _rows_of(of: Forged, cut: int) -> None:
    """Counts that fit what is left; the other tables are looked at later than the tail."""
    types: dict[str, int] = {}
    for each in of.records("facts", T7)[:cut]:
        kind = json.loads(each)["type"]
        types[kind] = types.get(kind, 0) + 1
    kept = [row for row in of.files["data/tables/counts.csv"].decode().split("\r\n")[1:-1] if f"facts,{T7}," not in row]
    rows = [row.split(",") for row in kept] + [["facts", T7, kind, str(count)] for kind, count in types.items()]
    tabled(of, "counts", table("counts", sorted(rows)))


# Gaps and leaves told twice: a record may have them, and nothing may hide behind them.


def _cut_out(of: Forged) -> tuple[int, Forged]:
    """A record that only counts mention, in a leaf of its own and left out: that record, and the rest."""
    stored = of.records("facts", T7)
    out = next(at for at, each in enumerate(stored, 1) if b'"hand-announced.1"' in each)
    at = of.places("facts", T7)[0]
    cuts = ({"last": out - 1}, {"first": out, "last": out}, {"first": out + 1})
    of.leaves[at : at + 1] = [{**of.leaves[at], **cut} for cut in cuts]
    of.heads[-1] = of.heads[-1]._replace(size=len(of.leaves))
    of.rewrite("facts", T7, stored).bound()
    path = f"data/proofs/stretches/facts/{T7}.jsonl"
    put(of, path, [of.leaf(each)[:-1] for each in of.places("facts", T7) if of.leaves[each]["first"] != out])
    put(of, f"data/facts/{T7}.jsonl", [*stored[: out - 1], *stored[out:]])
    told = f'"stream":"{T7}","whole":true,"last":{len(stored)},"records":{len(stored)}'.encode()
    replaced(
        of, "data/streams.jsonl", told, told.replace(b'"records":%d' % len(stored), b'"records":%d' % (len(stored) - 1))
    )
    row = f"facts,{T7},hand-announced.1,".encode()
    return out, tabled(of, "counts", of.files["data/tables/counts.csv"].replace(row + b"2", row + b"1"))


@forgery(REFUSED, f"data/proofs/stretches/facts/{T7}.jsonl, {T7} record [0-9]+: leaf [0-9]+ .* too, but is left out")
def a_record_left_out_and_said_to_be_a_gap() -> Forged:
    """The list of leaves has the leaf that was left out."""
    out, of = _cut_out(days())
    return with_faults(of, (T7, out, "gap")).listed_from(2).signed()


@forgery(REFUSED, f"{T7} record [0-9]+: no leaf of the .*; but the table faults does not list it")
def a_record_left_out_and_nothing_said() -> Forged:
    return _cut_out(days())[1].listed_from(2).signed()


@forgery(REFUSED, f"the facts of {T7} have no such fault at record 5: gap")
def a_gap_where_there_is_none() -> Forged:
    return with_faults(days(), (T7, 5, "gap")).signed()


@forgery(REFUSED, "record [0-9]+ is left out of round 1, which is shown")
def a_record_of_a_hand_left_out_and_said_to_be_a_gap() -> Forged:
    """The stretch that covers it is shown, for it covers the others."""
    of = hand()
    path = f"data/proofs/records/facts/{T8}.jsonl"
    stored, places = of.records("facts", T8), lines_of(of, path)
    out = next(at for at, each in enumerate(stored) if b'"hand-announced.1"' in each)
    sequence = json.loads(stored[out])["sequence"]
    put(of, f"data/facts/{T8}.jsonl", [*stored[:out], *stored[out + 1 :]])
    put(of, path, [*places[:out], *places[out + 1 :]])
    replaced(
        of,
        "data/streams.jsonl",
        b'"records":%d,"rounds":[1]' % len(stored),
        b'"records":%d,"rounds":[1]' % (len(stored) - 1),
    )
    row = f"facts,{T8},hand-announced.1,".encode()
    tabled(of, "counts", of.files["data/tables/counts.csv"].replace(row + b"2", row + b"1"))
    return with_faults(of, (T8, sequence, "gap")).signed()


def _told_before(of: Forged) -> int:
    """Table 8's day stands in the tree in another way, before the way in which it is shown: at which place."""
    at = of.places("facts", T8)[0]
    of.leaves.insert(at, {**of.leaves[at], "head": "1" * 64, "root": "2" * 64})
    of.heads[-1] = of.heads[-1]._replace(size=len(of.leaves))
    of.bound()
    return at


@forgery(REFUSED, f"data/proofs/stretches/facts/{T8}.jsonl, {T8} record 1: leaf 3 of .* records 1 to [0-9]+ too")
def one_of_two_stories_of_a_table_s_day() -> Forged:
    """The tree holds the day as it was and as it is to be, and the export shows the second alone."""
    of = days()
    _told_before(of)
    path = f"data/proofs/stretches/facts/{T8}.jsonl"
    return put(of, path, lines_of(of, path)[1:]).listed_from(2).signed()


@forgery(REFUSED, f"data/facts/{T8}.jsonl, .*{T8} record")
def both_of_two_stories_of_a_table_s_day() -> Forged:
    """Two keepers would leave such a pair, except that the records differ."""
    of = days()
    _told_before(of)
    return with_faults(of, (T8, 1, "two-keepers")).listed_from(2).signed()


@forgery(REFUSED, f"{T8} record 1: leaf 4 of the property's tree has different records 1 to [0-9]+ than earlier leaves")
def the_true_story_of_a_table_s_day_before_another() -> Forged:
    of = days()
    at = _told_before(of)
    of.leaves[at], of.leaves[at + 1] = of.leaves[at + 1], of.leaves[at]
    return with_faults(of.bound(), (T8, 1, "two-keepers")).listed_from(2).signed()


# Heads dated back: what the property hid stands before a head that says it was long before the days.


def _unseen() -> Forged:
    of = days()
    of.heads[0] = of.heads[0]._replace(seen=())
    return of.bound()


def dated_back_and_listed(seen: str, by: Signer = WITNESS) -> Forged:
    """The same with the list of leaves from that head on, as if nothing stood before it."""
    of = dated_back(seen, by)
    return _with_rows_of_one_table(of.listed_from(of.heads[0].size)).signed()


def dated_back(seen: str, by: Signer = WITNESS) -> Forged:
    """Table 8's day, its findings too, put into the tree before the head that says it is of eight days before."""
    of = days()
    early = [leaf for leaf in of.leaves[2:] if T8 in leaf["stream"]]
    late = [leaf for leaf in of.leaves[2:] if T8 not in leaf["stream"]]
    of.leaves = [*of.leaves[:2], *early, *late]
    of.heads[0] = Head(2 + len(early), FIRST_TIME, ((by, seen),) if seen else ())
    for kind, stream in (("findings", T8), ("findings", f"{T8}~"), ("facts", T8)):
        _without(of, kind, stream)
    made = of.files["data/tables/statistics.csv"].decode().splitlines(keepends=True)
    tabled(of, "statistics", "".join(row for row in made if ",T8," not in row).encode())
    return of.bound()


@forgery(REFUSED, f"{LEAVES}, line 1, byte 0: it must list leaves 0 to [0-9]+")
def a_head_dated_back_that_nobody_saw() -> Forged:
    """Table 8 is hidden before it. A head nobody saw begins no list where all leaves can be listed."""
    return dated_back_and_listed("")


@forgery(REFUSED, f"{LEAVES}, line 1, byte 0: it must list leaves 0 to [0-9]+")
def a_head_dated_back_that_the_witness_saw_eight_days_later() -> Forged:
    return dated_back_and_listed(f"{DAY}T12:00:00Z")


@forgery("sound in itself", "that no stream or finding of these days comes before leaf [0-9]+")
def a_head_dated_back_with_a_made_up_cosignature() -> Forged:
    """By a witness that the property made up, who says it saw it in time: the verifying person knows another one."""
    return dated_back_and_listed(f"{BEFORE}T23:59:30Z", OTHER)


def _with_rows_of_one_table(of: Forged) -> Forged:
    """The game's row of statistics is that of the one table that is left."""
    rows = of.files["data/tables/statistics.csv"].decode().splitlines(keepends=True)
    one = next(row for row in rows if ",table,T7,day," in row)
    game = [one.replace(",table,T7,", ",game,UTH-MD,") if ",game,UTH-MD,day," in row else row for row in rows]
    return tabled(of, "statistics", "".join(game).encode())


@forgery(
    "faulty",
    f"FAULTS: data/facts/{T8}.jsonl: leaf 2 of the tree is under the head of [0-9]+ leaves, dated 2026",
)
def a_shown_table_under_a_head_dated_back() -> Forged:
    """The export is complete; the head alone is dated wrongly."""
    of = days()
    mine = [leaf for leaf in of.leaves[2:] if T8 in leaf["stream"]]
    of.leaves = [*of.leaves[:2], *mine, *(leaf for leaf in of.leaves[2:] if T8 not in leaf["stream"])]
    of.heads[0] = Head(2 + len(mine), FIRST_TIME)
    return of.bound().listed_from(0).signed()


# Scopes: what is asked and what is here.


@forgery(REFUSED, f"{LEAVES}: it is here but the question does not need it")
def a_list_of_leaves_with_a_hand() -> Forged:
    return hand().listed_from(0).signed()


@forgery("proved", "that no finding about the rounds shown, no later change of one .* is missing")
def a_hand_without_the_finding_about_it() -> Forged:
    """The removal leaves no gap, so the answer says that a finding may be missing."""
    of = hand()
    for stream in (T8, f"{T8}~"):
        _without(of, "findings", stream)
    errors = of.files["data/tables/errors.csv"]
    return tabled(of, "errors", errors.replace(_finding(of), b"")).signed()


@forgery(REFUSED, f"the question asks for hand T8/{DAY}:2, but other rounds are shown")
def another_hand_than_the_one_asked_for() -> Forged:
    return hand().ask(lambda question: question["scope"].update(hand=f"{T8}:2")).signed()


@forgery(REFUSED, "data/question.json, line 1: it is not written like a question|4.0 is not a number")
def a_version_with_a_point() -> Forged:
    return days().ask(lambda question: question.update(version=4.0)).signed()


@forgery(REFUSED, "data/question.json, line 1: its scope is not written like a scope")
def a_0_for_false() -> Forged:
    return days().ask(lambda question: question["scope"].update(access=0)).signed()


@forgery(REFUSED, "statement.dsse.json, line 1: .* it has a control character")
def a_recipient_written_from_right_to_left() -> Forged:
    return days().ask(lambda question: question.update(recipient="\u202eeveryone")).signed()


@forgery(REFUSED, "statement.dsse.json, line 1: .* it has a control character")
def a_purpose_that_steers_a_terminal() -> Forged:
    return days().ask(lambda question: question.update(purpose="\x1b[2JPROVED")).signed()


@forgery(REFUSED, "data/question.json, line 1: its scope is not written like a scope")
def a_hand_on_two_lines() -> Forged:
    return hand().ask(lambda question: question["scope"].update(hand="T8\nPROVED/2026-11-18:1")).signed()


@forgery(REFUSED, "the question is bound to a different checkpoint")
def a_checkpoint_s_size_as_text() -> Forged:
    return days().ask(lambda question: question["checkpoint"].update(size="10")).signed()


@forgery(REFUSED, "players.csv")
def names_said_to_be_told() -> Forged:
    return days().ask(lambda question: question.update(identities="named")).signed()

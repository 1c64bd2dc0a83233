"""Attacks on an export, each as far as its maker can come: without the property's key, or with it.

Each gives the container as the receiver gets it, and the words by which it has to be refused.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.ledger.chain import digest
from domain.ledger.checkpoint import Checkpoint, Key, cosigned, signed
from tests.export.builder import ORIGIN, PROPERTY, WITNESS, Bundle, Records, Site, canonical, member, private, public
from tests.export.scenes import DAYS, exported, records, reference

DAY, NEXT = (f"data/facts/T7/{day}.jsonl" for day in DAYS)
PLACES = f"data/proofs/stretches/facts/T7/{DAYS[0]}.jsonl"
SECONDS = 1_795_132_740  # of the checkpoint
Attack = Callable[[], bytes]
ATTACKS: dict[str, tuple[Attack, str]] = {}


def attack(says: str) -> Callable[[Attack], Attack]:
    """Puts an attack on the list under its name; refused with these words, a pattern."""

    def named(made: Attack) -> Attack:
        ATTACKS[made.__name__.replace("_", " ")] = (made, says)
        return made

    return named


@cache
def honest() -> Bundle:
    return reference()


def with_member(stored: bytes, *, before: str = "") -> bytes:
    """The honest container with one more member, at its end or before another one."""
    whole = honest().tar()
    at = whole.index(f"{honest().name}/{before}\0".encode()) if before else len(whole) - 1024
    return whole[:at] + stored + whole[at:]


def changed(path: str, change: Callable[[bytes], bytes]) -> Bundle:
    """The honest bundle with one file changed, and nothing signed again."""
    bundle = honest().copy()
    bundle.files[path] = change(bundle.files[path])
    return bundle


def resigned(path: str, change: Callable[[bytes], bytes]) -> bytes:
    """The same with everything signed again by the property."""
    return changed(path, change).listed().signed().tar()


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    """A change of a file's lines."""
    return lambda stored: b"".join(line + b"\n" for line in change(stored.split(b"\n")[:-1]))


def swapped(text: bytes, at: int, other: bytes) -> bytes:
    return text[:at] + other + text[at + len(other) :]


# The container.


@attack("'note.txt' is no file of an export")
def an_extra_file() -> bytes:
    return with_member(member(f"{honest().name}/note.txt", b"x", SECONDS), before="pieces-sha256.txt")


@attack("data/desk/access/2026-11-18.jsonl: the signed manifest-sha256.txt does not name it")
def an_extra_file_where_files_may_be() -> bytes:
    bundle = honest().copy()
    bundle.files["data/desk/access/2026-11-18.jsonl"] = b"{}\n"
    return bundle.tar()


@attack("verify.py is a symbolic link")
def a_symbolic_link() -> bytes:
    bundle = honest().copy()
    del bundle.files["verify.py"]
    link = member(f"{bundle.name}/verify.py", b"", SECONDS, kind=b"2", link=b"/usr/bin/true")
    return bundle.tar()[:-1024] + link + bytes(1024)


@attack("is a hard link")
def a_hard_link() -> bytes:
    link = member(f"{honest().name}/wagers.csv", b"", SECONDS, kind=b"1", link=b"data/tables/wagers.csv")
    return with_member(link)


@attack(r"is an extended header \(pax\)")
def a_pax_header() -> bytes:
    return with_member(
        member(f"{honest().name}/verify.py", b"20 path=verify.sh\n\n\n", SECONDS, kind=b"x"), before="verify.py"
    )


@attack("is a long name of GNU tar")
def a_long_name_of_gnu_tar() -> bytes:
    return with_member(member("././@LongLink", b"evil\0", SECONDS, kind=b"L"), before="verify.py")


@attack("leads out of the export")
def a_path_that_leads_out() -> bytes:
    return with_member(member(f"{honest().name}/../../etc/passwd", b"root::0:0", SECONDS))


@attack("leads out of the export")
def an_absolute_path() -> bytes:
    return with_member(member("/etc/passwd", b"root::0:0", SECONDS))


@attack("is not below export-")
def a_second_folder() -> bytes:
    return with_member(member("export-0123456789abcdef/verify.py", b"x", SECONDS))


@attack("is said to have 8589934591 bytes, and the file ends before")
def an_oversized_member() -> bytes:
    bundle = honest().copy()
    del bundle.files["verify.py"]
    return bundle.tar()[:-1024] + member(f"{bundle.name}/verify.py", b"", SECONDS, size=8**11 - 1) + bytes(1024)


@attack("the size and time of .* are not eleven octal digits")
def a_size_in_the_base_of_gnu_tar() -> bytes:
    head = bytearray(member(f"{honest().name}/verify.py", b"x", SECONDS))
    head[124:136] = b"\x80" + (1).to_bytes(11, "big")
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head[:512])
    return with_member(bytes(head))


@attack("verify.py stands in it twice")
def a_file_twice() -> bytes:
    return with_member(member(f"{honest().name}/verify.py", b"another\n", SECONDS))


@attack("stands behind a name that comes after it")
def two_files_in_each_others_place() -> bytes:
    whole, name = honest().tar(), honest().name
    one, other, end = (
        whole.index(f"{name}/{path}\0".encode()) for path in ("bag-info.txt", "bagit.txt", "data/facts.parquet")
    )
    return whole[:one] + whole[other:end] + whole[one:other] + whole[end:]


@attack("nothing behind them")
def data_behind_the_end() -> bytes:
    return honest().tar() + b"hidden".ljust(512, b"\0")


@attack("nothing behind them")
def another_archive_behind_the_end() -> bytes:
    return honest().tar() + honest().tar()


@attack("something stands where zeros fill the block")
def data_in_the_filling() -> bytes:
    whole = honest().tar()
    return whole[: -1024 - 8] + b"hidden!!" + whole[-1024:]


@attack("the header of bagit.txt is not as it is laid down")
def an_owner_in_a_header() -> bytes:
    whole, name = honest().tar(), honest().name
    at = whole.index(f"{name}/bagit.txt\0".encode())
    head = bytearray(whole[at : at + 512])
    head[265:269] = b"root"
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return whole[:at] + bytes(head) + whole[at + 512 :]


@attack("verify.py has the time 2026-11-20T00:00:00Z, and the checkpoint")
def another_time_in_a_header() -> bytes:
    bundle = honest().copy()
    stored = bundle.files.pop("verify.py")
    return bundle.tar()[:-1024] + member(f"{bundle.name}/verify.py", stored, 1_795_132_800) + bytes(1024)


@attack("is said to have|it does not end with|cut off|the file ends before")
def the_end_of_the_file_cut_off() -> bytes:
    return honest().tar()[:-5000]


@attack("it does not end with two blocks of zeros")
def the_blocks_at_the_end_cut_off() -> bytes:
    return honest().tar()[:-1]


# What was signed, changed by somebody without the key.


@attack("data/tables/wagers.csv, line 2, byte [0-9]+: it is not the file that was signed: one bit")
def one_bit_of_a_table() -> bytes:
    return changed("data/tables/wagers.csv", lambda text: swapped(text, 200, bytes([text[200] ^ 4]))).tar()


@attack("data/report.pdf, byte 0: it is not the file that was signed: the 1024 bytes from here on are others")
def an_amount_in_the_report() -> bytes:
    return changed("data/report.pdf", lambda text: text.replace(b"$10.00", b"$99.00")).tar()


@attack("data/report.pdf, byte 0: it is not the file that was signed")
def a_report_cut_short() -> bytes:
    return changed("data/report.pdf", lambda text: text[:100]).tar()


@attack("data/tables/paid.csv: the signed manifest-sha256.txt names it, and it is not in the export")
def a_file_left_out() -> bytes:
    bundle = honest().copy()
    del bundle.files["data/tables/paid.csv"]
    return bundle.tar()


@attack("manifest-sha256.txt, line [0-9]+, byte [0-9]+: .* follows from the other files")
def a_line_of_the_manifest() -> bytes:
    return changed("manifest-sha256.txt", lambda text: swapped(text, 300, b"0000000000")).tar()


@attack("manifest-sha256.txt: it fits the files here, and the statement signs another")
def an_amount_and_the_manifest_made_anew() -> bytes:
    return changed("data/tables/wagers.csv", lambda text: text.replace(b"1000", b"2000")).listed().tar()


@attack("bag-info.txt, line 1, byte 0: it is not the file that was signed")
def another_bag_information() -> bytes:
    return changed("bag-info.txt", lambda text: text.replace(b"Payload-Oxum: ", b"Payload-Oxum: 1")).tar()


@attack("statement.dsse.json, line 1: the signature is not of this statement")
def a_statement_with_another_recipient() -> bytes:
    bundle = honest().copy()
    stored = json.loads(bundle.files["statement.dsse.json"])
    mine = exported(bundle.site, shown(bundle.site.records), recipient="somebody else")
    stored["payload"] = json.loads(mine.files["statement.dsse.json"])["payload"]
    bundle.files["statement.dsse.json"] = canonical(stored).encode() + b"\n"
    return bundle.tar()


@attack("it is not written as a statement is")
def a_statement_with_a_second_signature() -> bytes:
    def also(stored: bytes) -> bytes:
        said = json.loads(stored)
        said["signatures"][0]["note"] = "x"
        return canonical(said).encode() + b"\n"

    return changed("statement.dsse.json", also).tar()


@attack("data/question.json, line 1, byte 0: it is not the file that was signed|data/question.json")
def the_manifests_and_the_statement_of_another_export() -> bytes:
    bundle, other = honest().copy(), exported(honest().site, shown(honest().site.records), purpose="another")
    for path in ("manifest-sha256.txt", "tagmanifest-sha256.txt", "statement.dsse.json", "pieces-sha256.txt"):
        bundle.files[path] = other.files[path]
    return bundle.tar()


@attack("manifest-sha256.txt, line [0-9]+, byte [0-9]+")
def the_manifest_of_another_export() -> bytes:
    other = exported(honest().site, shown(honest().site.records), purpose="another")
    return changed("manifest-sha256.txt", lambda _: other.files["manifest-sha256.txt"]).tar()


@attack("the key given from outside is another")
def all_of_it_signed_with_another_key() -> bytes:
    key = Key(ORIGIN, public(3))
    site = Site(records(), key=key, signer=3)
    return exported(site, shown(site.records)).tar()


@attack("data/keys/rotations.jsonl, line 2, byte [0-9]+: .*signed by that key and by the one before it")
def a_key_said_to_take_the_place_of_ours() -> bytes:
    from domain.ledger.rotation import Told

    bundle = honest().copy()
    told = Told(Key(ORIGIN, public(3)), 1, "2026-11-18T00:00:00Z", PROPERTY)
    note = signed(told.text, told.key, private(3).sign)
    bundle.files["data/keys/rotations.jsonl"] += msgspec.json.encode({"note": note.stored}) + b"\n"
    return bundle.listed().tar()


# The record, changed by the property itself, which signs the export again; its tree stays honest.


def shown(of: Records) -> Records:
    return {place: stored for place, stored in of.items() if not place[1].startswith("T8/")}


def rewritten(stored: list[bytes], at: int, **fields: Any) -> list[bytes]:
    """A stream whose record at this sequence says something else, and whose chain was made anew behind it."""
    made: list[bytes] = stored[: at - 1]
    for number, each in enumerate(stored[at - 1 :], at):
        fact = json.loads(each)
        fact |= fields if number == at else {"previous": digest(made[-1])}
        made.append(json.dumps(fact, separators=(",", ":"), ensure_ascii=False).encode())
    return made


@attack(r"data/facts/T7/2026-11-18.jsonl, line 6, byte [0-9]+, T7/2026-11-18 record 6: record 7 stands where 6 has to")
def a_fact_dropped() -> bytes:
    return resigned(DAY, lines(lambda all_of: all_of[:5] + all_of[6:]))


@attack(r"T7/2026-11-18 record 6: record 7 stands where 6 has to")
def two_facts_swapped() -> bytes:
    return resigned(DAY, lines(lambda all_of: [*all_of[:5], all_of[6], all_of[5], *all_of[7:]]))


@attack(r"T7/2026-11-18 record 7: the record before stands there again")
def a_fact_twice() -> bytes:
    return resigned(DAY, lines(lambda all_of: all_of[:6] + all_of[5:]))


@attack(r"T7/2026-11-18 record 5: record 6 names another hash than these bytes have")
def an_amount_of_a_fact() -> bytes:
    return resigned(DAY, lambda text: text.replace(b'"wager":"ante","cents":1000', b'"wager":"ante","cents":9000', 1))


@attack(r"records [0-9]+ to [0-9]+ are missing")
def the_last_facts_cut_off() -> bytes:
    return resigned(DAY, lines(lambda all_of: all_of[:-4]))


@attack(r"the stretches end with record [0-9]+, and data/streams.jsonl says [0-9]+: the tail is cut off")
def the_last_facts_and_their_stretch_cut_off() -> bytes:
    bundle = honest().copy()
    last = json.loads(bundle.files[PLACES].split(b"\n")[-3])["stretch"]["last"]
    bundle.files[DAY] = lines(lambda all_of: all_of[:last])(bundle.files[DAY])
    bundle.files[PLACES] = lines(lambda all_of: all_of[:-1])(bundle.files[PLACES])
    return bundle.listed().signed().tar()


def _cut(path: str, day: str) -> Bundle:
    """The last stretch of a day left out wherever it is told of."""
    bundle = honest().copy()
    places = f"data/proofs/stretches/facts/T7/{day}.jsonl"
    held = [json.loads(line)["stretch"]["last"] for line in bundle.files[places].split(b"\n")[:-1]]
    bundle.files[path] = lines(lambda all_of: all_of[: held[-2]])(bundle.files[path])
    bundle.files[places] = lines(lambda all_of: all_of[:-1])(bundle.files[places])
    streams = bundle.files["data/streams.jsonl"]
    bundle.files["data/streams.jsonl"] = streams.replace(
        b'"stream":"T7/%s","whole":true,"last":%d,"records":%d,' % (day.encode(), held[-1], held[-1]),
        b'"stream":"T7/%s","whole":true,"last":%d,"records":%d,' % (day.encode(), held[-2], held[-2]),
        1,
    )
    return bundle


def _tables_made_anew(bundle: Bundle) -> Bundle:
    """The tables as they follow from the records that are left."""
    kept = {
        (path.split("/")[1], path.split("/", 2)[2].removesuffix(".jsonl")): stored.split(b"\n")[:-1]
        for path, stored in bundle.files.items()
        if path.startswith(("data/facts/", "data/findings/"))
    }
    from tests.export.scenes import tables

    bundle.files |= tables(kept)  # type: ignore[arg-type]
    return bundle


@attack(r"T7/2026-11-18 record [0-9]+: T7/2026-11-19 names another hash as that of its last record")
def the_tail_of_a_closed_day_cut_off_wherever_it_is_told() -> bytes:
    return _tables_made_anew(_cut(DAY, DAYS[0])).listed().signed().tar()


@attack(r"leaf [0-9]+ is due|the property's tree holds records [0-9]+ to [0-9]+ too: the tail is cut off")
def the_tail_of_an_open_day_cut_off_wherever_it_is_told() -> bytes:
    return _tables_made_anew(_cut(NEXT, DAYS[1])).listed().signed().tar()


@attack(r"data/facts/T7/2026-11-19.jsonl, T7/2026-11-19 record [0-9]+: the property's tree holds records")
def the_tail_of_an_open_day_cut_off_with_every_later_leaf_shown() -> bytes:
    bundle = _tables_made_anew(_cut(NEXT, DAYS[1]))
    site, size = bundle.site, len(bundle.site.leaves)
    places = bundle.files[f"data/proofs/stretches/facts/T7/{DAYS[1]}.jsonl"]
    first = json.loads(places.split(b"\n")[-2])["index"] + 1
    bundle.files["data/proofs/after.jsonl"] = "".join(site.proven(at, size) for at in range(first, size)).encode()
    return bundle.listed().signed().tar()


@attack("data/proofs/after.jsonl: leaves [0-9]+ to [0-9]+ of the property's tree are missing in it")
def later_leaves_left_out() -> bytes:
    return resigned("data/proofs/after.jsonl", lines(lambda all_of: all_of[:-1]))


@attack(r"data/facts/T7/2026-11-18.jsonl, .*the property's tree has another hash for record [0-9]+")
def the_chain_made_anew_under_an_honest_tree() -> bytes:
    return resigned(DAY, lines(lambda all_of: rewritten(all_of, 5, cents=9000)))


@attack("data/proofs/stretches/facts/T7/2026-11-18.jsonl, line 1, byte 0: this stretch does not stand at this place")
def the_chain_and_its_stretches_made_anew_under_an_honest_tree() -> bytes:
    site = honest().site
    forged = Site(
        {**site.records, ("facts", "T7/2026-11-18"): rewritten(site.records["facts", "T7/2026-11-18"], 5, cents=9000)}
    )
    other = exported(forged, shown(forged.records))
    bundle = honest().copy()
    bundle.files |= {path: other.files[path] for path in (DAY, PLACES, "data/tables/paid.csv")}
    return bundle.listed().signed().tar()


@attack("this stretch does not stand at this place of the property's tree")
def the_proof_of_another_leaf() -> bytes:
    def swap(all_of: list[bytes]) -> list[bytes]:
        one, other = json.loads(all_of[0]), json.loads(all_of[1])
        one["path"], one["index"] = other["path"], other["index"]
        return [json.dumps(one, separators=(",", ":")).encode(), *all_of[1:]]

    return resigned(PLACES, lines(swap))


@attack("it is not written as a proof is written|a hash is 64 hex digits")
def a_proof_written_in_another_way() -> bytes:
    return resigned(PLACES, lambda text: text.replace(b'"path":[', b'"path": [', 1))


@attack("this is a stretch of facts T7/2026-11-19")
def the_stretches_of_another_day() -> bytes:
    bundle = honest().copy()
    bundle.files[PLACES] = bundle.files[f"data/proofs/stretches/facts/T7/{DAYS[1]}.jsonl"]
    return bundle.listed().signed().tar()


@attack("the question was asked of another checkpoint")
def an_old_checkpoint_put_in() -> bytes:
    bundle = honest().copy()
    old = bundle.site.notes[min(bundle.site.notes)]
    bundle.files["data/proofs/checkpoint.txt"] = cosigned(old, WITNESS, private(2).sign, 1_795_140_000).stored.encode()
    return bundle.listed().signed().tar()


@attack("this stretch does not stand at this place of the property's tree|does not go on|no leaf")
def an_old_checkpoint_put_in_and_into_the_question() -> bytes:
    bundle = honest().copy()
    size = min(bundle.site.notes)
    old = cosigned(bundle.site.notes[size], WITNESS, private(2).sign, 1_795_140_000)
    question = bundle.question
    question["checkpoint"] |= {"root": bundle.site.tree.root(size).hex(), "size": size, "time": "2026-11-18T23:59:00Z"}
    bundle.files["data/proofs/checkpoint.txt"] = old.stored.encode()
    bundle.files["data/question.json"] = (canonical(question) + "\n").encode()
    return bundle.listed().signed().tar()


@attack("data/proofs/earlier.jsonl, line 1, byte 0: the later tree does not go on from the earlier one")
def two_heads_of_one_day() -> bytes:
    bundle = honest().copy()
    size = min(bundle.site.notes)
    other = Checkpoint(ORIGIN, size, b"\x07" * 32, ("time 2026-11-18T23:59:00Z", "day 2026-11-18"))
    said = json.loads(bundle.files["data/proofs/earlier.jsonl"])
    said["note"] = signed(other.text, PROPERTY, bundle.site.sign).stored
    bundle.files["data/proofs/earlier.jsonl"] = msgspec.json.encode(said) + b"\n"
    return bundle.listed().signed().tar()


@attack("data/proofs/earlier.jsonl, line 1, byte 0: the property's key has not signed it")
def an_earlier_checkpoint_nobody_signed() -> bytes:
    bundle = honest().copy()
    said = json.loads(bundle.files["data/proofs/earlier.jsonl"])
    said["note"] = signed(said["note"].split("\n\n")[0] + "\n", Key("other", public(3)), private(3).sign).stored
    bundle.files["data/proofs/earlier.jsonl"] = msgspec.json.encode(said) + b"\n"
    return bundle.listed().signed().tar()


@attack("data/facts/T7/2026-11-18.jsonl.*T7/2026-11-18.*is left out")
def a_day_between_left_out() -> bytes:
    middle = honest().site
    first = {place: stored for place, stored in shown(middle.records).items() if place != ("facts", "T7/2026-11-18")}
    zero = {("facts", "T7/2026-11-17"): _renamed(middle.records["facts", "T7/2026-11-18"])}
    site = Site({**middle.records, **zero})  # type: ignore[dict-item]
    return exported(site, {**first, **zero}, scope={"days": ["2026-11-17", "2026-11-19"]}).tar()  # type: ignore[dict-item]


def _renamed(stored: list[bytes]) -> list[bytes]:
    """The same day under the name of the one before, sealed by nobody."""
    made: list[bytes] = []
    for each in stored:
        if b"chain-sealed" not in each:
            fact = json.loads(each)
            fact |= {"stream": "T7/2026-11-17", "sequence": len(made) + 1}
            if made:
                fact["previous"] = digest(made[-1])
            made.append(json.dumps(fact, separators=(",", ":"), ensure_ascii=False).encode())
    return made


# The record, changed by the property in its tree as well: only who saw the honest head knows, and devices' keys.


@attack("the seal does not hold: the signature is not of what it covers")
def a_fact_changed_in_chain_and_tree() -> bytes:
    stored = rewritten(honest().site.records["facts", "T7/2026-11-18"], 5, cents=9000)
    site = Site({**honest().site.records, ("facts", "T7/2026-11-18"): stored})
    return exported(site, shown(site.records)).tar()


@attack("record 5: record 6 names another hash than these bytes have")
def a_fact_changed_in_the_tree_under_an_honest_chain() -> bytes:
    stored = list(honest().site.records["facts", "T7/2026-11-18"])
    stored[4] = stored[4].replace(b'"cents":1000', b'"cents":9000')
    site = Site({**honest().site.records, ("facts", "T7/2026-11-18"): stored})
    return exported(site, shown(site.records)).tar()


@attack("the chain holds, and the property's tree has another root over records")
def a_tree_over_other_facts_than_the_chain() -> bytes:
    site = Site(honest().site.records)
    forged = Site({})
    for leaf in site.leaves:
        mine = (leaf.kind, leaf.stream, leaf.first) == ("facts", "T7/2026-11-18", 1)
        forged.add(replace(leaf, root="07" * 32) if mine else leaf)
        if len(forged.leaves) in site.notes:
            forged.close(DAYS[len(forged.notes)])
    forged.records = site.records
    return exported(forged, shown(site.records)).tar()


@attack("the seal does not hold: the key T8-key is for T8")
def a_seal_by_another_tables_device() -> bytes:
    stored = rewritten(honest().site.records["facts", "T7/2026-11-18"], _first_seal(), key="T8-key")
    site = Site({**honest().site.records, ("facts", "T7/2026-11-18"): stored})
    return exported(site, shown(site.records)).tar()


def _first_seal() -> int:
    return next(
        at for at, each in enumerate(honest().site.records["facts", "T7/2026-11-18"], 1) if b"chain-sealed" in each
    )


@attack("data/proofs/checkpoint.txt: the signature of the witness audit.example is not of this text")
def a_split_view_with_the_witness_s_signature_of_the_other() -> bytes:
    note = honest().files["data/proofs/checkpoint.txt"].decode()
    witness = note.split("\n")[-2]
    site = Site(records(rounds=2))
    bundle = exported(site, shown(site.records))
    mine = bundle.files["data/proofs/checkpoint.txt"].decode().split("\n")
    bundle.files["data/proofs/checkpoint.txt"] = "\n".join([*mine[:-2], witness, ""]).encode()
    return bundle.listed().signed().tar()


# The tables, changed by the property, which signs the export again.


def table(name: str, old: str, new: str) -> bytes:
    return resigned(f"data/tables/{name}.csv", lambda text: _once(text, old, new))


def _once(text: bytes, old: str, new: str) -> bytes:
    found = re.subn(old.encode(), new.encode(), text, count=1)
    if not found[1]:
        raise ValueError(f"{old} is not in it")
    return found[0]


@attack(r"data/tables/paid.csv, line 2, byte [0-9]+: row 1 has '1501' for staked_cents, and the records come to '1500'")
def an_amount_paid() -> bytes:
    return table("paid", ",ante,1500,", ",ante,1501,")


@attack("data/tables/paid.csv: row 12 is missing")
def a_row_of_what_was_paid_left_out() -> bytes:
    return resigned("data/tables/paid.csv", lambda text: text[: text[:-2].rindex(b"\r\n") + 2])


@attack("data/tables/paid.csv, line 14, byte [0-9]+: row 13 follows from no record")
def a_row_of_what_was_paid_made_up() -> bytes:
    return resigned("data/tables/paid.csv", lambda text: text + text[text[:-2].rindex(b"\r\n") + 2 :])


@attack("data/tables/table_money.csv, line 2, .* for win_cents, and the records come to")
def a_win() -> bytes:
    return resigned("data/tables/table_money.csv", lambda text: _second_row(text, b"1"))


def _second_row(text: bytes, cell: bytes) -> bytes:
    rows = text.split(b"\r\n")
    rows[1] = rows[1][: rows[1].rindex(b",") + 1] + cell
    return b"\r\n".join(rows)


@attack("data/tables/findings.csv, line 2, .* has 'standing' for state, and the records come to 'withdrawn'")
def a_finding_said_to_stand() -> bytes:
    return table("findings", "withdrawn", "standing")


@attack("data/tables/findings.csv, .* for at, and the records come to")
def the_moment_of_a_finding() -> bytes:
    return table("findings", "2026-11-18T", "2026-11-17T")


@attack("data/tables/counts.csv, line 2, .* for records, and the records come to")
def a_count() -> bytes:
    return resigned("data/tables/counts.csv", lambda text: _second_row(text, b"99"))


@attack(r"data/tables.xlsx: row 2 of sheet wagers is not row 1 of data/tables/wagers.csv")
def an_amount_owed_in_the_table_alone() -> bytes:
    return table("wagers", ",1000,0,UTH-MD", ",2000,0,UTH-MD")


@attack(r"data/tables.xlsx: row 2 of sheet wagers is not row 1 of data/tables/wagers.csv")
def an_amount_owed_in_the_workbook_alone() -> bytes:
    def other(stored: bytes) -> bytes:
        from tests.export.builder import workbook

        sheets = {path[12:-4]: text for path, text in honest().files.items() if path.startswith("data/tables/")}
        sheets["wagers"] = sheets["wagers"].replace(b",1000,0,UTH-MD", b",2000,0,UTH-MD")
        return workbook(sheets)

    return resigned("data/tables.xlsx", other)


@attack("a cell begins as a formula does")
def a_formula_in_a_table() -> bytes:
    return table("wagers", "certain", "=1+1")


@attack("it is not written as a row of a table is")
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


@attack("who ordered it and who signed it are one person")
def ordered_and_signed_by_one() -> bytes:
    return exported(honest().site, shown(honest().site.records), signed_by="a.inspector").tar()


@attack("data/streams.jsonl does not tell of it")
def a_stream_that_is_not_told_of() -> bytes:
    return resigned("data/streams.jsonl", lines(lambda all_of: all_of[1:]))

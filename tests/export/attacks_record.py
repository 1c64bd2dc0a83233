"""Attacks by the property itself on its record: it signs the export again, and its tree, where it can."""

import json

import msgspec
from msgspec.structs import replace

from domain.ledger.chain import digest
from domain.ledger.checkpoint import Checkpoint, Note, NoteKey, cosigned, parsed_note, signed
from tests.export.attacks import (
    DAY,
    NEXT,
    PLACES,
    attack,
    honest,
    lines,
    resigned,
    rewritten,
    shown,
)
from tests.export.builder import (
    ORIGIN,
    PROPERTY,
    TAGS,
    WITNESS,
    Bundle,
    Site,
    canonical,
    manifest,
    pieces,
    private,
    public,
    tar,
)
from tests.export.scenes import DAYS, exported, records


@attack(r"data/facts/T7/2026-11-18.jsonl, line 6, byte [0-9]+, T7/2026-11-18 record 6: record 7 is in the place of 6")
def a_fact_dropped() -> bytes:
    return resigned(DAY, lines(lambda all_of: all_of[:5] + all_of[6:]))


@attack(r"T7/2026-11-18 record 6: record 7 is in the place of 6")
def two_facts_swapped() -> bytes:
    return resigned(DAY, lines(lambda all_of: [*all_of[:5], all_of[6], all_of[5], *all_of[7:]]))


@attack(r"T7/2026-11-18 record 7: it repeats the record before it")
def a_fact_twice() -> bytes:
    return resigned(DAY, lines(lambda all_of: all_of[:6] + all_of[5:]))


@attack(r"T7/2026-11-18 record 5: record 6 names a different hash than these bytes have")
def an_amount_of_a_fact() -> bytes:
    return resigned(DAY, lambda text: text.replace(b'"wager":"ante","cents":1000', b'"wager":"ante","cents":9000', 1))


@attack(r"records [0-9]+ to [0-9]+ are missing")
def the_last_facts_cut_off() -> bytes:
    return resigned(DAY, lines(lambda all_of: all_of[:-4]))


@attack(r"the stretches end with record [0-9]+, but data/streams.jsonl says [0-9]+: the tail was cut off")
def the_last_facts_and_their_stretch_cut_off() -> bytes:
    bundle = honest().copy()
    last = json.loads(bundle.files[PLACES].split(b"\n")[-3])["stretch"]["last"]
    bundle.files[DAY] = lines(lambda all_of: all_of[:last])(bundle.files[DAY])
    bundle.files[PLACES] = lines(lambda all_of: all_of[:-1])(bundle.files[PLACES])
    return bundle.listed().signed().tar()


def _cut(path: str, day: str) -> Bundle:
    """The last stretch of a day removed from every list that names it."""
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


@attack(r"T7/2026-11-18 record [0-9]+: T7/2026-11-19 names a different hash for its last record")
def the_tail_of_a_closed_day_cut_off_wherever_it_is_told() -> bytes:
    return _tables_made_anew(_cut(DAY, DAYS[0])).listed().signed().tar()


@attack(r"leaf [0-9]+ is expected here|the property's tree holds records [0-9]+ to [0-9]+ too: the tail was cut off")
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


@attack("data/proofs/after.jsonl: leaves [0-9]+ to [0-9]+ of the property's tree are missing")
def later_leaves_left_out() -> bytes:
    return resigned("data/proofs/after.jsonl", lines(lambda all_of: all_of[:-1]))


@attack(r"data/facts/T7/2026-11-18.jsonl, .*the property's tree has a different hash for record [0-9]+")
def the_chain_made_anew_under_an_honest_tree() -> bytes:
    return resigned(DAY, lines(lambda all_of: rewritten(all_of, 5, cents=9000)))


@attack("data/proofs/stretches/facts/T7/2026-11-18.jsonl, line 1, byte 0: this stretch is not at this place")
def the_chain_and_its_stretches_made_anew_under_an_honest_tree() -> bytes:
    site = honest().site
    forged = Site(
        {**site.records, ("facts", "T7/2026-11-18"): rewritten(site.records["facts", "T7/2026-11-18"], 5, cents=9000)}
    )
    other = exported(forged, shown(forged.records))
    bundle = honest().copy()
    bundle.files |= {path: other.files[path] for path in (DAY, PLACES, "data/tables/paid.csv")}
    return bundle.listed().signed().tar()


@attack("this stretch is not at this place of the property's tree")
def the_proof_of_another_leaf() -> bytes:
    def swap(all_of: list[bytes]) -> list[bytes]:
        one, other = json.loads(all_of[0]), json.loads(all_of[1])
        one["path"], one["index"] = other["path"], other["index"]
        return [json.dumps(one, separators=(",", ":")).encode(), *all_of[1:]]

    return resigned(PLACES, lines(swap))


@attack("it is not written like a proof|a hash is 64 hex digits")
def a_proof_written_in_another_way() -> bytes:
    return resigned(PLACES, lambda text: text.replace(b'"path":[', b'"path": [', 1))


@attack("this is a stretch of facts T7/2026-11-19")
def the_stretches_of_another_day() -> bytes:
    bundle = honest().copy()
    bundle.files[PLACES] = bundle.files[f"data/proofs/stretches/facts/T7/{DAYS[1]}.jsonl"]
    return bundle.listed().signed().tar()


@attack("the question is bound to a different checkpoint")
def an_old_checkpoint_put_in() -> bytes:
    bundle = honest().copy()
    old = bundle.site.notes[min(bundle.site.notes)]
    bundle.files["data/proofs/checkpoint.txt"] = cosigned(old, WITNESS, private(2).sign, 1_795_140_000).stored.encode()
    return bundle.listed().signed().tar()


@attack(
    "data/proofs/earlier.jsonl, line 1, byte 0: two heads of one tree: the same number of leaves, but a different root"
)
def an_old_checkpoint_put_in_and_into_the_question() -> bytes:
    bundle = honest().copy()
    size = min(bundle.site.notes)
    old = cosigned(bundle.site.notes[size], WITNESS, private(2).sign, 1_795_140_000)
    question = bundle.question
    question["checkpoint"] |= {"root": bundle.site.tree.root(size).hex(), "size": size, "time": "2026-11-18T23:59:00Z"}
    bundle.files["data/proofs/checkpoint.txt"] = old.stored.encode()
    bundle.files["data/question.json"] = (canonical(question) + "\n").encode()
    return bundle.listed().signed().tar()


@attack("data/proofs/earlier.jsonl, line 1, byte 0: the later tree does not continue the earlier one")
def two_heads_of_one_day() -> bytes:
    bundle = honest().copy()
    size = min(bundle.site.notes)
    other = Checkpoint(ORIGIN, size, b"\x07" * 32, ("time 2026-11-18T23:59:00Z", "day 2026-11-18"))
    said = json.loads(bundle.files["data/proofs/earlier.jsonl"])
    said["note"] = signed(other.text, PROPERTY, bundle.site.sign).stored
    bundle.files["data/proofs/earlier.jsonl"] = msgspec.json.encode(said) + b"\n"
    return bundle.listed().signed().tar()


@attack("data/proofs/earlier.jsonl, line 1, byte 0: the property's signature is not the first")
def an_earlier_checkpoint_nobody_signed() -> bytes:
    bundle = honest().copy()
    said = json.loads(bundle.files["data/proofs/earlier.jsonl"])
    said["note"] = signed(said["note"].split("\n\n")[0] + "\n", NoteKey("other", public(3)), private(3).sign).stored
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


@attack("the seal is invalid: its signature does not match what it covers")
def a_fact_changed_in_chain_and_tree() -> bytes:
    stored = rewritten(honest().site.records["facts", "T7/2026-11-18"], 5, cents=9000)
    site = Site({**honest().site.records, ("facts", "T7/2026-11-18"): stored})
    return exported(site, shown(site.records)).tar()


@attack("record 6: it does not name the record before it; but the table faults does not list it")
def a_fact_changed_in_the_tree_under_an_honest_chain() -> bytes:
    stored = list(honest().site.records["facts", "T7/2026-11-18"])
    stored[4] = stored[4].replace(b'"cents":1000', b'"cents":9000')
    site = Site({**honest().site.records, ("facts", "T7/2026-11-18"): stored})
    return exported(site, shown(site.records)).tar()


@attack("the chain holds, but the property's tree has a different root over records")
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


@attack("the seal is invalid: its key is for another table .*; but the table faults does not list it")
def a_seal_by_another_tables_device() -> bytes:
    stored = rewritten(honest().site.records["facts", "T7/2026-11-18"], _first_seal(), key="T8-key")
    site = Site({**honest().site.records, ("facts", "T7/2026-11-18"): stored})
    return exported(site, shown(site.records)).tar()


def _first_seal() -> int:
    return next(
        at for at, each in enumerate(honest().site.records["facts", "T7/2026-11-18"], 1) if b"chain-sealed" in each
    )


@attack("data/proofs/checkpoint.txt: the signature of the witness audit.example does not match this text")
def a_split_view_with_the_witness_s_signature_of_the_other() -> bytes:
    note = honest().files["data/proofs/checkpoint.txt"].decode()
    witness = note.split("\n")[-2]
    site = Site(records(rounds=2))
    bundle = exported(site, shown(site.records))
    mine = bundle.files["data/proofs/checkpoint.txt"].decode().split("\n")
    bundle.files["data/proofs/checkpoint.txt"] = "\n".join([*mine[:-2], witness, ""]).encode()
    return bundle.listed().signed().tar()


@attack("statement.dsse.json, line 1: its recipient differs from the question and the checkpoint")
def a_statement_that_tells_another_recipient() -> bytes:
    return honest().copy().signed(recipient="everybody").tar()


@attack("data/question.json: the export is called export-0000000000000000, which is the name of another question")
def an_export_under_another_name() -> bytes:
    other = "export-0000000000000000"
    bundle = honest().copy()
    info = bundle.files["bag-info.txt"].replace(bundle.name.encode(), other.encode())
    bundle.files["bag-info.txt"] = info
    bundle.files["pieces-sha256.txt"] = pieces(bundle.files)
    bundle.files["tagmanifest-sha256.txt"] = manifest(bundle.files, TAGS)
    return tar(other, bundle.signed(name=other).files, bundle.question["checkpoint"]["time"])


@attack("data/proofs/checkpoint.txt: it is not signed with the property's key")
def a_checkpoint_the_property_has_not_signed() -> bytes:
    note = parsed_note(honest().files["data/proofs/checkpoint.txt"].decode())
    mine = signed(note.text, NoteKey(ORIGIN, public(3)), private(3).sign)
    both = Note(note.text, (*mine.signatures, *note.signatures[1:]))
    return resigned("data/proofs/checkpoint.txt", lambda _: both.stored.encode())

"""Attacks without the property's key: signed content is changed, or taken from elsewhere."""

import json

import msgspec

from domain.ledger.checkpoint import NoteKey, signed
from tests.export.attacks import (
    attack,
    changed,
    honest,
    shown,
    swapped,
)
from tests.export.builder import ORIGIN, PROPERTY, Site, canonical, private, public
from tests.export.scenes import exported, records


@attack("data/tables/wagers.csv, line 2, byte [0-9]+: it is not the file that was signed: one bit")
def one_bit_of_a_table() -> bytes:
    return changed("data/tables/wagers.csv", lambda text: swapped(text, 200, bytes([text[200] ^ 4]))).tar()


@attack("data/report.pdf, byte 0: it is not the file that was signed: the 1024 bytes from here on differ")
def an_amount_in_the_report() -> bytes:
    return changed("data/report.pdf", lambda text: text.replace(b"$10.00", b"$99.00")).tar()


@attack("data/report.pdf, byte 0: it is not the file that was signed")
def a_report_cut_short() -> bytes:
    return changed("data/report.pdf", lambda text: text[:100]).tar()


@attack("data/tables/paid.csv: the signed manifest-sha256.txt names it, but it is not in the export")
def a_file_left_out() -> bytes:
    bundle = honest().copy()
    del bundle.files["data/tables/paid.csv"]
    return bundle.tar()


@attack("manifest-sha256.txt, line [0-9]+, byte [0-9]+: .* follows from the other files")
def a_line_of_the_manifest() -> bytes:
    return changed("manifest-sha256.txt", lambda text: swapped(text, 300, b"0000000000")).tar()


@attack("manifest-sha256.txt: it matches the files here, but the statement signs a different one")
def an_amount_and_the_manifest_made_anew() -> bytes:
    return changed("data/tables/wagers.csv", lambda text: text.replace(b"1000", b"2000")).listed().tar()


@attack("bag-info.txt, line 1, byte 0: it is not the file that was signed")
def another_bag_information() -> bytes:
    return changed("bag-info.txt", lambda text: text.replace(b"Payload-Oxum: ", b"Payload-Oxum: 1")).tar()


@attack("statement.dsse.json, line 1: the signature is not a signature of this statement")
def a_statement_with_another_recipient() -> bytes:
    bundle = honest().copy()
    stored = json.loads(bundle.files["statement.dsse.json"])
    mine = exported(bundle.site, shown(bundle.site.records), recipient="somebody else")
    stored["payload"] = json.loads(mine.files["statement.dsse.json"])["payload"]
    bundle.files["statement.dsse.json"] = canonical(stored).encode() + b"\n"
    return bundle.tar()


@attack("it is not written like a statement")
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


@attack("not with the key given from outside")
def all_of_it_signed_with_another_key() -> bytes:
    key = NoteKey(ORIGIN, public(3))
    site = Site(records(), key=key, signer=3)
    return exported(site, shown(site.records)).tar()


@attack("statement.dsse.json, line 1: the signature is not a signature of this statement by the key")
def a_key_said_to_take_the_place_of_ours() -> bytes:
    from domain.ledger.rotation import KeyRotation

    bundle = honest().copy()
    told = KeyRotation(NoteKey(ORIGIN, public(3)), 1, "2026-11-18T00:00:00Z", PROPERTY)
    note = signed(told.text, told.key, private(3).sign)
    bundle.files["data/keys/rotations.jsonl"] += msgspec.json.encode({"note": note.stored}) + b"\n"
    return bundle.listed().tar()

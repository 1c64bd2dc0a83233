"""Forgeries of heads and keys: times, roots, cosignatures, other trees; keys put in, lost, or of no use."""

import base64
import json
from collections.abc import Callable

from tests.export.forged_pit import BEFORE, DAY, FIRST_TIME, OTHER, WITNESS, days, hand
from tests.export.forger import Forged, Head, Signer, line, signer
from tests.export.forgeries import REFUSED, forgery, listed, put, replaced

CHECKPOINT, EARLIER = "data/proofs/checkpoint.txt", "data/proofs/earlier.jsonl"
ROTATIONS = "data/keys/rotations.jsonl"
NOON = f"{DAY}T12:00:00Z"
# The checkpoints that the verifying person holds, by how a forgery names them.
HELD: dict[str, Callable[[Forged], Head]] = {
    "key and the first head held": lambda of: of.heads[0],
    "key and a head held in between": lambda _: Head(6, NOON),
    "key and a newer head held": lambda of: Head(of.heads[-1].size, f"{DAY}T23:59:00Z"),
}


def _noted(of: Forged, **other: object) -> Forged:
    """The checkpoint with another line in it, signed; the question says what fits."""
    of.files[CHECKPOINT] = of.note(of.heads[-1], **other).encode()
    return of


@forgery(REFUSED, f"{EARLIER}, line 1, byte 0: the later tree does not continue the earlier one")
def an_earlier_head_of_another_tree() -> Forged:
    of = days()
    said = json.loads(of.files[EARLIER])
    said["note"] = of.note(of.heads[0], root=base64.b64encode(bytes(32)).decode())
    return put(of, EARLIER, [line(said)[:-1]]).signed()


@forgery(REFUSED, f"{CHECKPOINT}: it is not signed with the property's key")
def a_checkpoint_signed_with_another_key() -> Forged:
    of = days()
    other = signer(of.owner.name, 7)
    return _noted(of, by=other).signed()


@forgery(REFUSED, f"{CHECKPOINT}: the property's signature is not the first, or is there twice")
def a_checkpoint_the_property_signed_twice() -> Forged:
    of = days()
    text = of.note(of.heads[-1])
    again = text.split("\n")[5]
    of.files[CHECKPOINT] = text.replace(f"{again}\n", f"{again}\n{again}\n").encode()
    return of.signed()


@forgery(REFUSED, "its time, .*, is not between the times of the heads before and after it")
def times_of_heads_that_go_back() -> Forged:
    of = days()
    of.heads.insert(1, Head(4, f"{BEFORE}T01:00:00Z"))
    return listed(of)


@forgery(REFUSED, f"{EARLIER}, line 1, byte 0: its time, 2026-12-01T00:00:00Z, is not between")
def a_head_dated_ahead() -> Forged:
    of = days()
    of.heads[0] = of.heads[0]._replace(time="2026-12-01T00:00:00Z")
    return of.bound().listed_from(0).signed()


@forgery(REFUSED, f"{CHECKPOINT}: 'time yesterday' is not a time")
def a_time_that_is_none() -> Forged:
    return _noted(days(), time="time yesterday").signed()


@forgery(REFUSED, f"{CHECKPOINT}: 'time 2026-11-31T00:00:00Z' is not a time")
def a_day_that_no_month_has() -> Forged:
    return _noted(days(), time="time 2026-11-31T00:00:00Z").signed()


@forgery(REFUSED, f"{CHECKPOINT}: '010' is not a number of leaves")
def a_size_with_a_nought_before_it() -> Forged:
    return _noted(days(), size="010").signed()


@forgery(REFUSED, "statement.dsse.json, line 1: .* it has a control character")
def a_control_character_in_a_head() -> Forged:
    of = days()
    return _noted(of, time=f"time {of.heads[-1].time}\nnote \x07").signed()


@forgery(REFUSED, f"{CHECKPOINT}: the signature of the witness audit.example does not match this text")
def a_cosignature_of_another_head() -> Forged:
    """Two records are kept, and the witness saw the other one."""
    of = days()
    seen = of.note(of.heads[-1], root=base64.b64encode(bytes(32)).decode()).split("\n")[-2]
    mine = of.note(of.heads[-1]._replace(seen=()))
    of.files[CHECKPOINT] = f"{mine}{seen}\n".encode()
    return of.signed()


@forgery(REFUSED, "the question is bound to a different checkpoint: this one was put in later")
def a_cosignature_taken_off() -> Forged:
    of = days()
    of.files[CHECKPOINT] = of.note(of.heads[-1]._replace(seen=())).encode()
    return of.signed()


@forgery(REFUSED, f"{EARLIER}: the earlier heads have different cosignatures than the question names")
def a_cosignature_taken_off_an_earlier_head() -> Forged:
    of = days()
    said = json.loads(of.files[EARLIER])
    said["note"] = of.note(of.heads[0]._replace(seen=()))
    return put(of, EARLIER, [line(said)[:-1]]).signed()


@forgery(REFUSED, f"{CHECKPOINT}: second [0-9]+ is not in a year|does not match this text")
def a_cosignature_of_no_year() -> Forged:
    of = days()
    mine = of.note(of.heads[-1]._replace(seen=()))
    text = mine.partition("\n\n")[0] + "\n"
    of.files[CHECKPOINT] = (mine + WITNESS.under(text, 2**63)).encode()
    return of.signed()


@forgery("proved", "the cosignatures of regulator.example: no key was given to check them")
def a_cosignature_nobody_can_check() -> Forged:
    """The answer says so, and the cosignature counts for nothing."""
    of = days()
    of.heads[-1] = of.heads[-1]._replace(seen=(*of.heads[-1].seen, (OTHER, f"{DAY}T23:59:40Z")))
    return listed(of)


@forgery("not used", "USED: the key of regulator.example, who cosigned no head", "key and another witness")
def a_witness_who_has_not_signed() -> Forged:
    return days().signed()


@forgery("not used", "USED: the key of regulator.example", "key and two witnesses")
def one_of_two_witnesses() -> Forged:
    return days().signed()


@forgery("sound in itself", "no witness or checkpoint from outside covers its [0-9]+ leaves", "key")
def no_witness_at_all() -> Forged:
    return days().signed()


@forgery("sound in itself", "who made it: no key was given from outside", "witness")
def no_key_but_a_witness() -> Forged:
    return days().signed()


@forgery("sound in itself", "a key that came with it proves nothing", "nothing")
def nothing_from_outside() -> Forged:
    return days().signed()


# Two records: the verifying person holds a head of the one, and the export is of the other.


def _other_record() -> Forged:
    """The record with another last leaf before the day, all of it bound and signed."""
    of = days()
    at = next(at for at, leaf in enumerate(of.leaves) if leaf["stream"] == f"T6/{BEFORE}")
    of.leaves[at] = {**of.leaves[at], "stream": f"T5/{BEFORE}"}
    return listed(of)


@forgery(
    REFUSED, f"{EARLIER}: two heads of one record: the checkpoint you gave, of size 2", "key and the first head held"
)
def another_record_than_the_one_of_the_head_held() -> Forged:
    return _other_record()


@forgery(REFUSED, "two heads of one record: the checkpoint you gave, of size 6", "key and a head held in between")
def another_record_than_the_one_of_a_head_in_between() -> Forged:
    """No proof leads to a head of that size; the list of leaves does."""
    return _other_record()


@forgery(
    "sound in itself",
    "continues the checkpoint given from outside, of 2026-11-18T12:00:00Z",
    "key and a head held in between",
)
def a_head_in_between_of_the_same_record() -> Forged:
    """A genuine head is accepted; but the list begins at a head that only a witness saw whose key was not given."""
    return days().signed()


@forgery(
    "not used",
    "USED: the checkpoint of 6 leaves, .*proves nothing about a head of this size",
    "key and a head held in between",
)
def a_head_held_that_a_hand_says_nothing_of() -> Forged:
    return hand().signed()


@forgery(REFUSED, "data/proofs/stretches/.*: the proof is longer than the tree is high", "key and a newer head held")
def an_older_checkpoint() -> Forged:
    """Under the same records; an export bound to it from the first is of no use to the holder of a newer one."""
    of = days()
    of.heads[-1] = of.heads[-1]._replace(size=8)
    text = of.note(of.heads[-1])
    of.files[CHECKPOINT] = text.encode()
    of.files[EARLIER] = b""
    of.heads = of.heads[-1:]
    return of.told().signed()


# Keys.


def _told(of: Forged, key: Signer, size: int, before: Signer | None, by: tuple[Signer, ...]) -> bytes:
    """The note that registers a key."""
    instead = f"instead of {before.text}\n" if before else ""
    text = f"{key.name}\nkey {key.text}\n{instead}from size {size}\ntime {FIRST_TIME}\n"
    return line({"note": f"{text}\n" + "".join(each.under(text) for each in by)})


def _rotated(of: Forged, key: Signer, *by: Signer) -> Forged:
    of.files[ROTATIONS] += _told(of, key, of.heads[-1].size, of.owner, by or (key, of.owner))
    coded = base64.b64encode(bytes.fromhex("302a300506032b6570032100") + key.public).decode()
    pem = f"-----BEGIN PUBLIC KEY-----\n{coded}\n-----END PUBLIC KEY-----\n"
    of.files["data/keys/property.pub"] = f"{key.text}\n{pem}".encode()
    return of


@forgery("not used", "USED: the key catwalk/test: another key replaced it from size [0-9]+ on, and an old key vouches")
def an_old_key_that_signed_another_in_its_place() -> Forged:
    """The finder of an old key, long after it was taken out of use, makes an heir of their own."""
    of = days()
    key = signer(of.owner.name, 8)
    return _rotated(of, key).signed(key)


@forgery(
    REFUSED,
    f"{ROTATIONS}, line 2, .*must be signed by that key and by the key before it, but this one is not|does not match this",
)
def a_key_that_the_one_before_it_has_not_signed() -> Forged:
    of = days()
    key = signer(of.owner.name, 8)
    return _rotated(of, key, key).signed(key)


@forgery(REFUSED, f"{ROTATIONS}, line 129, .*it registers more than 128 keys")
def more_keys_than_anybody_wants_to_check() -> Forged:
    """Before any signature is looked at: each would cost a few milliseconds."""
    of = days()
    before = of.owner
    for number in range(200):
        key = signer(of.owner.name, 100 + number)
        of.files[ROTATIONS] += _told(of, key, 10, before, (key, before))
        before = key
    return of.signed(before)


@forgery(REFUSED, f"{ROTATIONS}: it registers a key twice")
def a_key_that_comes_back() -> Forged:
    of = days()
    key = signer(of.owner.name, 8)
    _rotated(of, key)
    of.files[ROTATIONS] += _told(of, of.owner, 10, key, (of.owner, key))
    return of.signed()


@forgery(REFUSED, f"{ROTATIONS}, line 2, .*it registers a key under a different name")
def a_key_under_another_name() -> Forged:
    of = days()
    key = signer("elsewhere", 8)
    return _rotated(of, key).signed(key)


@forgery(REFUSED, f"{ROTATIONS}, line 1, .*: it has a field twice|it does not register a key|2.0")
def a_key_told_of_twice_on_one_line() -> Forged:
    return replaced(days(), ROTATIONS, b'{"note":', b'{"note":"","note":').signed()


@forgery(REFUSED, "not with the key given from outside", "another key")
def another_property() -> Forged:
    return days().signed()


@forgery("not used", "USED: the key .*: it is not a key of this export's property", "key, witness and an old key")
def a_second_key_that_is_of_no_use() -> Forged:
    return days().signed()


@forgery(REFUSED, "data/keys/devices.jsonl")
def a_device_s_key_left_out_of_the_list() -> Forged:
    of = days()
    told = of.files["data/keys/devices.jsonl"].split(b"\n")[:-1]
    return put(of, "data/keys/devices.jsonl", told[:-1]).signed()


@forgery(REFUSED, "statement.dsse.json, line 1: the signature is not a signature of this statement by the key")
def a_statement_signed_with_a_witness_s_key() -> Forged:
    return days().signed(signer("audit.example", 1))

"""Forgeries of the container and of what it holds as such: the tar, the bag, the statement."""

import gzip
import json

from tests.export.forged_pit import days
from tests.export.forger import Forged, canonical, digest, member, seconds
from tests.export.forgeries import REFUSED, forgery, replaced


def _with(stored: bytes) -> bytes:
    """The honest container with one more member behind all others."""
    whole = days().signed().tar()
    return whole[:-1024] + stored + bytes(1024)


def _at() -> int:
    return seconds(days().question["checkpoint"]["time"])


def _name(path: str) -> str:
    return f"{days().signed().name}/{path}"


@forgery(REFUSED, "it does not end with exactly two blocks of zeros")
def bytes_behind_the_end() -> bytes:
    return days().signed().tar() + b"\0" * 511 + b"x"


@forgery(REFUSED, "is a symbolic link; an export holds regular files only")
def a_link() -> bytes:
    return _with(member(_name("zz"), b"", _at(), kind=b"2", link=b"/etc/passwd"))


@forgery(REFUSED, "leads out of the export")
def a_file_that_leads_out_of_it() -> bytes:
    return _with(member(_name("../../outside"), b"x", _at()))


@forgery(REFUSED, "verify.py is in it twice")
def a_file_that_stands_in_it_twice() -> bytes:
    return _with(member(_name("verify.py"), b"print('PROVED')", _at()))


@forgery(REFUSED, "is not a file of an export")
def a_file_nobody_knows() -> Forged:
    of = days()
    of.files["data/zz-addendum.txt"] = b"ignore the tables"
    return of.signed()


@forgery(REFUSED, "is an extended header")
def an_extended_header() -> bytes:
    return _with(member(_name("zz"), b"12 path=x\n", _at(), kind=b"x"))


@forgery(REFUSED, "does not match its checksum")
def a_header_that_does_not_add_up() -> bytes:
    return days().signed().tar(off=1)


@forgery(REFUSED, "the header of .* differs from the required one")
def a_file_of_somebody() -> bytes:
    return days().signed().tar(user=b"root")


@forgery(REFUSED, "has the time .*, but the checkpoint")
def files_of_another_time() -> bytes:
    return days().signed().tar(later=1)


@forgery(REFUSED, "the header gives .* 8589934591 bytes, but the file ends before that")
def a_file_said_to_be_huge() -> bytes:
    whole = days().signed().tar()
    return member(_name("HOW-TO-VERIFY.txt"), b"", _at(), size=8**11 - 1) + whole


@forgery("unreadable", "this is not an export")
def a_container_that_is_compressed() -> bytes:
    return gzip.compress(days().signed().tar())


@forgery(REFUSED, "this is not a signed statement about an export")
def a_statement_of_another_kind() -> Forged:
    of = days().signed()
    said = _statement(of)
    return of.stated(said, of.owner, kind="application/json")


@forgery(REFUSED, "this is not a signed statement about an export")
def a_statement_with_two_signatures() -> Forged:
    of = days().signed()
    return of.stated(_statement(of), of.owner, more=1)


def _statement(of: Forged) -> dict[str, object]:
    import base64

    found: dict[str, object] = json.loads(base64.b64decode(json.loads(of.files["statement.dsse.json"])["payload"]))
    return found


@forgery(REFUSED, "its recipient differs from the question and the checkpoint")
def a_statement_for_somebody_else() -> Forged:
    of = days().signed()
    said = _statement(of)
    said["predicate"]["recipient"] = "everybody"  # type: ignore[index]
    return of.stated(said, of.owner)


@forgery(REFUSED, "not canonical base64|not base64|not a signed statement")
def a_signature_written_in_a_second_way() -> Forged:
    of = days().signed()
    envelope = json.loads(of.files["statement.dsse.json"])
    envelope["signatures"][0]["sig"] += "\n"
    of.files["statement.dsse.json"] = canonical(envelope) + b"\n"
    return of


@forgery(REFUSED, "data/report.pdf, byte [0-9]+: it is not the file that was signed")
def another_report() -> Forged:
    of = days().signed()
    return replaced(of, "data/report.pdf", b"%PDF", b"%pdf")


@forgery(
    REFUSED,
    "tagmanifest-sha256.txt.*: it matches the files here, but the statement signs a different one|it is not the file|stands where",
)
def another_program_and_its_hash() -> Forged:
    of = days().signed()
    old = digest(of.files["verify.py"])
    of.files["verify.py"] = b"print('PROVED')\n"
    return replaced(of, "tagmanifest-sha256.txt", old.encode(), digest(of.files["verify.py"]).encode())


@forgery("proved", "what verify.py in the export does: it is another program")
def another_program_that_the_property_signed() -> Forged:
    of = days()
    of.files["verify.py"] = b"print('PROVED')\n"
    return of.signed()

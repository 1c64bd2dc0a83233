"""Lines in another form than JSON in UTF-8 are named, with what to do."""

import pytest

from consumers.gateway.reading_lines import read_line
from domain.facts.refused import Refused

_FACT = '{"type":"card-dealt.1","to":"seat","seat":2,"card":"Ah","at":1795035603000000,"source":"T7","source_key":"ü"}'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (_FACT.encode("utf-8-sig"), "it starts with a byte order mark: save the file as UTF-8 without one"),
        (_FACT.encode("utf-16"), "it is in UTF-16: save the file as UTF-8"),
        (_FACT.encode("utf-16-le"), "it is in UTF-16: save the file as UTF-8"),
        (b"\0" + _FACT.encode("utf-16-le"), "it is in UTF-16: save the file as UTF-8"),  # as the second line begins
        (_FACT.encode("latin-1"), "perhaps in Latin-1 or Windows-1252: save the file as UTF-8"),
        (f"{_FACT}\r{_FACT}".encode(), "its lines end in CR alone: end each line with LF"),
        (
            _FACT.replace("ü", r"\ud800x").encode(),
            r"it has half of a surrogate pair, \ud800: write the whole character",
        ),
        (_FACT.replace("ü", r"\udc00").encode(), r"it has half of a surrogate pair, \udc00: write the whole character"),
        (b"Hand,Start,Seat 1", "this is CSV: use `catwalk map`, which turns rows into facts"),
        (b"1;2026-11-18 18:00:32;20.00", "this is CSV: use `catwalk map`, which turns rows into facts"),
        (b'"Hand","Start"', "this is CSV: use `catwalk map`, which turns rows into facts"),
        (b"\0\0\0", "it is not JSON"),
        (b'{"type":"card-dealt.1",', "it is not JSON"),
    ],
)
def test_the_form_of_a_line_is_named_with_what_to_do(line: bytes, says: str) -> None:
    refused = read_line(line)
    assert isinstance(refused, Refused)
    assert refused.code == "not-json"
    assert says in refused.says


@pytest.mark.parametrize("line", [b'"one, two"', b"[1,2]", b"null", b"7"])
def test_other_json_is_no_csv(line: bytes) -> None:
    refused = read_line(line)
    assert isinstance(refused, Refused)
    assert refused.code == "not-an-object"

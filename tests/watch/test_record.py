"""The records a verifier writes, as a contract: golden files, schemas, and what a later version must not change."""

from pathlib import Path

import msgspec
import pytest

from consumers.contracts import pages as contracts
from domain.clauses import findings
from domain.facts.codec import UnreadableFactError
from domain.facts.samples import sample
from domain.watch.record import OF_THE_LOG, RECORDS, StreamVerified, cause, decode, encode

ROOT = Path(__file__).parents[2]
every_type = pytest.mark.parametrize("name", RECORDS)


@every_type
def test_the_golden_file_of_a_record_is_its_stored_form(name: str) -> None:
    """A changed field, default or order is a changed file: a decision to review."""
    golden = (ROOT / contracts.FINDINGS.golden / f"{name}.json").read_bytes()
    full = sample(RECORDS[name])
    assert encode(full) + b"\n" == golden
    assert decode(golden) == full


@pytest.mark.parametrize(
    ("name", "stream"),
    [
        ("finding-raised.1", "some known_in"),
        ("finding-revised.1", "some known_in"),
        ("finding-withdrawn.1", "some explained_in"),
        ("stream-verified.1", "T7/2026-11-18"),
    ],
)
def test_a_record_names_the_fact_by_which_it_became_known(name: str, stream: str) -> None:
    assert cause(sample(RECORDS[name])) == (stream, 7)


def test_no_golden_file_or_schema_outlives_its_type() -> None:
    assert {path.stem for path in (ROOT / contracts.FINDINGS.golden).glob("*.json")} == set(RECORDS)
    assert {path.stem for path in (ROOT / contracts.FINDINGS.schemas).glob("*.json")} == {*RECORDS, "shared"}


def test_which_detectors_verified_a_stream_is_always_written() -> None:
    """Left out as a default it would change its meaning with the next version."""
    marks = sample(RECORDS["stream-verified.1"])
    assert isinstance(marks, StreamVerified)
    for version in ("1", "2"):
        assert b'"detectors":"%b"' % version.encode() in encode(msgspec.structs.replace(marks, detectors=version))


@pytest.mark.parametrize("stored", [b"", b"junk", b"\xff", b"{}", b'{"type":"noted.1"}', b"[" * 5000])
def test_bytes_that_are_no_record_are_told(stored: bytes) -> None:
    with pytest.raises(UnreadableFactError):
        decode(stored)


def test_what_the_watch_over_a_log_raises_is_in_the_vocabulary() -> None:
    assert findings().keys() >= OF_THE_LOG

"""Number of decodes and hashes of a fact, and settlements of a round, from the log to rows, tree and export."""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest

from consumers.gateway.keys import PASSPHRASE
from consumers.logs.opening import embedded_log
from consumers.trust.keeper import begin, open_keeper
from domain.facts.codec import decode
from domain.facts.payments import RoundCompleted, RoundVoided
from projections.export.question import Scope
from tests.export import pits
from tests.trust.records import NAME, run

DAY = "2026-11-18"


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count calls by the interpreter's own events, in every thread: the code under test stays untouched."""
    found: Counter[str] = Counter()

    def heard(frame: FrameType, event: str, what: Any) -> None:
        if event == "c_call":
            name = getattr(what, "__name__", "")
            if name == "decode" and isinstance(getattr(what, "__self__", None), msgspec.json.Decoder):
                found["decodes"] += 1
            elif name == "encode" and isinstance(getattr(what, "__self__", None), msgspec.json.Encoder):
                found["encodes"] += 1
            elif name in ("openssl_sha256", "sha256"):
                found["hashes"] += 1
        elif event == "call" and frame.f_code.co_name == "settle":
            found["settlements"] += frame.f_code.co_filename.endswith("settlement/__init__.py")

    threading.setprofile(heard)
    sys.setprofile(heard)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def test_in_house_a_fact_is_decoded_three_times_and_a_round_settled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "pit"
    played = ("simulate", "--tables", "2", "--hours", "1", "--games", "UTH-MD,COL", "--seed", "7", "--keys")
    assert run(*played, "--start", DAY, "--data", str(folder)).exit_code == 0
    begin(folder, NAME, pits.NOW)
    with closing(embedded_log(folder)) as log:
        facts = [decode(stored) for batch in log.drain({}) for _, stored in batch.facts]
    rounds = sum(isinstance(fact, RoundCompleted | RoundVoided) for fact in facts)
    with counted() as projected:
        assert run("project", "--verify", "--once", "--data", str(folder)).exit_code == 0
    with counted() as fixed:
        assert run("checkpoint", "--data", str(folder)).exit_code == 0
    with open_keeper(folder) as keeper:
        (size,) = keeper.sizes()
    pit = pits.Pit(folder, "", 0, "", None, "", (size, size))  # type: ignore[arg-type]
    with counted() as exported:
        pits.exported(pit, Scope(days=(DAY, DAY)), tmp_path / "export.tar")
    told = {"findings and rows": projected, "tree": fixed, "export": exported}
    each = {name: {what: count / len(facts) for what, count in found.items()} for name, found in told.items()}
    print(f"{len(facts)} facts, {rounds} rounds; {projected['settlements']} settlements; a fact each: {each}")  # noqa: T201 - for who asks with -s
    assert 0 < projected["settlements"] <= rounds
    in_house = each["findings and rows"]["decodes"] + each["tree"]["decodes"]
    assert 2 < in_house < 3.01, "by the pass, for the file of its day, for the tree; records of findings are some more"

"""An intruder writes a record into a log that no gateway would write: the tree, exports and witnesses still work."""

import json
import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from consumers.gateway.keys import PASSPHRASE
from consumers.logs.log import StoredFact
from consumers.trust.keeper import begin, open_keeper
from projections.export.question import Scope
from tests.export import pits
from tests.export.delivered import verify
from tests.gateway.floor import START
from tests.trust.records import DAY, NAME, Pit, run

NEXT = "2026-11-19"
OF_TWO_DAYS = Scope(days=(DAY, NEXT))


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pit]:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    made = Pit(tmp_path / "deep/er/than/it/climbs/pit").opened()
    begin(made.folder, NAME, START)
    yield made
    made.close()


def written(pit: Pit, stream: str, sequence: int = 1, kind: str = "noted.1", at: int = 1) -> None:
    """A record behind the gateway's back, as a database administrator can write it."""
    told = {"type": kind, "at": at, "source": "x", "source_key": "y", "stream": stream, "sequence": sequence}
    stored = json.dumps(told, separators=(",", ":")).encode()
    pit.log.append([StoredFact(stream, sequence % 2**60, kind, stored)])


def leaves(pit: Pit) -> list[tuple[str, str, int]]:
    with open_keeper(pit.folder) as keeper:
        return keeper.streams(max(keeper.sizes()))


STREAMS = (
    f"T9/{DAY}/../../../../../../escaped/{DAY}",
    f"../{DAY}",
    f"/{DAY}",
    f"a b/{DAY}",
    f"Ü/{DAY}",
    f"T9\n/{DAY}",
    f"{'x' * 300}/{DAY}",
    "T9/2026-02-30",
    "T9",
)


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_nobody_can_have_is_in_no_tree_and_forbids_no_export(pit: Pit, tmp_path: Path, stream: str) -> None:
    written(pit, stream)
    run("watch", "--once", "--quiet", "--data", str(pit.folder))
    signed = run("checkpoint", "--data", str(pit.folder))
    assert (signed.exit_code, "1 records name no stream and sequence" in signed.stderr) == (0, True), signed.output
    assert {name for _, name, _ in leaves(pit)} <= {f"T7/{DAY}", f"T8/{DAY}", f"property/{DAY}"}
    with open_keeper(pit.folder) as keeper:
        size, key = max(keeper.sizes()), verify.Key(keeper.key.name, keeper.key.public)
        held = keeper.note(size)
    file = tmp_path / "export.tar"
    pits.exported(pits.Pit(pit.folder, "", 0, "", None, "", (size, size)), OF_TWO_DAYS, file)  # type: ignore[arg-type]
    verdict = verify.verify(BytesIO(file.read_bytes()), verify.Asked([key], (), held))
    assert verdict.status == 0, verdict.line
    assert not [found for found, _, _ in os.walk(tmp_path) if found.endswith("escaped")]
    assert run("doctor", "--data", str(pit.folder)).exit_code != 0


@pytest.mark.parametrize("sequence", [2**53, 2**63, 10**25, 0, -3])
def test_a_place_no_stream_has_stops_no_keeper(pit: Pit, sequence: int) -> None:
    written(pit, f"T7/{DAY}", sequence)
    signed = run("checkpoint", "--data", str(pit.folder))
    assert (signed.exit_code, "1 records name no stream and sequence" in signed.stderr) == (0, True), signed.output
    pit.rounds("T7", 1)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0


@pytest.mark.parametrize("stream", [f"property/x\nday {DAY}", f"T7/{NEXT}", f"property/{DAY}x"])
def test_no_record_elsewhere_closes_the_propertys_day_in_a_signed_head(pit: Pit, stream: str) -> None:
    """Two heads that close one day are proof of fraud: nobody who writes into the log may make the property sign them."""
    written(pit, stream, kind="property-closed.1", at=START)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    with open_keeper(pit.folder) as keeper:
        assert keeper.closes() == {}
        assert DAY not in keeper.note(max(keeper.sizes())).split("\n\n")[0].replace(f"time {DAY}", "")
    pit.closed()
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    with open_keeper(pit.folder) as keeper:
        assert list(keeper.closes().values()) == [(DAY,)]


def test_a_fact_of_the_future_does_not_let_a_leaping_clock_sign(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    year = 365 * 86_400_000_000
    monkeypatch.setattr("consumers.commands.checkpoint.now", lambda: START)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 0
    written(pit, f"T9/{DAY}", at=START + 2_000 * year)
    monkeypatch.setattr("consumers.commands.checkpoint.now", lambda: START + year)
    assert run("checkpoint", "--data", str(pit.folder)).exit_code == 4

"""The first day under `catwalk up`: parts that wait for a record, and the opening that is typed beside them."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from consumers.gateway.door import DOOR
from tests.gateway.admitted import run
from tests.gateway.test_commands import streams
from tests.up.test_only import CATWALK, LONG

EXAMPLES = Path(__file__).parents[2] / "docs/examples"


@pytest.mark.parametrize("only", [(), ("--only", "gateway")], ids=["every part", "the gateway alone"])
def test_the_first_opening_is_typed_beside_up_on_an_empty_folder(tmp_path: Path, only: tuple[str, ...]) -> None:
    (tmp_path / "pit.toml").write_text('[record]\ndata = "pit"\n[gateway]\nsocket = "pit.sock"\n')
    pit, said = tmp_path / "pit", tmp_path / "said"
    with said.open("wb") as told:
        up = subprocess.Popen([*CATWALK, "up", str(tmp_path / "pit.toml"), *only], stderr=told, stdout=told)
    try:
        until = time.monotonic() + LONG
        while "catwalk ingest creates a record with the property's opening" not in said.read_text():
            assert time.monotonic() < until
            time.sleep(0.05)
        assert not pit.exists()
        first = run("ingest", EXAMPLES / "openings.jsonl", "--data", pit)
        assert (first.exit_code, "2 recorded" in first.stderr) == (0, True), first.stderr
        while not (pit / DOOR).exists():
            assert time.monotonic() < until, said.read_text()
            if up.poll() is not None:  # it began while the command was at work: a service manager starts it again
                up = subprocess.Popen([*CATWALK, "up", str(tmp_path / "pit.toml"), *only])
            time.sleep(0.05)
        second = run("ingest", EXAMPLES / "round.jsonl", "--data", pit)
        assert (second.exit_code, "30 recorded" in second.stderr) == (0, True), second.stderr
        assert second.stderr.startswith("A gateway is running on this record")
        assert len(streams(pit)["T7/2026-11-18"]) == 31
        up.send_signal(signal.SIGTERM)
        assert up.wait(LONG) == 0
    finally:
        up.kill()
        up.wait()

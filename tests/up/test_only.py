"""One part alone, for a service manager: the process that was started becomes it, and its exit status is the part's."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from click.testing import CliRunner

from consumers.command import main
from tests.gateway.admitted import begin

LONG = 60.0
CATWALK = (sys.executable, "-c", "from consumers.command import main; main(prog_name='catwalk')")


def test_the_process_becomes_the_part_and_ends_as_it_does(tmp_path: Path) -> None:
    file = tmp_path / "pit.toml"
    file.write_text('[record]\ndata = "pit"\n[gateway]\nsocket = "pit.sock"\n[watch]\n')
    begin(tmp_path / "pit")
    process = subprocess.Popen([*CATWALK, "up", str(file), "--only", "gateway"], stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + LONG
        while not (tmp_path / "pit.sock").exists():
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.05)
        assert b"\0gateway\0--socket\0" in Path(f"/proc/{process.pid}/cmdline").read_bytes()
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONG) == 0
    finally:
        process.kill()
        process.wait()


def test_a_part_the_file_does_not_name_is_told(tmp_path: Path) -> None:
    file = tmp_path / "pit.toml"
    file.write_text('[record]\ndata = "pit"\n[watch]\n')
    done = CliRunner().invoke(main, ["up", str(file), "--only", "wach"])
    assert done.exit_code == 2
    assert "has no part wach: it has watch" in done.output.replace("\n", " ")

"""Access to the gateway's socket: its own account, and one group if configured."""

import grp
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gateway.admitted import begin
from tests.gateway.test_commands import CATWALK
from tests.gateway.test_sources import heard, listens, pit

__all__ = ["heard", "pit"]


def test_the_socket_is_for_the_gateways_account_alone(pit: Path, heard: Path) -> None:
    assert (heard.stat().st_mode & 0o777, heard.stat().st_uid) == (0o600, os.getuid())


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a socket to a group it is not in")
def test_the_socket_may_be_for_one_group_besides(tmp_path: Path, heard: Path) -> None:
    begin(tmp_path)
    words = (CATWALK, "gateway", "--data", str(tmp_path), "--socket", str(heard), "--group", "nogroup")
    gateway = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    listens(tmp_path, heard)
    nogroup = grp.getgrnam("nogroup").gr_gid
    assert (heard.stat().st_mode & 0o777, heard.stat().st_gid) == (0o660, nogroup)
    code = "import os,socket,sys;os.setgroups([]);os.setgid(int(sys.argv[2]));os.setuid(65534);"
    code += "socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
    for group, status in ((nogroup, 0), (65533, 1)):
        words = (sys.executable, "-S", "-c", code, str(heard), str(group))
        assert subprocess.run(words, check=False, stderr=subprocess.DEVNULL, timeout=60).returncode == status, group
    gateway.terminate()
    assert gateway.wait(60) == 0

"""A port that another program uses is said before anything starts, with the option that names another one."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.up.checking import port_taken
from tests.room.browser import free_port


@pytest.fixture
def busy() -> Iterator[int]:
    """A port on which a program listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_demonstration_names_the_busy_port_and_a_free_one(busy: int, tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["demo", "--port", str(busy), "--data", str(tmp_path / "demo")])
    assert ran.exit_code == 2
    assert f"port {busy} is in use by another program" in ran.stderr
    free = int(ran.stderr.partition("catwalk demo --port ")[2].split()[0])
    assert f"make demo PORT={free}" in ran.stderr
    assert not port_taken("localhost", free)
    assert not (tmp_path / "demo").exists()


def test_the_parts_of_a_file_do_not_start_on_a_busy_port(busy: int, tmp_path: Path) -> None:
    file = tmp_path / "pit.toml"
    file.write_text(f'[record]\ndata = "pit"\n\n[room]\nport = {busy}\n', "utf-8")
    ran = CliRunner().invoke(main, ["up", str(file)])
    assert ran.exit_code == 2
    assert f"[room]: port {busy} of localhost is in use by another program" in ran.stderr
    assert "Nothing was started" in ran.stderr


def test_a_free_port_is_free() -> None:
    assert not port_taken("localhost", free_port())
    assert not port_taken("no.such.host.invalid", 80)

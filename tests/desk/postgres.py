"""A PostgreSQL server of the tests' own, from the package of the system, on a socket in a folder of its own."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


class NoPostgresError(Exception):
    """No server can be run here, and why."""


def programs() -> Path:
    """Folder of the newest server's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    if (there := shutil.which("initdb")) is not None:
        return Path(there).parent
    raise NoPostgresError("there is no initdb. On Debian, as root: apt-get install postgresql")


@contextmanager
def server(folder: Path) -> Iterator[Mapping[str, str]]:
    """A server while it is needed; gives the settings the library asks for."""
    tools, data = programs(), folder / "data"
    user = _user()
    shutil.chown(folder, user) if os.getuid() == 0 else None
    folder.chmod(0o700)
    _run(user, [tools / "initdb", "-D", data, "-A", "trust", "-U", "catwalk", "--no-sync", "-E", "UTF8"])
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    _run(user, [tools / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start"])
    try:
        yield {
            "POSTGRES_DBNAME": "postgres",
            "POSTGRES_HOST": str(folder),
            "POSTGRES_PORT": "5432",
            "POSTGRES_USER": "catwalk",
            "POSTGRES_PASSWORD": "trusted",
        }
    finally:
        _run(user, [tools / "pg_ctl", "-D", data, "-m", "immediate", "stop"])


def _user() -> str:
    """Account the server runs as: it refuses to run as root."""
    return "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name


def _run(user: str, command: list[str | Path]) -> None:
    as_user = ["runuser", "-u", user, "--"] if os.getuid() == 0 else []
    done = subprocess.run([*as_user, *map(str, command)], capture_output=True, text=True, check=False, cwd="/")
    if done.returncode:
        raise NoPostgresError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")

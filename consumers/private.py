"""Private files: everything this program writes belongs to its user, files with mode 0600 and folders with 0700.

The command's entry sets this before anything is opened, and child processes inherit it. An existing folder keeps its
mode, and commands that open it say how to close it. A secret file that other users may read is refused.
"""

import os
from pathlib import Path
from stat import S_IMODE, S_ISREG
from typing import Final

import click

OTHERS: Final = 0o077  # the rights of other users
TOLD: Final = "CATWALK_OPEN_FOLDER_TOLD"  # set by `catwalk up` for its parts: the warning was printed


class SecretError(Exception):
    """A secret file that cannot be used; the message says which, why, and what to do."""


def keep_private() -> None:
    """Make all new files and folders private to their owner."""
    os.umask(OTHERS)


def tell_open(folder: Path) -> None:
    """Warn once if other users may enter an existing folder, and say how to close it."""
    try:
        found = folder.stat()
    except OSError:
        return  # opening it reports the problem
    told = os.environ.get(TOLD, "").split(os.pathsep)
    name = str(folder.absolute())
    if S_IMODE(found.st_mode) & OTHERS and name not in told:
        os.environ[TOLD] = os.pathsep.join([*filter(None, told), name])
        says = f"other users of this machine may enter {folder} (mode {S_IMODE(found.st_mode):04o})"
        click.echo(f"Warning: {says}. Close it with: chmod -R go= {folder}", err=True)


def read_secret(file: Path) -> bytes:
    """Return the content of a secret file; refuse one that other users may read, as OpenSSH does.

    The owner's group may read a file that another user owns, such as root: systemd passes credentials that way.
    """
    try:
        with file.open("rb") as opened:
            found = os.fstat(opened.fileno())
            content = opened.read()
    except OSError as error:
        raise SecretError(f"{file} cannot be read: {error.strerror or error}") from error
    most = 0o600 if found.st_uid == os.geteuid() else 0o640
    if S_ISREG(found.st_mode) and found.st_mode & OTHERS & ~most:
        says = f"{file} holds a secret, but other users of this machine may open it (mode {S_IMODE(found.st_mode):04o})"
        raise SecretError(f"{says}. It needs mode {most:04o}: chmod {most:o} {file}")
    return content

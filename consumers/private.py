"""What this program writes belongs to the user it runs as: files 0600 and folders 0700, whatever the shell allows.

The one place that says so is the command's entry, before anything is opened; every process it starts inherits it. A
folder that was there before keeps its mode, and commands that open it say how to close it. A file with a secret that
other users may read is refused.
"""

import os
from pathlib import Path
from stat import S_IMODE, S_ISREG
from typing import Final

import click

OTHERS: Final = 0o077  # what nobody but the owner may do
TOLD: Final = "CATWALK_OPEN_FOLDER_TOLD"  # of `catwalk up` to its parts: it has said so already


class SecretError(Exception):
    """A file with a secret that cannot be used: which file, why, and what to do."""


def keep_private() -> None:
    """Makes every file and folder from here on its owner's alone."""
    os.umask(OTHERS)


def tell_open(folder: Path) -> None:
    """Says once that others may enter a folder that is there, and how to close it."""
    try:
        found = folder.stat()
    except OSError:
        return  # whoever opens it says what is wrong
    told = os.environ.get(TOLD, "").split(os.pathsep)
    name = str(folder.absolute())
    if S_IMODE(found.st_mode) & OTHERS and name not in told:
        os.environ[TOLD] = os.pathsep.join([*filter(None, told), name])
        says = f"other users of this machine may enter {folder} (mode {S_IMODE(found.st_mode):04o})"
        click.echo(f"Warning: {says}. Close it with: chmod -R go= {folder}", err=True)


def read_secret(file: Path) -> bytes:
    """Return the content of a file that holds a secret; refuse a file that other users may read, as OpenSSH does.

    The owner's group may read a file that another user owns, such as root: systemd hands out credentials that way.
    """
    try:
        with file.open("rb") as opened:
            found = os.fstat(opened.fileno())
            content = opened.read()
    except OSError as error:
        raise SecretError(f"{file} cannot be read: {error.strerror or error}") from error
    most = 0o600 if found.st_uid == os.geteuid() else 0o640
    if S_ISREG(found.st_mode) and found.st_mode & OTHERS & ~most:
        says = f"{file} holds a secret, and other users of this machine may open it (mode {S_IMODE(found.st_mode):04o})"
        raise SecretError(f"{says}. It needs mode {most:04o}: chmod {most:o} {file}")
    return content

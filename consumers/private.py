"""What this program writes belongs to the user it runs as: files 0600 and folders 0700, whatever the shell allows.

The one place that says so is the command's entry, before anything is opened; every process it starts inherits it. A
folder that was there before keeps its mode, and commands that open it say how to close it.
"""

import os
from pathlib import Path
from stat import S_IMODE
from typing import Final

import click

OTHERS: Final = 0o077  # what nobody but the owner may do
TOLD: Final = "CATWALK_OPEN_FOLDER_TOLD"  # of `catwalk up` to its parts: it has said so already


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

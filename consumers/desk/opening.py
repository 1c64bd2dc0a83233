"""Which desk a command or the room works at: beside the record, or in the PostgreSQL the environment names."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from consumers.desk.application import Desk, desk_of

# The event-sourcing library's own names; the database is what decides.
DATABASE: Final = "POSTGRES_DBNAME"
PASSWORD_FILE: Final = "CATWALK_DESK_PASSWORD_FILE"  # noqa: S105 - a name in the environment
_PREFIX: Final = "POSTGRES_"


class DeskPlaceError(ValueError):
    """A desk that cannot be opened as the environment has it."""


def open_desk(folder: Path, environment: Mapping[str, str] = os.environ) -> Desk:
    """The desk in the data or state folder, or in PostgreSQL where `POSTGRES_DBNAME` and its like are set."""
    if not environment.get(DATABASE):
        return desk_of(data=folder)
    settings = {name: value for name, value in environment.items() if name.startswith(_PREFIX)}
    if named := environment.get(PASSWORD_FILE):
        try:
            settings["POSTGRES_PASSWORD"] = Path(named).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise DeskPlaceError(f"{PASSWORD_FILE} names {named}, which cannot be read: {error}") from error
    return desk_of(postgres=settings)


def database(environment: Mapping[str, str] = os.environ) -> str:
    """Where the desk of this environment lies, for people; nothing where it is a file in the folder."""
    name = environment.get(DATABASE, "")
    return f"{name} on {environment.get('POSTGRES_HOST', '')}" if name else ""

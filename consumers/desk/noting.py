"""That the record was proved, written down at the desk: who asks how sound it is sees when somebody last looked."""

import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from time import time_ns
from typing import Final

from eventsourcing.persistence import PersistenceError

from consumers.desk.application import DESK_FILE, CrowdedError
from consumers.desk.opening import DeskPlaceError, database, open_desk
from domain.desk.access import RecordProved
from domain.desk.acting import Act, by

_TROUBLE: Final = (PersistenceError, sqlite3.Error, OSError, CrowdedError, DeskPlaceError)


def note_proof(folder: Path | None, who: str, *, records: int, streams: int, status: int) -> str:
    """Writes it down where there is a desk, for nothing is made by looking; answers with why it could not, or nothing.

    A copy may be one nobody can write to, and it is proved all the same.
    """
    if not database() and (folder is None or not (folder / DESK_FILE).is_file()):
        return ""
    try:
        with closing(open_desk(folder or Path())) as desk:
            act = Act(who, time_ns() // 1_000, f"proved {secrets.token_hex(8)}")
            desk.looked([RecordProved(**by(act), records=records, streams=streams, status=status)])
    except _TROUBLE as error:
        return f"that the record was proved is not written down: {error}"
    return ""

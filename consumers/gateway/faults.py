"""A fault of Catwalk's own that one line meets: it costs this line, and no other.

The line becomes a dead letter, so nothing is lost, and a topic of inputs is read on behind it. Trouble with files, the
disk, keys, the log or memory is no such fault: the next line would meet it too, so it ends the gateway.
"""

import logging
import sqlite3
from traceback import extract_tb

from eventsourcing.persistence import PersistenceError

from consumers.gateway.keys import KeyTroubleError
from consumers.gateway.outbox import OutboxTakenError
from domain.facts.refused import Refused

FAULT = "fault-of-catwalk"
_TROUBLE = (OSError, sqlite3.Error, PersistenceError, KeyTroubleError, OutboxTakenError, MemoryError)
_MOST_WAYS = 100  # to fail, whose tracebacks are logged
_LOG = logging.getLogger("catwalk.gateway")


class LineFaults:
    """The ways to fail that were met since the start. Each is logged once: a flood of lines fills no log."""

    def __init__(self) -> None:
        self._logged: set[tuple[tuple[str, int | None], ...]] = set()

    def refused(self, error: Exception, came_from: str, place: int) -> Refused:
        """Log the traceback and return the refusal of the line; raise the error again if the line is not its cause."""
        if isinstance(error, _TROUBLE):
            raise error
        frames = extract_tb(error.__traceback__)
        way = tuple((frame.name, frame.lineno) for frame in frames)
        if way not in self._logged and len(self._logged) < _MOST_WAYS:
            self._logged.add(way)
            _LOG.error("Catwalk failed on line %d of %s, and goes on without it:", place, came_from, exc_info=error)
        what = f"{type(error).__name__} in {frames[-1].name}"
        says = (
            f"Catwalk failed on this line ({what}). The fault is Catwalk's, and the line is kept as it came. Report the"
        )
        says += " traceback in the gateway's log; after an update, run catwalk dead-letters retry"
        return Refused(FAULT, says)

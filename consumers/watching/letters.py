"""Store unusable records as dead letters, and report a blocked stream of findings at once."""

from collections.abc import Mapping
from contextlib import ExitStack
from threading import Lock

import click

from consumers.gateway.letter_records import one_line
from consumers.gateway.quarantine import Quarantine
from consumers.logs.log import Log
from consumers.record_place import RecordOptions, now
from consumers.watching.writing import TAKEN, Report, Unusable


def kept(logs: Mapping[str, Log], opened: ExitStack, place: RecordOptions) -> Report:
    """Store records of these logs that are not facts or findings, while `opened` is open."""
    letters = opened.enter_context(place.dead_letters())
    keep = {name: Quarantine(log, letters, now) for name, log in logs.items()}
    one_at_a_time = Lock()

    def report(found: Unusable) -> None:
        with one_at_a_time:
            keep[found.log.name](found.partition, found.position, found.stored, found.says, found.reason)
        if found.reason == TAKEN:
            where = f"{found.log.name}/{found.partition}:{found.position}"
            click.echo(one_line(f"{where}: {found.says}"), err=True)

    return report

"""What no watch can use is kept with the dead letters; what stops a stream of findings is told at once."""

from collections.abc import Mapping
from contextlib import ExitStack
from threading import Lock

import click

from consumers.gateway.letter_records import one_line
from consumers.gateway.quarantine import Aside
from consumers.logs.log import Log
from consumers.record_place import Place, now
from consumers.watching.writing import TAKEN, Report, Unusable


def kept(logs: Mapping[str, Log], opened: ExitStack, place: Place) -> Report:
    """Keeps what is no fact, or no record of findings, of these logs by their names, while `opened` is."""
    letters = opened.enter_context(place.dead_letters())
    keep = {name: Aside(log, letters, now) for name, log in logs.items()}
    one_at_a_time = Lock()

    def report(found: Unusable) -> None:
        with one_at_a_time:
            keep[found.log.name](found.partition, found.position, found.stored, found.says, found.reason)
        if found.reason == TAKEN:
            where = f"{found.log.name}/{found.partition}:{found.position}"
            click.echo(one_line(f"{where} does not follow the record before it: {found.says}"), err=True)

    return report

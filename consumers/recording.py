"""Facts that a command puts on record itself: by the gateway's own files, or through the gateway that is at work."""

from collections.abc import Iterable, Sequence

import click

from consumers.gateway.clients import REGISTRAR
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.door import DOOR, DoorClosedError, say
from consumers.gateway.gateway import Gateway, Line
from consumers.gateway.letter_records import Letter, digest
from consumers.record_place import DEAD_LETTERS, GatewayBusyError, Place, open_gateway
from domain.facts.codec import encode
from domain.facts.envelope import Fact


class NotOnRecordError(click.ClickException):
    """A fact that did not get onto the record: why, and what to do."""


class _Refused:
    """The letters of this command alone: it tells them at once, and nobody need look for them later."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []

    def put(self, letters: Iterable[Letter]) -> None:
        self.letters += letters


def put_on_record(place: Place, facts: Sequence[Fact], name: str) -> None:
    """Puts these facts on record, or raises with the reason; a fact that is there already stays as it is."""
    if place.data is not None and not place.has_record:
        raise NotOnRecordError(f"not on record: there is no record in {place.data}. catwalk ingest begins one.")
    lines = [encode(fact) for fact in facts]
    try:
        with open_gateway(place) as gateway:
            refused = _taken(gateway, lines, name)
    except GatewayBusyError:
        refused = _said(place, lines)
    if refused:
        raise NotOnRecordError(_why(refused[0]))


def _why(refused: Letter) -> str:
    if refused.reason in ("day closed", "day not open"):
        return (
            "not on record: No day of the property is open. Open the next one (property-opened), then run the same "
            "command again. Until then everything stays as it was."
        )
    return f"not on record: {refused.says}. Put that right, then run the same command again."


def _taken(gateway: Gateway, lines: Sequence[bytes], name: str) -> list[Letter]:
    gateway.dead = refused = _Refused()
    gateway.take([Line(name, number, line, REGISTRAR) for number, line in enumerate(lines, 1)])
    gateway.seal_quiet()
    _tell_held(gateway.report.held)
    return refused.letters


def _tell_held(count: int) -> None:
    if count:
        says = "It is in force now. No day of the property is open, so it goes on record with the next opening."
        click.echo(says, err=True)


def _said(place: Place, lines: Sequence[bytes]) -> list[Letter]:
    try:
        refused, held = say(place.folder / DOOR, lines)
    except DoorClosedError as error:
        raise NotOnRecordError(f"not on record: {error}.") from error
    _tell_held(held)
    if not refused:
        return []
    letters = DeadLetters(place.folder / DEAD_LETTERS)
    try:
        digests = {digest(line) for line in lines}
        return [kept.letter for kept in letters.all() if digest(kept.letter.stored) in digests][-refused:]
    finally:
        letters.close()

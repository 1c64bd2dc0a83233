"""Facts that a command puts on record itself: by the gateway's own files, or through the gateway that is at work."""

from collections.abc import Sequence

import click

from consumers.gateway.clients import REGISTRAR
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.door import Visit
from consumers.gateway.gateway import Gateway, Line
from consumers.gateway.letter_records import Letter, digest
from consumers.gateway.retrying import Collected
from consumers.record_place import DEAD_LETTERS, Place, gateway_at
from domain.facts.codec import encode
from domain.facts.envelope import Fact


class NotOnRecordError(click.ClickException):
    """A fact that did not get onto the record: why, and what to do."""


def put_on_record(place: Place, facts: Sequence[Fact], name: str) -> None:
    """Puts these facts on record, or raises with the reason; a fact that is there already stays as it is."""
    lines = [Line(name, number, encode(fact), REGISTRAR) for number, fact in enumerate(facts, 1)]
    with gateway_at(place, "registrar", name) as gateway:
        refused = _said(gateway, place, lines) if isinstance(gateway, Visit) else _taken(gateway, lines)
        held = gateway.report.held
    if held:
        says = "It is in force now. No day of the property is open, so it goes on record with the next opening."
        click.echo(says, err=True)
    if refused:
        raise NotOnRecordError(_why(refused[0]))


def _why(refused: Letter) -> str:
    if refused.reason in ("day closed", "day not open"):
        return (
            "not on record: No day of the property is open. Open the next one (property-opened), then run the same "
            "command again. Until then everything stays as it was."
        )
    return f"not on record: {refused.says}. Put that right, then run the same command again."


def _taken(gateway: Gateway, lines: Sequence[Line]) -> list[Letter]:
    gateway.dead = refused = Collected()  # they are told at once, and nobody need look for them later
    gateway.take(lines)
    gateway.seal_quiet()
    return refused.letters


def _said(gateway: Visit, place: Place, lines: Sequence[Line]) -> list[Letter]:
    gateway.take(lines)
    if not gateway.report.dead:
        return []
    letters = DeadLetters(place.folder / DEAD_LETTERS)
    try:
        digests = {digest(line.stored) for line in lines}
        return [kept.letter for kept in letters.all() if digest(kept.letter.stored) in digests][-gateway.report.dead :]
    finally:
        letters.close()

"""Record facts that a command itself makes, through the gateway's own files or the running gateway."""

from collections.abc import Sequence

import click

from consumers.gateway.clients import REGISTRAR
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.door import DoorSession
from consumers.gateway.gateway import Gateway, InputLine
from consumers.gateway.letter_records import Letter, digest
from consumers.gateway.retrying import Collected
from consumers.record_place import DEAD_LETTERS, RecordOptions, gateway_at
from domain.facts.codec import encode
from domain.facts.envelope import Fact


class NotOnRecordError(click.ClickException):
    """A fact that was not recorded; the message says why and what to do."""


def put_on_record(place: RecordOptions, facts: Sequence[Fact], name: str) -> None:
    """Record these facts, or raise an error with the reason; a fact already on record stays as it is."""
    lines = [InputLine(name, number, encode(fact), REGISTRAR) for number, fact in enumerate(facts, 1)]
    with gateway_at(place, "registrar", name) as gateway:
        refused = _said(gateway, place, lines) if isinstance(gateway, DoorSession) else _taken(gateway, lines)
        held = gateway.report.held
    if held:
        says = "It is in force now. The property's day is not open, so it is recorded at the next opening."
        click.echo(says, err=True)
    if refused:
        raise NotOnRecordError(_why(refused[0]))


def _why(refused: Letter) -> str:
    if refused.reason in ("day closed", "day not open"):
        return (
            "not recorded: The property's day is not open. Open the next one (property-opened), then run the same "
            "command again. Nothing was changed."
        )
    return f"not recorded: {refused.says}. Correct that, then run the same command again."


def _taken(gateway: Gateway, lines: Sequence[InputLine]) -> list[Letter]:
    gateway.dead = refused = Collected()  # reported at once, so they need no dead letters
    gateway.take(lines)
    gateway.seal_quiet()
    return refused.letters


def _said(gateway: DoorSession, place: RecordOptions, lines: Sequence[InputLine]) -> list[Letter]:
    gateway.take(lines)
    if not gateway.report.dead:
        return []
    letters = DeadLetters(place.folder / DEAD_LETTERS)
    try:
        digests = {digest(line.stored) for line in lines}
        return [kept.letter for kept in letters.all() if digest(kept.letter.stored) in digests][-gateway.report.dead :]
    finally:
        letters.close()

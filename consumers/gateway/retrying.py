"""Retry dead letters through the gateway of their place, like lines that a device sends again."""

from collections.abc import Iterable, Sequence

from consumers.gateway.clients import Client
from consumers.gateway.dead_letters import Refusal
from consumers.gateway.gateway import Gateway, InputLine
from consumers.gateway.letter_records import Letter

_DIGITS = 19  # one more than any number of SQLite


class Collected:
    """The letters that a retry refuses again, collected instead of stored: each is an existing letter."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []

    def refuse(self, refusals: Iterable[Refusal]) -> None:
        """Collect these letters for the caller."""
        self.letters += [refusal.letter for refusal in refusals if refusal.letter is not None]


def try_again(gateway: Gateway, letters: Sequence[Letter], *, vouch: bool) -> list[Letter | None]:
    """Retry letters and mark the results; return, for each letter, its new form if it was refused again, or None.

    Only letters that a command at this gateway's console handed in count as the console's word again. The sender of any
    other letter (from the socket, the log or the topic) is unproved, unless the caller vouches for it.
    """
    gateway.letters.adopt(letters)
    gateway.dead = refused = Collected()
    try:
        gateway.take([_line(gateway, one, vouch=vouch) for one in letters])
    finally:
        gateway.dead = gateway.letters
    found = {(one.came_from, one.place, one.stored): one for one in refused.letters}
    outcomes = [found.get((gateway.here + letter.came_from, letter.place, letter.stored)) for letter in letters]
    gateway.letters.tried(zip(letters, outcomes, strict=True), gateway.clock())
    return outcomes


def try_numbered(gateway: Gateway, lines: Sequence[InputLine]) -> None:
    """Retry the letters with the numbers on these lines; report how many were refused again."""
    for vouch in (False, True):
        asked = [(line, _named(gateway, line.stored)) for line in lines if (line.client.tries == "vouch") is vouch]
        known = [(line, letter) for line, letter in asked if letter is not None]
        outcomes = try_again(gateway, [letter for _, letter in known], vouch=vouch) if known else []
        for (line, _), refused in zip(known, outcomes, strict=True):
            line.client.report.placed += refused is None
            line.client.report.dead += refused is not None
        for line, letter in asked:
            line.client.report.dead += letter is None


def _named(gateway: Gateway, number: bytes) -> Letter | None:
    kept = gateway.letters.get(int(number)) if number.isdigit() and len(number) < _DIGITS else None
    return kept.letter if kept is not None else None


def _line(gateway: Gateway, letter: Letter, *, vouch: bool) -> InputLine:
    console = vouch or gateway.letters.is_from_console(letter)
    client = Client("retry", console=console, counted=False, vouched=vouch)
    return InputLine(letter.came_from, letter.place, letter.stored, client)

"""Attacks on an export, each as far as its maker can come: without the property's key, or with it.

Each gives the container as the receiver gets it, and the words by which it has to be refused.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from domain.ledger.chain import digest
from tests.export.builder import Bundle, Records
from tests.export.scenes import DAYS, reference

DAY, NEXT = (f"data/facts/T7/{day}.jsonl" for day in DAYS)
PLACES = f"data/proofs/stretches/facts/T7/{DAYS[0]}.jsonl"
SECONDS = 1_795_132_740  # of the checkpoint
Attack = Callable[[], bytes]
ATTACKS: dict[str, tuple[Attack, str]] = {}


def attack(says: str) -> Callable[[Attack], Attack]:
    """Add an attack to the list under its name, with a pattern of the words that refuse it."""

    def named(made: Attack) -> Attack:
        ATTACKS[made.__name__.replace("_", " ")] = (made, says)
        return made

    return named


@cache
def honest() -> Bundle:
    return reference()


def with_member(stored: bytes, *, before: str = "") -> bytes:
    """The honest container with one more member, at its end or before another one."""
    whole = honest().tar()
    at = whole.index(f"{honest().name}/{before}\0".encode()) if before else len(whole) - 1024
    return whole[:at] + stored + whole[at:]


def changed(path: str, change: Callable[[bytes], bytes]) -> Bundle:
    """The honest bundle with one file changed, and nothing signed again."""
    bundle = honest().copy()
    bundle.files[path] = change(bundle.files[path])
    return bundle


def resigned(path: str, change: Callable[[bytes], bytes]) -> bytes:
    """The same with everything signed again by the property."""
    return changed(path, change).listed().signed().tar()


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    """A change of a file's lines."""
    return lambda stored: b"".join(line + b"\n" for line in change(stored.split(b"\n")[:-1]))


def swapped(text: bytes, at: int, other: bytes) -> bytes:
    return text[:at] + other + text[at + len(other) :]


def shown(of: Records) -> Records:
    return {place: stored for place, stored in of.items() if not place[1].startswith("T8/")}


def rewritten(stored: list[bytes], at: int, **fields: Any) -> list[bytes]:
    """A stream whose record at this sequence says something else, with its chain made to fit."""
    made: list[bytes] = stored[: at - 1]
    for number, each in enumerate(stored[at - 1 :], at):
        fact = json.loads(each)
        fact |= fields if number == at else {"previous": digest(made[-1])}
        made.append(json.dumps(fact, separators=(",", ":"), ensure_ascii=False).encode())
    return made

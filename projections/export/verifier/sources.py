"""The signatures of sources over their own lines: which facts carry one, and which signatures are invalid."""

from __future__ import annotations

from typing import Any

from projections.export.verifier.faults import FAULTS, Faults
from projections.export.verifier.records import Taken
from projections.export.verifier.signatures import Holds
from projections.export.verifier.stretches import Shown
from projections.export.verifier.texts import canonical

OPENINGS = ("table-opened.1", "property-opened.1")
OF_THE_WRITER = ("sequence", "previous", "source_signature")
OF_AN_OPENING = ("stream", "previous_stream", "previous_head")


class Sources:
    """Every source in the property's facts, with its keys; its signatures are checked fact by fact."""

    def __init__(self, holds: Holds) -> None:
        self._holds = holds
        self._terms: dict[str, list[tuple[str, int, str]]] = {}  # by source: its keys, each with its first day and time
        self.held = self.unsigned = self.passed_over = 0

    def know(self, fact: dict[str, Any]) -> None:
        """Take the next fact of the property."""
        if fact["type"] == "source-registered.1":
            self._terms.setdefault(fact["name"], []).append((*_place(fact), fact.get("public_key", "")))
        elif fact["type"] == "source-revoked.1" and fact["name"] in self._terms:
            self._terms[fact["name"]].append((*_place(fact), self._terms[fact["name"]][-1][2]))

    def take(self, shown: Shown, taken: Taken, faults: Faults, *, signed: bool) -> None:
        """Take the next record of a stream of facts; its signature is checked if `signed` is true."""
        fact = taken.record
        if fact["type"] == "chain-sealed.1":
            return
        fault = self._fault(fact, signed=signed)
        if fault:
            says = f"{FAULTS[fault]} (source {str(fact['source'])[:64]!r})"
            faults.found(shown, taken.sequence, fault, shown.wrong(says, taken.sequence, taken.line))
        elif not fact.get("source_signature"):
            self.unsigned += 1
        elif signed:
            self.held += 1
        else:
            self.passed_over += 1
            faults.not_checked(shown, taken.sequence, "source-signature-wrong")

    def _fault(self, fact: dict[str, Any], *, signed: bool) -> str:
        terms = self._terms.get(fact["source"], [])
        if not fact.get("source_signature"):
            now = [key for day, since, key in terms if (day, since) <= _place(fact)]
            return "source-signature-missing" if now and now[-1] else ""
        keys = {key for _, _, key in terms if key}
        if not keys:
            return "source-unknown"
        if not signed:
            return ""
        try:
            signature, words = bytes.fromhex(fact["source_signature"]), signed_words(fact)
            good = not has_fraction(fact) and any(
                self._holds(bytes.fromhex(key), signature, words) for key in sorted(keys)
            )
        except ValueError:
            good = False
        return "" if good else "source-signature-wrong"


def has_fraction(value: Any) -> bool:
    """Return whether a value has a number with a fraction or an exponent, which JSON writers may write in two ways."""
    if isinstance(value, dict):
        return any(map(has_fraction, value.values()))
    return any(map(has_fraction, value)) if isinstance(value, list) else isinstance(value, float)


def _place(fact: dict[str, Any]) -> tuple[str, int]:
    """Return the gaming day of a fact, and the time it states."""
    return fact["stream"].partition("/")[2], fact["at"]


def signed_words(fact: dict[str, Any]) -> bytes:
    """Return the bytes a source signs of a fact: all fields except those the gateway added."""
    said = {name: value for name, value in fact.items() if name not in OF_THE_WRITER}
    said["stream"] = fact["stream"].partition("/")[0]
    if fact["type"] in OPENINGS:
        said = {name: value for name, value in said.items() if name not in OF_AN_OPENING}
        said["writer_epoch"] = 0
    return b"catwalk line\n" + canonical(said).encode()

"""Tables `card_record` and `findings`: what happened to decks, and the findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

from projections.export.verifier.clock import Clock
from projections.export.verifier.stretches import Shown
from projections.export.verifier.tables import figure, guarded

CARD_FACTS = frozenset(
    f"{name}.1"
    for name in (
        *("stub-counted", "misdeal-determined", "method-changed", "deck-received", "deck-inspected"),
        *("inspection-verified", "deck-changed", "deck-removed", "batch-released"),
    )
)


class CardRecord:
    """Table `card_record` of one whole stream: what happened to decks, as far as the facts state it."""

    def __init__(self, shown: Shown, clock: Clock) -> None:
        self._shown, self._clock = shown, clock
        self._facts: list[tuple[int, dict[str, Any]]] = []

    def take(self, fact: dict[str, Any], of_round: int) -> None:
        """Take the next corrected fact of these types."""
        self._facts.append((of_round, fact))

    def rows(self) -> Iterator[Callable[[list[str]], list[str]]]:
        """The rows of the stream. If a fact names no deck, the deck is not derived."""
        for of_round, fact in self._facts:
            yield lambda here, of_round=of_round, fact=fact: self._row(here, of_round, fact)  # type: ignore[misc]

    def _row(self, here: list[str], of_round: int, fact: dict[str, Any]) -> list[str]:
        table, _, day = self._shown.stream.partition("/")
        what = fact["type"][:-2]
        deck = guarded(fact.get("deck") or fact.get("old") or "")
        if what in ("stub-counted", "misdeal-determined"):
            deck = here[7]
        by = fact.get("by", "dealer" if what in ("stub-counted", "deck-inspected") else "")
        methods = " ".join(filter(None, (fact.get("dealing_method"), fact.get("shuffling"))))
        row = [self._shown.stream, table, day, figure(fact["sequence"]), self._clock.told(fact["at"], here[4]), what]
        row += [figure(of_round or None), deck, figure(fact.get("cards")), here[9]]
        return [*row, guarded(methods), guarded(fact.get("device", "")), guarded(by), here[13]]


class Findings:
    """Table `findings` of one stream of findings: what was raised, in its latest revision, standing or withdrawn."""

    def __init__(self, shown: Shown, clock: Clock) -> None:
        self._shown, self._clock = shown, clock
        self._standing: dict[str, tuple[str, dict[str, Any]]] = {}

    def take(self, record: dict[str, Any]) -> None:
        """Take the next record."""
        if record["type"] in ("finding-raised.1", "finding-revised.1"):
            self._standing[record["finding"]] = ("standing", record)
        elif record["type"] == "finding-withdrawn.1" and record["finding"] in self._standing:
            self._standing[record["finding"]] = ("withdrawn", self._standing[record["finding"]][1])

    def rows(self) -> Iterator[Callable[[list[str]], list[str]]]:
        """The rows of the stream. The texts of clauses and the offsets of moments are not derived."""
        for _, (state, told) in sorted(self._standing.items()):
            yield lambda here, state=state, told=told: self._row(here, state, told)  # type: ignore[misc]

    def _row(self, here: list[str], state: str, told: dict[str, Any]) -> list[str]:
        stream = told.get("about") or self._shown.stream
        table, _, day = stream.partition("/")
        texts = [stream, table, day, told["finding"], told["code"], told["severity"], state, told["says"]]
        texts.append("; ".join(told["clauses"]))
        row = [guarded(text) for text in texts]
        row += [figure(told.get(name)) for name in ("round", "to_round", "seat")]
        row += [guarded(told.get("wager", "")), guarded(told.get("dealer", "")), guarded(told.get("deck", ""))]
        row += [figure(told.get("short_cards")), self._clock.told(told["at"], here[16])]
        row += [figure(told[name]) for name in ("trigger", "known_by")]
        row += [figure(told.get(name)) for name in ("expected_cents", "observed_cents")]
        return [*row, "; ".join(map(str, told.get("evidence", ()))), guarded(told.get("basis", "certain")), here[23]]

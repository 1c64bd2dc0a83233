"""Compare the contents of an export with its question, and each day with the day before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from projections.export.verifier.places import QUESTION, STREAMS
from projections.export.verifier.question import Question, Scope
from projections.export.verifier.stretches import Shown
from projections.export.verifier.tables import guarded
from projections.export.verifier.trouble import AlteredError


class Answered:
    """Comparison of the contents of an export with its question."""

    def __init__(self, question: Question) -> None:
        self.scope, self.question = question.scope, question
        self.zone = ""  # from the newest opening of the property in the export
        self.editions = True  # True if every table opened under a rule book the question names
        self.books: dict[str, str] = {}  # by stream
        self.players: dict[tuple[str, int], set[str]] = {}
        self.linked: list[tuple[str, int]] = []
        self._found: dict[str, dict[str, Any]] = {}
        self._told: dict[str, str] = {}  # the stream that holds each finding

    def opened(self, shown: Shown, record: dict[str, Any]) -> None:
        """Take the opening of a day."""
        if shown.owner == "property":
            self.zone = str(record.get("zone", "UTC"))
        else:
            book = self.books[shown.stream] = str(record["book"])
            self.editions = self.editions and (book, str(record["book_digest"])) in self.question.books

    def take(self, shown: Shown, record: dict[str, Any]) -> None:
        """Take a record of findings or of the desk."""
        if record["type"] in ("finding-raised.1", "finding-revised.1") and record["finding"] == self.scope.finding:
            self._found[record["finding"]] = record
        elif record["type"] == "hand-linked.1" and shown.stream == f"case/{self.scope.case}":
            self.linked.append((record["of_stream"], record["of_round"]))

    def check(self, streams: Sequence[Shown]) -> None:
        """Raise if the export holds something that was not requested, or shows it differently than requested."""
        rounds = {shown.stream: shown.rounds for shown in streams if shown.kind == "facts" and shown.rounds}
        whole = {shown.stream for shown in streams if shown.kind == "facts" and shown.whole}
        for shown in streams:
            table, _, day = shown.stream.partition("/")
            if shown.kind == "facts":
                says = self._wrong(shown, self.scope.has(table, day, self.books.get(shown.stream, "")))
            elif shown.kind == "findings":
                says = "" if shown.whole != self.scope.in_part else "is not shown as findings for this question must be"
                about = {f"{name}/{day.rstrip('~')}" for name in table.split("+")}
                if not self.scope.in_part and not about & whole:
                    says = "is about no stream of the question"
            else:
                says = self._wrong_desk(table, day)
            if says:
                raise AlteredError(f"{shown.stream} {says}", QUESTION, line=1, stream=shown.stream)
        self._check_rounds(rounds)

    def _wrong(self, shown: Shown, asked: bool) -> str:
        if shown.whole != asked:
            return "is shown whole but was not requested" if shown.whole else "was requested whole but is shown in part"
        if shown.rounds and not self.scope.in_part:
            return "is shown for rounds, but the question asks for whole days"
        return ""

    def _wrong_desk(self, kind: str, name: str) -> str:
        if kind == "access":
            good = self.scope.access and self.scope.has_day(name)
        else:
            good = bool(self.scope.case) and (kind == "review" or (kind, name) == ("case", self.scope.case))
        return "" if good else "was not requested"

    def _check_rounds(self, rounds: dict[str, list[int]]) -> None:
        scope = self.scope
        if scope.hand:
            stream, _, number_of = scope.hand.partition(":")
            if rounds != {stream: [int(number_of)]}:
                raise AlteredError(f"the question asks for hand {scope.hand}, but other rounds are shown", STREAMS)
        for stream, numbers in rounds.items():
            table, _, day = stream.partition("/")
            if scope.player and not (scope.has_day(day) and (not scope.tables or table in scope.tables)):
                raise AlteredError(f"rounds of {stream} are shown but were not requested", STREAMS, stream=stream)
            for each in numbers if scope.player else ():
                if guarded(scope.player) not in self.players.get((stream, each), ()):
                    says = f"the question asks for {scope.player}, who has no hand in round {each} of {stream}"
                    raise AlteredError(says, STREAMS, stream=stream)
        if scope.finding:
            told = self._found.get(scope.finding)
            if told is None:
                raise AlteredError(f"the question asks for finding {scope.finding}, which is missing", STREAMS)
            about = told.get("about") or told["stream"]
            for end in (told.get("round"), told.get("to_round")):
                if end is not None and end not in rounds.get(about, ()):
                    says = f"round {end} of finding {scope.finding} is not shown"
                    raise AlteredError(says, STREAMS, stream=about)

    @property
    def unseen(self) -> int:
        """The number of hands that the case links and the export does not hold."""
        return len(set(self.linked) - set(self.players))


class Days:
    """Links between consecutive days of a table or of the property."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._heads: dict[str, tuple[str, Shown]] = {}
        self._newest: dict[str, str] = {}

    def opened(self, shown: Shown, record: dict[str, Any]) -> None:
        """Check the opening of a day: it names the head of the day before, if the export holds that day whole."""
        if not record["type"].endswith("-opened.1"):
            raise AlteredError("a stream begins with its opening", shown.path, line=1, stream=shown.stream, sequence=1)
        before, head = record.get("previous_stream", ""), record.get("previous_head", "")
        if before in self._heads:
            named, of = self._heads[before]
            if named != head:
                says = f"{shown.stream} names a different hash for its last record: it was cut off or changed"
                raise AlteredError(says, of.path, stream=before, sequence=of.last)
        if self._asked(shown, shown.stream):
            if before != self._newest.get(shown.owner, "") and self._asked(shown, before):
                says = f"{shown.stream} follows {before}, which is left out"
                raise AlteredError(says, f"data/facts/{before}.jsonl", stream=before)
            self._newest[shown.owner] = shown.stream

    def _asked(self, shown: Shown, stream: str) -> bool:
        """Return whether a day of this table is requested (not if its opening is here and it played another game)."""
        scope = self._scope
        game = scope.games[0] if scope.games else ""
        return bool(stream) and scope.has(shown.owner, stream.partition("/")[2], game)

    def ended(self, shown: Shown, head: str) -> None:
        """Take the end of a whole day."""
        if shown.kind == "facts":
            self._heads[shown.stream] = (head, shown)
            if self._asked(shown, shown.stream):  # also if its opening is unreadable
                self._newest[shown.owner] = shown.stream

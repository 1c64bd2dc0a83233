"""The findings about one stream of facts: write them, and resume them after a restart.

A watch that takes over folds the facts from the opening and makes every record again, byte for byte. It writes only the
records that the log lacks. If the log holds records of another detector version, the writer accepts them, folds
silently up to the last mark, and from there writes what differs.
"""

from collections import deque
from collections.abc import Callable, Container, Sequence

import msgspec

from domain.facts.envelope import Fact
from domain.following import Link
from domain.ledger.chain import digest
from domain.watch.finding import Finding, Shown
from domain.watch.record import (
    SOURCE,
    VERSION,
    FindingRaised,
    FindingRevised,
    FindingWithdrawn,
    StreamVerified,
    apply,
    cause,
    encode,
)

Place = tuple[str, int]  # a stream and a sequence


class Written(msgspec.Struct, frozen=True):
    """A record in its place, with its stored bytes and their hash."""

    record: Fact
    stored: bytes
    own: str


class Book(msgspec.Struct):
    """The records written about a stream so far, and the head of their chain."""

    stream: str
    sequence: int = 0
    head: str = ""
    up_to: int = 0
    closed: bool = False
    detectors: str = VERSION  # the version that verified the stream last
    standing: dict[str, Finding] = {}
    last: int = 0  # the last fact of the stream itself that led to a record
    there: deque[Link] = msgspec.field(default_factory=deque)  # records in the log that are still to be made again
    fault: Finding | None = None  # the open finding that a verifier stopped
    silent_to: int = 0  # other detectors judged the facts up to here, so these detectors add nothing
    differs: bool = False  # what these detectors find instead is still to be written
    passes_others: bool = False  # a record made by a late fact of another day is not made again, but kept as it is

    def silent(self, sequence: int) -> bool:
        """Whether to fold this fact of the stream without writing anything."""
        return sequence <= self.silent_to

    def raised(self, finding: Finding, after: Shown) -> Written | None:
        """Return the record that raises or revises this finding, or None if it is already open and unchanged."""
        return self._write(lambda: self._raising(finding, after))

    def withdrawn(self, finding: Finding, after: Shown) -> Written | None:
        """Return the record that withdraws this finding because of this fact, or None if the finding is not open."""
        return self._write(lambda: self._withdrawing(finding, after))

    def caught_up(self, taking: Place, before: Callable[[str], Container[int]]) -> "Book":
        """Return the book as it was before this fact; `before` gives the sequences of a stream processed before it.

        The records of those facts stay as they are, because a later watch does not process them all again. The records
        of this fact and of later ones, perhaps by another watch at the same time, are made again.
        """
        known: dict[str, Container[int]] = {}
        while self.there:
            stream, sequence = by = cause(self.there[0].fact)
            if by == taking or sequence not in known.setdefault(stream, before(stream)):
                break
            self._took(self.there.popleft())
        return self

    def verified(
        self,
        after: Fact,
        head: str,
        *,
        book_digest: str = "",
        rounds: int = 0,
        closed: bool = False,
        undecided: dict[str, int] | None = None,
        wagers: dict[str, int] | None = None,
    ) -> Written | None:
        """Return the record that the stream is verified up to this fact, or None if it is already written."""

        def mark() -> Fact | None:
            if after.sequence <= self.up_to and self.detectors == VERSION:
                return None
            return StreamVerified(
                up_to=after.sequence,
                head=head,
                detectors=VERSION,
                book_digest=book_digest,
                rounds=rounds,
                closed=closed,
                undecided=undecided or {},
                wagers=wagers or {},
                at=after.at,
                source=SOURCE,
                source_key=self._key(),
            )

        return self._write(mark)

    def _raising(self, finding: Finding, after: Shown) -> Fact | None:
        held = self.standing.get(finding.id)
        if held == finding:
            return None
        kind = FindingRaised if held is None else FindingRevised
        return kind(
            finding=finding.id,
            code=finding.code,
            severity=finding.severity,
            clauses=finding.clauses,
            says=finding.says,
            trigger=finding.trigger,
            known_by=after.sequence,
            known_in=self._elsewhere(after),
            seat=finding.seat,
            wager=finding.wager,
            dealer=finding.dealer,
            expected_cents=finding.expected_cents,
            observed_cents=finding.observed_cents,
            evidence=finding.evidence,
            basis=finding.basis,
            about=finding.stream if finding.stream != self.stream else "",
            beside=finding.beside,
            to_round=finding.to_round,
            deck=finding.deck,
            short_cards=finding.short_cards,
            round=finding.round,
            at=finding.at,
            source=SOURCE,
            source_key=self._key(),
        )

    def _withdrawing(self, finding: Finding, after: Shown) -> Fact | None:
        if finding.id not in self.standing:
            return None
        return FindingWithdrawn(
            finding=finding.id,
            explained_by=after.sequence,
            explained_in=self._elsewhere(after),
            round=finding.round,
            at=after.at,
            source=SOURCE,
            source_key=self._key(),
        )

    def _elsewhere(self, after: Shown) -> str:
        return after.stream if after.stream != self.stream else ""

    def _key(self) -> str:
        return f"{self.stream}:{self.sequence + 1}"

    def _write(self, made: Callable[[], Fact | None]) -> Written | None:
        record = made()
        if record is None:
            return None
        placed = msgspec.structs.replace(record, stream=self.stream, sequence=self.sequence + 1, previous=self.head)
        stored = encode(placed)
        link = Link(placed, digest(stored))
        if not self.there:
            self._took(link)
            return Written(placed, stored, link.own)
        held = self.there.popleft()
        if held.own != link.own:
            if self.passes_others and cause(held.fact)[0] != self.stream:
                self._took(held)
            else:
                self._believe(held)
            return self._write(made)
        self._took(link)
        return None

    def _believe(self, other: Link) -> None:
        """Accept every record the log holds, because it differs from what this writer makes."""
        for link in (other, *self.there):
            self._took(link)
        self.there.clear()
        self._differ()

    def _differ(self) -> None:
        """Keep what others wrote so far, and write what these detectors find instead after the last mark."""
        self.silent_to, self.differs = self.last, True

    def _took(self, link: Link) -> None:
        record = link.fact
        self.sequence, self.head = record.sequence, link.own
        by, sequence = cause(record)
        if by == self.stream:
            self.last = max(self.last, sequence)
        apply(self.standing, record)
        if isinstance(record, FindingRaised) and record.code == "verifier-stopped":
            self.fault = self.standing[record.finding]
        elif self.fault is not None and self.fault.id not in self.standing:
            self.fault = None
        if isinstance(record, StreamVerified):
            self.up_to, self.detectors = record.up_to, record.detectors
            self.closed = self.closed or record.closed


def opened(stream: str, held: Sequence[Link]) -> Book:
    """Open the book of a stream whose facts are folded from the opening, over its chain in the log."""
    marks = [(place, link.fact) for place, link in enumerate(held, start=1) if isinstance(link.fact, StreamVerified)]
    told = [mark.detectors for _, mark in marks]
    book = Book(stream)
    if told and told[-1] != VERSION:
        _take(book, held, len(held))
        book._differ()
        return book
    since = max((n for n in range(1, len(told)) if told[n] == VERSION != told[n - 1]), default=None)
    _take(book, held, 0 if since is None else marks[since][0])
    book.silent_to, book.passes_others = book.up_to, True
    return book


def reopened(stream: str, held: Sequence[Link]) -> Book:
    """Open the book of an earlier day with nothing processed yet; see `caught_up`."""
    return Book(stream, there=deque(held))


def _take(book: Book, held: Sequence[Link], count: int) -> None:
    """Accept the first `count` records as they are; the others are made again."""
    for link in held[:count]:
        book._took(link)
    book.there.extend(held[count:])

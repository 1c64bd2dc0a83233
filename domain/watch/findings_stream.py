"""The findings stream of one stream of facts as it is written, and as it is found again by who starts anew.

Whoever takes a watch over folds the facts from the opening and makes every record again, byte for byte; those that are
in the log already are not written a second time. Only where the log holds other records than these detectors make, of
another version of them, does the writer believe what stands there, fold in silence up to the last mark, and write what
is different from then on.
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
    """A record with its place, and its stored bytes."""

    record: Fact
    stored: bytes


class Book(msgspec.Struct):
    """What was written about a stream so far, and the chain's head."""

    stream: str
    sequence: int = 0
    head: str = ""
    up_to: int = 0
    closed: bool = False
    detectors: str = VERSION  # which ones verified it last
    standing: dict[str, Finding] = {}
    last: int = 0  # the last fact of the stream itself by which something was written
    there: deque[Link] = msgspec.field(default_factory=deque)  # in the log already, to be made again one by one
    fault: Finding | None = None  # standing: where a verifier could not go on
    silent_to: int = 0  # facts up to here were judged by other detectors, and nothing is said about them
    differs: bool = False  # and what these find instead is still to be written

    def silent(self, sequence: int) -> bool:
        """Whether this fact of the stream is only folded."""
        return sequence <= self.silent_to

    def raised(self, finding: Finding, after: Shown) -> Written | None:
        """The next record: this finding is raised, or says something else now; none where it stands so already."""
        return self._write(lambda: self._raising(finding, after))

    def withdrawn(self, finding: Finding, after: Shown) -> Written | None:
        """The next record: this fact explains the finding; none where it does not stand."""
        return self._write(lambda: self._withdrawing(finding, after))

    def caught_up(self, taking: Place, before: Callable[[str], Container[int]]) -> "Book":
        """The book as it was before this fact; `before` gives the sequences of a stream that were taken before it.

        What was written by those stands as it is, for who begins later does not take them all again. What was written
        by this fact or by later ones, as others at once may have done, is to be made again.
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
        """The next record: the stream is verified up to this fact; none where that is told already."""

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
            return Written(placed, stored)
        held = self.there.popleft()
        if held.own != link.own:
            self._believe(held)
            return self._write(made)
        self._took(link)
        return None

    def _believe(self, other: Link) -> None:
        """The log holds another record here than this writer makes: all it holds stands as it is."""
        for link in (other, *self.there):
            self._took(link)
        self.there.clear()
        self._differ()

    def _differ(self) -> None:
        """What others wrote about facts so far stands; what these detectors find instead is said behind the last."""
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
    """The book of a stream whose facts are folded from the opening, over the chain the log holds of it."""
    marks = [(place, link.fact) for place, link in enumerate(held, start=1) if isinstance(link.fact, StreamVerified)]
    told = [mark.detectors for _, mark in marks]
    book = Book(stream)
    if told and told[-1] != VERSION:
        _take(book, held, len(held))
        book._differ()
        return book
    since = max((n for n in range(1, len(told)) if told[n] == VERSION != told[n - 1]), default=None)
    _take(book, held, 0 if since is None else marks[since][0])
    book.silent_to = book.up_to
    return book


def reopened(stream: str, held: Sequence[Link]) -> Book:
    """The book of an earlier day: nothing of it is taken yet, see `caught_up`."""
    return Book(stream, there=deque(held))


def _take(book: Book, held: Sequence[Link], count: int) -> None:
    """The first of these are taken as they stand; the others are to be made again."""
    for link in held[:count]:
        book._took(link)
    book.there.extend(held[count:])

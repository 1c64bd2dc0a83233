"""What can happen to an export: ordered by one person, signed by another, or declined."""

from domain.desk.acting import Done, Words
from domain.facts.envelope import Count, Digest, Name


class ExportOrdered(Done, frozen=True, tag="export-ordered.1"):
    """Somebody wants a part of the record for a purpose and a recipient."""

    asked: Words  # in words: days, tables, a case ...
    purpose: Words
    recipient: Words
    question: str  # as it is asked, but for who signs it
    checkpoint: Count  # the size of the tree it is bound to


class ExportSigned(Done, frozen=True, tag="export-signed.1"):
    """Somebody else stands for it: it was made, and this is its digest."""

    export: Name  # its name, which follows from the question
    digest: Digest  # of the whole file
    bytes: Count
    facts: Count


class ExportDeclined(Done, frozen=True, tag="export-declined.1"):
    """Nobody is to sign it."""

    why: str

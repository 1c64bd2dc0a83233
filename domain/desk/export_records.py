"""The records of an export: ordered by one person, and signed or declined by another."""

from domain.desk.acting import ActRecord, Words
from domain.facts.envelope import Count, Digest, Name


class ExportOrdered(ActRecord, frozen=True, tag="export-ordered.1"):
    """The record that a person ordered a part of the record for a purpose and a recipient."""

    asked: Words  # in words: days, tables, a case and so on
    purpose: Words
    recipient: Words
    question: str  # the question itself, without its signer
    checkpoint: Count  # the size of the tree at its checkpoint


class ExportSigned(ActRecord, frozen=True, tag="export-signed.1"):
    """The record that a second person signed the export, with the digest of the file."""

    export: Name  # its name, derived from the question
    digest: Digest  # of the whole file
    bytes: Count
    facts: Count


class ExportDeclined(ActRecord, frozen=True, tag="export-declined.1"):
    """The record that an order was declined."""

    why: str

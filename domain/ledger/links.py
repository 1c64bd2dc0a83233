"""The trouble that a misfitting link means for a reader of a whole log."""

from collections.abc import Iterator

from domain.ledger.audit import Found, Kind
from domain.ledger.chain import Link


def troubles(link: Link, stream: str, where: str, before: str, *, known: bool) -> Iterator[Found]:
    """Yield the trouble with one link, if there is any.

    `before` is the place in the log of the record before it; `known` says whether a record with this sequence was read
    recently.
    """
    if link.kind == "repeat":
        yield Found("repeat", stream, link.sequence, where, "the same record occurs again")
    elif link.kind == "fork":
        kind: Kind = "fork" if known else "out-of-order"
        says = "another record has this place" if known else "it comes after records that should follow it"
        yield Found(kind, stream, link.sequence, where, says)
    elif link.kind == "gap":
        says = f"records {link.expected_sequence} to {link.sequence - 1} are missing"
        yield Found("gap", stream, link.expected_sequence, before or where, says)
    elif link.kind == "break":
        says = f"record {link.sequence} names a different hash; a hash cannot show which byte changed"
        yield Found("break", stream, max(1, link.sequence - 1), before or where, says)

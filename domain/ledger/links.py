"""What a link of a chain that does not fit means for whoever reads a whole log through."""

from collections.abc import Iterator

from domain.ledger.audit import Found, Kind
from domain.ledger.chain import Link


def troubles(link: Link, stream: str, where: str, before: str, *, known: bool) -> Iterator[Found]:
    """The trouble with one link, if there is any.

    `before` is where the record before it lies, and `known` whether a record of this place was read not long ago.
    """
    if link.kind == "repeat":
        yield Found("repeat", stream, link.sequence, where, "the same record stands there again")
    elif link.kind == "fork":
        kind: Kind = "fork" if known else "out-of-order"
        says = "another record stands at this place" if known else "it stands behind records that follow it"
        yield Found(kind, stream, link.sequence, where, says)
    elif link.kind == "gap":
        says = f"records {link.expected_sequence} to {link.sequence - 1} are missing"
        yield Found("gap", stream, link.expected_sequence, before or where, says)
    elif link.kind == "break":
        says = f"record {link.sequence} names another hash than these bytes have; a hash tells no byte"
        yield Found("break", stream, max(1, link.sequence - 1), before or where, says)

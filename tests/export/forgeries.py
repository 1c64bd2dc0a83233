"""Forgeries by how far their maker gets: what was changed, who is asked to believe it, and what the verifier answers.

`FORGERIES` has them by name. Where nothing else is said the property itself made the forgery: every proof over it is
made to fit and signed with its real key, and the witness's cosignatures are those of whatever head it was shown.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.export.forged_pit import DAY, WITNESS, days
from tests.export.forger import Forged

Made = Callable[[], bytes]


class Forgery(NamedTuple):
    """A forgery's maker, the keys it is verified with, the answer's first word, and what the answer must contain."""

    made: Made
    outcome: str
    says: str
    given: str


FORGERIES: dict[str, Forgery] = {}
GIVEN = "key and witness"


def forgery(outcome: str, says: str, given: str = GIVEN) -> Callable[[Callable[[], bytes | Forged]], Callable[[], Any]]:
    """Add a forgery to the list under the name of the function that makes it."""

    def named(made: Callable[[], bytes | Forged]) -> Callable[[], bytes]:
        def whole() -> bytes:
            found = made()
            return found if isinstance(found, bytes) else found.tar()

        FORGERIES[made.__name__.replace("_", " ")] = Forgery(whole, outcome, says, given)
        return whole

    return named


T7, T8 = f"T7/{DAY}", f"T8/{DAY}"
REFUSED = "refused"
UNREAD, CHAIN = "unread", "chain-broken"


def lines_of(of: Forged, path: str) -> list[bytes]:
    return of.files[path].split(b"\n")[:-1]


def put(of: Forged, path: str, lines: list[bytes]) -> Forged:
    """A file of these lines."""
    of.files[path] = b"".join(each + b"\n" for each in lines)
    return of


def replaced(of: Forged, path: str, old: bytes, new: bytes) -> Forged:
    """Words in a file exchanged, once; words that are not there would forge nothing."""
    if old not in of.files[path]:
        raise ValueError(f"{old!r} is not in {path}")
    of.files[path] = of.files[path].replace(old, new, 1)
    return of


def tabled(of: Forged, name: str, text: bytes) -> Forged:
    """A table with another text, and the workbook made to fit."""
    from tests.export.builder import workbook

    of.files[f"data/tables/{name}.csv"] = text
    tables = {path[12:-4]: stored for path, stored in of.files.items() if path.startswith("data/tables/")}
    of.files["data/tables.xlsx"] = workbook(tables)
    return of


def with_faults(of: Forged, *rows: tuple[str, int, str], kind: str = "facts") -> Forged:
    """The table of faults with these rows."""
    told = [f"{kind},{stream},{at},{fault}\r\n" for stream, at, fault in sorted(rows)]
    return tabled(of, "faults", of.files["data/tables/faults.csv"] + "".join(told).encode())


def listed(of: Forged) -> Forged:
    """Bound and signed by the property, the list of leaves from the head that the witness saw before the day."""
    return of.bound().listed_from(of.heads[0].size).signed()


def sealed_wrongly(of: Forged, stream: str, since: int) -> list[tuple[str, int, str]]:
    """The rows about the seals behind a changed record, which only the device's key could make to fit."""
    stored = of.records("facts", stream)
    return [
        (stream, at, "signature-wrong")
        for at, each in enumerate(stored, 1)
        if at > since and each.startswith(b'{"type":"chain-sealed.1"')
    ]


def honest() -> Forged:
    """The same export as the product made it, under heads that the witness saw in time."""
    return days().signed()


WITNESSED = WITNESS

"""The exports of the auditor's walk in which the property cheats, made into a folder: `make cheats FOLDER=cheats`.

The record is that of docs/examples: table 7 and table 8 on one day, which the product records, watches and exports, and
another table eight days before. The forger then takes the honest export apart, changes it, makes every proof over it
fit, and signs it with the property's own key; the witness's cosignatures are those of whatever head it was shown.
"""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.export import forgeries_leaves, pits
from tests.export.delivered import put
from tests.export.forged_pit import BEFORE, DAY, OTHER, WITNESS, days, use
from tests.export.forger import Forged

INVENTED: Final = OTHER._replace(name="friend.example")


def _invented() -> Forged:
    """The head dated back, seen in time by a witness of the property's own making."""
    return forgeries_leaves.dated_back_and_listed(f"{BEFORE}T23:59:30Z", INVENTED)


def _two_records() -> Forged:
    """The record that the witness has not seen: another table's day in place of one of its leaves."""
    of = days()
    at = next(at for at, leaf in enumerate(of.leaves) if leaf["stream"] == f"T6/{BEFORE}")
    of.leaves[at] = {**of.leaves[at], "stream": f"T5/{BEFORE}"}
    of.heads = [head._replace(seen=()) for head in of.heads]
    return of.bound().signed()


MADE: Final[Mapping[str, Callable[[], Forged]]] = {
    "finding-dropped.tar": forgeries_leaves.findings_dropped,
    "head-backdated.tar": lambda: forgeries_leaves.dated_back_and_listed(f"{DAY}T12:00:00Z"),
    "witness-invented.tar": _invented,
    "other-record.tar": _two_records,
}


def make(folder: Path, record: Path) -> None:
    """Files the auditor has: the exports, two keys and a head from another person, and the program."""
    folder.mkdir(parents=True)
    use(record)
    honest = days()
    (folder / "honest.tar").write_bytes(honest.signed().tar())
    for name, made in MADE.items():
        (folder / name).write_bytes(made().tar())
    (folder / "seen-by-the-witness.txt").write_text(honest.note(honest.heads[-1]))
    (folder / "property.pub").write_text(honest.owner.text + "\n")
    (folder / "audit.vkey").write_text(WITNESS.text + "\n")
    put(folder)


def main(folder: Path) -> None:
    """Make the exports in a new folder, from a record that is not kept."""
    os.environ.update(pits.ENVIRONMENT)
    with TemporaryDirectory() as record:
        make(folder, Path(record))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

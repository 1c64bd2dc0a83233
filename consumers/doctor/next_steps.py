"""The next step for each kind of problem that the doctor reports, with the command that does it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_RESTORE: Final = (
    "Keep a copy of the record as evidence. Then `catwalk restore BACKUP --data NEW` brings the last backup back, and "
    "`catwalk doctor --data NEW` proves it"
)
_ANOTHER_WRITER: Final = (
    f"A program other than this record's gateway wrote here: find and stop it; `catwalk sources list` shows who may "
    f"send. {_RESTORE}"
)

NEXT_STEPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "repeat": "Nothing has to be done: every reader, such as `catwalk watch`, takes a repeated record once",
        "two-keepers": "Run one `catwalk checkpoint --every` for each record. Nothing else has to be done",
        "silent": "See whether the gateway and the devices run, and what `catwalk ask floor` shows of the table. If "
        "the table is closed, send its closing",
        "unsealed": "Keep the gateway running: it seals within a second. `catwalk keys list` shows whether the stream "
        "has a key, and `catwalk keys make` makes one",
        "unsealed-long": "See whether the gateway runs and has the passphrase of its keys. `catwalk keys list` shows "
        "whether the stream has a key, and `catwalk keys make` makes one",
        "seal-bad": "See whose key it is with `catwalk keys list` or `catwalk sources list`. If another person may "
        "have it, revoke it with `catwalk keys revoke` or `catwalk sources revoke`",
        **dict.fromkeys(("opening-missing", "second-writer", "after-close", "day-unlinked"), _ANOTHER_WRITER),
        **dict.fromkeys(
            (
                *("not-as-stored", "out-of-order", "gap", "tail-cut", "break", "unreadable", "fork", "missing"),
                *("altered", "misfiled", "file-bad"),
            ),
            _RESTORE,
        ),
        "tree-bad": "Move the tree's file away together with its -wal and -shm. Then `catwalk checkpoint restore` "
        "rebuilds it from what was published",
        "outbox-bad": "Stop the gateway, because its outbox and the record belong together. "
        "`catwalk restore BACKUP --data NEW` brings both back from one backup",
    }
)

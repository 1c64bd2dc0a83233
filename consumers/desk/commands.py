"""Each command's part of the record and the right it needs; and the commands that show nothing of the record, and why.

Every command is in one of the two tables. In a folder with accounts, a command of the first table needs an account
whose role has the right, as on the pages. The access log records the look or the refusal before anything is shown.
"""

from typing import Final

import msgspec

from domain.desk.access import Looked
from domain.desk.roles import Right


class Shows(msgspec.Struct, frozen=True):
    """The part of the record that a command shows, for the access log, and the right it needs."""

    what: Looked
    right: Right


# The command | the kind of look in the access log | the right. A command itself checks the rights that its options
# need.
_SHOW = """
accounts add       | sign-in | keep-accounts
accounts list      | sign-in | keep-accounts
accounts password  | sign-in | keep-accounts
accounts remove    | sign-in | keep-accounts
accounts unlock    | sign-in | keep-accounts
ask blast          | report  | see-players
ask cards          | search  | see-floor
ask dealer         | dealer  | see-people
ask decks          | search  | see-floor
ask errors         | report  | see-players
ask findings       | search  | see-findings
ask floor          | page    | see-floor
ask hold           | report  | see-money
ask meters         | search  | see-money
ask openers        | report  | see-money
ask player         | player  | see-players
ask round          | hand    | see-hands
ask staff          | search  | see-floor
ask statistics     | report  | see-money
ask troubles       | page    | see-record
ask undecided      | search  | see-record
backup             | export  | copy-record
dead-letters list  | page    | see-record
dead-letters retry | page    | manage-devices
dead-letters show  | search  | see-record
dispute            | export  | order-exports
export             | export  | order-exports
incidents          | report  | see-findings
keys list          | page    | see-record
keys make          | page    | manage-devices
keys revoke        | page    | manage-devices
keys rotate        | page    | manage-devices
log copy           | export  | copy-record
reconstruct        | hand    | see-hands
replay             | report  | see-money
sources list       | page    | see-record
sources register   | page    | manage-devices
sources revoke     | page    | manage-devices
sql                | sql     | use-sql
vault copy-keys    | export  | copy-record
vault erase        | player  | see-identities
vault list         | player  | see-players
vault put          | player  | see-identities
vault show         | player  | see-identities
verify-log         | report  | see-findings
watch              | report  | see-findings
"""


def _shows() -> dict[str, Shows]:
    rows = ([cell.strip() for cell in line.split("|")] for line in _SHOW.strip().splitlines())
    return {name: msgspec.convert({"what": what, "right": right}, Shows) for name, what, right in rows}


SHOW: Final = _shows()

"""What each command shows of the record and the right that takes; and which commands show nothing of it, and why not.

Every command stands in one of the two tables. Where a folder keeps accounts, whoever runs a command of the first needs
a role with its right, as on the pages; the look or the refusal stands in the access log before anything is shown.
"""

from typing import Final

import msgspec

from domain.desk.access import Looked
from domain.desk.roles import Right


class Shows(msgspec.Struct, frozen=True):
    """What a command shows, for the access log, and the right it takes."""

    what: Looked
    right: Right


# The command | as what a look stands in the log | the right. What else an option takes, the command asks for itself.
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

# Several commands | why nobody is asked who they are.
_SHOW_NOTHING = """
checkpoint cosigned, checkpoint list, checkpoint show | heads of the tree: hashes and times
checkpoint key list, checkpoint key make, checkpoint key rotate | keys of the property: who has their passphrase may
checkpoint restore                                    | puts the tree's file back from what was published
demo, up                                              | start the parts; the pages ask everybody themselves
doctor                                                | names places and hashes, never what stands there
gateway, ingest                                       | take what devices say
books, odds, settle                                   | reckon with what they are given, and read no record
project, rebuild, relay                               | write down what they read, and show none of it
restore                                               | makes a new folder of a backup; who took that is on record
score, verify-export                                  | read files that were given out, with no desk beside them
signer                                                | makes what people on the pages sign, who are asked there
simulate                                              | makes a floor up
sources words                                         | says what a given line comes to, and reads no record
topics access, topics check, topics create            | settings of a cluster
witness list, witness make, witness prove, witness see | a second party, with heads of the tree alone
"""


def _shows() -> dict[str, Shows]:
    rows = ([cell.strip() for cell in line.split("|")] for line in _SHOW.strip().splitlines())
    return {name: msgspec.convert({"what": what, "right": right}, Shows) for name, what, right in rows}


def _nothing() -> dict[str, str]:
    rows = ([cell.strip() for cell in line.split("|")] for line in _SHOW_NOTHING.strip().splitlines())
    return {name.strip(): why for names, why in rows for name in names.split(",")}


SHOW: Final = _shows()
SHOW_NOTHING: Final = _nothing()

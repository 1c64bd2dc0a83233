"""The read models, column by column: the one place that says which tables there are and what stands in them.

*Round* tables get rows when a round is over and again when a later fact changes it; those are many and move into
Parquet. *Day* tables hold what a table's day has come to; the rows of a stream are replaced whole. *Own* tables are
keyed by something else. *Rollups* say in one row a day what many rounds came to, so that a look-up over years reads few
rows; they follow from the others (`rollups.py`). *Sealed* is what only a verified, closed day has. Amounts are whole
cents, times UTC.
"""

from typing import Final, Literal

import msgspec

Kind = Literal["round", "day", "own", "rollup", "sealed"]
EDITION: Final = "edition"


class Column(msgspec.Struct, frozen=True):
    """One column: its DuckDB type, and what it says."""

    name: str
    type: str
    about: str


class Table(msgspec.Struct, frozen=True):
    """One table of the read models; `key` tells its rows apart."""

    name: str
    kind: Kind
    about: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def of_streams(self) -> bool:
        """Whether each row belongs to a stream, with which it is sealed."""
        return self.columns[0].name == "stream"


def _columns(text: str) -> tuple[Column, ...]:
    """Columns as they are written down below: name, type, what it says."""
    rows = (line.split(None, 2) for line in text.splitlines() if line.strip())
    return tuple(Column(name, kind, about.strip()) for name, kind, about in rows)


_STREAM = """
stream      VARCHAR    the stream its facts lie in
table       VARCHAR    the table
gaming_day  DATE       the gaming day
"""

ROUNDS = Table(
    "rounds",
    "round",
    "A round that is over.",
    ("stream", "round"),
    _columns(
        _STREAM
        + """
round       INTEGER    its number in the day
edition     BIGINT     the position of the fact by which it was made as it stands
first       INTEGER    the sequence of its first fact
last        INTEGER    the sequence of the last fact that belongs to it
began_at    TIMESTAMP  when its first fact happened
ended_at    TIMESTAMP  when it was completed; null where it was left open
pit         VARCHAR    where the table stands
book        VARCHAR    the rule book in force
house       VARCHAR    the digest of book, options and dealing method, as `houses` has it
method      VARCHAR    how cards are dealt
deck        VARCHAR    the deck or shoe it was dealt from
dealer      VARCHAR    who dealt
hands       INTEGER    how many players' hands were dealt or wagered on
community   VARCHAR    the community cards; ?? is one nobody saw
dealer_hand VARCHAR    the dealer's cards
voided      BOOLEAN    whether all hands were declared void
void_clause VARCHAR    the clause that voids it, where one does
staked_cents BIGINT    all stakes; null where one was not seen
back_cents  BIGINT     all that was handed back, stakes included; null where something was not seen
owed_cents  BIGINT     all that was owed, stakes included; null where something is undecided
decided     INTEGER    wagers whose settlement could be checked
undecided   INTEGER    wagers whose settlement could not
video       VARCHAR    recorder, channel and time code that somebody marked
"""
    ),
)

HANDS = Table(
    "hands",
    "round",
    "One position's hand in a round: a seat's, or the dealer's as seat 0.",
    ("stream", "round", "seat"),
    _columns(
        _STREAM
        + """
round       INTEGER    the round
edition     BIGINT     the position of the fact by which it was made as it stands
seat        INTEGER    the seat; 0 is the dealer
player      VARCHAR    the player's token; empty where nobody knows
cards       VARCHAR    its cards; ?? is one nobody saw
holds       VARCHAR    what the hand came to, in words; empty where it cannot be said
choice      VARCHAR    its last decision
void        BOOLEAN    whether this hand was declared void
staked_cents BIGINT    all its stakes
back_cents  BIGINT     all it was handed back
owed_cents  BIGINT     all it was owed
difference_cents BIGINT handed back less owed: more than nothing is an overpayment
"""
    ),
)

WAGERS = Table(
    "wagers",
    "round",
    "One wager of one seat: what lay there, what became of it, and what was owed.",
    ("stream", "round", "seat", "wager"),
    _columns(
        _STREAM
        + """
round       INTEGER    the round
edition     BIGINT     the position of the fact by which it was made as it stands
seat        INTEGER    the seat
player      VARCHAR    the player's token
wager       VARCHAR    ante, blind, play, trips ...
staked_cents BIGINT    what lay there when its betting ended; null is not seen
late_cents  BIGINT     what was added after it ended, which is no part of the wager; null is not seen
coupon_cents BIGINT    of the stake, by coupon
collected_cents BIGINT what was collected; this and the next two are null where an amount was not seen
paid_cents  BIGINT     what was paid, the stake not among it
returned_cents BIGINT  what of the stake was handed back
back_cents  BIGINT     all the player got back, the stake included; null where something was not seen
owed_cents  BIGINT     the same by the rule book; null where it cannot be said
difference_cents BIGINT handed back less owed, and less what was added late where the wager won
clause      VARCHAR    the clause that decides
basis       VARCHAR    certain, reading, ruling, undecidable
undecided   VARCHAR    what was missing, where it cannot be said
"""
    ),
)

CARDS = Table(
    "cards",
    "round",
    "A card of a round, and where it lay.",
    ("stream", "round", "place", "seat", "number"),
    _columns(
        _STREAM
        + """
round       INTEGER    the round
edition     BIGINT     the position of the fact by which it was made as it stands
place       VARCHAR    seat, dealer, community, box, burn, aside
seat        INTEGER    the seat; 0 elsewhere
number      INTEGER    its place there, from 1
card        VARCHAR    the card; ?? is one nobody saw
sequence    INTEGER    the fact that brought it there; null where that is not on record
"""
    ),
)

HANDLING = Table(
    "handling",
    "round",
    "What was done with the cards and with what deals and shuffles them: decks, shuffles, cuts, loads, counts, devices.",
    ("stream", "sequence"),
    _columns(
        _STREAM
        + """
round       INTEGER    the newest round by then; 0 is none
played      BOOLEAN    whether that round was being played
edition     BIGINT     the position of the fact by which it was made as it stands
sequence    INTEGER    the fact
at          TIMESTAMP  when
what        VARCHAR    the type of fact: shuffle-completed, cut-performed, stub-counted ...
deck        VARCHAR    the deck
method      VARCHAR    how, where it says
device      VARCHAR    with which device
by          VARCHAR    by whom
cards       INTEGER    the cards it counted or names; of a cutting card, those behind it
depth       INTEGER    the cards above a cut
"""
    ),
)

TABLES = Table(
    "tables",
    "day",
    "A table's gaming day as it stands.",
    ("stream",),
    _columns(
        _STREAM
        + """
pit         VARCHAR    where it stands
zone        VARCHAR    its time zone
currency    VARCHAR    its currency
book        VARCHAR    the rule book in force
house       VARCHAR    the digest of book, options and dealing method
method      VARCHAR    how cards are dealt
state       VARCHAR    open, playing, idle, closed
dealer      VARCHAR    who deals
opened_at   TIMESTAMP  when it opened
closed_at   TIMESTAMP  when it closed
last_at     TIMESTAMP  when its last fact happened
sequence    INTEGER    its last fact
sealed_to   INTEGER    the last fact a seal covers; 0 is none
round       INTEGER    its newest round
rounds      INTEGER    rounds that are over
hands       INTEGER    players' hands in them
deck        VARCHAR    the deck or shoe in play
rounds_since_count INTEGER rounds since the stub was counted
seats       INTEGER    players seated
unread_from INTEGER    the sequence behind which it cannot be read; null is none
unread_says VARCHAR    why
"""
    ),
)

DECKS = Table(
    "decks",
    "day",
    "The ledger of one deck, or of a batch played as one shoe, at one table.",
    ("stream", "deck"),
    _columns(
        _STREAM
        + """
deck        VARCHAR    its name
decks       INTEGER    how many decks it is made of
size        INTEGER    cards it ought to hold
received_at TIMESTAMP  when it came
first_round INTEGER    the first round dealt from it
last_round  INTEGER    the last
rounds      INTEGER    rounds dealt from it
counts_done INTEGER    counts of its stub
rounds_since_count INTEGER rounds since the last
count_due   BOOLEAN    whether a count is overdue
last_count  INTEGER    the cards last counted, in the stub or by a shuffler
last_counted_at TIMESTAMP when
miscounted  BOOLEAN    whether that was another number than there ought to be
shuffles    INTEGER    shuffles that were finished
seen        INTEGER    different cards seen of it, all day
never_seen  VARCHAR    the cards never seen while it was read, where it is a single deck
duplicates  VARCHAR    cards seen more often in one round than it holds them
gone_at     TIMESTAMP  when it left, null while it is here
fate        VARCHAR    in use, removed, replaced, and why
"""
    ),
)

MONEY = Table(
    "money",
    "day",
    "A table's money: what came, what went, what was won.",
    ("stream",),
    _columns(
        _STREAM
        + """
opener_cents BIGINT    the bank it opened with
fills_cents BIGINT     chips that came
credits_cents BIGINT   chips that left
drop_cents  BIGINT     the drop, once counted
closer_cents BIGINT    the bank it closed with
bought_in_cents BIGINT what players bought, as far as seen
collected_cents BIGINT what rounds took
paid_cents  BIGINT     what rounds paid
win_cents   BIGINT     closer + credits + drop - opener - fills, once all are known
rounds_win_cents BIGINT what rounds won the house, as far as every movement was seen; else null
"""
    ),
)

METERS = Table(
    "meters",
    "day",
    "A progressive meter at a table.",
    ("stream", "meter"),
    _columns(
        _STREAM
        + """
meter       VARCHAR    its name
opened_cents BIGINT    where it stood at the opening
stands_cents BIGINT    where it stands
risen_cents BIGINT     what it rose by
awards      INTEGER    how often it fell back
"""
    ),
)

STAFF = Table(
    "staff",
    "day",
    "Who of the staff was at the table, and when.",
    ("stream", "number"),
    _columns(
        _STREAM
        + """
number      INTEGER    in the order they came
person      VARCHAR    the licence or staff number
role        VARCHAR    dealer, floorperson, supervisor
came_at     TIMESTAMP  from when
went_at     TIMESTAMP  to when; null while there
first_round INTEGER    the first round that began with them there
last_round  INTEGER    the last
"""
    ),
)

SEATINGS = Table(
    "seatings",
    "day",
    "Who sat where, and when.",
    ("stream", "number"),
    _columns(
        _STREAM
        + """
number      INTEGER    in the order they sat down
seat        INTEGER    the seat
player      VARCHAR    the player's token
seated_at   TIMESTAMP  from when
left_at     TIMESTAMP  to when; null while there
bought_in_cents BIGINT what was bought there, as far as seen
"""
    ),
)

COVERAGE = Table(
    "coverage",
    "day",
    "How many wagers could be checked, and how many not for want of what.",
    ("stream", "what"),
    _columns(
        _STREAM
        + """
what        VARCHAR    decided, or what was missing
wagers      INTEGER    how many
"""
    ),
)

HOUSES = Table(
    "houses",
    "own",
    "A book with the options and the dealing method in force, and what its wagers keep by the exact odds.",
    ("house", "wager"),
    _columns(
        """
house       VARCHAR    the digest that rounds name
book        VARCHAR    the rule book
options     VARCHAR    the options, as JSON
method      VARCHAR    how cards are dealt
wager       VARCHAR    the wager, or base for those that are settled together
unit        VARCHAR    the wager by whose stake its edge is measured
edge        DOUBLE     what the house keeps of a unit
deviation   DOUBLE     the standard deviation of a unit's result
fixed_cents DOUBLE     what the house keeps of each wager besides, whatever its stake: flat awards, meters
crossed     DOUBLE     the part of the variance that goes by the stake
fixed_variance DOUBLE  the part of the variance that goes by the number of wagers
note        VARCHAR    how these odds are meant, or why there are none
"""
    ),
)

FINDINGS = Table(
    "findings",
    "own",
    "What is to be reviewed, as the findings log says it stands.",
    ("finding",),
    _columns(
        _STREAM
        + """
finding     VARCHAR    its name, the same after every replay
edition     BIGINT     the place in its stream of findings of the record that says so
code        VARCHAR    what it is, in the vocabulary of findings
severity    VARCHAR    money, integrity, procedure, information
state       VARCHAR    standing, withdrawn
says        VARCHAR    one plain sentence
clauses     VARCHAR[]  the clauses that were broken
round       INTEGER    the round, if any
seat        INTEGER    the seat, if any
wager       VARCHAR    the wager, if any
dealer      VARCHAR    who dealt
at          TIMESTAMP  when the fact that shows it happened
trigger     INTEGER    that fact
known_by    INTEGER    the fact by which it became known
expected_cents BIGINT  what was owed
observed_cents BIGINT  what was handed back
evidence    INTEGER[]  the facts that prove it
basis       VARCHAR    certain or reading
"""
    ),
)

VERIFIED = Table(
    "verified",
    "own",
    "How far a stream is verified, as its last mark says.",
    ("stream",),
    _columns(
        _STREAM
        + """
up_to       INTEGER    the last fact that is verified
rounds      INTEGER    rounds judged
detectors   VARCHAR    by which detectors
book_digest VARCHAR    by which edition of the book
closed      BOOLEAN    whether the day is verified to its end
undecided   VARCHAR    how often which detector could not decide, as JSON
records     INTEGER    how many records verifiers wrote about it
"""
    ),
)

TROUBLES = Table(
    "troubles",
    "own",
    "What could not be taken: gaps, forks, bytes that are no fact, a fold that failed.",
    ("log", "partition", "position", "kind", "sequence"),
    _columns(
        """
log         VARCHAR    facts or findings
partition   INTEGER    the partition
position    BIGINT     where it stands in it
stream      VARCHAR    the stream, where the bytes name one
sequence    INTEGER    and the sequence; 0 where they name none
kind        VARCHAR    unreadable, gap, broken, forked, stopped
says        VARCHAR    why
mended      BOOLEAN    whether what was missing has come since
"""
    ),
)

FACTS = Table(
    "facts",
    "sealed",
    "The facts of a verified, closed day, as the log holds them.",
    ("stream", "sequence"),
    _columns(
        _STREAM
        + """
sequence    INTEGER    its place in the stream
type        VARCHAR    what kind of fact
round       INTEGER    the round, if any
at          TIMESTAMP  when it happened
stored      BLOB       the bytes that are hashed
"""
    ),
)

_SUMS = """
staked_cents BIGINT    stakes, as far as they were seen
back_cents  BIGINT     handed back, stakes included, as far as it was seen
owed_cents  BIGINT     owed, stakes included, as far as it could be said
overpaid_cents BIGINT  what single wagers were handed too much
underpaid_cents BIGINT what single wagers were handed too little
overpaid    INTEGER    wagers handed too much
underpaid   INTEGER    wagers handed too little
"""

TABLE_DAYS = Table(
    "table_days",
    "rollup",
    "What a table's day came to.",
    ("stream",),
    _columns(
        _STREAM
        + """
book        VARCHAR    the rule book
rounds      INTEGER    rounds that are over
voided      INTEGER    of them void
hands       INTEGER    players' hands
began_at    TIMESTAMP  when its first round began
ended_at    TIMESTAMP  when its last round was over
decided     INTEGER    wagers whose settlement could be checked
undecided   INTEGER    wagers whose settlement could not
"""
        + _SUMS
    ),
)

WAGER_DAYS = Table(
    "wager_days",
    "rollup",
    "What one kind of wager came to in a table's day under one house.",
    ("stream", "house", "wager"),
    _columns(
        _STREAM
        + """
house       VARCHAR    the digest of book, options and dealing method
book        VARCHAR    the rule book
wager       VARCHAR    ante, blind, play, trips ...
wagers      INTEGER    how many lay there
unseen      INTEGER    of them with a stake nobody saw
squares     DOUBLE     the sum of the squares of their stakes in cents, for the spread of the result
"""
        + _SUMS
    ),
)

PLAYER_DAYS = Table(
    "player_days",
    "rollup",
    "What one player's day at one table came to.",
    ("stream", "player"),
    _columns(
        _STREAM
        + """
player      VARCHAR    the player's token
book        VARCHAR    the rule book
rounds      INTEGER    rounds with a hand
hands       INTEGER    hands
first_round INTEGER    the first of them
last_round  INTEGER    the last
began_at    TIMESTAMP  when the first began
ended_at    TIMESTAMP  when the last was over
"""
        + _SUMS
    ),
)

DEALER_DAYS = Table(
    "dealer_days",
    "rollup",
    "What one dealer's day at one table came to.",
    ("stream", "dealer"),
    _columns(
        _STREAM
        + """
dealer      VARCHAR    the licence number
book        VARCHAR    the rule book
rounds      INTEGER    rounds dealt
hands       INTEGER    players' hands in them
seconds     DOUBLE     how long these rounds took
first_round INTEGER    the first of them
last_round  INTEGER    the last
began_at    TIMESTAMP  when the first began
ended_at    TIMESTAMP  when the last was over
"""
        + _SUMS
    ),
)

DECK_DAYS = Table(
    "deck_days",
    "rollup",
    "Which rounds of a table's day were dealt from a deck.",
    ("stream", "deck"),
    _columns(
        _STREAM
        + """
deck        VARCHAR    the deck or shoe
book        VARCHAR    the rule book
rounds      INTEGER    rounds dealt from it
hands       INTEGER    players' hands in them
first_round INTEGER    the first of them
last_round  INTEGER    the last
began_at    TIMESTAMP  when the first began
ended_at    TIMESTAMP  when the last was over
"""
    ),
)

NEWEST = Table(
    "newest",
    "own",
    "The newest day of each table, and of the property, as far as the facts were read.",
    ("table",),
    _columns(
        """
table       VARCHAR    the table, or property
stream      VARCHAR    the stream of its newest day
"""
    ),
)

TABLES_OF_MODELS: Final = (
    ROUNDS,
    HANDS,
    WAGERS,
    CARDS,
    HANDLING,
    TABLES,
    DECKS,
    MONEY,
    METERS,
    STAFF,
    SEATINGS,
    COVERAGE,
    HOUSES,
    FINDINGS,
    VERIFIED,
    TROUBLES,
    FACTS,
    TABLE_DAYS,
    WAGER_DAYS,
    PLAYER_DAYS,
    DEALER_DAYS,
    DECK_DAYS,
)
SCHEMA: Final = {table.name: table for table in TABLES_OF_MODELS}
# By which fact a row was made anew, and where a log holds something, says nothing about what happened.
NOT_IN_DIGESTS: Final = frozenset({EDITION, "position", "partition"})

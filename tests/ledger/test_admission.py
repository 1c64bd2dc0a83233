"""Rules on who may say a fact: each broken and kept, in their own order."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from domain.facts.catalogue import TYPES
from domain.facts.deal import CardDealt
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, PropertyOpened
from domain.facts.samples import sample
from domain.facts.seals import ChainSealed
from domain.facts.sources import ClockCorrected, InputRefused, SourceRegistered, SourceRevoked
from domain.facts.table_day import TableOpened
from domain.facts.wagers import WagerPlaced
from domain.facts.watching import Corrected
from domain.ledger.admission import SECOND, Bounds, Speaker, denied
from domain.ledger.belonging import belongs
from domain.ledger.rights import GATEWAYS, REGISTRARS, RIGHTS, kinds, unknown
from domain.ledger.source_register import SourceRegister, fold

NOW = 1_795_036_000 * SECOND
KEY = "aa" * 32
SECRET = "bb" * 32


def source(name: str, streams: str, may: str, **proof: object) -> SourceRegistered:
    """A source registered from the start; streams and rights as words with spaces between."""
    told = {"at": 1, "source": "sources", "source_key": name, "stream": "property"}
    return SourceRegistered(name, tuple(streams.split()), tuple(may.split()), **told, **proof)  # type: ignore[arg-type]


REGISTER = fold(
    [
        source("shoe", "T7", "deal", user_id=1007),
        source("sensor", "*", "wagers", secret=SECRET),
        source("signer", "T7", "play", public_key=KEY),
        source("office", "* property", "openings property", user_id=1000),
        source("pit", "T7 T8", "play corrections card-dealt", user_id=1007),
        source("reel", "T7", "deal", topic=True),
        source("inked", "T7", "deal", topic=True, public_key=KEY),
        source("gone", "T7", "play", user_id=1007),
        SourceRevoked("gone", "stolen", at=2, source="sources", source_key="gone:2", stream="property"),
        source("twice", "T7", "play", user_id=1007),
        source("twice", "T8", "wagers", user_id=1008),
    ]
)
WHO = {
    "console": Speaker(console=True),
    "registrar": Speaker(console=True, registrar=True),
    "1007": Speaker(user_id=1007),
    "1008": Speaker(user_id=1008),
    "1000": Speaker(user_id=1000),
    "nobody": Speaker(),
    "secret": Speaker(user_id=5, proved={"sensor": SECRET}),
    "reel's": Speaker(topic="reel"),
    "inked's": Speaker(topic="inked"),
    "shoe's": Speaker(topic="shoe"),
}


def said(kind: str, of: str, stream: str, *, at: int = NOW, signed: str = "") -> Fact:
    """A fact of this type, said by this source about this stream."""
    full = sample(TYPES[f"{kind}.1"])
    bare = {"sequence": 0, "previous": "", "source_signature": signed or None}
    fact = msgspec.structs.replace(full, source=of, stream=stream, at=at, **bare)
    return msgspec.structs.replace(fact, table=stream) if isinstance(fact, TableOpened) else fact


# who | says what | as which source | of which stream | signature | the rule that turns it away; nothing: admitted
RULES = """
1007      | card-dealt        | shoe    | T7               |       |
1007      | card-dealt        | shoe    | T7/2026-11-18    |       |
console   | card-dealt        | shoe    | T7               |       |
registrar | card-dealt        | nobody  | T9               |       |
registrar | key-rotated       | keys    | property         |       |
secret    | wager-placed      | sensor  | T7               |       |
secret    | wager-placed      | sensor  | T93              |       |
1000      | table-opened      | office  | T7               |       |
1000      | property-opened   | office  | property         |       |
1000      | deck-issued       | office  | property         |       |
1007      | corrected         | pit     | T8               |       |
reel's    | card-dealt        | reel    | T7               |       |
reel's    | card-dealt        | reel    | T8               |       | stream-not-its-own
reel's    | card-dealt        | shoe    | T7               |       | source-unproved
1007      | card-dealt        | reel    | T7               |       | source-unproved
shoe's    | card-dealt        | shoe    | T7               |       | source-unproved
inked's   | card-dealt        | inked   | T7               |       | signature-missing
inked's   | card-dealt        | inked   | T7               | good  |
1007      | card-dealt        | pit     | T8               |       |
1007      | wager-placed      | signer  | T7               | good  |
nobody    | wager-placed      | signer  | T7               | good  |
1008      | wager-placed      | twice   | T8               |       |
nobody    | card-dealt        | shoe    | T7               |       | source-unproved
1008      | card-dealt        | shoe    | T7               |       | source-unproved
1007      | wager-placed      | sensor  | T7               |       | source-unproved
secret    | card-dealt        | shoe    | T7               |       | source-unproved
1007      | wager-placed      | twice   | T8               |       | source-unproved
1007      | card-dealt        | reader  | T7               |       | source-unknown
console   | card-dealt        | reader  | T7               |       | source-unknown
1007      | card-dealt        | gone    | T7               |       | source-revoked
console   | card-dealt        | gone    | T7               |       | source-revoked
1007      | card-dealt        | shoe    | T8               |       | stream-not-its-own
console   | card-dealt        | shoe    | T8               |       | stream-not-its-own
1007      | card-dealt        | shoe    | property         |       | stream-not-its-own
secret    | wager-placed      | sensor  | property         |       | stream-not-its-own
1008      | wager-placed      | twice   | T7               |       | stream-not-its-own
1007      | wager-placed      | shoe    | T7               |       | kind-not-allowed
console   | wager-placed      | shoe    | T7               |       | kind-not-allowed
1007      | table-opened      | pit     | T7               |       | kind-not-allowed
1007      | table-closed      | pit     | T7               |       | kind-not-allowed
1007      | corrected         | shoe    | T7               |       | kind-not-allowed
1000      | corrected         | office  | T7               |       | kind-not-allowed
1008      | card-dealt        | twice   | T8               |       | kind-not-allowed
1000      | property-closed   | office  | T7               |       | wrong-stream
1000      | table-closed      | office  | property         |       | wrong-stream
1000      | deck-issued       | office  | T7/2026-11-18    |       | wrong-stream
registrar | key-registered    | keys    | T7               |       | wrong-stream
registrar | card-dealt        | nobody  | property         |       | wrong-stream
1007      | wager-placed      | signer  | T7               |       | signature-missing
console   | wager-placed      | signer  | T7               |       | signature-missing
1007      | wager-placed      | signer  | T7               | wrong | signature-wrong
1007      | card-dealt        | shoe    | T7               | good  | signature-wrong
1000      | key-registered    | office  | property         |       | registrars-own
console   | key-registered    | keys    | property         |       | registrars-own
console   | key-revoked       | keys    | property         |       | registrars-own
1000      | source-registered | office  | property         |       | registrars-own
console   | source-revoked    | sources | property         |       | registrars-own
1000      | input-refused     | office  | property         |       | gateways-own
registrar | clock-corrected   | keys    | property         |       | gateways-own
console   | card-dealt        | gateway | T7               |       | gateways-own
registrar | card-dealt        | gateway | T7               |       | gateways-own
registrar | key-registered    | keys    | property         |       | key-weak
registrar | source-registered | sources | property         |       | key-weak
"""


def verify(public: bytes, signature: bytes, words: bytes) -> bool:
    """A signature is good where it says so; the words are looked at in another test."""
    return public == bytes.fromhex(KEY) and signature == b"good" and words.startswith(b"catwalk line\n{")


@pytest.mark.parametrize("row", RULES.strip().splitlines(), ids=lambda row: " ".join(row.replace("|", " ").split()))
def test_a_rule_turns_away_what_it_names_and_nothing_else(row: str) -> None:
    who, kind, of, stream, signed, rule = (cell.strip() for cell in row.split("|"))
    fact = said(kind, of, stream, signed=signed.encode().hex())
    why = denied(REGISTER, WHO[who], fact, now=NOW, bounds=Bounds(), verify=verify)
    assert (why.rule if why else "") == rule
    assert why is None or len(why.says) > 20


# the first registered | who | says what | the rule
FIRST = [
    ("console", "card-dealt", ""),
    ("console", "property-opened", ""),
    ("console", "table-opened", ""),
    ("console", "corrected", ""),
    ("console", "property-closed", "wrong-stream"),
    ("console", "key-registered", "registrars-own"),
    ("1007", "card-dealt", "source-unknown"),
    ("nobody", "property-opened", "source-unknown"),
]


@pytest.mark.parametrize(("who", "kind", "rule"), FIRST)
def test_before_the_first_source_is_registered_the_console_alone_speaks(who: str, kind: str, rule: str) -> None:
    why = denied(SourceRegister(), WHO[who], said(kind, "x", "T7"), now=NOW, bounds=Bounds(), verify=verify)
    assert (why.rule if why else "") == rule


# how far off in seconds | behind, ahead allowed | at the socket | at the console
TIMES = [
    (0, (0, 0), "", ""),
    (61, (60, 60), "time-out-of-bounds", "time-out-of-bounds"),
    (60, (60, 60), "", ""),
    (-60, (60, 60), "", ""),
    (-61, (60, 60), "time-out-of-bounds", ""),
    (-86_400 * 365, (None, 5), "", ""),
    (86_400 * 365, (5, None), "", ""),
]


@pytest.mark.parametrize(("off", "allowed", "socket", "console"), TIMES)
def test_a_time_beyond_its_bound_is_turned_away(
    off: int, allowed: tuple[int | None, int | None], socket: str, console: str
) -> None:
    """The console brings in files of days past; nobody says what is still to come."""
    fact = said("card-dealt", "shoe", "T7", at=NOW + off * SECOND)
    for who, rule in (("1007", socket), ("console", console)):
        why = denied(REGISTER, WHO[who], fact, now=NOW, bounds=Bounds(*allowed), verify=verify)
        assert (why.rule if why else "") == rule
        assert why is None or f"{abs(off)} s" in why.says


# opens | days behind its own time | days of its own time behind the clock | ahead allowed | at the socket, the console
DAYS = """
table-opened    |    0 |     0 |    |             |
table-opened    |    2 |     0 |    |             |
table-opened    |    3 |     0 |    | day-too-far | day-too-far
property-opened |    3 |     0 |    | day-too-far | day-too-far
table-opened    |  999 |     0 |    | day-too-far | day-too-far
table-opened    |   -9 |     0 |    |             |
table-opened    |    0 | -4000 |    |             |
table-opened    |    3 |    -1 |    |             |
table-opened    |    9 | -4000 |    |             |
table-opened    |    0 |   365 |    | day-too-far |
table-opened    |    3 |   365 |    | day-too-far | day-too-far
table-opened    |    0 |   365 | 400 |            |
table-opened    |    3 |   365 | 400 | day-too-far | day-too-far
table-opened    |    0 |   365 | 300 | time-out-of-bounds | time-out-of-bounds
card-dealt      |    9 |     0 |    |             |
"""


@pytest.mark.parametrize("row", DAYS.strip().splitlines(), ids=lambda row: " ".join(row.replace("|", " ").split()))
@pytest.mark.parametrize("register", [REGISTER, SourceRegister()], ids=["registered", "nobody registered"])
def test_a_gaming_day_far_off_is_not_opened(row: str, register: SourceRegister) -> None:
    """Past days and simulated ones are the console's to bring in; at the socket the gateway's clock decides."""
    kind, behind, off, ahead, socket, console = (cell.strip() for cell in row.split("|"))
    at = NOW + int(off) * 86_400 * SECOND
    day = (datetime.fromtimestamp(at / SECOND, UTC) + timedelta(days=int(behind))).date().isoformat()
    of, stream = ("shoe", "T7") if kind == "card-dealt" else ("office", "property" if kind < "t" else "T7")
    fact = said(kind, of, stream, at=at)
    fact = fact if kind == "card-dealt" else msgspec.structs.replace(fact, gaming_day=day)
    bounds = Bounds(None, int(ahead) * 86_400 if ahead else None)
    for who, rule in (("1000", socket), ("console", console))[not register.sources :]:
        speaker = WHO["1007" if kind == "card-dealt" and who == "1000" else who]
        why = denied(register, speaker, fact, now=NOW, bounds=bounds, verify=verify)
        assert (why.rule if why else "") == rule
        assert why is None or rule != "day-too-far" or f"the gaming day {day} begins in" in why.says


def test_a_day_of_no_calendar_is_left_to_the_writer() -> None:
    fact = msgspec.structs.replace(said("table-opened", "office", "T7"), gaming_day="9999-99-99")  # type: ignore[call-arg]
    assert denied(REGISTER, WHO["1000"], fact, now=NOW, bounds=Bounds(), verify=verify) is None


# Of the types that are not a table's: those of the property's stream, and those of either. A new type goes into a list.
OF_THE_PROPERTY = """
property-opened property-closed key-registered key-rotated key-revoked deck-stored deck-issued deck-returned
person-licensed person-suspended device-entered options-approved software-installed
source-registered source-revoked input-refused clock-corrected
"""
OF_EITHER = "observed video-marked corrected noted chain-sealed"
OF_TABLES = "table_day players decks shuffles wagers deal decisions payments devices table_money"


def test_every_type_of_fact_has_its_stream() -> None:
    """A type added to the catalogue stands in one of the lists above, or in the module of a table's subject."""
    for name, kind in TYPES.items():
        word = name.rpartition(".")[0]
        of_property, of_either = word in OF_THE_PROPERTY.split(), word in OF_EITHER.split()
        of_table = kind.__module__.rpartition(".")[2] in OF_TABLES.split()
        assert of_property + of_either + of_table == 1, f"{name}: say in whose stream it belongs"
        found = [belongs(kind, stream) for stream in ("property", "property/2026-11-18", "T7", "T7/2026-11-18")]
        assert found == [not of_table] * 2 + [not of_property] * 2, name


def test_every_type_of_fact_is_somebodys_to_say() -> None:
    """A type added to the catalogue gets its right by its subject, or is the registrars' or the gateway's own."""
    of_rights = frozenset().union(*RIGHTS.values())
    assert of_rights | REGISTRARS | GATEWAYS | {ChainSealed} == set(TYPES.values())
    assert not of_rights & (REGISTRARS | GATEWAYS | {ChainSealed})
    assert {KeyRegistered, SourceRegistered} < REGISTRARS
    assert {InputRefused, ClockCorrected} == GATEWAYS
    for kind in (TableOpened, PropertyOpened, Corrected):
        assert kind not in RIGHTS["play"] | RIGHTS["property"]


def test_rights_are_words_or_single_types() -> None:
    assert kinds(("deal",)) >= {CardDealt}
    assert kinds(("card-dealt", "wager-placed")) == {CardDealt, WagerPlaced}
    assert kinds(("no-such-thing", "key-registered", "source-registered")) == frozenset()
    assert unknown(("play", "card-dealt", "cards", "key-registered")) == ["cards", "key-registered"]

"""The differences between release 0.1 and this code that are on purpose; every other difference is a fault."""

import re
from typing import Any, Final, NamedTuple


class Record(NamedTuple):
    """A record of findings, or a row of the read models: which, where it stands, and its fields."""

    kind: str
    place: str
    fields: dict[str, Any]


class Difference(NamedTuple):
    """One difference between the results of two codes."""

    place: str
    says: str


# The store's own bookkeeping: positions, files, generations.
OWN_TABLES: Final = frozenset({"about", "dead", "files", "masks", "newest", "positions"})
# Files of an export that carry the program, its sentences, or the digests or cells of the other files. The export's own
# verifier proves that they follow from the others, all but the words of the report.
OWN_FILES: Final = frozenset(
    {
        "bag-info.txt",
        "data/report.pdf",
        "data/tables.xlsx",
        "HOW-TO-VERIFY.txt",
        "manifest-sha256.txt",
        "pieces-sha256.txt",
        "statement.dsse.json",
        "tagmanifest-sha256.txt",
        "verify.py",
    }
)
# A code that the earlier code does not have.
NEW_CODES: Final = frozenset(
    {"feed-doubtful", "options-not-approved", "rule-book-not-in-force", "slip-missing", "tray-off"}
)
# New findings of codes that both have: a shoe loaded with a wrong number of cards in every book, the cards that
# go back into a shoe that shuffles, and the sum of Fast Action's shoe; the posted limits in every book. The earlier
# simulator counted no cards in a shoe that ran out by plan, and wrong numbers where it changed the deal for an incident.
_SHOE: Final = re.compile(
    r"The shoe was loaded with \d+ cards? of \S+, which has \d+\.|\d+ cards? of \S+ had been dealt from the shoe that "
    r"shuffles continuously, but \d+ went back into it\.|\d+ cards of \S+ were loaded and \d+ left the shoe in play, "
    r"but \d+ came out at the end: .*"
)
_LIMITS: Final = (["HOUSE 3 (Limits)"], ["UTH-MA 11(e)"], ["UTH-MD 12.F(1)"])
# Fields that differ in findings of one code.
_BASIS: Final = frozenset({"basis"})  # a reading where only the payout shows it, or contradicts it as well
_READINGS: Final = ("hand-misranked", "winner-misjudged", "settlement-basis-wrong", "dealer-qualification-misjudged")
_OF_A_CODE: Final = {
    **dict.fromkeys(_READINGS, _BASIS),
    "rule-book-unknown": frozenset({"severity"}),  # integrity: nothing of such a day is checked (decision 0077)
}
# Fields that differ in rows of one table: a closed day is sealed up to its own closing seal, and each finding that only
# this code makes moves the findings behind it.
_OF_A_TABLE: Final = {
    "money": frozenset({"tray_off_cents"}),
    "tables": frozenset({"sealed_to"}),
    "findings": frozenset({"edition"}),
    "verified": frozenset({"records"}),
}
_PLACES: Final = frozenset({"sequence", "source_key"})  # the same in the log of findings
# Fields with sentences, which are in plainer English; with the version of the detectors and the digest of an edition;
# with the hash of the record before, which follows from its bytes; and with the last round of a stretch, which only this
# code has in a field.
_FIELDS: Final = frozenset({"says", "detectors", "book_digest", "previous", "to_round"})
# An undecided wager's reason begins with the one under which it is counted; before, it was the missing evidence alone.
_REASONS: Final = (
    *("an amount was not seen", "a card was not seen", "a decision was not seen", "a meter was not seen"),
    "the record contradicts itself",
)
_MISSING: Final = re.compile(f"^(?:{'|'.join(_REASONS)}): ")
_NO_CAUSE: Final = ("why the hands were void", "why the hands were void is not on record")
_HOLDS: Final = re.compile(rb'"holds":"[^"]*"')  # the question says in words what each file holds
_CELL: Final = re.compile(rb'(?<=,undecidable,)("?)([^"\r\n]+)')
_DIGEST = re.compile(rb"(?:UTH-MA|UTH-MD|PIK|FAH|COL),[0-9a-f]{64}\b")
# The closing of a table says in other words whether its opener was counted at once.
_WORDS: Final = {
    b"told at once": b"report at once",
    b"the closer before is not on record": b"the previous closer is not on record",
}


def without_intended(record: Record) -> dict[str, Any] | None:
    """The fields that must be equal, or nothing if only this code makes such a record."""
    fields = record.fields
    mark = fields.get("type") == "stream-verified.1" and "+property/" in record.place  # of such a finding's stream
    if fields.get("code") in NEW_CODES or mark:
        return None
    apart = _FIELDS | _OF_A_CODE.get(fields.get("code", ""), frozenset())
    apart |= _PLACES if record.kind == "finding" else _OF_A_TABLE.get(record.place, frozenset())
    bare = {name: value for name, value in fields.items() if name not in apart}
    if record.place == "wagers" and bare.get("undecided"):
        bare["undecided"] = _missing(bare["undecided"])
    return bare


def added(record: Record) -> bool:
    """Return whether a record that only this code makes is one of the intended findings."""
    code, says = record.fields.get("code"), str(record.fields.get("says"))
    if code == "deck-composition-wrong":
        return _SHOE.fullmatch(says) is not None
    return code == "wager-outside-limits" and record.fields.get("clauses") in _LIMITS


def plain(name: str, content: bytes) -> bytes:
    """A file of an export without the digests of editions, and in the new words."""
    bare = _DIGEST.sub(lambda found: found[0].split(b",")[0], content)
    if name == "data/tables/wagers.csv":
        bare = _CELL.sub(lambda found: found[1] + _missing(found[2].decode()).encode(), bare)
    if name == "data/question.json":
        bare = _HOLDS.sub(b"", bare)
    if name == "data/tables/openers.csv":
        for old, new in _WORDS.items():
            bare = bare.replace(old, new)
    return bare


def _missing(undecided: str) -> str:
    """Return the missing evidence, without the reason under which it is counted."""
    return _NO_CAUSE[0] if undecided in _NO_CAUSE else _MISSING.sub("", undecided)

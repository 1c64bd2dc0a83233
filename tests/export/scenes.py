"""A property's record for exports in tests: two days of a table, findings about them, a second table next door."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from domain.facts.codec import encode
from domain.facts.deal import CardDealt, RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, StubCounted, WagerCollected, WagerPaid, WagerReturned
from domain.facts.property_day import KeyRegistered, PropertyClosed, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.table_money import BoughtIn, DropCounted, FillReceived
from domain.facts.wagers import BetsClosed, WagerChanged, WagerPlaced, WagerWithdrawn
from domain.facts.watching import Corrected
from domain.ledger import seals
from domain.ledger.chain import digest
from domain.ledger.checkpoint import cosigned
from domain.ledger.stretches import Kind, Stretch, path_of
from domain.ledger.tree import consistency, leaf_hash
from domain.watch import record as of_findings
from tests.export import derived
from tests.export.builder import (
    ORIGIN,
    WITNESS,
    ZONE,
    Bundle,
    Records,
    Site,
    canonical,
    counts,
    private,
    public,
    table,
    workbook,
)

START = 1_795_034_405_000_000
DAYS = ("2026-11-18", "2026-11-19")
DEVICES = {"T7": 11, "T8": 12, "property": 13, "watcher": 14}


class Writing:
    """One stream as its writer writes it: numbered, chained, sealed when a round is over."""

    def __init__(self, stream: str, *, seals_itself: bool = True) -> None:
        self.stream, self.owner = stream, stream.partition("/")[0]
        self.stored: list[bytes] = []
        self.head = ""
        self._at = START
        self._seals = seals_itself

    def say(self, kind: type[Fact], **fields: Any) -> None:
        """One fact, and a seal behind the end of a round or of the day."""
        self._at += 40_000
        count = len(self.stored) + 1
        fields = {"at": self._at, "source": f"{self.owner}-reader", "source_key": f"k:{count}", **fields}
        fact = kind(**fields, stream=self.stream, sequence=count, previous=self.head)
        of_findings_ = type(fact) in of_findings.KINDS
        self.stored.append(of_findings.encode(fact) if of_findings_ else encode(fact))
        self.head = digest(self.stored[-1])
        if self._seals and isinstance(fact, (RoundCompleted, TableClosed, PropertyClosed)):
            signature = private(DEVICES[self.owner]).sign(seals.words(self.stream, count, self.head)).hex()
            self.say(ChainSealed, key=f"{self.owner}-key", covers=count, signature=signature)


def round_of(day: Writing, number: int, seats: Iterable[int], stake: int) -> None:
    """A round of a few seats; odd ones lose."""
    day.say(RoundOpened, deck="deck-1", round=number)
    for seat in seats:
        day.say(WagerPlaced, seat=seat, wager="ante", cents=stake, player=f"p-{seat}", round=number)
        day.say(WagerPlaced, seat=seat, wager="trips", cents=500, round=number)
    day.say(WagerChanged, seat=1, wager="ante", cents=stake + 500, round=number)
    day.say(WagerWithdrawn, seat=1, wager="trips", round=number)
    day.say(BetsClosed, round=number)
    day.say(CardDealt, to="seat", seat=1, slot=1, card="Ah", round=number)
    for seat in seats:
        if seat % 2:
            day.say(WagerCollected, seat=seat, wager="ante", cents=stake, round=number)
        else:
            day.say(WagerPaid, seat=seat, wager="ante", cents=stake, round=number)
            day.say(WagerReturned, seat=seat, wager="ante", cents=stake, round=number)
    day.say(RoundCompleted, round=number)


def table_day(
    name: str, day: str, before: Writing | None, *, rounds: int, close: bool = True, stake: int = 1000
) -> Writing:
    made = Writing(f"{name}/{day}")
    made.say(
        TableOpened,
        table=name,
        gaming_day=day,
        writer_epoch=1,
        book="UTH-MD",
        book_digest="d" * 64,
        options={},
        dealing_method="manual-shoe",
        positions=6,
        opener_cents=500_000,
        previous_stream=before.stream if before else "",
        previous_head=before.head if before else "",
    )
    made.say(FillReceived, slip="F-1", cents=10_000)
    made.say(BoughtIn, seat=1, cents=20_000)
    for number in range(1, rounds + 1):
        round_of(made, number, (1, 2), stake)
    made.say(StubCounted, cards=40)
    made.say(DropCounted, cents=20_000)
    if before is not None:
        made.say(
            Corrected, corrects_stream=before.stream, corrects_sequence=5, reads={"cents": 1500}, reason="misread ☂"
        )
    if close:
        made.say(TableClosed, closer_cents=525_000, rounds=rounds)
    return made


def property_day(day: str, before: Writing | None) -> Writing:
    made = Writing(f"property/{day}")
    follows = {"previous_stream": before.stream, "previous_head": before.head} if before else {}
    made.say(PropertyOpened, gaming_day=day, writer_epoch=1, property="pit", zone=ZONE, **follows)
    if before is None:
        for name, number in DEVICES.items():
            made.say(
                KeyRegistered, key=f"{name}-key", public_key=public(number).hex(), table=name, valid_from=START - 1
            )
    made.say(PropertyClosed, streams=3)
    return made


def findings_about(day: Writing) -> Iterator[Writing]:
    """Records a verifier wrote about a day, and their seals."""
    made = Writing(day.stream, seals_itself=False)
    common = {"source": of_findings.SOURCE, "severity": "review", "clauses": ("UTH-MD 12.B(2)",), "round": 1}
    made.say(
        of_findings.FindingRaised,
        **common,
        finding="f-b",
        code="paid-wrong",
        says='=2+2, "quoted",\nand a second line & <more>',
        trigger=9,
        known_by=12,
        seat=2,
        wager="ante",
        expected_cents=1000,
        observed_cents=900,
        evidence=(9, 12),
    )
    made.say(of_findings.FindingRaised, **common, finding="f-a", code="late-bet", says="late", trigger=8, known_by=8)
    made.say(of_findings.FindingRevised, **common, finding="f-a", code="late-bet", says="later", trigger=8, known_by=9)
    made.say(of_findings.FindingWithdrawn, source=of_findings.SOURCE, finding="f-a", explained_by=14)
    up_to = len(day.stored)
    made.say(
        of_findings.StreamVerified, source=of_findings.SOURCE, up_to=up_to, head=day.head, detectors="1", closed=True
    )
    yield made
    sealed = Writing(of_findings.seals_of(day.stream), seals_itself=False)
    covers = len(made.stored)
    signature = private(DEVICES["watcher"]).sign(seals.words(sealed.stream, covers, made.head)).hex()
    sealed.say(of_findings.FindingsSealed, key="watcher-key", covers=covers, head=made.head, signature=signature)
    yield sealed


def records(rounds: int = 3, *, close: bool = False) -> Records:
    """Two days: the first closed, the second still open unless it is closed; a table next door that no export shows."""
    found: Records = {}

    def keep(kind: Kind, *written: Writing) -> None:
        for each in written:
            found[kind, each.stream] = each.stored

    pit = property_day(DAYS[0], None)
    first = table_day("T7", DAYS[0], None, rounds=rounds)
    second = table_day("T7", DAYS[1], first, rounds=1, close=close)
    keep("facts", pit, property_day(DAYS[1], pit), first, second)
    keep("facts", table_day("T8", DAYS[0], None, rounds=1), table_day("T8", DAYS[1], None, rounds=1))
    keep("findings", *findings_about(first))
    return found


def exported(site: Site, shown: Records, scope: dict[str, Any] | None = None, **changes: Any) -> Bundle:
    """Export these streams whole, bound to the last checkpoint, cosigned by the witness."""
    sizes = sorted(site.notes)
    size = sizes[-1]
    note = cosigned(site.notes[size], WITNESS, private(2).sign, 1_795_150_000)
    head = note.text.split("\n")
    time = head[3].removeprefix("time ")
    question = {
        "books": [],
        "checkpoint": {"cosigned_by": [WITNESS.name], "earlier": {}, "origin": ORIGIN, "root": site.tree.root(size).hex(), "size": size, "time": time},
        "files": [],
        "identities": "tokens",
        "ordered_by": "a.inspector",
        "purpose": "a test",
        "recipient": "the regulator",
        "scope": {"access": False, "case": "", "days": list(DAYS), "finding": "", "games": [], "hand": "", "player": "", "tables": ["T7"], "to_date": False},
        "signed_by": "b.auditor",
        "software": "catwalk 0.1.0",
        "version": 4,
        "zone": ZONE,
    }  # fmt: skip
    question = {**question, **changes, "scope": {**question["scope"], **(scope or {})}}  # type: ignore[dict-item]
    parts = {} if not (question["scope"]["tables"] or question["scope"]["games"]) else _in_part(shown)  # type: ignore[index]
    shown = _of_parts(shown, parts)
    files = {"data/question.json": (canonical(question) + "\n").encode()}
    files |= {
        "data/proofs/checkpoint.txt": note.stored.encode(),
        **_proofs(site, shown, size, parts),
        **_leaves(site, size),
    }
    files |= tables(shown)
    files |= _keys(site, shown)
    files |= {
        "data/report.pdf": b"%PDF-1.7\n% a stand-in: the ante of seat 2 was owed $10.00\n" + b"\0" * 700,
        "data/facts.parquet": b"PAR1" + bytes(range(256)) * 3 + b"PAR1",
        "verify.py": b'"""A stand-in."""\n',
        "HOW-TO-VERIFY.txt": b"A stand-in.\n",
    }
    return Bundle(files, site).listed().signed()


Parts = dict[tuple[Kind, str], list[int]]  # the sequences that are shown of streams in part


def _in_part(shown: Records) -> Parts:
    """The part of the property's days that goes with a request for tables: the opening and what it says about keys."""
    keys = {
        place: [at for at, stored in enumerate(stored, 1) if stored.startswith(b'{"type":"key-')]
        for place, stored in shown.items()
        if place[1].startswith("property/")
    }
    return {place: [1, *found] if found else [] for place, found in keys.items()}


def _of_parts(shown: Records, parts: Parts) -> Records:
    """The days that are there in part; a day without a word about a key is left out."""
    kept = {
        place: [stored[at - 1] for at in parts[place]] if place in parts else stored for place, stored in shown.items()
    }
    return {place: stored for place, stored in kept.items() if stored}


def _proofs(site: Site, shown: Records, size: int, parts: Parts) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    lines, last_of_open = [], []
    for (kind, stream), stored in sorted(shown.items()):
        files[f"data/{kind}/{stream}.jsonl"] = b"".join(record + b"\n" for record in stored)
        places = [at for at, leaf in enumerate(site.leaves[:size]) if (leaf.kind, leaf.stream) == (kind, stream)]
        part, last = parts.get((kind, stream)), site.leaves[places[-1]].last
        if part is not None:
            holds = {
                at: [each for each in part if site.leaves[at].first <= each <= site.leaves[at].last] for at in places
            }
            places = [at for at in places if holds[at]]
            told = [_place(site.records[kind, stream], site.leaves[at], each) for at in places for each in holds[at]]
            files[f"data/proofs/records/{kind}/{stream}.jsonl"] = b"".join(told)
        proofs = "".join(site.proven(at, size) for at in places)
        files[f"data/proofs/stretches/{kind}/{stream}.jsonl"] = proofs.encode()
        count = len(stored)
        line = {"kind": kind, "stream": stream, "whole": part is None, "last": last, "records": count, "rounds": []}
        lines.append(msgspec.json.encode(line) + b"\n")
        if kind == "facts" and part is None and not any(b"-closed.1" in each for each in stored[-2:]):
            last_of_open.append(places[-1])
    files["data/streams.jsonl"] = b"".join(lines)
    if last_of_open:
        after = "".join(site.proven(at, size) for at in range(min(last_of_open) + 1, size))
        files["data/proofs/after.jsonl"] = after.encode()
    earlier = [
        {"note": site.notes[old].stored, "consistency": [step.hex() for step in consistency(site.tree.node, old, size)]}
        for old in sorted(site.notes)
        if old < size
    ]
    files["data/proofs/earlier.jsonl"] = b"".join(msgspec.json.encode(each) + b"\n" for each in earlier)
    return files


def _leaves(site: Site, size: int) -> dict[str, bytes]:
    """Every leaf: nobody cosigned an earlier checkpoint of this record."""
    lines = [msgspec.json.encode({"from": 0, "to": size, "peaks": []}), *(leaf.stored for leaf in site.leaves[:size])]
    return {"data/proofs/leaves.jsonl": b"".join(line + b"\n" for line in lines)}


def _place(stored: list[bytes], stretch: Stretch, sequence: int) -> bytes:
    """A record's place in its stretch."""
    leaves = [leaf_hash(record) for record in stored[stretch.first - 1 : stretch.last]]
    path = [step.hex() for step in path_of(leaves, sequence - stretch.first)]
    return msgspec.json.encode({"sequence": sequence, "path": path}) + b"\n"


def tables(shown: Records) -> dict[str, bytes]:
    """Every table, those that need rule books made up, and the workbook."""
    played, games = derived.played(shown, WRONG), {stream: "UTH-MD" for _, stream in shown}
    wagers, rounds = played["wagers"], played["rounds"]
    made = {
        "card_record": table("card_record", derived.card_record(shown)),
        "counts": table("counts", counts(shown)),
        "coverage": table("coverage", [("T7/2026-11-18", "T7", "2026-11-18", "decided", 6)]),
        "deck_ledger": table("deck_ledger", []),
        "errors": table("errors", derived.errors(wagers, rounds, _standing(shown))),
        "faults": table("faults", []),
        "findings": table("findings", derived.findings(shown)),
        "hands": table("hands", played["hands"]),
        "openers": table("openers", derived.openers(shown)),
        "paid": table("paid", derived.paid(shown)),
        "rounds": table("rounds", rounds),
        "statistics": table("statistics", derived.statistics(shown, games)),
        "table_money": table("table_money", derived.money(shown)),
        "wagers": table("wagers", wagers),
    }
    files = {f"data/tables/{name}.csv": text for name, text in made.items()}
    return {**files, "data/tables.xlsx": workbook(made)}


def _standing(shown: Records) -> dict[tuple[object, ...], str]:
    rows = (row for row in derived.findings(shown) if row[6] == "standing")
    return {
        (row[0], number, *row[11:13]): str(row[3])
        for row in rows
        for number in range(int(str(row[9])), int(str(row[10] or row[9])) + 1)
    }


# Stream, round, seat and wager of those handed back another amount than was owed, and by how much.
_WRONG = {("T7/2026-11-18", 1, 2, "ante"): -100, ("T7/2026-11-19", 1, 1, "ante"): 250}


# Wagers handed back another amount than was owed, the first as its finding says: stream, round, seat, wager, by how much.
WRONG = {("T7/2026-11-18", 1, 2, "ante"): -100, ("T7/2026-11-19", 1, 1, "ante"): 250}


def _keys(site: Site, shown: Records) -> dict[str, bytes]:
    import base64

    pem = base64.b64encode(bytes.fromhex("302a300506032b6570032100") + site.key.public).decode()
    register: dict[str, Any] = {}
    for (_, stream), stored in sorted(shown.items()):
        for each in stored if stream.startswith("property/") else ():
            fact = msgspec.json.decode(each)
            if fact["type"] == "key-registered.1":
                register[fact["key"]] = fact
    lines = [
        {
            **{name: fact[name] for name in ("key", "table", "public_key")},
            "since": {"at": fact["valid_from"], "stream": "", "sequence": 0},
            "ends": [],
            "revoked": [],
            "successor": "",
            "reason": "",
        }
        for _, fact in sorted(register.items())
    ]
    notes = [{"note": note.stored} for note in site.told]
    return {
        "data/keys/property.pub": f"{site.key.text}\n-----BEGIN PUBLIC KEY-----\n{pem}\n-----END PUBLIC KEY-----\n".encode(),
        "data/keys/devices.jsonl": b"".join(msgspec.json.encode(line) + b"\n" for line in lines),
        "data/keys/rotations.jsonl": b"".join(msgspec.json.encode(note) + b"\n" for note in notes),
    }


def reference(rounds: int = 3) -> Bundle:
    """An export of one table's two days, sound in every part."""
    site = Site(records(rounds))
    return exported(site, {of: stored for of, stored in site.records.items() if not of[1].startswith("T8/")})

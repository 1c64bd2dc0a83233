"""The files of a dispute pack, written to a folder or to one tar whose every byte is determined."""

import tempfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from consumers.disputing.window import DisputeWindow
from domain.watch.reconstruction import Reconstruction
from projections.export.container import lay_down
from projections.export.report import dispute_pdf
from projections.export.report.disputed import Dispute
from projections.export.report.told import Attached

FACTS, SETTLEMENT, TOLD = "facts.jsonl", "settlement.json", "dispute.json"
_ABOUT: Final = {
    FACTS: "the stored facts: the day's opening, the hand, the facts between its neighbors, seal and corrections",
    SETTLEMENT: "the amount owed on each wager, by which clause, and the amount handed back",
    TOLD: "everything on these pages, as data",
}
_TYPES: Final = {FACTS: "application/x-ndjson", SETTLEMENT: "application/json", TOLD: "application/json"}


def files_of(dispute: Dispute, stretch: DisputeWindow) -> dict[str, bytes]:
    """Every file of the pack by its name; the same record gives the same bytes."""
    evidence = {
        FACTS: b"".join(stored + b"\n" for stored in stretch.stored),
        SETTLEMENT: _json(_settlement(dispute)),
        TOLD: _json({name: getattr(dispute, name) for name in dispute.__struct_fields__ if name != "attached"}),
    }
    attached = tuple(Attached(name, _ABOUT[name], held, _TYPES[name]) for name, held in evidence.items())
    files = {"dispute.pdf": dispute_pdf(msgspec.structs.replace(dispute, attached=attached)), **evidence}
    return {**files, "SHA256SUMS": _sums(files)}


def name_of_pack(dispute: Dispute) -> str:
    """The default name of a pack's folder."""
    seat = "" if dispute.seat is None else f"-seat-{dispute.seat}"
    return f"dispute-{dispute.hand.stream.replace('/', '-')}-round-{dispute.hand.round}{seat}"


def laid_down(out: Path, dispute: Dispute, files: Mapping[str, bytes]) -> None:
    """Write the pack: to one file if the name ends in .tar, else to a folder."""
    if out.suffix != ".tar":
        out.mkdir(parents=True)
        for name, held in files.items():
            (out / name).write_bytes(held)
        return
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        for name, held in files.items():
            (Path(folder) / name).write_bytes(held)
        with out.open("xb") as tar:
            named = [(name, Path(folder) / name) for name in files]
            lay_down(tar, name_of_pack(dispute), named, int(dispute.as_of.timestamp()))


def _settlement(dispute: Dispute) -> dict[str, Any]:
    hand = dispute.hand
    return {
        "stream": hand.stream,
        "round": hand.round,
        "book": dispute.edition.book,
        "book_digest": dispute.edition.digest,
        "void": hand.void,
        "void_clause": hand.void_clause,
        "wagers": list(_wagers(hand)),
        "clauses": dispute.clauses,
        "undecided": hand.undecided,
    }


def _wagers(hand: Reconstruction) -> Iterator[dict[str, Any]]:
    for seat in hand.seats:
        for line in seat.wagers:
            told = {name: getattr(line, name) for name in line.__struct_fields__}
            yield {"seat": seat.seat, "player": seat.player, **told, "difference_cents": line.difference_cents}


def _json(told: Mapping[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"


def _sums(files: Mapping[str, bytes]) -> bytes:
    return "".join(f"{sha256(held).hexdigest()}  {name}\n" for name, held in sorted(files.items())).encode()

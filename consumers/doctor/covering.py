"""The records that no checkpoint covers yet: a person who can write the files can remove them without a trace."""

from collections.abc import Mapping

from consumers.doctor.rows import TreeCoverage
from domain.ledger.stretches import KINDS, Kind
from domain.spoken import listed, number_of

_NAMES: Mapping[Kind, tuple[str, str]] = {
    "facts": ("fact", "facts"),
    "findings": ("record of findings", "records of findings"),
    "desk": ("record of the desk", "records of the desk"),
}
_ACCESS = "access/"


def uncovered(tree: Mapping[Kind, TreeCoverage], ends: Mapping[Kind, Mapping[str, int]]) -> str:
    """A sentence for people, from the last record of each stream here and in the tree."""
    parts: list[str] = []
    for kind in KINDS:
        held = tree[kind].lasts if kind in tree else {}
        left = {stream: max(0, last - held.get(stream, 0)) for stream, last in ends.get(kind, {}).items()}
        if count := sum(left.values()):
            looks = sum(each for stream, each in left.items() if stream.startswith(_ACCESS))
            of_access = f" ({looks} of the access log)" if looks else ""
            parts.append(f"{number_of(count, *_NAMES[kind])}{of_access}")
    if not parts:
        return "checkpoints cover every record that was read" if tree else ""
    begin = "no checkpoint covers" if tree else "no checkpoint was ever signed, so none covers"
    return (
        f"{begin} {listed(parts)}: until `catwalk checkpoint` signs one, a person who can write the files can remove "
        "or change them unnoticed"
    )

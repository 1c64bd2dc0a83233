"""Every bit of an export turned, one at a time: is each refused, and how near is what is wrong located?

`make tamper` does all of a reference bundle on all processors and prints the figures; tests do some thousands.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, lru_cache
from io import BytesIO
from time import monotonic

import msgspec

from tests.export.builder import PROPERTY, WITNESS
from tests.export.delivered import verify
from tests.export.scenes import reference

ASKED = verify.Asked([verify.Key(PROPERTY.name, PROPERTY.public)], [verify.Key(WITNESS.name, WITNESS.public)])
BLOCK = 512
EXACT = 16  # of so many bits one is looked for to the byte, which is some thousand hashes


class Turned(msgspec.Struct, frozen=True):
    """The result of one turned bit."""

    bit: int
    refused: bool
    record: bool = False  # located to its header, line or piece
    byte: bool | None = None  # located to the very byte, where that was asked
    says: str = ""


@cache
def whole() -> bytes:
    """The reference bundle."""
    # A signature is checked once: that each of these is right or wrong does not change from bit to bit.
    verify.signed_by = lru_cache(maxsize=10_000)(verify.signed_by)
    return reference(rounds=1).tar()


@cache
def members() -> list[verify.Member]:
    return sorted(verify.Export(BytesIO(whole())).members.values(), key=lambda member: member.at)


def turned(bit: int, *, exact: bool = True) -> Turned:
    """The bundle with one bit turned, verified."""
    stored = bytearray(whole())
    stored[bit >> 3] ^= 1 << (bit & 7)
    search, verify.turned_back = verify.turned_back, verify.turned_back if exact else _not_searched
    try:
        verify.verify(BytesIO(stored), ASKED)
    except verify.AlteredError as error:
        record, byte = located(bit >> 3, bytes(stored), error)
        return Turned(bit, True, record, byte if exact else None, str(error))
    except verify.UnreadableError as error:
        return Turned(bit, True, says=str(error))
    finally:
        verify.turned_back = search
    return Turned(bit, False)


def _not_searched(_: bytes, __: bytes) -> int:
    return -1


def located(at: int, stored: bytes, error: verify.AlteredError) -> tuple[bool, bool]:
    """Whether the record is named in which the byte lies, and whether the byte is."""
    member = next((member for member in members() if member.at <= at < member.at + member.size), None)
    if member is None:
        return error.path == "the container" and -BLOCK < error.byte - at < BLOCK, error.byte == at
    if error.path != member.path:
        return False, False
    inside = at - member.at
    if error.byte == inside:
        return True, True
    text = stored[member.at : member.at + member.size]
    begin, end = text.rfind(b"\n", 0, inside) + 1, text.find(b"\n", inside)
    line = text.count(b"\n", 0, inside) + 1
    # A line that was joined to the next, or cut in two, is that line all the same.
    same_line = error.line in (line, line - (text[inside : inside + 1] == b"\n"))
    in_line = begin <= error.byte <= (end if end >= 0 else len(text))
    piece = path_of_pieces(member.path) and error.byte // 1024 == inside // 1024
    return (same_line and bool(error.line)) or in_line or piece, False


def path_of_pieces(path: str) -> bool:
    """Whether a file is located by pieces."""
    return path not in verify.UNLISTED and not path.startswith(verify.SELF_TELLING)


def figures(all_of: Iterable[Turned]) -> tuple[Counter[str], list[Turned]]:
    """Number of turned bits that were refused and located, and the first that were not."""
    found: Counter[str] = Counter()
    missed = []
    for one in all_of:
        found["turned"] += 1
        found["refused"] += one.refused
        found["record"] += one.record
        found["byte"] += bool(one.byte)
        found["searched"] += one.byte is not None
        if not one.record and len(missed) < 20:
            missed.append(one)
    return found, missed


def summary(found: Counter[str]) -> str:
    """In one line."""
    record, byte = 100 * found["record"] / max(found["turned"], 1), 100 * found["byte"] / max(found["searched"], 1)
    refused = f"refused {found['refused']} of {found['turned']}"
    return (
        f"{refused}, located to the record {record:.3f} %, to the byte {byte:.1f} % of {found['searched']} looked for"
    )


def _some(bits: range) -> list[Turned]:
    return [turned(bit, exact=bit % (EXACT + 1) == 0) for bit in bits]


def _all(bits: int, step: int = 4096) -> Iterator[Turned]:
    begun = told = monotonic()
    with ProcessPoolExecutor() as pool:
        pieces = [range(at, min(at + step, bits)) for at in range(0, bits, step)]
        for done, some in enumerate(pool.map(_some, pieces), 1):
            yield from some
            if monotonic() - told > 10:
                told = monotonic()
                left = (told - begun) / done * (len(pieces) - done)
                print(f"{done * step} of {bits} bits, {left / 60:.0f} minutes left", file=sys.stderr)


def main() -> int:
    """All bits of the reference bundle."""
    bits = 8 * len(whole())
    print(f"{bits // 8} bytes, {len(members())} files", file=sys.stderr)
    found, missed = figures(_all(bits))
    for one in missed:
        print(f"bit {one.bit & 7} of byte {one.bit >> 3}: {one.says or 'NOT REFUSED'}")
    print(summary(found))
    return 0 if found["refused"] == bits and found["record"] >= 0.99 * bits else 1


if __name__ == "__main__":
    sys.exit(main())

"""The characters that the report's fonts can print, and a visible form for all others.

People type names, notes and sentences. A character without a glyph would leave a hole in the evidence, and one that
changes the writing direction could make a name read as another. Both are printed by their Unicode number.
"""

import re
import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

FONTS: Final = Path(__file__).parent / "fonts"
_BREAK: Final = "\u200b"  # where a word that is too long may break
_LONGEST, _PIECE = 26, 12  # letters of the longest unbroken word, and of a piece of a longer one
_BLANK: Final = re.compile(r"\s+")
_WORD: Final = re.compile(rf"\S{{{_LONGEST},}}")


def printable(text: str) -> str:
    """Return typed text as one line, with every character visible and long words breakable."""
    shown = "".join(letter if ord(letter) in _letters() else f"[U+{ord(letter):04X}]" for letter in _one_line(text))
    return _WORD.sub(lambda word: _BREAK.join(_pieces(word[0])), shown)


def exact(text: str) -> str:
    """Return a digest or another technical name unchanged, so that it can be copied."""
    return "".join(letter if ord(letter) in _letters() else f"[U+{ord(letter):04X}]" for letter in text)


def _one_line(text: str) -> str:
    return _BLANK.sub(" ", text).strip()


def _pieces(word: str) -> Iterator[str]:
    for begin in range(0, len(word), _PIECE):
        yield word[begin : begin + _PIECE]


@cache
def _letters() -> frozenset[int]:
    """Return the characters that every font of the report has."""
    held = [frozenset(_covered(font.read_bytes())) for font in sorted(FONTS.glob("*.ttf"))]
    return frozenset.intersection(*held) - {0xAD}  # a soft hyphen is invisible


def _covered(font: bytes) -> Iterator[int]:
    """The characters of a TrueType font, from its character map of format 4, which covers the basic plane."""
    tables = struct.unpack_from(">H", font, 4)[0]
    places = (struct.unpack_from(">4sLLL", font, 12 + 16 * each) for each in range(tables))
    start = next(offset for tag, _, offset, _ in places if tag == b"cmap")
    for each in range(struct.unpack_from(">H", font, start + 2)[0]):
        platform, encoding, offset = struct.unpack_from(">HHL", font, start + 4 + 8 * each)
        if (platform, encoding) == (3, 1):
            yield from _segments(font, start + offset)


def _segments(font: bytes, at: int) -> Iterator[int]:
    count = struct.unpack_from(">H", font, at + 6)[0] // 2
    ends = struct.unpack_from(f">{count}H", font, at + 14)
    starts = struct.unpack_from(f">{count}H", font, at + 16 + 2 * count)
    deltas = struct.unpack_from(f">{count}h", font, at + 16 + 4 * count)
    ranges_at = at + 16 + 6 * count
    ranges = struct.unpack_from(f">{count}H", font, ranges_at)
    for place, (start, end, delta, ranged) in enumerate(zip(starts, ends, deltas, ranges, strict=True)):
        for letter in range(start, end + 1):
            if not ranged:
                glyph = (letter + delta) & 0xFFFF
            else:
                held = struct.unpack_from(">H", font, ranges_at + 2 * place + ranged + 2 * (letter - start))[0]
                glyph = (held + delta) & 0xFFFF if held else 0
            if glyph:
                yield letter

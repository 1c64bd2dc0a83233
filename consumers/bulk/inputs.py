"""The bytes of an input, from which its mark is computed."""

from struct import Struct
from typing import Final

_NUMBERS: Final = Struct("<4q")


def laid_out(source: str, source_key: str, own: str, stream: str, sequence: int) -> bytes:
    """Lay out an input in bytes: three lengths, the sequence, the hash of the content, and the three texts."""
    parts = [each.encode(errors="surrogatepass") for each in (source, source_key, stream)]
    return _NUMBERS.pack(*map(len, parts), sequence) + own.encode(errors="surrogatepass") + b"".join(parts)

"""Lines in another form than JSON in UTF-8: what each one is, and how to save or send it instead."""

import re

from domain.facts.refused import Refused

_MARK = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HALF_PAIR = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
_CR_ENDS = re.compile(rb"\}[ \t]*\r[ \t\r]*\{")
_QUOTED_ROW = re.compile(rb'"[^"]*"[,;\t]')
_SEPARATORS = b",;\t"
_LOOKED_AT = 4096  # bytes of a line that is searched for its form


def other_form(stored: bytes) -> str:
    """Return what this refused line is instead of JSON in UTF-8, and what to do; empty if it is in no known form."""
    if stored.startswith(_MARK):
        return "it starts with a byte order mark: save the file as UTF-8 without one"
    if stored.startswith(_UTF_16) or len(stored) // 3 < stored.count(b"\0") <= len(stored) // 2 + 1 < len(stored):
        return "it is in UTF-16: save the file as UTF-8"
    try:
        stored.decode()
    except UnicodeDecodeError as error:
        says = f"it is not in UTF-8 (byte {error.start}), perhaps in Latin-1 or Windows-1252"
        return f"{says}: save the file as UTF-8"
    return ""


def not_json(stored: bytes) -> str:
    """Return the form of a line that no JSON reader takes, and what to do; empty if it is in no known form."""
    if _CR_ENDS.search(stored):
        return "its lines end in CR alone: end each line with LF"
    if (half := _HALF_PAIR.search(stored)) is not None:
        return f"it has half of a surrogate pair, {half[0].decode()}: write the whole character"
    begins = stored[:_LOOKED_AT].strip()
    if _QUOTED_ROW.match(begins) or (begins[:1] not in b'{["' and any(sign in _SEPARATORS for sign in begins)):
        return "this is CSV: use `catwalk map`, which turns rows into facts"
    return ""


def unreadable(stored: bytes, error: Exception) -> Refused:
    """Return the refusal of a line that is not JSON in UTF-8: the form that it has instead, or the reader's words."""
    says = other_form(stored) or not_json(stored) or f"it is not JSON: {error}"
    return Refused("not-json", says, allowed="one JSON object in UTF-8")

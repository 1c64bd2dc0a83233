"""The rules for passwords, by NIST SP 800-63B-4: long enough, and not among the first that attackers try.

No rule requires symbols or capitals, and passwords do not expire: those rules make passwords worse.
"""

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

LEAST: Final = 15  # letters; NIST's minimum where a password is the only factor
MOST: Final = 256
_MOST_WORDS: Final = 2  # a password needs more than this many common words with digits and symbols
_SHORTEST_WORD: Final = 3
_HOUSE: Final = frozenset({"catwalk", "casino", "surveillance", "dealer", "poker"})
_LOOKS_LIKE: Final = str.maketrans("@4301!$57", "aaeoiisst")
_SEQUENCES: Final = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")


class WeakPasswordError(ValueError):
    """A password that is too easy to guess; the message says why, without the password."""


def normal(password: str) -> str:
    """The same letters in one form, however a keyboard or system composed them."""
    return unicodedata.normalize("NFKC", password)


def check(user: str, password: str) -> None:
    """Raise an error if the password is easy to guess."""
    chosen = normal(password)
    if len(chosen) < LEAST:
        raise WeakPasswordError(f"a password has at least {LEAST} letters: use three or four unrelated words")
    if len(chosen) > MOST:
        raise WeakPasswordError(f"a password has at most {MOST} letters")
    folded = chosen.casefold()
    own = [part for part in re.split(r"[.\-]", user.casefold()) if len(part) >= _SHORTEST_WORD]
    for spelled in {folded, folded.translate(_LOOKS_LIKE)}:
        if any(part in spelled or part[::-1] in spelled for part in own):
            raise WeakPasswordError("the password contains the account's name, which attackers try first")
        if _repeats(spelled) or _runs(spelled):
            raise WeakPasswordError("the password is a sequence or a repetition, which attackers try first")
        if _made_of_common_words(spelled):
            raise WeakPasswordError(
                "the password consists of common passwords, which attackers try first: add uncommon words"
            )


def _repeats(text: str) -> bool:
    """Whether the text repeats one short piece, or uses three different letters at most."""
    found = (text + text).find(text, 1)
    return found <= len(text) // 2 or len(set(text)) <= 3


def _runs(text: str) -> bool:
    """Whether little is left of the text without runs of the keyboard or the alphabet."""
    left = text
    for row in (*_SEQUENCES, *(each[::-1] for each in _SEQUENCES)):
        for length in range(len(row), _SHORTEST_WORD, -1):
            for start in range(len(row) - length + 1):
                left = left.replace(row[start : start + length], "")
    return len(left) < _SHORTEST_WORD


def _made_of_common_words(text: str) -> bool:
    """Whether the text is at most two common words, with only digits and symbols around and between them."""
    common = _common()
    fewest: list[int | None] = [0] + [None] * len(text)
    for end in range(1, len(text) + 1):
        ways = [] if text[end - 1].isalpha() else [fewest[end - 1]]
        words = (begin for begin in range(end - _SHORTEST_WORD + 1) if text[begin:end] in common)
        ways += [before + 1 for begin in words if (before := fewest[begin]) is not None]
        fewest[end] = min((each for each in ways if each is not None), default=None)
    needed = fewest[-1]
    return needed is not None and needed <= _MOST_WORDS


@cache
def _common() -> frozenset[str]:
    lines = files("consumers.accounts").joinpath("data/common_passwords.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#") and len(line) >= _SHORTEST_WORD) | _HOUSE

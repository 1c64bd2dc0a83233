"""Which passwords an account may have, by NIST SP 800-63B-4: long enough, and nothing everybody tries first.

No rule asks for signs or capitals, and nothing makes a password grow old: those rules make passwords worse.
"""

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

LEAST: Final = 15  # letters; what NIST asks where a password is all that lets somebody in
MOST: Final = 256
_MOST_WORDS: Final = 2  # so many common words and nothing but digits and signs beside them are no password
_SHORTEST_WORD: Final = 3
_HOUSE: Final = frozenset({"catwalk", "casino", "surveillance", "dealer", "poker"})
_LOOKS_LIKE: Final = str.maketrans("@4301!$57", "aaeoiisst")
_SEQUENCES: Final = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")


class WeakPasswordError(ValueError):
    """A password that is too easy to guess: why, without the password."""


def normal(password: str) -> str:
    """The same letters, whatever keyboard or system composed them."""
    return unicodedata.normalize("NFKC", password)


def check(user: str, password: str) -> None:
    """Raise where a password would be guessed."""
    chosen = normal(password)
    if len(chosen) < LEAST:
        raise WeakPasswordError(f"a password has at least {LEAST} letters: take three or four unrelated words")
    if len(chosen) > MOST:
        raise WeakPasswordError(f"a password has at most {MOST} letters")
    folded = chosen.casefold()
    own = [part for part in re.split(r"[.\-]", user.casefold()) if len(part) >= _SHORTEST_WORD]
    for spelled in {folded, folded.translate(_LOOKS_LIKE)}:
        if any(part in spelled or part[::-1] in spelled for part in own):
            raise WeakPasswordError("the password has the name of the account in it, which is tried first")
        if _repeats(spelled) or _runs(spelled):
            raise WeakPasswordError("the password is a sequence or a repetition, which is tried first")
        if _made_of_common_words(spelled):
            raise WeakPasswordError(
                "the password is made of common passwords, which are tried first: add words that are not"
            )


def _repeats(text: str) -> bool:
    """Whether it is one short piece again and again, or of three letters at most."""
    found = (text + text).find(text, 1)
    return found <= len(text) // 2 or len(set(text)) <= 3


def _runs(text: str) -> bool:
    """Whether what is left without the rows of the keyboard and of the alphabet is next to nothing."""
    left = text
    for row in (*_SEQUENCES, *(each[::-1] for each in _SEQUENCES)):
        for length in range(len(row), _SHORTEST_WORD, -1):
            for start in range(len(row) - length + 1):
                left = left.replace(row[start : start + length], "")
    return len(left) < _SHORTEST_WORD


def _made_of_common_words(text: str) -> bool:
    """Whether it falls into two common words at most, with nothing but digits and signs before, between and behind."""
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

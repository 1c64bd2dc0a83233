"""Some thousand bits of an export turned, one at a time; `make tamper` turns all of them."""

import os
import random
import re
import time

from tests.export.attacks import honest
from tests.export.tamper import figures, summary, turned, whole
from tests.export.verified import outcome

MANY = 2400
EXACTLY = 10  # of so many one is looked for to the byte


def test_bits_turned_anywhere_are_refused_and_located() -> None:
    """The bits change from hour to hour; the numbers in the message repeat them."""
    seed = int(os.environ.get("TAMPER_SEED", time.time() // 3600))
    chance = random.Random(seed)  # noqa: S311 - a seed, so that it repeats
    bits = [chance.randrange(8 * len(whole())) for _ in range(MANY)]
    found, missed = figures(turned(bit, exact=not at % EXACTLY) for at, bit in enumerate(bits))
    told = [f"bit {one.bit}: {one.says or 'NOT REFUSED'}" for one in missed]
    assert found["refused"] == MANY, f"TAMPER_SEED={seed}: {told}"
    assert found["record"] >= 0.99 * MANY, f"TAMPER_SEED={seed}: {summary(found)} {told}"
    assert found["byte"] >= 0.5 * found["searched"], summary(found)


def test_the_reference_is_large_enough() -> None:
    assert len(whole()) >= 64 * 1024


def test_whoever_has_the_key_changes_nothing_that_is_said_to_be_proved() -> None:
    """Bytes of any file put in, taken out or exchanged, and everything listed and signed again: refused with a reason,
    but for the report, the Parquet file, and words of the question itself; and the verifier never fails.
    """
    seed = int(os.environ.get("TAMPER_SEED", time.time() // 3600))
    chance = random.Random(seed)  # noqa: S311 - a seed, so that it repeats
    paths = sorted(path for path in honest().files if path.startswith("data/"))
    for number in range(150):
        bundle, path = honest().copy(), chance.choice(paths)
        bundle.files[path] = spoilt(bundle.files[path], chance)
        try:
            stored = bundle.listed().signed().tar()
        except (ValueError, KeyError, TypeError):
            continue  # no question is left that an export could be named after
        found = outcome(stored)
        where = f"TAMPER_SEED={seed}, change {number} of {path}: {found}"
        if bundle.files[path] != honest().files[path] and path not in BELIEVED:
            assert found.startswith(("refused", "unreadable")), where


BELIEVED = ("data/report.pdf", "data/facts.parquet", "data/question.json")
WORDS = (
    b"null",
    b"-1",
    b"[]",
    b"{}",
    b'""',
    b"true",
    b"9" * 30,
    b"\xff",
    b"\n",
    b'"',
    b",",
    b"NaN",
    b"\\ud800",
    b"1e999",
)


def spoilt(stored: bytes, chance: random.Random) -> bytes:
    """A file with something in it exchanged for something else."""
    values = [found.span() for found in re.finditer(rb'(?<=:)(?:"[^"]*"|\d+|true|false|\[[^\]]*\])', stored)]
    begin = chance.randrange(len(stored))
    end = begin + chance.choice((0, 1, 5, 300))
    if values and chance.random() < 0.5:
        begin, end = chance.choice(values)
    return stored[:begin] + chance.choice(WORDS) + stored[end:]

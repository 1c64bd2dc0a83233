"""Facts that have waited too long for a seal: by the facts' own times, and only where a seal was due."""

from collections.abc import Iterator

import pytest

from domain.facts.envelope import Fact
from domain.facts.seals import ChainSealed
from domain.facts.watching import Noted
from domain.watch.sealing import Sealing

SECOND = 1_000_000
STREAM = "T7/2026-11-18"
NOBODY = None


def told(times: str) -> Iterator[Fact]:
    """Facts at these seconds; an `s` before a time is a seal."""
    for sequence, word in enumerate(times.split(), start=1):
        at = int(word.removeprefix("s")) * SECOND
        if word.startswith("s"):
            yield ChainSealed(
                "k", sequence - 1, "00", at=at, source="g", source_key=word, stream=STREAM, sequence=sequence
            )
        else:
            yield Noted("x", at=at, source="x", source_key=word, stream=STREAM, sequence=sequence)


# What happened, from which second on a seal is due, the facts; each finding as fact heard -> evidence.
ROWS: list[tuple[str, int | None, str, dict[int, tuple[int, ...]]]] = [
    ("a seal comes within the minute", 0, "0 30 60 s60 61", {}),
    ("the fact after the one that shows it tells it", 0, "0 60 61 62", {4: (1, 3)}),
    ("the seal stands right behind the fact that shows it", 0, "0 600 s600 601", {}),
    ("nobody is known to seal here", NOBODY, "0 100 200 300", {}),
    ("it was sealed before, and is no more", NOBODY, "0 s0 1 62 63", {5: (3, 4)}),
    ("the last fact shows it, and none tells it yet", 0, "0 61", {}),
    ("a seal comes at last", 0, "0 61 62 63 s63 64", {3: (1, 2), 5: (1, 2, 5)}),
    ("it stops twice", 0, "0 61 62 s62 63 124 125", {3: (1, 2), 4: (1, 2, 4), 7: (5, 6)}),
    ("a quiet table is sealed and waits for nothing", 0, "0 s0 9000 9001 s9001", {}),
    ("a late fact is sealed with the next one", 0, "600 s600 0 601 s601 602", {}),
    ("a clock that is far ahead", 0, "0 s0 99999 2 3 s3 4", {}),
    ("a key is valid from a moment on", 100, "0 61 62 150 160 161 162", {6: (1, 2)}),
]  # fmt: skip


@pytest.mark.parametrize(("_what", "due", "times", "expected"), ROWS, ids=[row[0] for row in ROWS])
@pytest.mark.parametrize("hot", [False, True], ids=["every fact", "those beyond the bounds"])
def test_facts_that_wait_too_long_are_a_finding_where_a_seal_was_due(
    _what: str, due: int | None, times: str, expected: dict[int, tuple[int, ...]], *, hot: bool
) -> None:
    """Asked of every fact, or only of those outside the bounds a hot path looks at, it says the same."""
    sealing = Sealing(lambda _, __: None if due is None else due * SECOND)
    found: dict[int, tuple[int, ...]] = {}
    says = ""
    for fact in told(times):
        if hot and not isinstance(fact, ChainSealed) and sealing.least <= fact.at <= sealing.most:
            continue
        finding = sealing.take(fact)
        if finding is not None and finding.says != says:
            found[fact.sequence], says = finding.evidence, finding.says
    assert found == expected


def test_a_late_seal_changes_the_words_and_not_the_name_of_the_finding() -> None:
    sealing = Sealing(lambda _, __: 0)
    raised, revised = [one for fact in told("0 61 62 s90") if (one := sealing.take(fact)) is not None]
    assert raised.id == revised.id
    assert raised.says == f"No seal covers fact 1 of {STREAM} or later facts: at fact 2 they have waited 61 s."
    assert revised.says == f"Facts 1 to 3 of {STREAM} were unsealed for 90 s, until seal 4 came."


def test_a_key_told_later_has_the_question_asked_again() -> None:
    keys: list[int] = []
    sealing = Sealing(lambda _, __: min(keys, default=None))
    facts = list(told("0 61 62 63 64"))
    assert [sealing.take(fact) for fact in facts[:3]] == [None, None, None]
    assert sealing.least <= facts[3].at <= sealing.most
    keys.append(0)
    sealing.ask_again()
    assert not sealing.least <= facts[3].at <= sealing.most
    assert sealing.take(facts[3]) is not None

"""A round mutilated in any way: the watch never stumbles."""

from collections.abc import Sequence
from random import Random

import pytest

from domain.facts.envelope import Fact
from domain.games import BOOKS
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.watch.faults import NOT_JUDGED
from domain.watch.owed_vs_paid import coverage
from domain.watch.verifier import Verifier
from tests.watch import cases_money_cards, cases_money_md, cases_money_uth, cases_stray_cards, cases_voids
from tests.watch.harness import Day, recorded
from tests.watch.lawful import day
from tests.watch.mutilated import WORST, littered, mutilated, swamped

SUBJECTS = (cases_money_cards, cases_money_md, cases_money_uth, cases_stray_cards, cases_voids)
DAYS: list[Day] = list({id(case.day): case.day for subject in SUBJECTS for case in subject.CASES}.values())
METHODS = (("manual-shoe", "automated-shoe", "hand"), ("manual-shoe", "continuous-shoe"))  # the second at Fast Action
BLOCKS, EACH = 8, 30


@pytest.mark.parametrize("block", range(BLOCKS))
def test_no_day_is_too_mutilated_to_be_weighed(block: int) -> None:
    """Facts left out, doubled, moved and told otherwise: every wager is settled, or said to be open and why."""
    weighed = 0
    for seed in range(block * EACH, (block + 1) * EACH):
        chance = Random(seed)  # noqa: S311 - a repeatable mess, not a secret
        facts = mutilated(chance.choice(DAYS)(), chance, harm=chance.choice((2, 10, 30)))
        try:
            numbered = recorded(facts)
        except AssertionError:  # the writer itself has no place for one of them
            continue
        verifier = Verifier(numbered[0].stream)
        for fact in numbered:
            verifier.take(fact)
        for told in verifier.day.rounds.values():
            assert sum(coverage(told).values()) >= 0
            weighed += sum(coverage(told).values())
        assert all(count >= 0 for count in verifier.wagers.values()), seed
        assert [one.says for one in verifier.standing.values() if one.code == NOT_JUDGED] == [], seed
    assert weighed > EACH


@pytest.mark.parametrize("book", BOOKS)
def test_no_fact_that_does_not_belong_ends_the_watch(book: str) -> None:
    """Facts of any type, each with one field at its worst, anywhere in a lawful day, and facts said sixty times."""
    taken = 0
    for seed in range(EACH * 2):
        chance = Random(seed)  # noqa: S311 - a repeatable mess, not a secret
        taken += _taken(littered(day(book, chance.choice(METHODS[book == "FAH"]))(), chance), seed)
    assert taken > EACH * 2 * 50


@pytest.mark.parametrize("book", BOOKS)
def test_no_number_of_facts_of_one_type_ends_the_watch(book: str) -> None:
    """All of a type's facts with one field at its worst in one round: more cards, for one, than the decks hold."""
    facts = day(book)()
    in_round = [at for at, fact in enumerate(facts) if fact.round]
    for name in WORST:
        for at in (in_round[len(in_round) // 2], in_round[-1]):
            assert _taken(swamped(facts, name, at), name) > in_round[0]


def _taken(facts: Sequence[Fact], which: object) -> int:
    """Judge these facts, fail if a rule fails on one, and return the number that the ledger took."""
    writer = Writer(epoch=1)
    wholes = (located(writer, fact) for fact in facts)
    numbered = [place(writer, whole).fact for whole in wholes if not isinstance(whole, InputRefusal)]
    verifier = Verifier(numbered[0].stream)
    for fact in numbered:
        verifier.take(fact)
    assert [one.says for one in verifier.standing.values() if one.code == NOT_JUDGED] == [], which
    return len(numbered)

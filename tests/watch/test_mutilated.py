"""A round mutilated in any way: the watch never stumbles."""

from random import Random

import pytest

from domain.watch.faults import NOT_JUDGED
from domain.watch.owed_vs_paid import coverage
from domain.watch.verifier import Verifier
from tests.watch import cases_money_cards, cases_money_md, cases_money_uth, cases_stray_cards, cases_voids
from tests.watch.harness import Day, recorded
from tests.watch.mutilated import mutilated

SUBJECTS = (cases_money_cards, cases_money_md, cases_money_uth, cases_stray_cards, cases_voids)
DAYS: list[Day] = list({id(case.day): case.day for subject in SUBJECTS for case in subject.CASES}.values())
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

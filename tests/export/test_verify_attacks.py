"""Attacks on an export: each is refused, with the reason that is right, however far its maker came."""

import re

import pytest

from tests.export.attacks import ATTACKS, honest
from tests.export.verified import outcome


def test_the_export_that_is_attacked_is_sound() -> None:
    assert outcome(honest()).startswith("proved")


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused_with_its_reason(name: str) -> None:
    made, says = ATTACKS[name]
    found = outcome(made())
    assert found.startswith("refused "), found
    assert re.search(says, found), f"{found}\nis not\n{says}"

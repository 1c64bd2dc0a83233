"""Attacks on an export: each is refused, with the reason that is right, however far its maker came."""

import re
from types import ModuleType

import pytest

from tests.export import attacks_container, attacks_more, attacks_record, attacks_tables, attacks_unsigned
from tests.export.attacks import ATTACKS, honest
from tests.export.delivered import verify
from tests.export.verified import KEY, WITNESSED, outcome

KINDS = (
    attacks_container,
    attacks_unsigned,
    attacks_record,
    attacks_tables,
    attacks_more,
)  # each puts its own on the list


def test_the_export_that_is_attacked_is_sound() -> None:
    assert outcome(honest()).startswith("proved")
    named = outcome(attacks_more.named("p-1", "p-2"))
    assert named.startswith("proved")
    assert "the contents of data/tables/players.csv, which are trusted" in named


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__.rpartition("_")[2])
def test_there_are_attacks_of_each_kind(kind: ModuleType) -> None:
    assert sum(made.__module__ == kind.__name__ for made, _ in ATTACKS.values()) >= 10


@pytest.mark.parametrize("which", ["last", "none"])
def test_who_may_seal_is_asked_of_seals_whose_signatures_are_passed_over_too(which: str) -> None:
    """A key of another table is found without checking a signature, as for the first seal of a day."""
    alien, _ = ATTACKS["a seal by another tables device"]
    assert "the seal is invalid: its key is for another table" in outcome(alien(), verify.Asked([KEY], seals=which))
    found = outcome(honest(), verify.Asked([KEY], [WITNESSED], seals=which))
    assert found.startswith("proved")
    passed_over = {"last": 3, "none": 6}[which]
    assert f"{passed_over} seals of the gateway, which were not checked (--seals)" in found


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused_with_its_reason(name: str) -> None:
    made, says = ATTACKS[name]
    found = outcome(made())
    assert found.startswith("refused "), found
    assert re.search(says, found), f"{found}\nis not\n{says}"

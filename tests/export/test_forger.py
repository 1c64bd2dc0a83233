"""The forger at work: each forgery is refused, reported or said not to be proved, with the reason that is right."""

import re
from io import BytesIO

import pytest

from tests.export import forged_pit, forgeries_container, forgeries_heads, forgeries_leaves, forgeries_record
from tests.export.delivered import verify
from tests.export.forged_pit import OTHER, WITNESS
from tests.export.forger import Forged
from tests.export.forgeries import FORGERIES, honest
from tests.export.verified import STATUS

pytestmark = pytest.mark.xdist_group("forger")
KINDS = (forgeries_record, forgeries_leaves, forgeries_heads, forgeries_container)


@pytest.fixture(scope="module", autouse=True)
def record(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in forged_pit.pits.ENVIRONMENT.items():
            patch.setenv(name, value)
        forged_pit.use(tmp_path_factory.mktemp("forged"))
        forged_pit.days()


def given(how: str) -> verify.Asked:  # type: ignore[name-defined]
    """Keys and heads that the verifying person brings along."""
    of = forged_pit.days()
    key = verify.Key(of.owner.name, of.owner.public)
    witness, other = (verify.Key(each.name, each.public) for each in (WITNESS, OTHER))
    return {
        "key and witness": verify.Asked([key], [witness]),
        "key": verify.Asked([key]),
        "key and another witness": verify.Asked([key], [other]),
        "key and two witnesses": verify.Asked([key], [witness, other]),
        "witness": verify.Asked([], [witness]),
        "nothing": verify.Asked(),
        "another key": verify.Asked([verify.Key("", OTHER.public)], [witness]),
        "key, witness and an old key": verify.Asked([key, verify.Key("", OTHER.public)], [witness]),
    }.get(how) or verify.Asked([key], [witness] if "witness" in how else [], of.note(forgeries_heads.HELD[how](of)))


def outcome(stored: bytes, how: str) -> str:
    try:
        verdict = verify.verify(BytesIO(stored), given(how))
    except verify.AlteredError as error:
        return f"refused {error}"
    except verify.UnreadableError as error:
        return f"unreadable {error}"
    used, faults, left = (" | ".join(said) for said in (verdict.not_used, verdict.faults, verdict.not_proved))
    return f"{STATUS[verdict.status]} {' | '.join(verdict.proved)} USED: {used} FAULTS: {faults} NOT PROVED: {left}"


def test_what_is_forged_is_sound_as_it_was() -> None:
    """All that the forger lays down, signs and binds by itself is what the product does."""
    of: Forged = honest()
    found = outcome(of.tar(), "key and witness")
    assert found.startswith("proved "), found
    assert "seen by audit.example at 2026-11-10T23:59:30Z" in found
    assert "FAULTS:  NOT PROVED" in found
    assert outcome(forged_pit.hand().signed().tar(), "key and witness").startswith("proved ")


def test_there_are_enough_of_each_kind() -> None:
    counts = {kind.__name__.rpartition("_")[2]: 0 for kind in KINDS}
    for each in FORGERIES.values():
        counts[each.made.__closure__[0].cell_contents.__module__.rpartition("_")[2]] += 1  # type: ignore[index]
    assert sum(counts.values()) >= 60, counts
    assert min(counts.values()) >= 10, counts


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_told_for_what_it_is(name: str) -> None:
    forged = FORGERIES[name]
    found = outcome(forged.made(), forged.given)
    assert found.startswith(f"{forged.outcome} "), found
    assert re.search(forged.says, found), f"{found}\nis not\n{forged.says}"

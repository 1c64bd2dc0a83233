"""Rights by role: denied unless granted, and apart where one person must not do both."""

import pytest

from domain.desk.roles import GRANTED, RIGHTS, ROLES, ForbiddenError, Person, known, require


def test_every_right_is_somebody_s_and_every_granted_right_is_known() -> None:
    assert set().union(*GRANTED.values()) == set(RIGHTS)
    assert set(GRANTED) == set(ROLES)


@pytest.mark.parametrize("right", RIGHTS)
def test_without_a_role_nothing_is_granted(right: str) -> None:
    with pytest.raises(ForbiddenError, match="no role"):
        require(Person("ann"), right)  # type: ignore[arg-type]


# Role, and rights it must not have.
APART = """
operator      order-exports sign-exports
operator      see-hidden-cards see-players see-identities see-money see-cases see-access second-review take-over use-sql
investigator  see-money see-access take-over seal-cases sign-exports use-sql
manager       see-access manage-devices
auditor       see-identities review keep-cases see-live-hands take-over second-review seal-cases manage-devices
regulator     review keep-cases see-live-hands take-over second-review sign-exports manage-devices
device-admin  see-findings see-hands see-hidden-cards see-live-hands see-players see-people see-money see-cases review
"""


@pytest.mark.parametrize("row", APART.strip().splitlines())
def test_a_role_has_no_more_than_its_work_needs(row: str) -> None:
    role, *rights = row.split()
    person = Person("ann", known([role]))
    assert person.roles
    assert not [right for right in rights if person.may(right)]  # type: ignore[arg-type]


def test_those_who_read_everything_change_nothing() -> None:
    for role in ("auditor", "regulator"):
        assert not GRANTED[role] & {"review", "keep-cases", "take-over", "second-review", "manage-devices"}


def test_several_roles_add_up_and_unknown_ones_grant_nothing() -> None:
    both = Person("ann", known(["device-admin", "operator", "emperor"]))
    assert both.roles == ("operator", "device-admin")
    assert both.may("review")
    assert both.may("manage-devices")
    assert not both.may("see-money")


def test_a_refusal_names_person_roles_and_right() -> None:
    with pytest.raises(ForbiddenError, match=r"ann \(operator\) may not see money\."):
        require(Person("ann", ("operator",)), "see-money")

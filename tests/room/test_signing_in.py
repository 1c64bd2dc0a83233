"""Claims of a sign-in service: whom they let in, as what, until when; and everything else lets nobody in."""

from typing import Any

import pytest

from consumers.room.signing_in import NotInError, SignIn, came
from domain.desk.roles import Person

NOW = 1_795_003_200
HOW = SignIn(hours=1, service=True)
GOOD: dict[str, Any] = {
    "preferred_username": "ann",
    "iat": NOW - 60,
    "exp": NOW + 600,
    "roles": ["operator", "auditor"],
}


def test_who_comes_has_the_roles_of_the_claim_until_the_token_ends() -> None:
    found = came(GOOD, HOW, NOW)
    assert found.person == Person("ann", ("operator", "auditor"))
    assert found.until == NOW + 600


def test_no_sign_in_holds_longer_than_the_room_allows() -> None:
    assert came(GOOD | {"exp": NOW + 86_400}, HOW, NOW).until == NOW - 60 + 3_600


# what is otherwise in the token | what is said
NOBODY: list[tuple[dict[str, Any], str]] = [
    ({"exp": NOW}, "has expired"),
    ({"exp": NOW - 1}, "has expired"),
    ({"iat": NOW - 3_600, "exp": NOW + 86_400}, "has expired"),
    ({"exp": None}, "when the sign-in expires"),
    ({"exp": "tomorrow"}, "when the sign-in expires"),
    ({"iat": None}, "when the sign-in expires"),
    ({"iat": NOW + 3_600, "exp": NOW + 7_200}, "when the sign-in expires"),
    ({"preferred_username": ""}, "who you are"),
    ({"preferred_username": None}, "who you are"),
    ({"preferred_username": "a" * 65}, "who you are"),
]


@pytest.mark.parametrize(("otherwise", "says"), NOBODY)
def test_a_token_that_does_not_hold_lets_nobody_in_and_says_why(otherwise: dict[str, Any], says: str) -> None:
    with pytest.raises(NotInError, match=says):
        came(GOOD | otherwise, HOW, NOW)


# the claim | roles
CLAIMS: list[tuple[Any, tuple[str, ...]]] = [
    (None, ()),
    ([], ()),
    ("manager", ("manager",)),
    (["king", "manager", 7], ("manager",)),
    ({"manager": True}, ()),
]


@pytest.mark.parametrize(("claim", "roles"), CLAIMS)
def test_what_is_no_role_grants_nothing(claim: Any, roles: tuple[str, ...]) -> None:
    assert came(GOOD | {"roles": claim}, HOW, NOW).person.roles == roles


def test_the_service_s_own_words_are_roles_only_where_they_are_named() -> None:
    how = SignIn(service=True, roles_claim="realm_access.roles", roles={"surv-ops": "operator", "iaudit": "auditor"})
    claims = GOOD | {"realm_access": {"roles": ["surv-ops", "iaudit", "manager"]}}
    assert came(claims, how, NOW).person.roles == ("operator", "auditor")
    assert came(GOOD, how, NOW).person.roles == ()
    named = SignIn(service=True, roles_claim="https://room.example/roles")
    assert came(GOOD | {"https://room.example/roles": ["regulator"]}, named, NOW).person.roles == ("regulator",)

"""Passwords an account may have: long ones, and none that everybody tries first."""

import pytest

from consumers.accounts.passwords import LEAST, WeakPasswordError, check

# The account | a password | why it is refused; empty if it will do
TABLE = """
olga   | a long enough one                  |
olga   | correct horse battery staple       |
olga   | look-closely-now                   |
olga   | Ω λόγος ἐν ἀρχῇ ἦν                 |
olga   | tiny                               | at least 15
olga   | fourteen-ishes                     | at least 15
olga   | 123456789987654321                 | sequence
olga   | qwertyuiopasdfghjkl                | sequence
olga   | aaaaaaaaaaaaaaaaaa                 | repetition
olga   | xyzzyxyzzyxyzzyxyzzy               | repetition
olga   | password12345678                   | common
olga   | Password-Password1                 | repetition|common
olga   | P@ssw0rd!P@ssw0rd?                 | common
olga   | dragon-football-2026               | common
olga   | 1qaz2wsx3edc4rfv                   | common
olga   | catwalk casino 2026                | common
olga   | surveillance-2026!                 | common
olga   | olga looks at cards                | account's name
olga   | 0lg@ looks at cards                | account's name
olga   | aglo looks at cards                | account's name
m.reed | three reeds in a row               | account's name
"""


@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_a_password_is_refused_for_what_everybody_tries_first(line: str) -> None:
    user, password, why = (each.strip() for each in line.split("|", 2))
    if not why:
        check(user, password)
        return
    with pytest.raises(WeakPasswordError, match=why):
        check(user, password)


def test_no_refusal_repeats_the_password() -> None:
    with pytest.raises(WeakPasswordError) as refused:
        check("olga", "password12345678")
    assert "password12345678" not in str(refused.value)


def test_a_password_may_be_as_long_as_a_sentence_and_not_as_a_book() -> None:
    sentence = " and ".join(f"{number} birds on a wire" for number in range(1, 10))
    check("olga", sentence)
    with pytest.raises(WeakPasswordError, match="at most"):
        check("olga", sentence * 2)
    assert LEAST == 15  # NIST SP 800-63B-4, 3.1.1.2, where nothing but the password is asked for

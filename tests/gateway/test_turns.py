"""Order of turns: no client waits longer for the many lines of the others."""

import random

import pytest

from consumers.gateway.turns import BYTES, LINES, LINES_ALONE, share


class Sender:
    """A client with lines of these lengths to give."""

    def __init__(self, *lengths: int) -> None:
        self.lengths = list(lengths)
        self.served = -1
        self.gave = 0

    @property
    def waiting(self) -> int:
        return self.lengths[0] if self.lengths else 0

    def give(self) -> None:
        self.gave += 1
        self.lengths.pop(0)


def turn(senders: list[Sender], number: int, *, long: bool = True) -> list[Sender]:
    return share(senders, number, Sender.give, long=long)


@pytest.mark.parametrize("floods", [1, 4, LINES - 1])
def test_who_sends_now_and_then_has_one_turn_of_two_beside_any_number_of_floods(floods: int) -> None:
    chance = random.Random(floods)  # noqa: S311 - the same pauses every time
    others = [Sender(*[50] * 40_000) for _ in range(floods)]
    device = Sender()
    waited = 0
    for number in range(1, 1000):
        if not device.waiting and chance.random() < 0.4:
            device.lengths.append(50)
        turn([*others, device], number)
        waited = waited + 1 if device.waiting else 0
        assert waited < 2
    assert device.gave > 200
    least, *_ = counts = sorted(each.gave for each in others)
    assert counts[-1] - least <= LINES, "the floods have equal shares"


def test_who_comes_anew_has_the_next_turn_to_itself() -> None:
    others = [Sender(*[50] * 4000) for _ in range(4)]
    turn(others, 1)
    turn(others, 2)
    device = Sender(50, 50)
    assert turn([*others, device], 3) == [device]
    assert device.gave == 2


def test_more_clients_than_a_turn_has_lines_have_turns_in_their_order() -> None:
    """None is passed over twice while another is served twice."""
    many = [Sender(*[50] * 1000) for _ in range(3 * LINES)]
    for number in range(1, 61):
        served = turn(many, number)
        assert len(served) == LINES
    assert {each.gave for each in many} == {20}


def test_a_turn_is_no_longer_than_its_bytes_and_long_lines_wait_until_they_are_first() -> None:
    long = [Sender(2 * BYTES, 10, 10) for _ in range(3)]
    short = Sender(*[10] * 5)
    senders = [*long, short]
    assert turn(senders, 1) == [long[0]], "the first line is longer than the turn"
    assert long[0].gave == 1
    assert turn(senders, 2) == [long[1]]
    assert turn(senders, 3) == [long[2]]
    assert short in turn(senders, 4)
    assert long[0].gave == 1 + 2


def test_long_lines_wait_while_they_rest_and_keep_nobody_waiting() -> None:
    long, short = Sender(2 * BYTES, 10), Sender(*[10] * 5)
    assert turn([long, short], 1, long=False) == [short]
    assert turn([long, Sender()], 2, long=False) == []
    assert turn([long, short], 3, long=True) == [long]


def test_one_client_alone_fills_a_batch() -> None:
    alone = Sender(*[50] * 5000)
    share([alone], 1, Sender.give)
    assert alone.gave == LINES_ALONE


def test_nobody_waits_and_nobody_is_served() -> None:
    assert turn([Sender(), Sender()], 1) == []

"""Findings with one root cause are one incident, whatever order they come in; what people decide comes first."""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from domain.incidents import Decision, Item, Joined, KeptApart, groups, incidents, valued

# A line: stream, round or first-last round, seat, code, then what it needs: wager, amounts owed>paid, dealer, deck, cards
# missing, trigger, evidence. Severities come from the vocabulary of the lines below.
MONEY = {"wager-overpaid", "loser-not-collected", "wager-underpaid", "loser-paid", "cap-exceeded", "winner-unpaid"}
INTEGRITY = {"stub-count-mismatch", "stub-discrepancy-unresolved", "round-not-voided", "deck-not-removed"}
INTEGRITY |= {"shuffle-missing", "wager-changed-after-close", "deck-composition-wrong", "hand-misranked"}


def item(line: str) -> Item:
    """Return the finding on a line such as `T1 7 s2 wager-overpaid ante 0>100 by=d1 #40`."""
    name, rounds, *words = line.split()
    told: dict[str, object] = {"evidence": []}
    for word in words:
        match word:
            case _ if word.startswith("s") and word[1:].isdigit():
                told["seat"] = int(word[1:])
            case _ if word.startswith("by="):
                told["dealer"] = word[3:]
            case _ if word.startswith("deck="):
                told["deck"] = word[5:]
            case _ if word.startswith("short="):
                told["short_cards"] = int(word[6:])
            case _ if word.startswith("#"):
                told["trigger"] = word[1:]
            case _ if word.startswith("^"):
                told["evidence"] = [f"{name}/2026-11-18:{each}" for each in word[1:].split(",")]
            case _ if ">" in word:
                told["expected_cents"], told["observed_cents"] = map(int, word.split(">"))
            case "ante" | "play" | "blind" | "original":
                told["wager"] = word
            case _:
                told["code"] = word
    first, _, last = rounds.partition("-")
    if first != "day":
        told["round"] = int(first)
    if last:
        told["to_round"] = int(last)
    code = str(told["code"])
    trigger = told.pop("trigger", f"{int(first) * 10 if first != 'day' else 1}")
    stream = f"{name}/2026-11-18"
    severity = "money" if code in MONEY else "integrity" if code in INTEGRITY else "procedure"
    return msgspec.convert(
        {
            "finding": f"{line}",
            "stream": stream,
            "severity": severity,
            "at": int(str(trigger)) * 1_000_000,
            "trigger": f"{stream}:{trigger}",
            "says": f"{code}.",
            **told,
        },
        Item,
    )


CASES: dict[str, list[list[str]]] = {
    "findings of one round are one": [
        ["T1 7 s2 wager-overpaid ante 0>100 #70", "T1 7 s2 hand-misranked #71", "T1 7 s5 hand-unannounced #72"]
    ],
    "tables are apart": [["T1 7 s2 wager-overpaid ante 0>100"], ["T2 7 s2 wager-overpaid ante 0>100"]],
    "gifts to one seat are one, whatever the wager and the code": [
        [
            "T1 7 s2 wager-overpaid ante 0>100",
            "T1 12 s2 loser-not-collected play 0>50",
            "T1 18 s2 wager-overpaid blind 10>20",
        ]
    ],
    "two gifts are not yet a pattern": [
        ["T1 7 s2 wager-overpaid ante 0>100"],
        ["T1 12 s2 loser-not-collected play 0>50"],
    ],
    "gifts too far apart are not one": [
        ["T1 7 s2 wager-overpaid ante 0>100"],
        ["T1 12 s2 loser-not-collected play 0>50"],
        ["T1 19 s2 wager-overpaid blind 10>20"],
    ],
    "gifts to two seats are two": [
        ["T1 7 s2 wager-overpaid ante 0>9", "T1 8 s2 loser-paid play 0>9", "T1 9 s2 wager-overpaid blind 0>9"],
        ["T1 10 s3 wager-overpaid ante 0>9", "T1 11 s3 loser-paid play 0>9", "T1 12 s3 wager-overpaid blind 0>9"],
    ],
    "what was added late explains why too much was paid": [
        ["T1 7 s2 wager-overpaid ante 0>9", "T1 7 s2 wager-changed-after-close ante #71"],
        ["T1 11 s2 loser-paid play 0>9"],
        ["T1 15 s2 wager-overpaid blind 0>9"],
    ],
    "the same mistake twice is not yet a habit": [
        ["T1 7 s2 wager-underpaid ante 100>0 by=d1"],
        ["T1 9 s2 wager-underpaid ante 100>0 by=d1"],
    ],
    "the same mistake a third time": [
        [f"T1 {number} s2 wager-underpaid ante 100>0 by=d1" for number in (7, 9, 15)],
    ],
    "the same mistake later": [
        ["T1 7 s2 wager-underpaid ante 100>0 by=d1"],
        ["T1 9 s2 wager-underpaid ante 100>0 by=d1"],
        ["T1 16 s2 wager-underpaid ante 100>0 by=d1"],
    ],
    "the same mistake again and again": [
        ["T1 7 hand-unannounced by=d1", "T1 13 hand-unannounced by=d1", "T1 19 hand-unannounced by=d1"]
    ],
    "the same mistake by another dealer": [["T1 7 hand-unannounced by=d1"], ["T1 9 hand-unannounced by=d2"]],
    "what follows from another finding joins no rounds": [
        ["T1 7 stub-count-mismatch deck=D1 short=1 #70", "T1 7 round-not-voided #71"],
        ["T1 9 dealer-revealed-early s3 #90", "T1 9 round-not-voided #91"],
    ],
    "a deck that stays after a wrong count": [
        [
            "T1 7 stub-count-mismatch deck=D1 short=1 #70",
            "T1 8-40 deck-not-removed deck=D1 #80 ^70,80",
            "T1 12 stub-count-mismatch deck=D1 short=1 #120",
        ],
    ],
    "another finding in the first round of a stretch": [
        ["T1 7 stub-count-mismatch deck=D1 short=1 #70", "T1 8-40 deck-not-removed deck=D1 #80 ^70,80"],
        ["T1 8 s3 wager-overpaid ante 0>100 #81"],
    ],
    "another number of cards is missing": [
        ["T1 7 stub-count-mismatch deck=D1 short=1"],
        ["T1 12 stub-count-mismatch deck=D1 short=2"],
    ],
    "another deck": [["T1 7 stub-count-mismatch deck=D1 short=1"], ["T1 12 stub-count-mismatch deck=D2 short=1"]],
    "cards never seen of a deck in which a count found too many": [
        ["T1 7 stub-count-mismatch deck=D1 short=-1"],
        ["T1 9 deck-composition-wrong deck=D1"],
    ],
    "cards never seen of a deck that is short": [
        [
            "T1 7 stub-count-mismatch deck=D1 short=1",
            "T1 9 deck-composition-wrong deck=D1",
            "T1 12 stub-count-mismatch deck=D1 short=1",
        ],
        ["T1 9 s1 loser-paid ante 0>5 #95"],
    ],
    "a deck without a shuffle, over two dealers": [
        ["T1 7-12 shuffle-missing deck=D1 by=d1", "T1 13-20 shuffle-missing deck=D1 by=d2"],
        ["T1 14 shuffle-missing deck=D2 by=d2"],
    ],
    "the payout limit is a matter of its own": [
        ["T1 7 s2 wager-overpaid ante 0>100 #70"],
        ["T1 7 s2 cap-exceeded 10>100 #71"],
    ],
    "findings of the day without a round": [["T1 day versions-mixed #1", "T1 day versions-mixed by= #2"]],
}


def lines_of(found: list[list[Item]]) -> list[list[str]]:
    """Return groups as the lines that they were made of, in an order of their own."""
    return sorted(sorted(each.finding for each in group) for group in found)


@pytest.mark.parametrize("name", CASES)
def test_findings_are_grouped_by_their_cause(name: str) -> None:
    wanted = CASES[name]
    items = [item(line) for group in wanted for line in group]
    assert lines_of(groups(items)) == sorted(map(sorted, wanted))


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_arrival_changes_nothing(seed: int) -> None:
    items = [item(line) for name in CASES for group in CASES[name] for line in group if line.startswith("T1 ")]
    unique = list({each.finding: each for each in items}.values())
    shuffled = Random(seed).sample(unique, len(unique))  # noqa: S311 - a drawn order
    assert [x.incident for x in incidents(shuffled)] == [x.incident for x in incidents(unique)]
    assert lines_of(groups(shuffled)) == lines_of(groups(unique))


A, B, C, D = (f"T1 {number} s2 wager-overpaid ante 0>100" for number in (7, 8, 9, 10))

DECIDED: dict[str, tuple[list[Decision], list[list[str]]]] = {
    "nobody decides": ([], [[A, B, C, D]]),
    "one is taken out": ([KeptApart((B,), (A, C))], [[B], [A, C, D]]),
    "two are taken out, together": ([KeptApart((A, B), (C, D))], [[A, B], [C, D]]),
    "and joined again later": ([KeptApart((B,), (A, C, D)), Joined((A, B, C, D))], [[A, B, C, D]]),
    "and taken out again": ([Joined((A, B)), KeptApart((A,), (B,))], [[A], [B, C, D]]),
}


@pytest.mark.parametrize("name", DECIDED)
def test_people_decide_before_the_machine(name: str) -> None:
    decisions, wanted = DECIDED[name]
    assert lines_of(groups([item(line) for line in (A, B, C, D)], decisions)) == sorted(map(sorted, wanted))


def test_later_findings_never_undo_what_people_put_apart() -> None:
    # Between the two that were put apart, findings arrive that are linked with both of them.
    between = [item(f"T1 {number} s2 wager-overpaid ante 0>100") for number in (11, 12, 13, 14)]
    apart = KeptApart((A,), (B,))
    for many in range(5):
        found = groups([item(A), item(B), *between[:many]], [apart])
        assert not any({A, B} <= {each.finding for each in group} for group in found)


def test_people_join_what_no_rule_links() -> None:
    far = "T1 90 s6 hand-unannounced by=d9"
    assert lines_of(groups([item(A), item(far)], [Joined((A, far))])) == [sorted((A, far))]


def test_a_wager_that_two_findings_name_counts_once() -> None:
    (one,) = incidents(
        [item("T1 7 s2 loser-paid ante 0>100 #70"), item("T1 7 s2 wager-overpaid ante 0>100 #71")],
    )
    assert (one.too_much_cents, one.too_little_cents, one.error_cents) == (100, 0, 100)


def test_what_players_won_is_asked_once_for_all_spans_and_may_need_a_human() -> None:
    asked: list[list[tuple[str, int, int]]] = []

    def won(spans: Sequence[tuple[str, int, int]]) -> list[int | None]:
        asked.append(list(spans))
        return [1_000_000 if first == 7 else None for _, first, _ in spans]

    stream = "T1/2026-11-18"
    lines = ["T1 7-12 shuffle-missing deck=D1", "T1 40 s1 wager-underpaid ante 9>0", "T1 60 hand-unannounced"]
    cards, money, words = valued(incidents([item(line) for line in lines]), won)
    assert asked == [[(stream, 7, 12), (stream, 40, 40)]]
    assert [each.exposure_cents for each in (cards, money, words)] == [1_000_000, None, 0]
    assert (money.needs_human, words.needs_human) == ("", "")
    assert cards.needs_human == "won beyond expectation, by an amount that the scale names"


def test_a_stretch_counts_each_of_its_rounds_once() -> None:
    (one,) = incidents(
        [item("T1 7-12 shuffle-missing deck=D1 by=d1"), item("T1 11-20 shuffle-missing deck=D1 by=d2")],
    )
    assert (one.rounds, one.from_round, one.to_round) == (14, 7, 20)


def test_an_incident_says_its_stretch_and_its_way() -> None:
    (one,) = incidents([item(f"T1 {number} s2 wager-overpaid ante 0>100 by=d1") for number in (7, 8, 9)])
    assert one.says == "Handed back too much in 3 rounds, from 7 to 9, at seat 2, each dealt by d1."
    assert (one.from_round, one.to_round, one.rounds, one.seats, one.dealers) == (7, 9, 3, (2,), ("d1",))

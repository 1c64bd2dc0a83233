"""Whatever went wrong and however little or much was recorded, every wager of these books gets an answer."""

import random
from typing import Any

import pytest

from domain.cards import DECK, UNKNOWN, cards
from domain.games import GAMES
from domain.rulebooks import house, newest
from domain.settlement import KINDS, Irregularity, PlayedRound, Seat, settle
from domain.settlement.outcome import RULING, UNDECIDABLE
from domain.settlement.played import Cards, FaceUpCard, with_parts
from tests.settlement.any_round import any_round

STAGES = ("", "before-deal", "dealing", "dealer-set", "dealer-stack", "bonus3", "bonus5", "decision", "community")
LATE = ("reveal", "during-round", "before-settlement", "after-settlement")


def _in_part(chance: random.Random, held: Cards) -> Cards:
    return tuple(UNKNOWN if chance.random() < 0.15 else card for card in held)


def _gone_wrong(chance: random.Random, played: PlayedRound) -> PlayedRound:
    """The round as far as it may have come, not wholly seen, with an irregularity of its book somewhere in it."""
    stage, kind = chance.choice(STAGES + LATE), chance.choice(KINDS[GAMES[played.book].kind])
    number = chance.choice(played.seats).seat
    of = chance.choice(("dealer", f"seat:{number}"))
    seats = []
    for seat in played.seats:
        parts: dict[str, Any] = {"cards": _in_part(chance, seat.cards)} if chance.random() < 0.2 else {}
        if chance.random() < 0.3:
            parts |= {"choice": "", "kept": (), "second": (), "left": chance.random() < 0.3}
        if chance.random() < 0.1:
            parts["selected"] = ()
        if chance.random() < 0.1:
            parts["wagers"] = {wager: chance.choice((cents, None)) for wager, cents in seat.wagers.items()}
        if kind in ("wrong-count", "stub-count") and of == f"seat:{seat.seat}":
            parts["cards"] = seat.cards[:-1]
        seats.append(with_parts(seat, **parts))
    found = tuple(FaceUpCard(card=1, after_cards=chance.randrange(40)) for _ in range(chance.randint(1, 3)))
    what = Irregularity(
        kind=kind,
        of=of,
        found=found,
        stage=stage,
        at_seat=chance.choice((None, number)),
        ruling=chance.choice((None, "stands", "reversed")),
        exposed=chance.random() < 0.5,
        finding=chance.choice(("misdealt", "not-misdealt")),
        device=chance.choice(("shoe", "shuffler")),
    )
    dealer = played.dealer
    if kind in ("wrong-count", "stub-count") and of == "dealer" and dealer:
        spare = next(card for card in DECK if card not in (*dealer, *(held for s in played.seats for held in s.cards)))
        dealer = chance.choice((dealer[:-1], (*dealer, spare)))
    return with_parts(played, seats=tuple(seats), dealer=dealer, irregularity=what)


@pytest.mark.parametrize("book", ["PIK", "FAH", "COL"])
def test_any_irregularity_at_any_stage_answers_every_wager(book: str) -> None:
    """No round stops settlement, and an amount that cannot be said has its reason."""
    chance = random.Random(20260113)  # noqa: S311 - repeatable rounds
    for _ in range(250):
        rules, played = any_round(book, chance)
        wrong = _gone_wrong(chance, played)
        settlement = settle(rules, wrong)
        for seat in wrong.seats:
            assert seat.wagers.keys() <= settlement.seats[seat.seat].keys()
            for outcome in settlement.seats[seat.seat].values():
                assert outcome.clause.startswith(f"{book} ")
                assert outcome.returned is not None or outcome.basis in (RULING, UNDECIDABLE)
                assert bool(outcome.needs) == (outcome.basis == UNDECIDABLE)


# clause | what is on record | the basis of each wager's answer
CONTRADICTIONS = [
    ("PIK 39.3(b)/s1", Seat(1, {"ante": 1000, "play5": 1000}, cards("As Ah 4c 3d Js")), {"ante": UNDECIDABLE, "play5": UNDECIDABLE}),
    ("PIK 39.3(b)/s1", Seat(1, {"ante": 1000, "play5": 1000}, cards("As Ah 4c 3d Js"), left=True), {"ante": UNDECIDABLE, "play5": UNDECIDABLE}),
    ("PIK 39.3(b)/s1", Seat(1, {"ante": 1000, "play3": 1000}, cards("As Ah 4c 3d Js"), "fold"), {"ante": "certain", "play3": RULING}),
    ("FAH (h)(3)/s1", Seat(1, {"original": 1000, "split": 1000}, cards("As Ah 4c 3d")), {"original": UNDECIDABLE, "split": UNDECIDABLE}),
    ("FAH (h)(3)/s1", Seat(1, {"original": 1000, "split": 1000}, cards("As Ah 4c 3d"), "surrender"), {"original": "certain", "split": RULING}),
    ("FAH (h)(3)/s1", Seat(1, {"original": 1000, "split": 1000}, cards("As Ah Ac Ad"), "natural"), {"original": "certain", "split": RULING}),
    ("COL 11(b)", Seat(1, {"ante": 1000, "bet": 1000}, cards("As Ah 4c"), "fold"), {"ante": RULING, "bet": RULING}),
    ("COL 10(b)(2)/s2", Seat(1, {"ante": 1000, "bet": 1000}, cards("As Ah 4c"), "fold"), {"ante": "certain", "bet": "reading"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("clause", "seat", "bases"), CONTRADICTIONS, ids=[f"{row[0]}: {row[1].choice}" for row in CONTRADICTIONS]
)
def test_a_record_that_contradicts_itself_is_answered_as_far_as_the_text_goes(
    clause: str, seat: Seat, bases: dict[str, str]
) -> None:
    """A wager beside a decision that rules it out waits for a ruling, or for the decision."""
    book = clause.split(maxsplit=1)[0]
    dealer = {"PIK": "Kc Qd 7h 5s 2c", "FAH": "9c 8c 5d 2h", "COL": ""}[book]
    community = {"PIK": "", "FAH": "Kd Qh 3c 2s 7s", "COL": "Kd Qh 3c"}[book]
    rules = house(
        newest(book), {"version": "permissible" if clause == "COL 11(b)" else "required"} if book == "COL" else {}
    )
    settlement = settle(rules, PlayedRound(book, (seat,), dealer=cards(dealer), community=cards(community)))
    assert {wager: one.basis for wager, one in settlement.seats[1].items()} == bases


def test_a_board_of_six_found_after_settlement_waits_for_a_ruling() -> None:
    """FAH (a)(1)(i) knows five community cards, and no text says what more of them make."""
    seat = Seat(1, {"original": 1000}, cards("As Ah 4c 3d"), "set", kept=cards("As Ah"))
    what = Irregularity("wrong-count", of="community", dealt=6, stage="after-settlement")
    played = PlayedRound("FAH", (seat,), cards("9c 8c 5d 2h"), cards("Kd Qh 3c 2s 7s 6s"), irregularity=what)
    outcome = settle(house(newest("FAH")), played).seats[1]["original"]
    assert (outcome.returned, outcome.alternatives) == (None, (None, 1000))

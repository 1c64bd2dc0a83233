"""The odds and the settlement look at the same tables: random rounds are settled and priced, and must agree."""

import json
import random
from fractions import Fraction

import pytest

from domain.cards import show
from domain.hands import standard, three_card
from domain.odds import base_games
from domain.odds import colorado as col
from domain.odds.measures import net
from domain.odds.stored import stored
from domain.settlement import settle
from domain.settlement.case_format import read

ANTE = 1000
ROUNDS = 150


def _settled(case):
    read_case = read(json.dumps(case))
    returned = settle(read_case.house, read_case.played).seats[1]
    return read_case.house, {wager: outcome.returned for wager, outcome in returned.items()}


def _texts(cards):
    return show(cards).split()


def _rounds(seed):
    chance = random.Random(seed)  # noqa: S311 - repeatable test rounds
    for _ in range(ROUNDS):
        deck = list(range(52))
        chance.shuffle(deck)
        # Two suits first make flushes and full houses common enough to meet.
        yield chance, deck if chance.random() < 0.5 else sorted(deck, key=lambda card: (card & 3 > 1, chance.random()))


def _result(own, dealer):
    return "win" if own > dealer else "loss" if own < dealer else "tie"


@pytest.mark.parametrize("letter", ["A", "B"])
def test_ultimate_texas_holdem_nets_what_its_settlement_hands_back(letter):
    for chance, deck in _rounds(5):
        own, dealer, board = deck[:2], deck[2:4], deck[4:9]
        choice = chance.choice([0, 1, 2, 4])
        street = {4: "preflop", 2: "flop", 1: "river", 0: "river"}[choice]
        act = (
            {"street": street, "action": "play", "cents": choice * ANTE}
            if choice
            else {"street": street, "action": "fold"}
        )
        checks = {"preflop": [], "flop": ["preflop"], "river": ["preflop", "flop"]}[street]
        actions = [*({"street": passed, "action": "check"} for passed in checks), act]
        configured, returned = _settled(
            {
                "rulebook": "UTH-MD",
                "config": {"blind_table": letter},
                "seats": [
                    {"seat": 1, "wagers": {"ante": ANTE, "blind": ANTE}, "cards": _texts(own), "actions": actions}
                ],
                "dealer": _texts(dealer),
                "community": _texts(board),
            }
        )
        mine, theirs = standard.value((*own, *board)), standard.value((*dealer, *board))
        qualified = "qualified" if standard.category(theirs) else "unqualified"
        row = [str(choice), _result(mine, theirs), qualified, standard.CATEGORIES[standard.category(mine)]]
        if not choice:
            row = ["0", "fold"]
        pays = {hand: net(line) for hand, line in configured.table("blind").lines.items()}
        netted = Fraction(sum(returned.values()) - (2 + choice) * ANTE, ANTE)
        assert base_games._uth_net(row, pays) == netted, (show(own), show(dealer), show(board), choice)


@pytest.mark.parametrize("qualifies", [False, True])
@pytest.mark.parametrize(("three", "five"), [(1, 1), (2, 1), (1, 2)])
def test_pikit_nets_what_its_settlement_hands_back(qualifies, three, five):
    least = standard.of_five([48, 45, 10, 7, 2])
    for chance, deck in _rounds(6):
        own, dealer = deck[:5], deck[5:10]
        choice = chance.choice(["play3", "play5"])
        multiple = three if choice == "play3" else five
        _, returned = _settled(
            {
                "rulebook": "PIK",
                "config": {"dealer_qualifies": qualifies, "play3_multiple": three, "play5_multiple": five},
                "seats": [
                    {
                        "seat": 1,
                        "wagers": {"ante": ANTE, "bonus5": ANTE},
                        "cards": _texts(own),
                        "actions": [{"action": choice, "cents": multiple * ANTE}],
                    }
                ],
                "dealer": _texts(dealer),
                "community": [],
            }
        )
        value = three_card.value if choice == "play3" else standard.value
        result = _result(value(own), value(dealer))
        strong = "qualified" if standard.value(dealer) >= least else "unqualified"
        row = [choice, result, *([strong] if qualifies else []), "pair"]
        expected = base_games._pik_net(row, multiple)
        assert sum(returned[wager] for wager in ("ante", choice)) == (1 + multiple + expected) * ANTE


@pytest.mark.parametrize("version", ["required", "permissible"])
@pytest.mark.parametrize("tens", ["push", "pay"])
def test_colorado_nets_what_its_settlement_hands_back(version, tens):
    columns = stored("colorado")["columns"]
    for chance, deck in _rounds(7):
        own, board = deck[:3], deck[3:6]
        kept = own[:2]
        bets = version == "required" or chance.random() < 0.5
        play = {"action": "play", "kept": _texts(kept), "discarded": _texts(own[2:])}
        configured, returned = _settled(
            {
                "rulebook": "COL",
                "config": {"version": version, "v2_pair_of_tens": tens},
                "seats": [
                    {
                        "seat": 1,
                        "wagers": {"ante": ANTE, "bonus": 100},
                        "cards": _texts(own),
                        "actions": [play | ({"cents": ANTE} if bets else {})],
                    }
                ],
                "dealer": [],
                "community": _texts(board),
            }
        )
        value = standard.value((*kept, *board))
        category, high = standard.category(value), value >> 16 & 15
        place = 0 if not category else category + 5 if category > 1 else 1 + min(max(high - 4, 0), 5)
        assert columns[place].startswith("pair_of" if category == 1 else standard.CATEGORIES[category])
        main, bonus = col.main_pays(configured, configured.table("main")), col.bonus_pays(configured.table("bonus"))
        staked = 1 + bets
        assert returned["ante"] + returned.get("bet", 0) == staked * (1 + main[place]) * ANTE
        assert returned["bonus"] == (1 + bonus[place]) * 100


def test_an_instant_winner_is_what_the_settlement_pays_as_one():
    for _, deck in _rounds(8):
        for own in (
            deck[:3],
            [deck[0] >> 2 << 2, deck[0] >> 2 << 2 | 1, deck[0] >> 2 << 2 | 3],
            [48, 0, 4],
            [48, 44, 40],
        ):
            configured, returned = _settled(
                {
                    "rulebook": "COL",
                    "config": {},
                    "seats": [
                        {
                            "seat": 1,
                            "wagers": {"ante": ANTE},
                            "cards": _texts(own),
                            "actions": [{"action": "declare", "cards": _texts(own)}],
                        }
                    ],
                    "dealer": [],
                    "community": [],
                }
            )
            line = col.instant_winner(configured, tuple(own))
            lines = configured.table("main").lines
            assert returned["ante"] == (0 if line is None else ANTE * (1 + net(lines[line])))

"""The decisions at Ultimate Texas Hold'em, street by street from the dealer's left."""

from domain.facts import decisions, players
from domain.facts.words import Street
from domain.simulation import paying, uth_wrong
from domain.simulation.round_end import pick_up
from domain.simulation.uth_in_play import COMMUNITY, PlanError, Uth
from domain.simulation.uth_players import decide

# The possible play wagers on each street, in antes; the first is the plan's default.
MULTIPLES = {"preflop": (4, 3), "flop": (2,), "river": (1,)}
SEEN = {"preflop": 0, "flop": 3, "river": 5}  # face-up community cards
_KEEPS_CARDS = {"trips", "six_card"}  # open wagers that keep a folded hand on the table (UTH-MD 11.F(3)(a))
_FOLDED = ("ante", "blind")


def ask_all(game: Uth, street: Street) -> None:
    """Ask each player without a play wager (UTH-MA 10(a) s2, UTH-MD 11.B)."""
    uth_wrong.at(game, street)
    for seat in game.deciding:
        uth_wrong.at(game, street, seat)
        if seat in game.deciding:
            _ask(game, seat, street)


def _ask(game: Uth, seat: int, street: Street) -> None:
    if game.acts[seat][:1] == ["leave"]:
        _leave(game, seat)
        return
    game.post.say(decisions.DecisionAsked, seat, street)
    act = game.acts[seat].pop(0) if game.acts[seat] else _own_choice(game, seat, street)
    word, _, multiple = act.partition(":")
    if word == "check" and street != "river":
        game.post.say(decisions.DecisionMade, seat, "check", street)
    elif word == "play":
        _play(game, seat, street, int(multiple or MULTIPLES[street][0]))
    elif word == "fold" and street == "river":
        _fold(game, seat)
    else:
        raise PlanError(f"seat {seat} cannot {act} at the {street}")


def _own_choice(game: Uth, seat: int, street: Street) -> str:
    own, board = game.of(seat), game.dealt_to(COMMUNITY)[: SEEN[street]]
    if len(own) != 2:  # a miscounted hand nobody has noticed yet
        return "fold" if street == "river" else "check"
    strategy = game.seats[seat].strategy
    return strategy(own, board) if strategy is not None else decide(game.house, own, board)


def _play(game: Uth, seat: int, street: Street, multiple: int) -> None:
    if multiple not in MULTIPLES[street]:
        raise PlanError(f"seat {seat} cannot play {multiple} antes at the {street}")
    cents = multiple * game.staked[seat, "ante"]
    game.post.say(decisions.DecisionMade, seat, "play", street, cents)
    game.hands[seat].choice = "play"
    paying.place(game.table, game.seats[seat], "play", cents)
    game.lie(seat, "play", cents)


def _fold(game: Uth, seat: int) -> None:
    """Collect ante and blind; the cards stay while a wager depends on them (UTH-MA 10(e)(2), UTH-MD 11.F(3)(a))."""
    game.post.say(decisions.DecisionMade, seat, "fold", "river")
    game.hands[seat].choice = "fold"
    for wager in _FOLDED:
        paying.collect(game.table, game.seats[seat], wager, game.staked[seat, wager], "fold")
        game.record(seat, wager, 0)
    if not any((seat, wager) in game.lying for wager in _KEEPS_CARDS):
        pick_up(game, seat)


def _leave(game: Uth, seat: int) -> None:
    """Have a player leave in the middle of a round; the wagers on the table are settled anyway."""
    game.acts[seat].pop(0)
    game.post.say(players.PlayerLeft, seat, game.table.seated.pop(seat, ""))
    game.hands[seat].left = True

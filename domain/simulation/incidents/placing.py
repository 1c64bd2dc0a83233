"""Wagers in a wrong form or area, from an unseated person, at too many positions, or not offered."""

from domain.facts.wagers import WagerPlaced
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, told
from domain.simulation.incidents.incident import ALL_BOOKS, incident
from domain.simulation.incidents.money import LAST
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import by_book, choosing

# Maryland's progressive takes a chip that the system reads; other wagers may have any form.
_ANY = ("ante", "blind", "trips", "bonus5", "bonus3", "original", "bonus", "play", "play3", "play5", "bet")


@incident(
    "wager-form-invalid",
    ALL_BOOKS,
    "A wager is taken in cash.",
    clauses="UTH-MA 6(a) s1; UTH-MD 7.A; PIK 39.3(c)/s1; FAH (f)(1)/s1; COL 6(a)/s1",
)
def in_cash(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager in cash."""
    placed = scene.any_of(WagerPlaced, wager=lambda held: held in _ANY)
    return scene.woven(told(placed, form="cash"), seat=placed.seat, wager=placed.wager)


@incident(
    "wager-verbal-cash",
    ALL_BOOKS,
    "A verbal wager is taken.",
    clauses="UTH-MA 6(a) s2; UTH-MD 7.B; PIK 39.3(c)/s2; FAH (f)(1)/s2; COL 6(a)/s2",
)
def by_word(scene: PlayedStretch) -> Woven:
    """Return the stretch with a verbal wager."""
    placed = scene.any_of(WagerPlaced, wager=lambda held: held in _ANY)
    return scene.woven(told(placed, form="verbal"), seat=placed.seat, wager=placed.wager)


@incident(
    "wager-misplaced",
    ALL_BOOKS,
    "A wager lies in another area than its own.",
    clauses={
        **dict.fromkeys(
            ("ante", "blind", "trips", "bonus5", "bonus3", "original", "bonus", "play", "play3", "play5"),
            "UTH-MA 6(a) s1; UTH-MD 7.A; PIK 39.3(c)/s1; FAH (f)(1)/s1; COL 6(a)/s1",
        ),
        "bet required": "COL 10(b)(1)/s1",
        "bet permissible": "COL 11(b)(1)/s1",
    },
)
def elsewhere(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager in the area of another."""
    placed = scene.any_of(WagerPlaced, wager=lambda held: held in _ANY)
    area = "community" if placed.wager in ("ante", "original") else "ante"
    keys = (placed.wager, f"{placed.wager} {scene.house['version']}" if scene.book == "COL" else "")
    return scene.woven(told(placed, area=area), seat=placed.seat, wager=placed.wager, keys=filter(None, keys))


# A wager that is not offered, the option that offers it, and its clause.
_OFFERS = {
    "UTH-MA": (("cover_all", "cover_all", "UTH-MA 13(a)"), ("progressive", "progressive", "UTH-MA 14(b) s1")),
    "UTH-MD": (
        ("ultimate_pairs", "ultimate_pairs_table", "UTH-MD 7.F(5)"),
        ("bad_beat", "bad_beat_table", "UTH-MD 7.F(6)"),
        ("play_the_board", "play_board_table", "UTH-MD 7.F(7)"),
    ),
    "COL": (("bonus", "bonus_offered", "COL 6a(a)"),),
}


@incident(
    "wager-not-offered",
    ("UTH-MA", "UTH-MD", "COL"),
    "A wager is taken that this house does not offer, and the house keeps it.",
    setting=by_book({"COL": choosing(bonus_offered=False)}),
    besides=(
        *("wager-precondition-unmet", "cover-all-count-mismatch", "cover-all-device-mode-wrong"),
        "hand-collected-early",
    ),
)
def not_offered(scene: PlayedStretch) -> Woven:
    """Return the stretch with a bonus wager this house does not offer; a supervisor rules that it is returned."""
    held = [
        row
        for row in _OFFERS[scene.book]
        if not scene.house.options.get(row[1]) and (row[0] != "progressive" or not scene.house.offers(row[0]))
    ]
    wager, _, clause = scene.choose(held)
    placed = scene.any_of(WagerPlaced, wager="ante")
    cents = 100 if wager == "bonus" else 500
    new = said("wager-placed", placed.seat, wager, cents, player=placed.player, area=wager)
    mine = [each for each in scene.wagers(seat=placed.seat) if each.wager not in LAST]
    moves = [move for each in (scene.wagers() if wager == "cover_all" else mine) for move in each.moves]
    end = max(moves, key=scene.place)
    ruling = said("ruling-given", clause, "return", "floorperson", placed.seat, wager)
    back = said("wager-returned", placed.seat, wager, cents)
    edits = (after(placed, new), after(end, ruling, back))
    return scene.woven(*edits, seat=placed.seat, wager=wager, clauses=(clause,))


@incident(
    "wager-unseated",
    ALL_BOOKS,
    "A wager is taken from somebody who is not seated at the table.",
    clauses="UTH-MA 6(e) s1; UTH-MD 7.C; PIK 39.3(d)/s1; FAH (f)(2)/s1; COL 6(b)/s1",
)
def from_behind(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager from a person who is not seated."""
    placed = scene.any_of(WagerPlaced, wager=lambda held: held in _ANY)
    return scene.woven(told(placed, player="passer-by"), seat=placed.seat, wager=placed.wager)


@incident(
    "positions-too-many",
    ALL_BOOKS,
    "A player wagers at more positions than one player may.",
    clauses="UTH-MA 12; UTH-MD 7.G; PIK 39.3(e); FAH (j)(1); COL 6(e)",
)
def too_many_positions(scene: PlayedStretch) -> Woven:
    """Return the stretch with two positions that belong to one player."""
    seats, most = scene.seats(), int(scene.house.options.get("max_positions") or 1)
    scene.wants(len(seats) > most)
    held = seats[: most + 1]
    player = scene.first(WagerPlaced, seat=held[0]).player
    edits = [told(placed, player=player) for placed in scene.all(WagerPlaced, seat=lambda seat: seat in held)]
    besides = () if held[-1] - held[0] == most else ("positions-not-adjacent",)
    return scene.woven(*edits, besides=besides)


@incident(
    "positions-not-adjacent",
    ("PIK", "COL"),
    "A player wagers at two positions that do not lie side by side.",
    clauses="PIK 39.3(e); COL 6(e)",
    setting=choosing(max_positions=2),
)
def apart(scene: PlayedStretch) -> Woven:
    """Return the stretch with one player at two positions that are not adjacent."""
    seats = scene.seats()
    players = {seat: scene.first(WagerPlaced, seat=seat).player for seat in seats}
    alone = [seat for seat in seats if list(players.values()).count(players[seat]) == 1]
    one, other = scene.choose([(one, other) for one in alone for other in alone if other - one > 1])
    player = players[one]
    return scene.woven(*(told(placed, player=player) for placed in scene.all(WagerPlaced, seat=other)))

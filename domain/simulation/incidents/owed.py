"""The clauses that say what a wager gets, for labels: those that raise the label's code."""

from collections.abc import Iterable

from domain.clauses import clause
from domain.facts.deal import CardDealt
from domain.facts.decisions import HandAnnounced, HandSet
from domain.hands import multideck
from domain.simulation.incidents.scene import PlayedStretch, UntouchedWager
from domain.table.spots import CODE

# Maryland's tables by their letters: the option that chooses one, and its clause.
_TABLES_MD = {
    "blind": ("blind_table", "12.B"),
    "trips": ("trips_table", "12.C"),
    "six_card": ("six_card_table", "12.E"),
    "ultimate_pairs": ("ultimate_pairs_table", "12.E#2"),
    "bad_beat": ("bad_beat_table", "12.F#2"),
    "play_the_board": ("play_board_table", "12.G"),
}


def paying(scene: PlayedStretch, wager: str) -> tuple[str, ...]:
    """Return the clauses of a winning wager's odds."""
    house, book = scene.house, scene.book
    if book == "UTH-MA":
        letter = house["trips_table"]
        rows = {"blind": "UTH-MA 11(c)", "trips": f"UTH-MA 11(d) Paytable {letter}", "cover_all": "UTH-MA 13(b)"}
        return (rows.get(wager, "UTH-MA 11(b)"),)
    if book == "UTH-MD":
        if wager not in _TABLES_MD:
            return ("UTH-MD 12.A",) if wager in ("ante", "play") else ()
        option, row = _TABLES_MD[wager]
        return (f"UTH-MD {row}({'ABCDEF'.index(str(house[option])) + 1})",)
    if book == "PIK":
        bonus = {"bonus5": "39.11(b)", "bonus3": "39.11(c)"}.get(wager)
        table = house["bonus5_table"] if wager == "bonus5" else house["bonus3_table"]
        return (f"PIK {bonus}/Pay Table {table}",) if bonus else ("PIK 39.11(a)/s1",)
    if book == "FAH":
        return ("FAH (h)(12)/s1",)
    chapter = "12" if house["version"] == "required" else "13"
    if wager == "bonus":
        return (f"COL {chapter}(d)/Bonus Payout",)
    return (f"COL {chapter}(b)/Payout Odds",)


def losing(scene: PlayedStretch, held: UntouchedWager) -> tuple[str, ...]:
    """Return the clauses that collect a losing wager."""
    wager = held.wager
    if wager not in ("ante", "blind", "play", "play3", "play5", "bet", "original", "split"):
        return paying(scene, wager)
    if scene.book == "PIK":
        return (f"PIK 39.10(e){scene.house['settlement_procedure']}ii",)
    if scene.book == "COL":
        chapter = "10" if scene.house["version"] == "required" else "11"
        return (f"COL {chapter}(e)/s1",)
    if scene.book == "FAH":
        return ("FAH (h)(11)/s2",) if copies(scene, held) else ("FAH (h)(11)/s1",)
    return ("UTH-MA 10(h)(1)",) if scene.book == "UTH-MA" else ("UTH-MD 11.H(3)(a)",)


def copies(scene: PlayedStretch, held: UntouchedWager) -> bool:
    """Return whether the hand of this wager has the rank of the dealer's."""
    board = [CODE[fact.card] for fact in scene.all(CardDealt, to="community")]
    own = scene.last(HandSet, seat=held.seat)
    two = own.second if held.wager == "split" else own.kept
    mine, dealers = ([CODE[card] for card in cards] for cards in (two, scene.last(HandSet, seat=None).kept))
    return bool(board) and multideck.value([*mine, *board]) == multideck.value([*dealers, *board])


def pushing(scene: PlayedStretch, held: UntouchedWager) -> tuple[str, ...]:
    """Return the clauses that return a wager that neither wins nor loses."""
    tie = _all_push(scene, held.seat)
    match scene.book:
        case "UTH-MA" | "UTH-MD":
            return (_pushing_at_ultimate(scene, held, tie),)
        case "PIK":
            unqualified = held.wager == "play5" and scene.has(HandAnnounced, seat=None, hand="no qualify")
            return ("PIK 39.10(f)/play5", "PIK 39.11(a)/s2") if unqualified else ("PIK 39.4(d)/s2",)
        case "FAH":
            return ("FAH (h)(11)/s2",) if scene.has(CardDealt, to="community") else ("FAH (h)(8)/s2",)
    required = scene.house["version"] == "required"
    if held.wager == "bonus":
        return ("COL 12(d)/Bonus Payout",) if required else ("COL 13(d)/Bonus Payout",)
    return ("COL 10(f)/s1",) if required else ("COL 11(f)/s1",)


def _pushing_at_ultimate(scene: PlayedStretch, held: UntouchedWager, tie: bool) -> str:
    """Return the clause of a push: the ante below a dealer's pair, or a blind that won with too low a hand."""
    massachusetts = scene.book == "UTH-MA"
    if held.wager == "ante" and scene.has(HandAnnounced, seat=None, hand="no pair"):
        return "UTH-MA 10(g)" if massachusetts else "UTH-MD 11.H(1)"
    if tie:
        return "UTH-MA 10(h)(3)" if massachusetts else "UTH-MD 11.H(3)(d)"
    return "UTH-MA 11(c)" if massachusetts else "UTH-MD 11.H(3)(c)"


def _all_push(scene: PlayedStretch, seat: int) -> bool:
    """Return whether the play wager was returned, as it is only in a tie."""
    return all(held.returned and not held.paid for held in scene.wagers(seat=seat, wager="play"))


def raising(code: str, clauses: Iterable[str]) -> tuple[str, ...]:
    """Return those of these clauses that raise this code in the register."""
    return tuple(name for name in clauses if code in clause(name).findings)


def of_table(scene: PlayedStretch, held: UntouchedWager) -> bool:
    """Return whether the text prints this wager's odds exactly, without a floor."""
    name = "main" if scene.book == "COL" and held.wager != "bonus" else held.wager
    group = scene.house.book.tables.get(name)
    return group is None or group.exact

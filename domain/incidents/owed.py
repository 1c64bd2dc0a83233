"""The clauses that say what a wager gets, as a label names them: those of the register that raise the label's code."""

from collections.abc import Iterable

from domain.clauses import clause
from domain.incidents.scene import Scene, Wager

_TRIPS_MD = {"A": "(1)", "B": "(2)", "C": "(3)", "D": "(4)", "E": "(5)"}


def paying(scene: Scene, wager: str) -> tuple[str, ...]:
    """The clauses of the odds a winning wager is paid at."""
    house, book = scene.house, scene.book
    if book == "UTH-MA":
        letter = house["trips_table"]
        rows = {"blind": "UTH-MA 11(c)", "trips": f"UTH-MA 11(d) Paytable {letter}", "cover_all": "UTH-MA 13(b)"}
        return (rows.get(wager, "UTH-MA 11(b)"),)
    if book == "UTH-MD":
        number = "1" if house["blind_table"] == "A" else "2"
        rows = {
            "blind": f"UTH-MD 12.B({number})",
            "trips": f"UTH-MD 12.C{_TRIPS_MD[str(house['trips_table'])]}",
            "ante": "UTH-MD 12.A",
            "play": "UTH-MD 12.A",
        }
        return (rows[wager],) if wager in rows else ()
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


def losing(scene: Scene, wager: str) -> tuple[str, ...]:
    """The clauses by which a losing wager is collected."""
    if wager not in ("ante", "blind", "play", "play3", "play5", "bet", "original", "split"):
        return paying(scene, wager)
    if scene.book == "PIK":
        return (f"PIK 39.10(e){scene.house['settlement_procedure']}ii",)
    if scene.book == "COL":
        chapter = "10" if scene.house["version"] == "required" else "11"
        return (f"COL {chapter}(e)/s1",)
    return {
        "UTH-MA": ("UTH-MA 10(h)(1)",),
        "UTH-MD": ("UTH-MD 11.H(3)(a)",),
        "FAH": (),  # a copy hand loses by another clause than a lower one
    }[scene.book]


def raising(code: str, clauses: Iterable[str]) -> tuple[str, ...]:
    """Those of these clauses that raise this code by the register."""
    return tuple(name for name in clauses if code in clause(name).findings)


def of_table(scene: Scene, held: Wager) -> bool:
    """Whether the text prints the odds of this wager exactly, and not only the least."""
    name = "main" if scene.book == "COL" and held.wager != "bonus" else held.wager
    group = scene.house.book.tables.get(name)
    return group is None or group.exact

"""The parts of a game are declared in `domain/games`: other modules ask it, and few name a book."""

import ast
from collections.abc import Iterator

from domain.games import BOOKS, GAMES
from tests.citations import ROOT

NAMES = {*BOOKS, "UTH"}
FOLDERS = ("domain", "projections", "consumers", "dashboards")
DECLARED, SIMULATION = "domain/games/", "domain/simulation/"
# Who may still name a book, and why. Take a line away when it no longer does.
MAY_NAME = {
    "domain/odds/report.py": "which wagers have odds, in the order of the layout",
    "domain/rulebooks/house_checks.py": "each text's checks of a house, by its clauses",
    "domain/settlement/coupons.py": "the clause on the form of a wager",
    "domain/settlement/uth.py": "what each case at Ultimate is decided by",
    "domain/settlement/uth_irregularities.py": "where the two texts on Ultimate part ways",
    "domain/watch/detectors/collected.py": "when Massachusetts and Maryland have hands collected",
    "domain/watch/detectors/settled_as.py": "the six card bonus is Maryland's",
    "projections/export/verifier/days.py": "the verifier of an export repeats the rules on purpose",
    "projections/export/verifier/played.py": "the verifier of an export repeats the rules on purpose",
}
# How many modules of the simulated floor name a book, and how often. These figures may fall and never rise.
MODULES, TIMES = 48, 473


def _named() -> Iterator[tuple[str, int]]:
    """Modules that name a book outside a citation, and how often. A citation has a clause behind the name."""
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            nodes = ast.walk(ast.parse(file.read_text()))
            times = sum(
                isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NAMES for node in nodes
            )
            if times:
                yield file.relative_to(ROOT).as_posix(), times


def test_outside_the_declarations_and_the_simulation_only_these_name_a_book() -> None:
    named = {path for path, _ in _named() if not path.startswith((DECLARED, SIMULATION))}
    assert named == MAY_NAME.keys()


def test_the_simulation_names_books_no_more_often_than_before() -> None:
    times = [count for path, count in _named() if path.startswith(SIMULATION)]
    assert len(times) <= MODULES
    assert sum(times) <= TIMES


def test_each_game_goes_by_the_text_of_a_registered_book() -> None:
    for book, game in GAMES.items():
        assert game.text in GAMES
        assert GAMES[game.text].text == game.text, f"{book} follows {game.text}, which follows another"
        assert set(game.beside) <= set(game.placed)
        assert set(game.settles_like.values()) <= set(GAMES[game.text].placed)

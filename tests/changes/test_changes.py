"""Small changes as a newcomer makes them: they work, and touch the files that CONTRIBUTING lists and no other."""

from pathlib import Path

import pytest

from tests.changes.changing import Tree, changes, fits, listed
from tests.citations import ROOT
from tests.rulebooks.house_variant import EDITION, FOLDER, REGISTRY

pytestmark = pytest.mark.xdist_group("changes")

CHANGES = changes()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
# What has to hold of every tree: its documents, its style, its citations.
CHECKS = ["tests/test_house_style.py", "tests/test_plain_words.py", "tests/test_citations.py"]
CHECKS += ["tests/test_register.py", "tests/test_docs.py::test_a_generated_page_is_fresh"]
MOST_PLACES_OF_A_COLUMN = 3


class Changed:
    """A tree with all changes made, one after the other, and the files that each touched."""

    def __init__(self, folder: Path) -> None:
        self.tree = Tree(folder)
        self.tree.python("-m", "consumers.reference")  # a page that is stale already is no change's
        self.touched = {name: change.apply(self.tree) for name, change in CHANGES.items()}


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    return Changed(tmp_path_factory.mktemp("changed"))


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_touches_what_contributing_lists_and_nothing_else(changed: Changed, name: str) -> None:
    named, optional = listed(CHANGES[name].section, CONTRIBUTING)
    touched = changed.touched[name]
    assert {path for path in touched if not any(fits(path, pattern) for pattern in named)} == set()
    assert {pattern for pattern in named - optional if not any(fits(path, pattern) for path in touched)} == set()


def test_the_changes_work_and_keep_what_holds_of_every_tree(changed: Changed) -> None:
    """The tests that show each change at work, and the checks, in one run over all changes."""
    tests = dict.fromkeys((*(test for change in CHANGES.values() for test in change.tests), *CHECKS))
    # The words of a file that no change touches are checked in this tree.
    touched = {path for paths in changed.touched.values() for path in paths}
    folders = {f"plainly[{path.split('/')[1]}]" for path in touched if path.startswith("tests/")}
    named = " or ".join(["not it_plainly", "every", *sorted(touched | folders)])
    changed.tree.python("-m", "ruff", "check", "--no-cache", "--quiet", ".")
    changed.tree.python("-m", "ruff", "format", "--no-cache", "--check", "--quiet", ".")
    changed.tree.python("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=short", "-k", named, *tests)


def test_a_book_touches_what_contributing_lists_and_nothing_else() -> None:
    """tests/rulebooks/test_sixth_book.py makes the change and shows it at work."""
    named, _ = listed("Add a book", CONTRIBUTING)
    touched = {path.as_posix() for path in (FOLDER / EDITION, FOLDER / "clauses.csv", REGISTRY)}
    assert {path: [pattern for pattern in named if fits(path, pattern)] != [] for path in touched} == dict.fromkeys(
        touched, True
    )
    assert {pattern for pattern in named if not any(fits(path, pattern) for path in touched)} == set()


def test_an_export_column_is_written_in_at_most_three_places(changed: Changed) -> None:
    """The pages that `make docs` writes, and the tests, follow from these."""
    touched = [path for path in changed.touched["export_column"] if not path.startswith(("docs/", "tests/"))]
    assert len(touched) <= MOST_PLACES_OF_A_COLUMN, touched

"""Every clause that decides money and can be decided from events is cited by the tests."""

from domain.clauses import all_clauses
from tests.citations import ROOT, cited_in, project_files

DECIDING = frozenset({"settlement", "paytable", "ranking", "limit"})
# These speak of clauses without testing what they say.
ABOUT_CITATIONS = frozenset(
    ROOT / "tests" / name
    for name in ("citations.py", "test_citations.py", "test_register.py", "test_coverage_of_clauses.py")
)


def test_every_clause_that_decides_money_is_cited_by_a_test() -> None:
    """A settlement, pay table, ranking or limit clause no test cites is one nobody has shown to be kept."""
    deciding = [
        name for name, clause in all_clauses().items() if clause.kind in DECIDING and clause.observable == "events"
    ]
    cited = {
        found.clause
        for path in project_files(ROOT / "tests")
        if path not in ABOUT_CITATIONS
        for found in cited_in(path)
    }
    missing = [name for name in deciding if name not in cited]
    print(f"{len(deciding) - len(missing)} of {len(deciding)}")  # noqa: T201 - the figure is what this test reports
    assert not missing, "\n".join([f"{len(missing)} clauses are cited by no test:", *missing])

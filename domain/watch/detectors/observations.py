"""Observations by people, for actions that sensors do not record; each raises the main code of its clause."""

from domain.clauses import Clause, all_clauses
from domain.facts.watching import Observed
from domain.table.day import TableDay
from domain.watch.detecting import Found, watch
from domain.watch.finding import found
from domain.watch.laws import Law, law

# Sensors see where a card is; only a person sees which hand drew it, if a clause prescribes both.
_BY_EYE = "dealing-technique-wrong"


def _code(row: Clause) -> str:
    return _BY_EYE if _BY_EYE in row.findings else row.findings[0]


def _seen_by_eye() -> dict[str, dict[str, str]]:
    """Return the clauses that only a person can see broken, each under its main finding code."""
    rows: dict[str, dict[str, str]] = {}
    for name, row in all_clauses().items():
        if row.findings and (row.observable == "video" or _BY_EYE in row.findings):
            rows.setdefault(_code(row), {})[name] = name
    return rows


_LAWS = {code: law(code, clauses) for code, clauses in _seen_by_eye().items()}


def _law_of(row: Clause) -> Law:
    """Return the law for a clause that a person saw broken and sensors cannot see."""
    return Law(_code(row), {(row.book, row.id): (row.id,)})


@watch(Observed, laws=tuple(_LAWS.values()))
def seen_by_a_person(day: TableDay, fact: Observed) -> Found:
    """Raise the finding of the clause that an observation names, if it is a clause of this table's book."""
    row = all_clauses().get(fact.clause)
    if row is None or row.book != day.book or not row.findings:
        return
    says = f"{fact.seen[0].upper()}{fact.seen[1:]}" if fact.seen else f"A person saw a breach of this rule: {row.gist}"
    says = says if says.endswith(".") else f"{says}."
    number = fact.round
    if number is None and day.round is not None and not day.round.over:
        number = day.round.number
    yield found(_law_of(row), (row.id,), fact, says, round=number, seat=fact.seat, dealer=day.dealer_person)

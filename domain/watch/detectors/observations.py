"""What a person watching saw and no sensor records: the clause named raises its principal finding."""

from domain.clauses import Clause, all_clauses
from domain.facts.watching import Observed
from domain.table.day import TableDay
from domain.watch.detecting import Found, watch
from domain.watch.finding import found
from domain.watch.laws import Law, law

# Sensors see how a card lies; by which hand it was drawn only a person sees, wherever a clause says both.
_BY_EYE = "dealing-technique-wrong"


def _code(row: Clause) -> str:
    return _BY_EYE if _BY_EYE in row.findings else row.findings[0]


def _seen_by_eye() -> dict[str, dict[str, str]]:
    """By finding, the clauses only a person can see broken: each raises its principal one."""
    rows: dict[str, dict[str, str]] = {}
    for name, row in all_clauses().items():
        if row.findings and (row.observable == "video" or _BY_EYE in row.findings):
            rows.setdefault(_code(row), {})[name] = name
    return rows


_LAWS = {code: law(code, clauses) for code, clauses in _seen_by_eye().items()}


def _law_of(row: Clause) -> Law:
    """The law of a clause somebody saw broken: where sensors are blind a person's word stands alone."""
    return Law(_code(row), {(row.book, row.id): (row.id,)})


@watch(Observed, laws=tuple(_LAWS.values()))
def seen_by_a_person(day: TableDay, fact: Observed) -> Found:
    """An observation names the clause it saw broken; one of another book says nothing about this table."""
    row = all_clauses().get(fact.clause)
    if row is None or row.book != day.book or not row.findings:
        return
    says = f"{fact.seen[0].upper()}{fact.seen[1:]}" if fact.seen else f"Seen broken: {row.gist}"
    says = says if says.endswith(".") else f"{says}."
    number = fact.round
    if number is None and day.round is not None and not day.round.over:
        number = day.round.number
    yield found(_law_of(row), (row.id,), fact, says, round=number, seat=fact.seat, dealer=day.dealer_person)

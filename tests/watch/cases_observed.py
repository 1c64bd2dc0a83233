"""Facts only a person can see: every clause of the video kind, named by an operator; awards no text prints."""

from domain.clauses import BOOKS, all_clauses
from domain.simulation.edits import change, drop, insert_after, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case
from tests.watch.lawful import day

DAYS = {book: day(book, rounds=[round_(seat(1))]) for book in BOOKS}
# Nobody holds more than a pair; with the ace of spades for the four, seat 1 wins by 13(b) what no column prints.
COVER_ALL = day(
    "UTH-MA",
    "automated-shoe",
    {"shuffler": "cover-all", "cover_all": True, "progressive": {}},
    [
        round_(
            seat(1, "Ah Ad", cover_all=500, trips=500, progressive=500),
            seat(3, "2c 3s"),
            dealer="7c 2d",
            community="Kc 9d 4h Jd 8s",
        )
    ],
)

CASES = [
    *(
        Case(
            clause.id,
            clause.findings[0],
            DAYS[clause.book],
            insert_after(where("bets-closed"), said("observed", clause.id, "seen on camera", 1)),
        )
        for clause in all_clauses().values()
        if clause.observable == "video" and clause.findings
    ),
    # a clause that sensors show as a rule, seen by a person where they are blind
    Case(
        "UTH-MD 8.C(1)",
        "no-more-bets-missing",
        DAYS["UTH-MD"],
        insert_after(where("bets-closed"), said("observed", "UTH-MD 8.C(1)")),
    ),
    Case("UTH-MA 14(c)", "award-unprinted", COVER_ALL, drop("ruling-given")),
    Case("UTH-MA 13(b)", "award-unprinted", COVER_ALL, change("card-dealt", to={"card": "As"}, card="4h")),
]

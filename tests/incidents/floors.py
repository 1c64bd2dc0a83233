"""Labelled floors of fresh seeds: how many incidents one true cause makes, and how many hold several causes.

`make incidents SEED=1 MANY=10`. Half of the floors have every incident there is, the other half ten kinds. It ends with 1
where one cause makes more than 1.1 incidents, where more than 1 in 200 hold several causes, or a finding is in none.
"""

import sys

import msgspec

from consumers.watching.shown import as_object
from domain.incidents import Item, incidents, score_incidents
from domain.simulation.floor import SimulatedFloor
from domain.simulation.incidents import IncidentWeave, chosen
from domain.simulation.seed import World
from tests.simulation.incidents.floors import watched

TABLES, HOURS = 20, 8
TEN = (
    "dealer-dumping,wager-overpaid,winner-unpaid,stub-count-mismatch,golden-nugget,card-switching,capping,"
    "hand-unannounced,burn-missing,deck-not-removed"
)
PER_CAUSE, MERGED = 1.1, 1 / 200


def main(first: int, many: int) -> bool:
    """Measure so many floors from a seed on; returns whether both bounds were kept."""
    causes = rows = merged = found = lost = 0
    for seed in range(first, first + many):
        kinds = "all" if (seed - first) % 2 == 0 else TEN
        floor = SimulatedFloor(World(seed=seed, tables=TABLES, days=1, hours=HOURS), IncidentWeave(chosen(kinds)))
        items = [msgspec.convert(as_object(finding), Item) for finding in watched(floor.facts())]
        grouped = incidents(items)
        told = score_incidents(floor.labels, grouped)
        lost += len({item.finding for item in items} ^ {item.finding for each in grouped for item in each.findings})
        causes, rows = causes + told.causes, rows + told.incidents
        merged, found = merged + len(told.merged), found + len(items)
        print(  # noqa: T201
            f"seed {seed} ({'all' if kinds == 'all' else 'ten kinds'}): {len(items)} findings, {told.causes} causes, "
            f"{told.incidents} incidents ({told.per_cause:.3f} a cause), {len(told.merged)} hold several causes",
            flush=True,
        )
        for names in told.merged:
            print(f"  several: {', '.join(names)}")  # noqa: T201
    print(  # noqa: T201
        f"in all: {found} findings, {causes} causes, {rows} incidents: {rows / causes:.3f} a cause, "
        f"{merged} hold several causes ({merged / rows:.3%}), {lost} findings lost"
    )
    return rows / causes <= PER_CAUSE and merged / rows <= MERGED and not lost


if __name__ == "__main__":
    sys.exit(not main(*map(int, sys.argv[1:])))

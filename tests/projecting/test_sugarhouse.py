"""SugarHouse, 2018: cards left behind in the shuffler. The blast radius names every round, every hand, every cent.

The sums are checked against the facts themselves, without the fold: what a player lost in those rounds is what was
collected there less what was paid.
"""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from domain.facts.codec import encode
from domain.facts.deal import RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid
from domain.facts.wagers import WagerPlaced
from domain.simulation.incidents.incident import all_incidents
from domain.simulation.incidents.real import HANDS, ROUNDS
from domain.simulation.incidents.weaving import stands_for
from projections.questions.blast import Affected, blast_radius
from projections.reading import opened
from tests.simulation.incidents.bases import BASES
from tests.simulation.incidents.floors import dealt

PLAYED = [("sugarhouse-single-deck", book) for book in ("UTH-MA", "UTH-MD", "PIK", "COL")]
PLAYED.append(("sugarhouse-six-decks", "FAH"))


class Incident:
    """The day's facts, and the bad stretch of it."""

    def __init__(self, name: str, book: str) -> None:
        incident = all_incidents()[name]
        stands = stands_for(incident, BASES[book][0])
        assert stands is not None
        told = dealt(stands, [incident], 1, incident.rounds + incident.before + 4)
        label = told.labels[0]
        assert label.first_round is not None
        self.first: int = label.first_round
        self.last = self.first + ROUNDS - 1
        self.facts = told.facts
        self.bad: list[Fact] = [fact for fact in told.facts if fact.round and self.first <= fact.round <= self.last]
        [self.deck] = {fact.deck for fact in self.bad if isinstance(fact, RoundOpened)}

    def lost(self) -> dict[str, int]:
        """Losses of each player in those rounds, hand by hand; below zero is won."""
        sat: dict[tuple[int | None, int], str] = {}
        lost: dict[tuple[int | None, int], int] = defaultdict(int)
        for fact in self.bad:
            if isinstance(fact, WagerPlaced):
                sat.setdefault((fact.round, fact.seat), fact.player)
            elif isinstance(fact, WagerCollected):
                lost[fact.round, fact.seat] += fact.cents or 0
            elif isinstance(fact, WagerPaid):
                lost[fact.round, fact.seat] -= fact.cents or 0
        assert len(sat) == HANDS
        found: dict[str, int] = defaultdict(int)
        for hand, player in sat.items():
            found[player] += lost[hand]
        return dict(found)

    def published(self, folder: Path) -> Path:
        """On record, and projected."""
        day = folder / "day.jsonl"
        day.write_bytes(b"\n".join(map(encode, self.facts)))
        for words in (["ingest", str(day)], ["project", "--once"]):
            told = CliRunner().invoke(main, [*words, "--data", str(folder)])
            assert told.exit_code == 0, told.output
        return folder


@pytest.mark.parametrize(("name", "book"), PLAYED)
def test_the_blast_radius_names_46_rounds_122_hands_and_each_players_sum(name: str, book: str, tmp_path: Path) -> None:
    incident = Incident(name, book)
    with opened(incident.published(tmp_path) / "read") as reading:
        by_round = blast_radius(
            reading, Affected(deck=incident.deck, first_round=incident.first, last_round=incident.last)
        )
        epoch = datetime(1970, 1, 1, tzinfo=UTC)
        begin, end = (epoch + timedelta(microseconds=incident.bad[place].at) for place in (0, -1))
        by_time = blast_radius(reading, Affected(deck=incident.deck, begin=begin, end=end))
    assert (by_round.rounds, by_round.hands, by_round.undecided) == (ROUNDS, HANDS, 0)
    assert [each.round for each in by_round.affected_rounds] == list(range(incident.first, incident.last + 1))
    assert sum(each.hands for each in by_round.affected_rounds) == HANDS
    assert {each.player: each.net_cents for each in by_round.repayments} == incident.lost()
    assert by_round.to_players_cents - by_round.by_players_cents == sum(incident.lost().values())
    assert by_time == by_round


def test_the_shoe_that_kept_cards_back_names_the_same_rounds(tmp_path: Path) -> None:
    """Six decks lay in a shoe that shuffles by itself: asked by the device, the same 46 rounds and 122 hands."""
    incident = Incident(*PLAYED[-1])
    stretch = {"first_round": incident.first, "last_round": incident.last}
    with opened(incident.published(tmp_path) / "read") as reading:
        [(device,)] = reading.query("SELECT DISTINCT device FROM handling WHERE device <> ''")
        by_device = blast_radius(reading, Affected(device=device, **stretch))
        by_deck = blast_radius(reading, Affected(deck=incident.deck, **stretch))
    assert (by_device.rounds, by_device.hands) == (ROUNDS, HANDS)
    assert by_device == by_deck

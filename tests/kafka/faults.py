"""`make faults`: gateways and leaders killed in an order drawn from a seed, on both logs, for some minutes.

The order and kind of what happens are the seed's; the moments are the machine's. Every line sent must be on record
once, in whole chains, after each chapter of the story.
"""

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import click

from consumers.gateway.keys import PASSPHRASE
from consumers.kafka.clusters import ADMINISTRATOR
from consumers.kafka.jars import BrokerUnavailableError
from tests.gateway.nursery import Nursery
from tests.gateway.storm import Storm
from tests.gateway.test_kills import Embedded
from tests.kafka.conftest import LASTING, secured_brokers
from tests.kafka.outages import Outages
from tests.kafka.records import OnKafka

ROUNDS = 120
KILLS = (10, 30)  # of a chapter

Chapter = Callable[[int], None]


class Story:
    """Two records and what happens to them."""

    def __init__(self, folder: Path, seed: int, stack: ExitStack) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same order every time
        self.embedded = self._storm(folder / "embedded", stack, Embedded(folder / "pit"), (0.03, 0.3))
        secured = stack.enter_context(secured_brokers(folder / "brokers", folder / "kafka-client.log"))
        record = OnKafka(secured.settings("gateway"), folder / "state", secured.settings("reader"))
        self.kafka = self._storm(folder / "kafka", stack, record, (0.5, 0.6))
        self.outages = Outages(secured, secured.settings(ADMINISTRATOR), self._branch())
        stack.callback(self.outages.end)

    def chapter(self) -> list[str]:
        """One of the two logs for some kills, and what is wrong with it then."""
        kills = self.chance.randint(*KILLS)
        if self.chance.random() < 0.25:
            self.embedded.blow(kills)
            return self._told("embedded", self.embedded)
        self.kafka.blow(kills, self.outages.ends, self.outages.mend)
        self.outages.end()
        return self._told("Kafka", self.kafka)

    def _told(self, name: str, storm: Storm) -> list[str]:
        wrong = storm.verdict()
        what = ", ".join(f"{count} {what}" for what, count in sorted(self.outages.happened.items()))
        click.echo(f"{name:<8}  {storm.score}" + (f"\n{'':<8}  {what}" if storm is self.kafka else ""))
        return wrong

    def _storm(self, folder: Path, stack: ExitStack, record: Embedded | OnKafka, seconds: tuple[float, float]) -> Storm:
        folder.mkdir()
        environment = {PASSPHRASE: "a passphrase for tests", "XDG_STATE_HOME": str(folder)}
        nursery = stack.enter_context(Nursery(folder, environment))
        away = isinstance(record, OnKafka)
        return Storm(nursery, record, self._branch(), rounds=ROUNDS, seconds=seconds, may_give_up=away)

    def _branch(self) -> random.Random:
        return random.Random(self.chance.getrandbits(64))  # noqa: S311 - drawn from the seed


@click.command()
@click.option("--seed", type=int, help="Of an earlier run, to repeat it. Default: drawn.")
@click.option("--minutes", type=float, default=5.0, show_default=True, help="No new chapter begins after so long.")
def faults(seed: int | None, minutes: float) -> None:
    """Kill gateways and leaders until the time is up, and prove the record after each chapter."""
    if seed is None:
        seed = random.SystemRandom().randrange(1_000_000)
    repeat = f"make faults SEED={seed} MINUTES={minutes:g}"
    click.echo(repeat)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="catwalk-faults-", dir=LASTING))
    ends_at = time.monotonic() + 60 * minutes
    try:
        with ExitStack() as stack:
            os.environ[PASSPHRASE] = "a passphrase for tests"
            story = Story(folder, seed, stack)
            wrong: list[str] = []
            while time.monotonic() < ends_at and not wrong:
                wrong = story.chapter()
    except BrokerUnavailableError as error:
        raise click.ClickException(str(error)) from error
    except AssertionError as error:
        wrong = [str(error)]
    if wrong:
        click.echo("\n".join(wrong[:20]))
        click.echo(f"{len(wrong)} faults; all of it is in {folder}. Again: {repeat}")
        raise SystemExit(1)
    shutil.rmtree(folder)
    click.echo("nothing lost, nothing doubled, every chain whole")


if __name__ == "__main__":
    faults()

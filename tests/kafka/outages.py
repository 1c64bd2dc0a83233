"""Outages of three brokers while gateways write to them; never of two of them at once."""

import os
import random
import signal
import threading
import time
from collections import Counter

from consumers.kafka import topic_names
from consumers.kafka.broker import Broker
from consumers.kafka.client import admin
from consumers.kafka.settings import KafkaSettings
from tests.gateway.nursery import Forked
from tests.gateway.storm import End
from tests.kafka.conftest import Secured

SESSION_SECONDS = 6.0  # after so long without a word a broker counts as dead, and another leads
MOST_SECONDS_BACK = 60.0


class Outages:
    """Ends for gateways, most of which begin with the leader of one of their partitions."""

    def __init__(self, secured: Secured, settings: KafkaSettings, chance: random.Random) -> None:
        self.happened: Counter[str] = Counter()
        self._cluster = secured.cluster
        self._settings = settings
        self._topic = topic_names.name_of(settings, "facts")
        self._chance = chance
        self._away: Broker | None = None
        self._back_at = 0.0
        self._thaw: threading.Timer | None = None

    @property
    def ends(self) -> list[End]:
        """Each of them for a gateway that runs; while a broker is away only the gateway is killed."""
        leaders = [self.leader_dies, self.both_die, self.leader_stands_still, self.leader_sleeps]
        return [self.gateway_dies] * 4 + [self._if_all_are_well(end) for end in leaders]

    def gateway_dies(self, gateway: Forked) -> None:
        self.happened["gateway killed"] += 1
        gateway.kill()

    def leader_dies(self, _gateway: Forked) -> None:
        """The gateway lives, and has to find the next leader."""
        self._kill_leader("leader killed")

    def both_die(self, gateway: Forked) -> None:
        """With sends on their way to a leader that is gone, in either order."""
        first, second = self._chance.sample([lambda: self._kill_leader("leader and gateway killed"), gateway.kill], 2)
        first()
        time.sleep(self._chance.uniform(0, 0.3))
        second()

    def leader_stands_still(self, gateway: Forked) -> None:
        """For a moment, with sends before it, whose sender is dead when it goes on."""
        self._freeze(self._chance.uniform(0.2, 0.8), "leader stopped, gateway killed")
        time.sleep(self._chance.uniform(0.05, 0.15))
        gateway.kill()

    def leader_sleeps(self, _gateway: Forked) -> None:
        """So long that another leads, and it wakes up believing it still does."""
        self._freeze(SESSION_SECONDS * self._chance.uniform(1.2, 1.8), "leader asleep until another led")

    def mend(self) -> None:
        """Brings back who has been away long enough; called from the main thread, with which brokers end."""
        if self._away is not None and time.monotonic() >= self._back_at:
            self._bring_back()

    def end(self) -> None:
        """Everybody back."""
        if self._thaw is not None:
            self._thaw.join()
        self._bring_back()

    def _if_all_are_well(self, end: End) -> End:
        def chosen(gateway: Forked) -> None:
            (end if self._well() else self.gateway_dies)(gateway)

        return chosen

    def _well(self) -> bool:
        asleep = self._thaw is not None and self._thaw.is_alive()
        return self._away is None and not asleep and self._all_in_sync()

    def _all_in_sync(self) -> bool:
        with admin(self._settings) as client:
            (described,) = client.describe_topics([self._topic])
        return all(len(partition["isr_nodes"]) == 3 for partition in described["partitions"])

    def _leader(self) -> Broker:
        with admin(self._settings) as client:
            (described,) = client.describe_topics([self._topic])
        return self._cluster.broker(self._chance.choice(described["partitions"])["leader_id"])

    def _kill_leader(self, what: str) -> None:
        self._away = self._leader()
        self._away.kill()
        self._back_at = time.monotonic() + self._chance.uniform(1, 2 * SESSION_SECONDS)
        self.happened[what] += 1

    def _freeze(self, seconds: float, what: str) -> None:
        pid = self._leader().pid
        assert pid
        os.kill(pid, signal.SIGSTOP)
        self._thaw = threading.Timer(seconds, os.kill, (pid, signal.SIGCONT))
        self._thaw.start()
        self.happened[what] += 1

    def _bring_back(self) -> None:
        if self._away is not None:
            self._away.start()
            self._away.wait()
            self._away = None
        deadline = time.monotonic() + MOST_SECONDS_BACK
        while not self._all_in_sync():
            assert time.monotonic() < deadline, "a broker that came back does not catch up"
            time.sleep(0.2)

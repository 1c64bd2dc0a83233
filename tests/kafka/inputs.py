"""A gateway that reads topics of inputs, and what its tests need of the cluster."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from consumers.kafka import topic_names, topics
from consumers.kafka.settings import KafkaSettings
from tests.gateway.admitted import ALL, register
from tests.kafka.conftest import settings_file
from tests.network.serving import Site, opened

SECONDS = 60.0
Found = TypeVar("Found")


class InputsSite(Site):
    """A record whose sources write into topics of a cluster."""

    settings: KafkaSettings
    options: tuple[object, ...]

    def reads(self, settings: KafkaSettings, *sources: str, create: bool = True) -> None:
        """Register these sources with topics in this cluster; the next start reads them."""
        self.settings = settings
        (self.folder / "inputs").mkdir(exist_ok=True)
        self.options = ("--inputs", settings_file(self.folder / "inputs", settings))
        self.adds(*sources, create=create)

    def adds(self, *sources: str, create: bool = True) -> None:
        """Register these sources, which a running gateway learns at once."""
        for source in sources:
            register(self.folder / "pit", source, *ALL, "--topic")
        if create:
            topics.create(self.settings, sources)

    def begin(self, *more: object) -> None:
        """Start its gateway."""
        self.start(*self.options, *more)

    def topic(self, source: str) -> str:
        return topic_names.inputs_of(self.settings, source)

    def of(self, source: str) -> list[dict[str, Any]]:
        """The facts on record of a source, in their order."""
        return [fact for fact in self.everything() if fact["source"] == source]

    def waits_for(self, source: str, count: int) -> list[dict[str, Any]]:
        """The facts of a source once there are so many."""
        return waited(lambda: found if len(found := self.of(source)) >= count else None, self.said)

    def waits_for_letters(self, count: int) -> list[dict[str, Any]]:
        return waited(lambda: found if len(found := self.letters()) >= count else None, self.said)

    def waits_until_said(self, words: str) -> None:
        waited(lambda: words in self.said() or None, self.said)


def waited(look: Callable[[], Found | None], said: Callable[[], str]) -> Found:
    """Return the answer as soon as there is one."""
    until = time.monotonic() + SECONDS
    while (found := look()) is None:
        assert time.monotonic() < until, said()
        time.sleep(0.05)
    return found


def keys(facts: Sequence[dict[str, Any]]) -> list[str]:
    return [fact["source_key"] for fact in facts]


@contextmanager
def reading(folder: Path, settings: KafkaSettings, *sources: str, prefix: str) -> Iterator[InputsSite]:
    """A site with topics of its own, and its gateway."""
    with opened(folder, made=InputsSite) as site:
        site.reads(msgspec.structs.replace(settings, topic_prefix=prefix), *sources)
        site.begin()
        yield site
        site.end()

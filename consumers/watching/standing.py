"""The findings that stand on a record, as its watchers wrote them."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from consumers.logs.opening import findings_log
from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.following import chain_of
from domain.watch.finding import Finding
from domain.watch.record import FindingsSealed, apply, decode


def standing(data: Path | None, kafka: Path | None, left_out: Callable[[int, str], object]) -> Iterator[Finding]:
    """Yield the standing findings of a record, stream by stream; report bytes that are no record of findings."""
    streams: dict[str, list[tuple[Fact, bytes]]] = {}
    with closing(findings_log(data=data, kafka=kafka, create=False)) as log:
        for batch in log.drain({}):
            for position, stored in batch.facts:
                try:
                    record = decode(stored)
                except UnreadableFactError as error:
                    left_out(position, str(error))
                    continue
                if not isinstance(record, FindingsSealed):
                    streams.setdefault(record.stream, []).append((record, stored))
    for stream in sorted(streams):
        found: dict[str, Finding] = {}
        for link in chain_of(streams[stream]):
            apply(found, link.fact)
        yield from found.values()

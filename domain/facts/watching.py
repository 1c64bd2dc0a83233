"""Observations, notes and corrections by the people watching the table."""

from typing import Any

import msgspec

from domain.facts.envelope import Count, Fact, Name, Seat
from domain.facts.words import Role


class Observed(Fact, frozen=True, tag="observed.1"):
    """A person watching saw something that no sensor records."""

    clause: Name
    seen: str = ""
    seat: Seat | None = None
    by: Role = "surveillance"


class VideoMarked(Fact, frozen=True, tag="video-marked.1"):
    """A stretch of video was linked to this."""

    recorder: Name
    channel: str = ""
    from_code: str = ""
    to_code: str = ""


class Corrected(Fact, frozen=True, tag="corrected.1"):
    """An earlier fact was corrected: this is its right content. Both stay on record."""

    corrects_stream: Name
    corrects_sequence: Count
    reads: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET  # left out: the fact never happened
    reason: str = ""
    by: Role = "surveillance"


class Noted(Fact, frozen=True, tag="noted.1"):
    """A remark was noted."""

    text: str
    by: Role = "surveillance"

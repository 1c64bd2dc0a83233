"""The doubts about tables of which little can be said: few rounds fully judged, or few rounds at all."""

from collections.abc import Iterator, Mapping

import msgspec

from domain.feed.doubts import DOUBTFUL, Doubt
from domain.spoken import listed, number_of

LITTLE, FEW = "little-judged", "too-few-rounds"
FEWEST_ROUNDS = 10
_LEAST = 3  # finished rounds; one or two can be unjudged for a reason of their own
_NAMED = 3  # reasons or findings in one sentence


class OpenReason(msgspec.Struct, frozen=True):
    """A reason why rounds are not fully judged: their number, what decides them, and the opening's field for it."""

    says: str
    rounds: int
    decided_by: str
    may_tell: str = ""  # the field in which it could
    told_in: str = ""


class JudgedDay(msgspec.Struct, frozen=True, kw_only=True):
    """The judged rounds of a table's day, and the reasons for the others."""

    stream: str
    unjudged: str = ""
    rounds: int = 0
    judged: int = 0  # fully
    decides: bool = True  # whether any wager is decided
    unexplained: int = 0  # rounds that are not fully judged for a reason of which the opening tells nothing
    reasons: tuple[OpenReason, ...] = ()  # why rounds are not fully judged, the most frequent first
    codes: Mapping[str, int] = {}  # findings by code
    suspects: tuple[str, ...] = ()  # what looks wrong in every round that could tell


def little_judged(day: JudgedDay) -> Iterator[Doubt]:
    """Yield a doubt if fewer than half of the rounds are fully judged, and the opening does not say why."""
    if not _is_little(day):
        return
    told = [reason for reason in day.reasons if reason.told_in]
    untold = [reason for reason in day.reasons if not reason.told_in]
    says = f"{day.judged} of {number_of(day.rounds, 'round')} of {day.stream} are fully judged"
    if 2 * day.unexplained > day.rounds:
        missing = "; ".join(f"{reason.says} in {number_of(reason.rounds, 'round')}" for reason in untold[:_NAMED])
        facts = listed([reason.decided_by for reason in untold[:_NAMED]])
        cure = f"Send {facts}."
        if fields := listed([f"`{field}`" for field in dict.fromkeys(reason.may_tell for reason in untold) if field]):
            cure += f" If the table does not record them, say so in {fields} of the opening."
        yield Doubt(LITTLE, DOUBTFUL, f"{says}: {missing}.", cure, (f"{day.stream}:1",), day.stream)
    elif not day.decides and told and all(reason.told_in != "devices" for reason in told):
        fields = listed(sorted({f"`{reason.told_in}`" for reason in told}))
        says = f"{says}, and no wager is decided: the opening says in {fields} that the table does not record it."
        facts = listed([reason.decided_by for reason in told[:_NAMED]])
        yield Doubt(LITTLE, DOUBTFUL, says, f"Rounds are judged with {facts}.", (f"{day.stream}:1",), day.stream)


def _is_little(day: JudgedDay) -> bool:
    return not day.unjudged and day.rounds >= _LEAST and 2 * day.judged < day.rounds


def why_little(day: JudgedDay) -> str:
    """Return why few rounds of a table are fully judged, if its opening tells it."""
    if not _is_little(day) or any(True for _ in little_judged(day)):
        return ""
    told = [reason for reason in day.reasons if reason.told_in][:_NAMED]
    whys = listed([f"{reason.says} (`{reason.told_in}` of the opening)" for reason in told])
    return f"{day.judged} of {day.rounds} rounds of {day.stream} are fully judged: {whys}"


def few_rounds_found(day: JudgedDay) -> Iterator[Doubt]:
    """Yield a doubt if a table has too few rounds to tell, and what is there is wrong."""
    if not 0 < day.rounds < FEWEST_ROUNDS or not (day.codes or day.suspects):
        return
    many = number_of(day.rounds, "round")
    verb = "is" if day.rounds == 1 else "are"
    says = f"{many} of {day.stream} {verb} too few to tell dealers' errors from a wrong mapping."
    if day.codes:
        codes = sorted(day.codes, key=lambda code: -day.codes[code])
        more = [f"{len(codes) - _NAMED} more codes"] if len(codes) > _NAMED else []
        found = listed([f"{code} ({day.codes[code]})" for code in codes[:_NAMED]] + more)
        says += f" The day has findings: {found}."
    says = " ".join((says, *day.suspects))
    cure = f"Send {FEWEST_ROUNDS} rounds or more. If the rounds were dealt as required, the mapping is wrong."
    yield Doubt(FEW, DOUBTFUL, says, cure, (f"{day.stream}:1",), day.stream)

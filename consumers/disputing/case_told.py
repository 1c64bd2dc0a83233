"""The part of a dispute pack that comes from the case: the claim, the ruling, the clocks, the stored video."""

from collections.abc import Iterable
from datetime import date, datetime
from zoneinfo import ZoneInfo

from domain.desk.case import Case, VideoHold
from domain.desk.clocks import clocks, rules
from domain.facts.envelope import Fact
from domain.facts.watching import VideoMarked
from projections.export.report.disputed import CaseHead, Clock, DisputeStatement, Video
from projections.export.report.moments import of_micros


def head_of(case: Case) -> CaseHead:
    """The case in one line."""
    state = "open" if case.closed is None else f"closed ({case.closed.outcome})"
    title, jurisdiction = (case.opened.title, case.opened.jurisdiction) if case.opened else ("", "")
    return CaseHead(case.number, title, case.lead, state, jurisdiction)


def claim_of(case: Case) -> DisputeStatement | None:
    """The player's claim, as last recorded."""
    made = case.claim
    return (
        None
        if made is None
        else DisputeStatement(made.claims, f"recorded by {made.by}", of_micros(made.at), made.cents)
    )


def ruling_of(case: Case) -> DisputeStatement | None:
    """The ruling on the claim."""
    made = case.ruling
    return None if made is None else DisputeStatement(made.ruling, made.ruled_by, of_micros(made.at), made.cents)


def last_word(case: Case) -> datetime | None:
    """The time of the newest claim or ruling."""
    told = [each.at for each in (case.opened, case.claim, case.ruling, case.closed) if each is not None]
    return of_micros(max(told)) if told else None


def clocks_of(jurisdiction: str, happened: date, claim: DisputeStatement | None, zone: ZoneInfo) -> tuple[Clock, ...]:
    """The deadlines and reporting duties under this jurisdiction's published rules."""
    if not jurisdiction:
        return ()
    rule = rules().get(jurisdiction)
    if rule is None:
        return (Clock(f"Catwalk knows no deadlines of {jurisdiction}", None, "ask the regulator"),)
    claimed = claim.at.astimezone(zone).date() if claim is not None else None
    run = clocks(jurisdiction, happened, claimed, claim.cents if claim is not None else None)
    source, working = f"{rule.name}: {rule.source}", f"{rule.name}: {rule.counted}"
    found = []
    if run.claim_until is not None:
        found.append(Clock("deadline for a claim", run.claim_until, source if rule.claim_days else working))
    if run.answer_until is not None:
        found.append(Clock("deadline for the answer", run.answer_until, working))
    elif rule.answer_business_days is not None:
        found.append(Clock(f"time to answer a claim: {rule.answer_business_days} business days", None, source))
    if run.must_report is not None:
        found.append(
            Clock(f"{'must' if run.must_report else 'need not'} be reported at the amount claimed", None, source)
        )
    elif rule.report_from_cents is not None:
        found.append(Clock("the amount claimed decides whether it must be reported", None, source))
    return tuple(found)


def video_of(case: Case | None, facts: Iterable[Fact], zone: ZoneInfo) -> tuple[Video, ...]:
    """The video held for the case, marked in the record, or shown by the cameras that the hand's facts name."""
    held = [] if case is None else [_held(hold, zone) for hold in case.holds]
    return (*held, *_in_record(facts))


def _in_record(facts: Iterable[Fact]) -> list[Video]:
    codes: dict[str, list[str]] = {}
    marked = []
    for fact in facts:
        if isinstance(fact, VideoMarked):
            stretch = " to ".join(code for code in (fact.from_code, fact.to_code) if code)
            marked.append(Video(fact.recorder, fact.channel, stretch, f"marked in the record (fact {fact.sequence})"))
        if fact.camera:
            codes.setdefault(fact.camera, []).append(fact.time_code or "")
    for camera, told in codes.items():
        known = [code for code in told if code]
        stretch = f"{known[0]} to {known[-1]}" if known else ""
        marked.append(Video(camera, "", stretch, f"named by {len(told)} facts of the hand"))
    return marked


def _held(hold: VideoHold, zone: ZoneInfo) -> Video:
    begins, ends = (of_micros(each).astimezone(zone) for each in (hold.from_at, hold.to_at))
    stretch = f"{begins:%Y-%m-%d %H:%M:%S} to {ends:%H:%M:%S}"
    if hold.copied_to:
        return Video(hold.recorder, hold.channel, stretch, f"copied to {hold.copied_to}")
    gone = (
        ""
        if hold.gone_at is None
        else f"; without a copy it is overwritten on {of_micros(hold.gone_at).astimezone(zone):%Y-%m-%d}"
    )
    return Video(hold.recorder, hold.channel, stretch, f"held, not copied yet{gone}")

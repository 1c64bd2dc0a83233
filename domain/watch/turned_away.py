"""Findings on what the gateway turned away, and on clocks that were off, as the property's stream tells it."""

from domain.facts.envelope import Fact
from domain.facts.sources import ClockCorrected, InputRefused, Rule
from domain.watch.finding import Finding, of_the_record

NOT_ALLOWED = "source-not-allowed"
CLOCK_OFF = "clock-off"
_GATEWAY = "gateway"
_WHY: dict[Rule, str] = {
    "source-unknown": "no such source is registered",
    "source-revoked": "the source was revoked",
    "source-unproved": "the client had not proved that it is that source",
    "secret-wrong": "the secret was not that source's",
    "signature-missing": "the source signs its lines, and these had no signature",
    "signature-wrong": "the signature was not that source's",
    "stream-not-its-own": "the source may not speak of that stream",
    "kind-not-allowed": "the source may not say that kind of fact",
    "gateways-own": "only the gateway itself says that",
    "registrars-own": "only the commands that ask for the role say that",
    "key-weak": "the public key was none that can be trusted",
    "time-out-of-bounds": "the time was further from the gateway's clock than the property allows",
    "day-too-far": "the gaming day to be opened was too far off, and would have shut out every day before it",
    "wrong-stream": "facts of the property stand in its own stream alone, and facts of tables in tables' streams",
    "letters-full": "there was no room for another dead letter, so the client was disconnected and its lines not taken",
}


def turned_away(fact: Fact) -> Finding | None:
    """The finding on one fact of the property's stream, where there is one."""
    if isinstance(fact, InputRefused):
        clock = fact.rule == "time-out-of-bounds"
        who = f"{fact.client}, speaking as {fact.claimed}" if fact.claimed else fact.client
        about = f" about {fact.about}" if fact.about else ""
        many = "1 input" if fact.count == 1 else f"{fact.count} inputs"
        says = f"The gateway turned away {many} of {who}{about}: {_WHY[fact.rule]}"
        says += f". The first: catwalk dead-letters show {fact.letter}" if fact.letter else "."
        return of_the_record(CLOCK_OFF if clock else NOT_ALLOWED, fact, says, [fact])
    if isinstance(fact, ClockCorrected) and fact.clock == _GATEWAY:
        way = "behind" if fact.off_by_us < 0 else "ahead"
        says = f"The gateway's clock was set: it had been {abs(fact.off_by_us) // 1000} ms {way}."
        return of_the_record(CLOCK_OFF, fact, says, [fact])
    return None

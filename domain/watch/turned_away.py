"""Findings on what the gateway refused and on wrong clocks, from the property's stream."""

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
    "secret-wrong": "the secret was wrong for that source",
    "signature-missing": "the source signs its lines, and these had no signature",
    "signature-wrong": "the signature was wrong for that source",
    "stream-not-its-own": "the source may not write to that stream",
    "kind-not-allowed": "the source may not send that type of fact",
    "gateways-own": "only the gateway itself records such facts",
    "registrars-own": "only the commands that ask for that role record such facts",
    "key-weak": "the public key is too weak to trust",
    "time-out-of-bounds": "the time was further from the gateway's clock than the property allows",
    "day-too-far": "the gaming day to be opened was too far off, and would have shut out every day before it",
    "wrong-stream": "facts of the property belong in its own stream, and facts of tables in the tables' streams",
    "not-at-this-table": "what it says cannot be true at that table",
    "letters-full": "there was no room for another dead letter, so the client was disconnected and its lines refused",
    "records-lost": "Kafka deleted records before the gateway read them",
}


def turned_away(fact: Fact) -> Finding | None:
    """Return the finding on one fact of the property's stream, or None."""
    if isinstance(fact, InputRefused):
        clock = fact.rule == "time-out-of-bounds"
        who = f"{fact.client}, speaking as {fact.claimed}" if fact.claimed else fact.client
        about = f" about {fact.about}" if fact.about else ""
        many = "1 input" if fact.count == 1 else f"{fact.count} inputs"
        says = f"The gateway refused {many} from {who}{about}: {_WHY[fact.rule]}"
        if fact.rule == "records-lost":
            says = f"Lines of {fact.claimed} are lost: {_WHY[fact.rule]}, {fact.client}"
        says += f". The first: catwalk dead-letters show {fact.letter}" if fact.letter else "."
        return of_the_record(CLOCK_OFF if clock else NOT_ALLOWED, fact, says, [fact])
    if isinstance(fact, ClockCorrected) and fact.clock == _GATEWAY:
        way = "behind" if fact.off_by_us < 0 else "ahead"
        says = f"The gateway's clock was set: it had been {abs(fact.off_by_us) // 1000} ms {way}."
        return of_the_record(CLOCK_OFF, fact, says, [fact])
    return None

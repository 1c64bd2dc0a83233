"""All targets, by name."""

from tests.fuzz import connections, exports, facts, lines, questions, rounds, topics
from tests.fuzz.kit import Target

ALL: dict[str, Target] = {
    target.name: target
    for module in (facts, lines, connections, rounds, exports, questions, topics)
    for target in module.TARGETS
}

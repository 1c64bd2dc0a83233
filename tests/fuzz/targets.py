"""All targets, by name."""

from tests.fuzz import connections, exports, facts, lines, questions, rounds
from tests.fuzz.kit import Target

ALL: dict[str, Target] = {
    target.name: target
    for module in (facts, lines, connections, rounds, exports, questions)
    for target in module.TARGETS
}

"""Fast Action's house way: for each row a dealer who keeps two other cards."""

from collections.abc import Iterator
from functools import partial

from domain.simulation.edits import change
from domain.simulation.scripted import day, round_, seat
from tests.watch.cases_hands import rows
from tests.watch.harness import Case

# The dealer's four cards | kept, against the row | the row, and whether its cards run
WRONG = """
2h 2h As Ad | As Ad | i
9c 9d Ah Kh | Ah Kh | ii
As Qs Ks 2d | Ks Qs | iii running
Jd Td Ac Kh | Ac Kh | iv running
Ac Th 8s 8s | Ac Th | i
Ac Th 8s 7s | 8s 7s | v running
Qc Jd Ts 2s | Ts 2s | vi running
Ac 5c 9d 8h | Ac 9d | vii
Kd Td 9s 8s | 9s 8s | viii running
Kc Jd 9s 8s | 9s 8s | ix running
Ah 9c 6d 5d | 6d 5d | x running
9c 8c Kd 3h | Kd 9c | xi running
Kc 4c 9d 8h | 9d 8h | xii running
Kc 9d 8h 3s | Kc 9d | xiii running
Kc 9d 7h 3s | 9d 7h | xiv
"""
# The dealer's four cards | kept, lower than the row's highest | the row
ALTERNATIVE = """
Kh Kh 2s 2s | 2s 2s | i
9c 8c 5d 4d | 5d 4d | xi
9c 8d 5h 4s | 5h 4s | xiii
"""


def cases(table: str, code: str, always: str) -> Iterator[Case]:
    """The dealer's hand set otherwise."""
    for dealer, kept, row in rows(table):
        numeral, _, running = row.partition(" ")
        names = [f"FAH (h)(9)({numeral})", *([always] if always else []), *(["FAH (a)(1)(viii)"] if running else [])]
        a_day = partial(day, "FAH", rounds=[round_(seat(2), dealer=dealer)])
        edit = change("hand-set", seat=None, to={"kept": tuple(kept.split())})
        yield Case("; ".join(names), code, a_day, edit)


CASES = [
    *cases(WRONG, "house-way-wrong", "FAH (h)(9)"),
    *cases(ALTERNATIVE, "house-way-alternative", ""),
]

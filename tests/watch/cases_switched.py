"""Cards shown that are not those dealt."""

from domain.simulation.edits import change
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case
from tests.watch.lawful import day

SWITCHED = "deck-composition-wrong"
ULTIMATE = [round_(seat(2, "Kc 4d", "play"), seat(3, "9c 8c", "play"), dealer="7c 7d", community="Kd 9s 4h 2s 3s")]
PIK = day("PIK", rounds=[round_(seat(2, "9h 9s 4c 4d Js", "play5"), dealer="7c 7d Qs 5h 2s")])
FAH = day("FAH", rounds=[round_(seat(2, "Kc Qd 6c 8s", "set", kept="Kc Qd"), dealer="9c 9h 4c 3h")])
COL = day("COL", rounds=[round_(seat(2, "Ks 8d 2h", "play", kept="Ks 8d"), community="Td 9h 3s")])

CASES = [
    Case("UTH-MA 2(a)", SWITCHED, day("UTH-MA", rounds=ULTIMATE), change("hand-revealed", seat=2, to={"cards": ("As", "4d")})),
    Case("UTH-MD 3.A(1)", SWITCHED, day("UTH-MD", rounds=ULTIMATE), change("hand-revealed", seat=None, to={"cards": ("7c", "9d")})),
    Case("PIK 39.2(a)/s1", SWITCHED, PIK, change("hand-revealed", seat=2, to={"cards": ("9h", "9s", "4c", "4d", "9d")})),
    Case("FAH (b)(1)/s1", SWITCHED, FAH, change("hand-revealed", seat=2, to={"cards": ("Kc", "Kd")})),
    Case("COL 2(a)/s1", SWITCHED, COL, change("hand-revealed", seat=2, to={"cards": ("Ks", "Kd")})),
]  # fmt: skip

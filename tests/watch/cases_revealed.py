"""Cards turned up and hands announced: the dealer's too early, or one of them not at all."""

from functools import partial

from domain.simulation.edits import drop, insert_before, move_after, move_before, said, where
from domain.simulation.scripted import day, round_, seat
from tests.watch.harness import Case
from tests.watch.settled_how import edits

EARLY, CLOSED, SILENT = "dealer-revealed-early", "hand-not-revealed", "hand-unannounced"

UTH = [
    round_(
        seat(1, "9h 8h", "check check fold"),
        seat(3, "Kc 4d", "check check play"),
        seat(5, "Qd Qc", "play"),
        dealer="7c 7d",
        community="Kd 9c 4h 2s 3s",
    )
]
MA = partial(day, "UTH-MA", rounds=UTH)
MD = partial(day, "UTH-MD", rounds=UTH)
PIKIT = [
    round_(seat(2, "9h 9s 4c 4d Js", "play5"), seat(4, "Ks Kh 9d 8c 4h", "play3"), dealer="Qs Jc 8d 5h 2s"),
]
PIK_1 = partial(day, "PIK", {"dealer_qualifies": True}, rounds=PIKIT)
PIK_2 = partial(day, "PIK", {"settlement_procedure": 2}, rounds=PIKIT)
FAH = partial(
    day,
    "FAH",
    rounds=[round_(seat(1, "Kc Qd 6c 8s", "set", kept="Kc Qd"), seat(2, "Ah Jd 3c 5s", "set"), dealer="9c 9h 4c 3h")],
)
COL = [
    round_(
        seat(1, "5c 6c 7c", "declare"), seat(2, "Ks 8d 2h", "play"), seat(4, "Qs 9d 2c", "play"), community="Td 9h 3s"
    )
]
REQUIRED = partial(day, "COL", rounds=COL)
PERMISSIBLE = partial(day, "COL", {"version": "permissible"}, rounds=COL)
QUALIFIES = partial(day, "PIK", {"dealer_qualifies": True}, rounds=[round_(seat(2, "9h 9s 4c 4d Js", "play5"), dealer="As Kc 8d 5h 2s")])  # fmt: skip

OPENED_BEFORE_THE_RIVER = move_before(
    where("hand-revealed", seat=None), where("decision-asked", seat=3, street="river")
)
ANNOUNCE_THE_DEALER = drop("hand-announced", seat=None)
NO_QUALIFY_SAID = where("hand-announced", hand="no qualify")

CASES = [
    Case("UTH-MA 10(f) s1", EARLY, MA, OPENED_BEFORE_THE_RIVER),
    Case("UTH-MD 11.G(1)", EARLY, MD, OPENED_BEFORE_THE_RIVER),
    Case("PIK 39.10(d)/s1", EARLY, PIK_1, move_before(where("hand-revealed", seat=None), where("decision-asked", seat=2))),
    Case("FAH (h)(7)/s1", EARLY, FAH, move_before(where("hand-revealed", seat=None), where("discards-collected", seat=1))),
    Case("UTH-MA 10(f) s2", CLOSED, MA, drop("hand-revealed", seat=None)),
    Case("UTH-MD 11.G(1)", CLOSED, MD, drop("hand-revealed", seat=None)),
    Case("UTH-MA 10(h) s1", CLOSED, MA, drop("hand-revealed", seat=3)),
    Case("UTH-MD 11.H(2)(a)", CLOSED, MD, drop("hand-revealed", seat=3)),
    Case("UTH-MD 11.H(2)(a)", CLOSED, MD, move_after(where("hand-revealed", seat=3), where("wager-paid", seat=3, wager="play"))),
    Case("PIK 39.10(c)1", CLOSED, PIK_1, drop("hand-revealed", seat=2)),
    Case("PIK 39.10(c)1", CLOSED, PIK_1, move_after(where("hand-revealed", seat=2), where("decision-made", seat=2))),
    Case("COL 10(d)", CLOSED, REQUIRED, drop("hand-revealed", seat=2)),
    Case("COL 11(d)", CLOSED, PERMISSIBLE, drop("hand-revealed", seat=2)),
    Case("COL 10(b)(3)(i)/s1", CLOSED, REQUIRED, drop("hand-revealed", seat=1)),
    Case("COL 11(b)(2)(i)/s1", CLOSED, PERMISSIBLE, drop("hand-revealed", seat=1)),
    Case("UTH-MA 10(f) s2", SILENT, MA, ANNOUNCE_THE_DEALER),
    Case("UTH-MD 11.G(3)", SILENT, MD, ANNOUNCE_THE_DEALER),
    Case("UTH-MA 10(h) s1", SILENT, MA, drop("hand-announced", seat=3)),
    Case("UTH-MD 11.H(2)(c)", SILENT, MD, drop("hand-announced", seat=3)),
    Case("PIK 39.10(d)/s2-announce", SILENT, PIK_1, drop("hand-announced", seat=None, of_cards=5, hand="queen high")),
    Case("PIK 39.10(d)/s4", SILENT, PIK_1, drop("hand-announced", seat=None, of_cards=3)),
    Case("PIK 39.10(d)/s3", SILENT, PIK_1, drop("three-designated")),
    Case("PIK 39.10(d)/s2-qualify", SILENT, PIK_1, drop("hand-announced", hand="no qualify")),
    Case("PIK 39.10(e)1i", SILENT, PIK_1, drop("hand-announced", seat=2)),
    Case("PIK 39.10(e)2i", SILENT, PIK_2, drop("hand-announced", seat=2)),
    Case(
        'PIK 39.1 "Qualifying hand"; PIK 39.10(d)/s2-qualify',
        "dealer-qualification-misjudged",
        QUALIFIES,
        insert_before(where("three-designated"), said("hand-announced", "no qualify")),
    ),
    Case(
        'PIK 39.1 "Qualifying hand"; PIK 39.10(d)/s2-qualify',
        "dealer-qualification-misjudged",
        PIK_1,
        edits(
            insert_before(NO_QUALIFY_SAID, said("hand-announced", "dealer qualifies")),
            drop("hand-announced", hand="no qualify"),
        ),
    ),
]  # fmt: skip

"""Match play coupons, players who left, and decisions nobody saw, in both hold'em books."""

import pytest

from tests.rulecard import check, lines

KEPT = "match_play.accepted=true match_play.returned_on_win=false"
GIVEN = "match_play.accepted=true match_play.returned_on_win=true"
NONE = "match_play.accepted=false"
COVER = "cover_all=true shuffler=cover-all"

# Of a $30 wager $10 is the face of a coupon: it counts for odds, and the house keeps it on a win.
COUPONS = f"""
clause           | says                                               | house           | dealer | community      | seats                                                              | returns                        | wrong | void
UTH-MA 6(a) s1   | a win pays on the face and keeps the coupon        |                 | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 30 blind 30 coupon ante 10 play 1x                   | 1 ante 50 blind 30 play 60     |       |
UTH-MA 6(a) s1   | the same where the house says so                   | {KEPT}          | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 30 blind 30 coupon ante 10 play 1x                   | 1 ante 50                      |       |
UTH-MA 6(a) s1   | a house may hand the coupon back on a win          | {GIVEN}         | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 30 blind 30 coupon ante 10 play 1x                   | 1 ante 60                      |       |
UTH-MA 6(a) s1   | a loss takes chips and coupon                      |                 | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad 9h ante 30 blind 30 coupon ante 10 play 1x                   | 1 ante 0 blind 0 play 0        |       |
UTH-MA 6(a) s1   | a push hands chips and coupon back                 |                 | Kd 3s  | Kh 9d 7c 4s Qc | 1: Kc 3d ante 30 blind 30 coupon ante 10 play 1x                   | 1 ante 30                      |       |
UTH-MA 6(a) s1   | a dealer below a pair hands the coupon back        |                 | Ah Jc  | Ks 9d 7h 4c 2s | 1: Qd Jd ante 30 blind 30 coupon ante 10 play 1x                   | 1 ante 30                      |       |
UTH-MA 6(a) s1   | a void round hands the coupon back                 |                 | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 30 blind 30 trips 30 coupon ante 10 coupon trips 10  | 1 ante 30 blind 30 trips 30    | jam device=shoe stage=flop | yes
UTH-MA 6(a) s1   | trips settled in a void round keeps its coupon     |                 | As 4d  | 8h 7d 6c Kd Kh | 1: Ts 9s ante 30 blind 30 trips 30 coupon trips 10                 | 1 trips 140 ante 30            | card-exposed of=dealer stage=flop pending_seats=[1] | yes
UTH-MA 6(a) s1   | a folded trips keeps its coupon on a win           |                 | Qs Jc  | 7c 7d 7h Ks 2d | 1: 4c 3s ante 30 blind 30 trips 30 coupon trips 10 fold            | 1 trips 110 ante 0             |       |
UTH-MA 6(a) s1   | a fold takes the coupon                            |                 | Qs Jc  | 7c 7d 7h Ks 2d | 1: 4c 3s ante 30 blind 30 coupon ante 10 fold                      | 1 ante 0                       |       |
UTH-MA 6(a) s1   | Cover All pays on the face and keeps the coupon    | {COVER}         | 8h 8s  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 30 blind 30 cover_all 30 coupon cover_all 10 play 1x | 1 cover_all 2120               |       |
UTH-MA 6(a) s1   | and hands it back where the house says so          | {COVER} {GIVEN} | 8h 8s  | 8c 8d Kh 5s 2c | 1: 3c 4d ante 30 blind 30 cover_all 30 coupon cover_all 10 play 1x | 1 cover_all 2130               |       |
UTH-MA 6(a) s1   | a blind below a straight is a push, coupon and all |                 | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 30 blind 30 coupon blind 10 play 1x                  | 1 blind 30 ante 60             |       |
UTH-MA 6(a) s1   | a house that accepts none leaves it to a ruling    | {NONE}          | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 30 blind 30 coupon ante 10 play 1x                   | 1 ante - blind 30              |       |
UTH-MA 6(a) s1   | so does one that has no coupons at all             | match_play=null | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 30 blind 30 coupon ante 10 play 1x                   | 1 ante -                       |       |
"""


@pytest.mark.parametrize("line", lines("UTH-MA", COUPONS))
def test_a_coupon_wins_loses_and_pushes_with_its_wager(line: dict[str, str]) -> None:
    """The face counts for odds; what becomes of the coupon itself is a reading."""
    check(line)


def test_the_coupons_part_of_an_answer_is_a_reading() -> None:
    """UTH-MA 6(a) s1 prints nothing of the coupon's fate, so a win and a push with one in them are not certain."""
    line = {"book": "UTH-MA", "says": "", "dealer": "Kd Qs", "community": "Kh 9d 7c 4s 2c"}
    seats = "1: Ad Ac ante 30 blind 30 coupon ante 10 coupon blind 10 play 1x"
    check(
        line
        | {"seats": seats, "returns": "1 ante 50 blind 30", "sure": "1 ante reading / 1 blind reading / 1 play certain"}
    )


def test_a_limit_counts_winnings_on_the_face_and_not_the_coupon_kept() -> None:
    """UTH-MA 11(e): the four win $50,000 whether or not $100 of the blind is a coupon, which is then kept."""
    line = {"book": "UTH-MA", "says": "", "dealer": "9s 9c", "community": "Qh Jh Th 7c 7d"}
    plain = "2: Ah Kh ante 200 blind 200 trips 100 play 4x"
    held = check(line | {"seats": plain, "returns": "2 ante 400"}).seats[2]
    coupon = check(line | {"seats": plain.replace("play", "coupon blind 100 play"), "returns": "2 ante 400"}).seats[2]
    assert sum(one.returned or 0 for one in held.values()) == 51_300_00
    assert sum(one.returned or 0 for one in coupon.values()) == 51_200_00


def test_maryland_knows_no_coupon() -> None:
    """UTH-MD 7.A: chips and plaques; a coupon in a wager leaves that wager to a ruling, the side wagers' as well."""
    line = {
        "book": "UTH-MD",
        "says": "",
        "dealer": "Kd Qs",
        "community": "Kh 9d 7c 4s 2c",
        "house": "ultimate_pairs_table=A",
    }
    seats = "1: Ad Ac ante 30 blind 30 ultimate_pairs 10 coupon ante 10 coupon ultimate_pairs 5 play 1x"
    check(line | {"seats": seats, "returns": "1 ante - ultimate_pairs - blind 30 play 60", "by": "1 ante UTH-MD 7.A"})


SIDES = "six_card_table=A ultimate_pairs_table=A bad_beat_table=A play_board_table=A dealing_method=automated-shoe"
LOSE = f"{SIDES} abandoned_wagers_lose=true progressive.table=A"
STAND = f"{SIDES} abandoned_wagers_lose=false progressive.table=A"
METER = 'progressive.meters={"main":2500000}'
TEN = "ante 10 blind 10 trips 10 six_card 10 progressive 5 ultimate_pairs 10 bad_beat 10 play_the_board 10"

LEFT = f"""
clause        | says                                                    | house   | dealer | community      | box         | seats                                                                                                | returns                                                                                                           | meters     | wrong | void
UTH-MD 7.C(2) | the operator takes abandoned wagers, all of them        | {LOSE}  | Kc Jd  | 8c 8d Kh 5s 2c | Ah As 3c 4c | 1: 8h 8s {TEN} play 4x left                                                                            | 1 ante 0 blind 0 play 0 trips 0 six_card 0 progressive 0 envy 0 ultimate_pairs 0 bad_beat 0 play_the_board 0       | main 10000 |       |
UTH-MD 7.C(2) | the operator who does not settles them on the cards     | {STAND} | Kc Jd  | 8c 8d Kh 5s 2c | Ah As 3c 4c | 1: 8h 8s {TEN} play 4x left                                                                            | 1 ante 20 blind 110 play 80 trips 310 six_card 0 progressive 1505 envy 0 ultimate_pairs 40 bad_beat 0 play_the_board 0 | main 10000 | |
UTH-MD 7.C(2) | an abandoned straight flush takes nothing off the meter | {LOSE} {METER} | 2h 2d  | Qs Js Ts 3c 4d |             | 1: 9s 8s ante 5 blind 5 progressive 5 play 4x / 4: As Ks ante 5 blind 5 progressive 5 play 4x left       | 1 progressive 2500 envy 0 / 4 progressive 0 envy 0                                                                 | main 22500  |       |
UTH-MD 7.C(2) | one that is not abandoned does                          | {STAND} {METER} | 2h 2d  | Qs Js Ts 3c 4d |             | 1: 9s 8s ante 5 blind 5 progressive 5 play 4x / 4: As Ks ante 5 blind 5 progressive 5 play 4x left       | 1 progressive 1000 envy 5000 / 4 progressive 25000 envy 1500                                                       | main 9000  |       |
UTH-MD 7.C(2) | who stays is settled as if nobody had left              | {LOSE}  | Kd Qs  | Kh 9d 7c 4s 2c |             | 1: Ad Ac ante 10 blind 10 play 4x / 2: 3c 3d ante 10 blind 10 left                                       | 1 ante 20 blind 10 play 80 / 2 ante 0 blind 0                                                                      |            |       |
UTH-MD 7.C(2) | a void round gives an abandoned wager back too          | {LOSE}  | Kd Qs  | Kh 9d 7c 4s 2c |             | 1: Ad Ac ante 10 blind 10 trips 5 play 4x left / 2: 3c 3d ante 10 blind 10                               | 1 ante 10 blind 10 play 40 trips 5 / 2 ante 10 blind 10                                                            |            | jam device=shoe stage=flop | yes
UTH-MD 7.C(2) | left undecided and not abandoned: the cards settle      | {STAND} | Kd Qs  | Kh 9d 7c 4s 2c |             | 1: Ad Ac ante 10 blind 10 trips 5 left                                                                   | 1 ante 20 blind 10 trips 0                                                                                         |            |       |
UTH-MD 7.C(2) | a fold before leaving is a fold                         | {STAND} | Qs Qc  | Jh Jd Js 9c 6s |             | 1: 3c 2d ante 10 blind 10 trips 5 fold left                                                              | 1 ante 0 blind 0 trips 20                                                                                          |            |       |
"""
LEFT_MA = """
clause         | says                                                 | dealer | community      | seats                                           | returns                          | sure
UTH-MA 6(e) s2 | a player who played and left is settled on the cards | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 10 blind 10 trips 5 play 4x left  | 1 ante 20 blind 10 play 80 trips 0 | certain
UTH-MA 6(e) s2 | so is one who left undecided, by a reading           | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 10 blind 10 trips 5 left          | 1 ante 20 blind 10 trips 0       | 1 ante reading / 1 blind reading / 1 trips certain
UTH-MA 6(e) s2 | and who left with a losing hand loses                | Kd Qs  | Kh 9d 7c 4s 2c | 1: 8d 3c ante 10 blind 10 trips 5 left          | 1 ante 0 blind 0 trips 0         |
"""


@pytest.mark.parametrize("line", lines("UTH-MD", LEFT) + lines("UTH-MA", LEFT_MA))
def test_players_who_left(line: dict[str, str]) -> None:
    """Maryland's operator may treat their wagers as lost; Massachusetts says nothing of them."""
    check(line)


# A decision nobody saw: what a fold and a play would both lose is lost.
UNDECIDED = f"""
clause                            | says                                              | house   | dealer | community      | seats                                                                                                    | returns
UTH-MD 11.F(2)                    | a winning hand nobody saw decided                 |         | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 10 blind 10 trips 5                                                                          | 1 ante ? blind ? trips 0
UTH-MD 11.F(2); UTH-MD 11.H(3)(a) | a losing one loses ante and blind either way      |         | Kd Qs  | Kh 9d 7c 4s 2c | 1: 8d 3c ante 10 blind 10 trips 5                                                                          | 1 ante 0 blind 0 trips 0
UTH-MD 11.H(1)                    | a losing one against less than a pair             |         | Ah Jc  | Ks 9d 7h 4c 2s | 1: 8d 3c ante 10 blind 10                                                                                  | 1 ante ? blind 0
UTH-MD 12.F#2(1)                  | a bad beat needs the decision if someone is beaten | {STAND} | 6h 5h  | 9c 8d 7h 2s Kc | 1: Jc Td ante 10 blind 10 bad_beat 5 / 2: Jd Js ante 10 blind 10 bad_beat 5                                 | 1 bad_beat ? / 2 bad_beat 0
UTH-MD 12.F#2(1)                  | and does not if nobody can be                     | {STAND} | Kd Qs  | Kh 9d 7c 4s 2c | 1: Ad Ac ante 10 blind 10 bad_beat 5                                                                       | 1 bad_beat 0
UTH-MD 11.J(2)(e)(i)              | envy waits for the decision of a holder           | {STAND} | 2h 2d  | Qs Js Ts 3c 4d | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5                                    | 1 envy ?
UTH-MD 11.J(2)(e)(i)              | not where the holder's cards are kept either way  | {STAND} | 2h 2d  | Qs Js Ts 3c 4d | 1: 6c 7d ante 5 blind 5 progressive 1 play 1x / 4: As Ks ante 5 blind 5 trips 5                            | 1 envy 1000
"""


@pytest.mark.parametrize("line", lines("UTH-MD", UNDECIDED))
def test_a_decision_nobody_saw(line: dict[str, str]) -> None:
    """Settled where fold and play come to the same, undecidable where they do not."""
    check(line)

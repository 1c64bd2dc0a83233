"""On which two of the dealer's cards a round is settled: as set, on the right pair, or not to be said."""

import pytest

from tests.rulecard import check, lines

CARD = """
clause                                   | says                                                       | house                       | dealer      | dealer_kept | community      | seats                                  | returns       | sure
FAH (h)(9)(iii); FAH (h)(9)(iv)          | set by the first row that holds                            |                             | As Kh Qh Ts | As Ts       | Kd Th 7c 4s 3d | 1: Ks 9s 5c 2d original 50 set Ks 9s   | 1 original 100 | certain
FAH (h)(9)(iii); FAH (h)(9)(iv)          | king and queen set though ace and ten were right           |                             | As Kh Qh Ts | Kh Qh       | Kd Th 7c 4s 3d | 1: Ks 9s 5c 2d original 50 set Ks 9s   | 1 original 100 | certain
FAH (h)(9)(iii)                          | a wrong pair that would have lost takes nothing from a hand that loses | | As Kh Qh Ts | Kh Qh | Ad Th 7c 4s 3d | 1: Qs 9s 5c 2d original 50 set Qs 9s   | 1 original 0   | certain
FAH (h)(9)(iv); FAH (h)(9)(v)            | jack and ten of a suit before ace and king of two          |                             | Jh Th As Kd | As Kd       | Jc 9d 4s 2c 6h | 1: 9c 3s 7c 5d original 10 set 9c 3s   | 1 original 0   | certain
FAH (h)(9)(i)                            | of two suited pairs the higher is kept                     |                             | 7d 7d Kh Kh | Kh Kh       | 2c 5s 9h Jd Qc | 1: Td Ts 3c 2d original 10 set Td Ts   | 1 original 0   | certain
FAH (h)(9)(i)                            | the lower suited pair stands, by a reading                 |                             | 7d 7d Kh Kh | 7d 7d       | 2c 5s 9h Jd Qc | 1: Td Ts 3c 2d original 10 set Td Ts   | 1 original 20  | reading
FAH (h)(9)(i)                            | one card of each does not                                  |                             | 7d 7d Kh Kh | Kh 7d       | 2c 5s 9h Jd Qc | 1: Td Ts 3c 2d original 10 set Td Ts   | 1 original 0   | certain
FAH (h)(9)(i)                            | unseen, the higher is taken as kept, by a reading          |                             | 7d 7d Kh Kh |             | 2c 5s 9h Jd Qc | 1: Td Ts 3c 2d original 10 set Td Ts   | 1 original 0   | reading
FAH (h)(9)(i)                            | one seven seen says the lower was                          |                             | 7d 7d Kh Kh | 7d ??       | 2c 5s 9h Jd Qc | 1: Td Ts 3c 2d original 10 set Td Ts   | 1 original 20  | reading
FAH (h)(9)(xi)                           | of two suited runs the higher is kept                      |                             | 9h 8h 5s 4s | 9h 8h       | 9c 2d Jc Kd 6h | 1: 6s Qd 3c 2d original 10 set 6s Qd   | 1 original 0   | certain
FAH (h)(9)(xi)                           | any suited run stands, by a reading                        |                             | 9h 8h 5s 4s | 5s 4s       | 9c 2d Jc Kd 6h | 1: 6s Qd 3c 2d original 10 set 6s Qd   | 1 original 20  | reading
FAH (h)(9)(xiii)                         | of two runs the higher is kept                             |                             | Jc Td 7h 6s | Jc Td       | Js 2c 4d 8h Kc | 1: 8c 3h 5c 2d original 10 set 8c 3h   | 1 original 0   | certain
FAH (h)(9)(xiii)                         | any run stands, by a reading                               |                             | Jc Td 7h 6s | 7h 6s       | Js 2c 4d 8h Kc | 1: 8c 3h 5c 2d original 10 set 8c 3h   | 1 original 20  | reading
FAH (h)(9)(xii)                          | the lower of two suited pairs of cards does not stand      |                             | Kh 3h Ts 8s | Ts 8s       | Kd 2c 4d 8c 9h | 1: 9c 5h 6c 2d original 10 set 9c 5h   | 1 original 0   | certain
FAH (a)(1)(viii); FAH (h)(9)(xi)         | seven and six are running, nine and seven are not          |                             | 9h 7h 6h 2c | 9h 7h       | 9c Kd Qs 4d 3s | 1: 4c 4s 8c 2d original 10 set 4c 4s   | 1 original 20  | certain
FAH (a)(1)(viii); FAH (h)(9)(iv)         | king and queen are running                                 |                             | Kh Qh Jd 9h | Kh Qh       | 9c 2d 4s 6d 8c | 1: As 3h 5c 2s original 10 set As 3h   | 1 original 20  | certain
FAH (h)(9)(ii)                           | three suits of nines: hearts and spades kept make a flush  |                             | 9h 9s 9d Ac | 9h 9s       | Kh 7h 2h 5h Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original 0   | certain
FAH (h)(9)(ii)                           | hearts and diamonds kept make it too                       |                             | 9h 9s 9d Ac | 9d 9h       | Kh 7h 2h 5h Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original 0   | certain
FAH (h)(9)(ii)                           | spades and diamonds kept do not                            |                             | 9h 9s 9d Ac | 9s 9d       | Kh 7h 2h 5h Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original 20  | certain
FAH (h)(9)(ii)                           | unseen, and it matters which were kept                     |                             | 9h 9s 9d Ac |             | Kh 7h 2h 5h Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original ?   |
FAH (h)(9)(ii)                           | the heart seen, the other does not matter                  |                             | 9h 9s 9d Ac | 9h ??       | Kh 7h 2h 5h Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original 0   | certain
FAH (h)(9)(ii)                           | the spade seen, the other matters                          |                             | 9h 9s 9d Ac | ?? 9s       | Kh 7h 2h 5h Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original ?   |
FAH (h)(9)(ii)                           | unseen, and it does not matter                             |                             | 9h 9s 9d Ac |             | Kh 7c 2d 5s Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original 20  | certain
FAH (h)(9)(ii)                           | wrongly set: which nines were right no text says           |                             | 9h 9s 9d Ac | 9s Ac       | Kh 7h 2h 5h Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original -   | ruling
FAH (h)(9)(ii)                           | wrongly set, and any two nines lose alike                  |                             | 9h 9s 9d Ac | 9s Ac       | Kh 7c 2d 5s Jd | 1: Js Jc 4c 3d original 10 set Js Jc   | 1 original 20  | certain
FAH (h)(9)(ii); FAH (h)(3)/s2            | of a split only the half it matters to is left open        |                             | 9h 9s 9d Ac |             | Kh 7h 2h 5h Jd | 1: Js Jc 4c 3d original 10 split Js Jc & 4c 3d | 1 original ? split 0 |
FAH (h)(9)(viii)                         | 10 or better binds both cards: nine and eight are kept     |                             | Kh 9h 8h 4c | 9h 8h       | 9c Kd 2s 5d 3c | 1: Ad Kc 7c 6d original 10 set Ad Kc   | 1 original 20  | certain
FAH (h)(9)(viii)                         | read to bind the higher alone: king and nine are right     | house_way.viii=high-only    | Kh 9h 8h 4c | 9h 8h       | 9c Kd 2s 5d 3c | 1: Ad Kc 7c 6d original 10 set Ad Kc   | 1 original 0   | certain
FAH (h)(9)(ix)                           | jack or better binds both cards: nine and eight are kept   |                             | Kc 9d 8h 4s | 9d 8h       | 9c Kd 2s 5d 3c | 1: Ad Kh 7c 6d original 10 set Ad Kh   | 1 original 20  | certain
FAH (h)(9)(ix)                           | read to bind the higher alone: king and nine are right     | house_way.ix=high-only      | Kc 9d 8h 4s | 9d 8h       | 9c Kd 2s 5d 3c | 1: Ad Kh 7c 6d original 10 set Ad Kh   | 1 original 0   | certain
FAH (h)(7)/s1; FAH (h)(9)                | unseen discards: every way they lie gives one answer       |                             | Kh Ks ?? ?? | Kh Ks       | 2d 2h 2s 2c Ad | 1: 3c 3d 7c 6d original 10 set 3c 3d   | 1 original 0   | 1 original reading
FAH (h)(7)/s1; FAH (h)(9)                | unseen discards may hold the right pair or a natural       |                             | Kh Qh ?? ?? | Kh Qh       | Kd Th 7c 4s 3d | 1: Ks As 5c 2d original 50 set Ks As   | 1 original ?   |
"""


@pytest.mark.parametrize("line", lines("FAH", CARD))
def test_the_dealers_two_cards(line: dict[str, str]) -> None:
    """The house way decides, whatever was set; where it leaves a choice, the choice made."""
    check(line)

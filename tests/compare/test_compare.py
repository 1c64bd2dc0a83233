"""The comparison of two versions of the code notices what differs, and passes only what is listed as intended."""

from collections import Counter

import pytest

from tests.compare.__main__ import compared, compared_exports
from tests.compare.apart import apart
from tests.compare.intended import Record

ROW = Record("row", "rounds", {"book": "PIK", "cents": 100})
FOUND = Record("finding", "T1", {"code": "capping", "says": "Seat 1 added to a wager.", "detectors": "3"})


@pytest.mark.parametrize(
    "other",
    [
        [],
        [ROW, ROW],
        [ROW._replace(place="hands")],
        [ROW._replace(fields={"book": "PIK", "cents": 200})],
        [ROW._replace(fields={"book": "PIK"})],
    ],
    ids=["none", "twice", "another table", "another amount", "a field less"],
)
def test_a_record_that_only_one_code_makes_is_a_difference(other: list[Record]) -> None:
    """Whichever side has it."""
    assert list(compared([ROW], other, Counter()))
    assert list(compared(other, [ROW], Counter()))


def test_equal_records_may_stand_in_another_order() -> None:
    """The order of rows is the store's own."""
    second = ROW._replace(place="hands")
    assert not list(compared([ROW, second], [second, ROW], Counter()))


def test_a_sentence_and_a_version_may_differ_and_a_code_may_not() -> None:
    """Intended differences are listed field by field."""
    reworded = FOUND._replace(fields={**FOUND.fields, "says": "Seat 1 increased a wager.", "detectors": "5"})
    assert not list(compared([FOUND], [reworded], Counter()))
    recoded = FOUND._replace(fields={**FOUND.fields, "code": "wager-late"})
    assert len(list(compared([FOUND], [recoded], Counter()))) == 2


def test_a_finding_of_a_new_code_is_counted_and_no_difference() -> None:
    """The earlier code cannot have it."""
    count: Counter[str] = Counter()
    fresh = FOUND._replace(fields={"code": "options-not-approved"})
    assert not list(compared([FOUND], [FOUND, fresh], count))
    assert count["intended new finding"] == 1


SHOE = "The shoe was loaded with 36 cards of T1-deck-1, which has 52."


def test_an_added_finding_moves_the_places_of_others_and_a_lost_one_is_a_difference() -> None:
    """A finding of an old code may come only where this code makes it."""
    count: Counter[str] = Counter()
    first, moved = (FOUND._replace(fields={**FOUND.fields, "sequence": number}) for number in (1, 2))
    more = FOUND._replace(fields={"code": "deck-composition-wrong", "says": SHOE, "sequence": 1})
    assert not list(compared([first], [more, moved], count))
    assert count["intended new finding"] == 1
    assert len(list(compared([more, moved], [first], count))) == 1


@pytest.mark.parametrize(
    ("code", "clauses", "says", "intended"),
    [
        ("deck-composition-wrong", ["COL 2(a)/s1"], SHOE, True),
        ("deck-composition-wrong", ["COL 2(a)/s1"], "Kc was shown at seat 5, but Qc 4d had been dealt.", False),
        ("wager-outside-limits", ["HOUSE 3 (Limits)"], "Seat 1's ante of $600 is outside the posted limits.", True),
        ("wager-outside-limits", ["PIK 39.8(a)"], "Seat 1's ante of $600 is outside the posted limits.", False),
        ("wager-late", ["HOUSE 3 (Limits)"], SHOE, False),
    ],
)
def test_a_finding_of_an_old_code_is_intended_only_by_a_new_rule(
    code: str, clauses: list[str], says: str, intended: bool
) -> None:
    """The clause or the sentence shows which rule found it."""
    more = FOUND._replace(fields={"code": code, "clauses": clauses, "says": says})
    assert bool(list(compared([FOUND], [FOUND, more], Counter()))) is not intended


def _unshuffled(number: int, **others: object) -> Record:
    """A finding that a round is unshuffled, with the facts that show it."""
    fields = {"code": "shuffle-missing", "round": number, "says": "Unshuffled.", "type": "finding-raised.1"}
    facts = {"stream": "T1/2026-11-18", "trigger": 10 * number, "known_by": 10 * number + 1, "evidence": [10 * number]}
    return Record("finding", "T1/2026-11-18", {**fields, **facts, **others})


def _row(found: Record) -> Record:
    """The row of a finding."""
    fields = {name: value for name, value in found.fields.items() if name != "type"}
    return Record("row", "findings", {**fields, "state": "standing"})


def test_a_state_that_was_found_round_by_round_is_one_finding_with_its_stretch() -> None:
    """The log revises the first finding, and its row is the last revision."""
    before = [_unshuffled(number) for number in (4, 5, 7, 10)]
    revised = [
        _unshuffled(4, type="finding-revised.1", known_by=known, evidence=[40, last])
        for known, last in ((51, 50), (71, 70))
    ]
    assert not list(compared(before, [before[0], *revised, before[3]], Counter()))
    rows = [_row(found) for found in (revised[1], before[3])]
    assert not list(compared([_row(found) for found in reversed(before)], rows, Counter()))
    for kept in ([before[0], revised[1], before[3]], [before[0], *revised], [*before, *revised]):
        assert list(compared(before, kept, Counter()))
    assert list(compared([_row(found) for found in before], [_row(before[0]), rows[1]], Counter()))


def test_another_dealer_begins_another_stretch() -> None:
    before = [_unshuffled(number, dealer=dealer) for number, dealer in ((4, "A"), (5, "B"), (6, "A"), (7, "A"))]
    longer = _unshuffled(6, dealer="A", type="finding-revised.1", known_by=71, evidence=[60, 70], to_round=7)
    assert not list(compared(before, [*before[:3], longer], Counter()))
    assert list(compared(before, [*before[:2], longer], Counter()))


def test_of_a_deck_that_stays_the_first_finding_is_compared() -> None:
    """Each wrong count told it again; now it is revised in each round. Another deck is another finding."""
    stays, again, other = (
        _unshuffled(number, code="deck-not-removed", says=says)
        for number, says in ((4, "One."), (9, "One."), (9, "Two."))
    )
    revised = _unshuffled(4, code="deck-not-removed", says="One. It lasted for 6 rounds.", type="finding-revised.1")
    assert not list(compared([stays, again, other], [stays, revised, other], Counter()))
    assert list(compared([stays, again, other], [stays, revised], Counter()))
    assert list(compared([stays], [again], Counter()))


def test_events_of_single_rounds_stay_apart() -> None:
    """A code that is no state, and another state, are findings of their own."""
    capped = [_unshuffled(number, code="capping") for number in (4, 5)]
    others = [_unshuffled(4), _unshuffled(5, says="The cards were shuffled by hand.")]
    for before in (capped, others):
        assert not list(compared(before, before, Counter()))
        assert list(compared(before, before[:1], Counter()))


def test_the_wagers_of_a_person_who_is_not_seated_are_one_finding_at_a_seat() -> None:
    """The first wager of the round is the finding."""
    ante, blind, beside = (
        _unshuffled(4, code="wager-unseated", seat=seat, wager=wager, trigger=trigger, says=wager)
        for seat, wager, trigger in ((3, "ante", 40), (3, "blind", 41), (5, "ante", 42))
    )
    assert not list(compared([blind, ante, beside], [ante, beside], Counter()))
    assert list(compared([ante, blind, beside], [blind, beside], Counter()))
    assert list(compared([ante, blind, beside], [ante], Counter()))


def test_an_option_that_the_book_does_not_have_cites_no_clause() -> None:
    """A finding about an option of the book keeps its clause."""
    for code, lost in (("house-option-unknown", 0), ("house-option-invalid", 2)):
        before, after = (
            FOUND._replace(fields={"code": code, "clauses": clauses}) for clauses in (["FAH (b)(1)/s1"], [])
        )
        assert len(list(compared([before], [after], Counter()))) == lost


def test_unseen_cards_of_a_deck_that_nobody_shuffled_are_no_longer_found() -> None:
    """Their chance is unknown from the unshuffled round on."""
    says = (
        "Deck T1-deck-1 has not shown 8d Jh in 46 rounds, from round 1 to round 46; a whole deck hides cards so long."
    )
    unseen = _unshuffled(46, code="deck-composition-wrong", says=says)
    for number, lost in ((20, 0), (47, 1)):
        assert len(list(compared([unseen, _unshuffled(number)], [_unshuffled(number)], Counter()))) == lost
    shown = _unshuffled(46, code="deck-composition-wrong", says="Kc was shown at seat 5, where Qc 4d had been dealt.")
    assert list(compared([shown, _unshuffled(20)], [_unshuffled(20)], Counter()))


@pytest.mark.parametrize(
    ("earlier", "later", "same"),
    [
        ("the three cards seat 1 selected", "a decision was not seen: the three cards seat 1 selected", True),
        ("why the hands were void", "why the hands were void is not on record", True),
        ("the three cards seat 1 selected", "a decision was not seen: the three cards seat 2 selected", False),
        ("the three cards seat 1 selected", "a rumor: the three cards seat 1 selected", False),
    ],
)
def test_the_reason_of_an_undecided_wager_may_begin_with_the_one_that_is_counted(
    earlier: str, later: str, same: bool
) -> None:
    """In a row and in the file of an export."""
    rows = [Record("row", "wagers", {"undecided": text}) for text in (earlier, later)]
    assert bool(list(compared(rows[:1], rows[1:], Counter()))) is not same
    files = [{"data/tables/wagers.csv": f"T1,,undecidable,{text}\r\n".encode()} for text in (earlier, later)]
    assert bool(list(compared_exports(*files, Counter()))) is not same


def test_a_file_of_an_export_may_differ_by_the_digest_of_an_edition_alone() -> None:
    """Another byte is a fault, and so is a file that one export lacks."""
    digest, another = b"1" * 64, b"2" * 64
    earlier = {"data/tables/rounds.csv": b"T1,UTH-MA," + digest + b",26", "data/a.csv": b"1"}
    later = {"data/tables/rounds.csv": b"T1,UTH-MA," + another + b",26"}
    assert [each.place for each in compared_exports(earlier, later, Counter())] == ["file data/a.csv"]
    later["data/tables/rounds.csv"] = b"T1,UTH-MA," + another + b",27"
    assert len(list(compared_exports(earlier, later, Counter()))) == 2


def test_the_question_of_an_export_may_say_in_other_words_what_a_file_holds() -> None:
    """Another name of a file is a difference."""
    name, asked = "data/question.json", b'{"days":["2026-11-18"],"files":[{"holds":"What was asked","path":"a.json"}]}'
    reworded = asked.replace(b"What was asked", b"The question")
    assert not list(compared_exports({name: asked}, {name: reworded}, Counter()))
    assert list(compared_exports({name: asked}, {name: reworded.replace(b"a.json", b"b.json")}, Counter()))


def test_another_finding_beside_a_new_one_is_a_difference() -> None:
    """The stream of a table and the property is exempt for its marks alone."""
    known = FOUND._replace(place="T1+property/2026-11-18")
    assert list(compared([], [known], Counter()))
    mark = known._replace(fields={"type": "stream-verified.1"})
    assert not list(compared([], [mark], Counter()))


def _wager(number: int, **others: object) -> Record:
    """A wager that the earlier code could not decide, because its round has a card twice."""
    fields = {"stream": "T1/2026-11-18", "round": number, "seat": 2, "back_cents": 5000, "owed_cents": None}
    return Record("row", "wagers", {**fields, "undecided": "cards no deck of this game can deal", **others})


def test_a_wager_beside_a_card_that_is_there_too_often_may_be_decided_now() -> None:
    """Other rounds, other days and other fields may not differ."""
    earlier = [_wager(26), _wager(27, undecided="a rumor")]
    known = apart(earlier)
    decided = {"owed_cents": 5000, "undecided": ""}
    assert not list(compared(earlier, [_wager(26, **decided), earlier[1]], Counter(), known))
    assert list(compared(earlier, [_wager(26, **decided, back_cents=2500), earlier[1]], Counter(), known))
    assert list(compared(earlier, [_wager(26, **decided), _wager(27, **decided)], Counter(), known))
    assert list(compared(earlier, [_wager(26, **decided, stream="T2/2026-11-18"), earlier[1]], Counter(), known))


@pytest.mark.parametrize(
    ("place", "fields", "same", "other"),
    [
        ("coverage", {"what": "decided", "wagers": 298}, {"wagers": 310}, {"what": "open to a ruling"}),
        ("table_days", {"decided": 298, "win_cents": 5}, {"decided": 310}, {"win_cents": 6}),
        ("player_days", {"open": 3, "hands": 34}, {"open": 2}, {"hands": 33}),
        ("rounds", {"round": 26, "decided": 0, "first": 5}, {"decided": 12}, {"first": 6}),
        ("rounds", {"round": 27, "decided": 0, "first": 5}, {}, {"decided": 12}),
        (
            "T1",
            {"type": "stream-verified.1", "wagers": {"decided": 2}},
            {"wagers": {"decided": 3}},
            {"wagers": {"a": 1}},
        ),
    ],
)
def test_the_sums_of_its_day_may_count_that_wager(
    place: str, fields: dict[str, object], same: dict[str, object], other: dict[str, object]
) -> None:
    """Other fields may not differ."""
    record = Record("row", place, {"stream": "T1/2026-11-18", **fields})
    now, wrong = (record._replace(fields={**record.fields, **changed}) for changed in (same, other))
    assert not list(compared([record], [now], Counter(), apart([_wager(26)])))
    assert list(compared([record], [wrong], Counter(), apart([_wager(26)])))


def test_the_file_of_an_export_may_decide_that_wager() -> None:
    """Lines about other rounds keep their bytes."""
    name, first = "data/tables/wagers.csv", "stream,round,house,back_cents,owed_cents,undecided\r\n"
    line = "T1/2026-11-18,26,h1,5000,,cards no deck of this game can deal\r\n"
    decided = line.replace(",,cards no deck of this game can deal", ",5000,")
    known = apart([_wager(26)])
    for to, same in ((decided, True), (decided.replace("5000,5000", "2500,5000"), False), (line + line, False)):
        sides = ({name: (first + text).encode()} for text in (line, to))
        assert bool(list(compared_exports(*sides, Counter(), known))) is not same
    sides = ({name: (first + text.replace(",26,", ",27,")).encode()} for text in (line, decided))
    assert list(compared_exports(*sides, Counter(), known))


def _unknown(code: str) -> list[Record]:
    """Rows of two days: the first under an edition that is not installed."""
    streams = ("T1/2026-11-18", "T2/2026-11-18")
    rows = [Record("row", "rounds", {"stream": stream, "round": 1, "house": f"PIK {stream}"}) for stream in streams]
    houses = [Record("row", "houses", {"house": f"PIK {stream}", "edge": 1}) for stream in streams]
    found = {"stream": streams[0], "code": code, "severity": "information"}
    return [*rows, *houses, Record("row", "findings", found)]


def test_a_day_under_an_unknown_edition_has_no_house_now() -> None:
    """A house of another day, and another finding, may not differ."""
    earlier = _unknown("rule-book-unknown")
    first, second, _, kept, found = earlier
    bare = first._replace(fields={**first.fields, "house": None})
    graver = found._replace(fields={**found.fields, "severity": "integrity"})
    assert not list(compared(earlier, [bare, second, kept, graver], Counter(), apart(earlier)))
    lost = second._replace(fields={**second.fields, "house": None})
    for later in ([bare, lost, kept, graver], [bare, second, graver]):
        assert list(compared(earlier, later, Counter(), apart(earlier)))
    others = _unknown("capping")
    assert list(compared(others, [bare, *others[1:]], Counter(), apart(others)))


def test_an_export_of_such_a_day_names_its_own_edition() -> None:
    """The house is left out in the lines of that day alone."""
    name, first = "data/tables/rounds.csv", "stream,round,book,house\r\n"
    lines = [f"T{table}/2026-11-18,1,PIK,{str(table) * 64}\r\n" for table in (1, 2)]
    without = [line.replace(str(table) * 64, "") for table, line in enumerate(lines, 1)]
    known = apart(_unknown("rule-book-unknown"))
    for to, same in (([without[0], lines[1]], True), (without, False)):
        sides = ({name: (first + "".join(text)).encode()} for text in (lines, to))
        assert bool(list(compared_exports(*sides, Counter(), known))) is not same
    asked = ({"data/question.json": f'{{"book":"PIK","digest":"{digit * 64}"}}'.encode()} for digit in "12")
    files = list(asked)
    assert not list(compared_exports(*files, Counter(), known))
    assert list(compared_exports(*files, Counter()))

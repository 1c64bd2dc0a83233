"""The queue while a user reads it: rows stay in place, counts are true, and only so many are sent at a time."""

import pytest
from streamlit.testing.v1 import AppTest

from consumers.room import QUEUE_PAGE, RoomVisit
from consumers.room import room as rooms_module
from dashboards import queue, session
from domain.desk.roles import Person
from projections.questions.findings import FindingFilter
from tests.dashboards.conftest import Opening, texts

pytestmark = pytest.mark.xdist_group("record")

# held | the first of what waits | how many wait | still waiting, new, more
FOLLOWED = """
       | a b c | 3 |       | a b c | 0
a b c  | a b c | 3 | a b c |       | 0
a b    | a b c | 3 | a b   |       | 1
b c    | a b c | 9 | b c   | a     | 6
a c    | a b c | 3 | a c   | b     | 0
a b c  | a c d | 3 | a c   |       | 1
a b    | x y   | 7 |       | x y   | 5
"""


@pytest.mark.parametrize("row", FOLLOWED.strip("\n").splitlines())
def test_what_is_new_what_waits_and_what_comes_behind_are_told_apart(row: str) -> None:
    held, found, total, waiting, new, more = (each.strip() for each in row.split("|"))
    told = queue.follow(held.split(), found.split(), int(total))
    assert (told.waiting, told.new, told.more) == (waiting.split(), new.split(), int(more))


def ivan() -> RoomVisit:
    """A user who reviews."""
    return RoomVisit(Person("ivan", ("investigator",)), "visit of ivan")


def waiting(**asked: str) -> list[str]:
    """Findings waiting, in the order of the queue."""
    return [row.finding.finding for row in session.room().queue(ivan(), FindingFilter(**asked)).value]


def shown(test: AppTest) -> list[str]:
    """The rows on the page."""
    return [part.partition('"')[0] for part in texts(test).split('class="cw-line" href="findings?finding=')[1:]]


def close(name: str) -> None:
    """A colleague closes it, with another."""
    room, mara = session.room(), RoomVisit(Person("mara", ("manager",)), "visit of mara")
    room.claim(ivan(), name, f"{name} 1")
    if room.close_finding(ivan(), name, f"{name} 2", "dealer-error", "seen").state == "proposed":
        room.agree(mara, name, f"{name} 3")


def refreshed(test: AppTest, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page after its clock redraws it: AppTest runs all of it, as if the user had acted."""
    monkeypatch.setattr("dashboards.views.findings.acted", lambda: None)
    return test.run()


def test_a_row_a_colleague_closed_stays_and_says_so_until_somebody_acts(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = opening("findings", "investigator", name="olga")
    before, total = shown(test), len(waiting())
    close(before[1])
    assert shown(refreshed(test, monkeypatch)) == before
    assert "CLOSED by" in texts(test)
    assert f"{total - 1} to do" in texts(test)
    monkeypatch.undo()
    again = opening("findings", "investigator", name="olga")
    assert before[1] not in shown(again)
    assert shown(again)[: len(before) - 1] == [name for name in before if name != before[1]]
    assert "CLOSED by" not in texts(again)


def test_a_page_of_rows_is_sent_and_the_next_when_it_is_asked_for(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "QUEUE_PAGE", 2)
    test = opening("findings", "investigator")
    names = waiting()
    assert shown(test) == names[:2]
    assert f"{len(names)} to do, 2 shown" in texts(test)
    more = next(each for each in test.button if each.key == "queue-more")
    assert more.label == f"{len(names) - 2} more: show 2"
    more.click().run()
    assert shown(test) == names[:4]
    monkeypatch.setattr(rooms_module, "MOST_QUEUED", 4)
    test.run()
    assert f"{len(names) - 4} more. Filter by table" in texts(test)


def test_the_queue_is_asked_for_by_whose_it_is(opening: Opening) -> None:
    opening("findings", "investigator")
    names = waiting()
    session.room().claim(ivan(), names[0], "k1")
    mine = opening("findings", "investigator", name="ivan", whose="me")
    assert shown(mine) == [names[0]]
    assert shown(opening("findings", "investigator", name="ivan", whose="nobody")) == names[1 : QUEUE_PAGE + 1]
    assert "No findings match these filters" in texts(
        opening("findings", "investigator", name="olga", whose="to agree")
    )
    whose = next(each for each in mine.selectbox if each.label == "Whose")
    whose.set_value("nobody's").run()
    assert mine.query_params["whose"] in ("nobody", ["nobody"])


def test_who_claims_what_a_colleague_has_just_claimed_is_told_who_has_it(opening: Opening) -> None:
    test = opening("findings", "investigator", name="olga", finding=(name := waiting_at(opening)))
    session.room().claim(ivan(), name, "k1")
    next(each for each in test.button if each.label == "Claim").click().run()
    assert [each.value for each in test.warning] == ["Ivan has claimed it\\. A manager may take it over\\."]
    assert not [each for each in test.button if each.label == "Claim"]
    assert session.room().finding(ivan(), name).value.queued.review.holder == "ivan"
    test.run()
    assert not test.warning  # said once


def waiting_at(opening: Opening) -> str:
    """A finding that waits."""
    opening("findings", "investigator")
    return waiting()[0]


def test_no_disposition_is_chosen_before_somebody_chooses_one(opening: Opening) -> None:
    opening("findings", "investigator")
    name = waiting(severity="money")[0]
    session.room().claim(ivan(), name, "k1")
    test = opening("findings", "investigator", name="ivan", finding=name)
    disposition = next(each for each in test.selectbox if each.label == "Disposition")
    assert disposition.value is None
    next(each for each in test.button if each.label == "Close").click().run()
    assert "Choose a disposition" in texts(test)
    assert session.room().finding(ivan(), name).value.queued.review.state == "claimed"

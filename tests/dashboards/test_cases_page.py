"""Cases on their page, and the way to them from a finding and from a hand."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards import session
from domain.desk.case import Case
from domain.desk.roles import ROLES, Person, Role
from projections.reading import opened as reading
from tests.dashboards.conftest import Opening, texts, unmarked

pytestmark = pytest.mark.xdist_group("record")

HAND = {"stream": "T1/2026-11-18", "round": "2"}
Opener = Callable[[str], Case]


@pytest.fixture
def finding(record: Path) -> str:
    """A finding about a hand."""
    with reading(record / "read") as held:
        return str(held.query("SELECT finding FROM findings WHERE code = 'wager-overpaid' ORDER BY 1")[0][0])


@pytest.fixture
def a_case(opening: Opening) -> Opener:
    """Open a case at the desk the pages are served from."""

    def opened(where: str = "PA") -> Case:
        room, visit = session._opened().room, session.RoomVisit(Person("ivan", ("investigator",)), "visit")
        return room.open_case(
            visit, f"k{where}", "dispute", title="A <b>play</b>", jurisdiction=where, happened_at=None
        )

    return opened


def press(test: AppTest, label: str) -> AppTest:
    """Presses the button of this name; a page it leads to is run as well."""
    next(each for each in test.button if unmarked(each.label) == label).click()
    return test.run()


@pytest.mark.parametrize("role", ROLES)
def test_a_case_shows_everything_to_those_who_may_see_it_and_acts_to_those_who_keep_it(
    opening: Opening, a_case: Opener, role: Role
) -> None:
    case = a_case("PA")
    test = opening("cases", role, case=case.number)
    assert not test.exception
    person = Person("ann", (role,))
    said = texts(test)
    assert ("Every change" in said) == person.may("see-cases")
    assert ("claim until" in said) == person.may("see-cases")
    assert "<b>" not in said
    pills = test.button_group[0].options if test.button_group else []
    acts = [getattr(each, "content", each) for each in pills]
    assert ("Note" in acts) == person.may("keep-cases")
    assert ("Seal" in acts) == person.may("seal-cases")


def test_a_case_that_is_not_there_is_told_so(opening: Opening) -> None:
    test = opening("cases", "manager", case="2026-<i>")
    assert not test.exception
    assert "There is no case" in test.error[0].value


def test_a_new_case_is_opened_in_the_property_s_time_and_shown(opening: Opening) -> None:
    test = opening("cases", "investigator", name="ivan")
    assert "No case is open" in texts(test)
    fields = {each.label: each for each in test.text_input}
    fields["Subject of the case"].set_value("A disputed play")
    fields["Time of the event (America/New_York)"].set_value("yesterday")
    press(test, "Open")
    assert "is not a date and time" in test.warning[0].value.replace("\\", "")
    fields = {each.label: each for each in test.text_input}
    fields["Time of the event (America/New_York)"].set_value("2026-11-18T21:10")
    press(test, "Open")
    held = session._opened().room.cases(session.RoomVisit(Person("ivan", ("investigator",)), "v")).value
    assert [line.case.opened.happened_at for line in held] == [1_795_054_200_000_000]
    assert "A disputed play" in texts(opening("cases", "investigator"))


def test_one_click_on_a_finding_opens_a_case_with_it_and_its_hand(opening: Opening, finding: str) -> None:
    test = opening("findings", "investigator", name="ivan", finding=finding)
    press(test, "Open a new case")
    assert not test.exception
    held = session._opened().room.cases(session.RoomVisit(Person("ivan", ("investigator",)), "v")).value
    assert [(line.case.findings, len(line.case.hands)) for line in held] == [((finding,), 1)]
    again = opening("findings", "investigator", name="ivan", finding=finding)
    assert not [each for each in again.button if each.label.startswith(held[0].case.number)]


def test_one_click_on_a_hand_adds_it_to_a_case_that_is_open(opening: Opening, a_case: Opener) -> None:
    case = a_case("")
    test = opening("hand", "manager", **HAND)
    press(test, f"{case.number} · A <b>play</b>")
    assert not test.exception
    [hand] = session._opened().room.cases(session.RoomVisit(Person("ivan", ("investigator",)), "v")).value[0].case.hands
    assert (hand.of_stream, hand.of_round) == (HAND["stream"], 2)


@pytest.mark.parametrize("role", ROLES)
def test_only_those_who_keep_cases_are_offered_one(opening: Opening, finding: str, role: Role) -> None:
    test = opening("findings", role, finding=finding)
    offered = any(each.label == "Open a new case" for each in test.button)
    assert offered == Person("ann", (role,)).may("keep-cases")


ACTS = """
Note         | Note=seen on camera                                                    | seen on camera
Link person  | Who=p-1                                                                | p-1
Claim        | Text of the claim=the play, Amount=12.50                               | $12.50
Ruling       | Text of the ruling=to be paid, Ruled by=shift manager, Amount=1,000     | $1,000
Hold video   | Recorder=NVR-2, From=2026-11-18T21:00, To=2026-11-18T21:20             | NOT COPIED YET
Assign       | Case lead=mara                                                         | mara
Seal         | Visible only to=ann, Why=asked for                                     | sealed
Close        | Result=seen on camera, Outcome=paid                                    | closed: paid
"""


@pytest.mark.parametrize("row", ACTS.strip().splitlines())
def test_each_act_is_a_form_and_stands_in_the_history(opening: Opening, a_case: Opener, row: str) -> None:
    act, said, shown = (each.strip() for each in row.split("|"))
    case = a_case("NV")
    test = opening("cases", "manager", case=case.number)
    test.button_group[0].set_value(act).run()
    for each in said.split(", "):
        label, _, value = each.partition("=")
        fields = [*test.text_input, *test.text_area, *test.selectbox]
        next(field for field in fields if field.label.startswith(label)).set_value(value)
    press(test, act)
    assert not test.exception
    assert not test.warning
    assert shown in texts(test)


def test_what_is_missing_in_a_form_is_said_and_nothing_is_done(opening: Opening, a_case: Opener) -> None:
    case = a_case("NV")
    test = opening("cases", "manager", case=case.number)
    test.button_group[0].set_value("Ruling").run()
    press(test, "Ruling")
    assert test.warning
    shown = session._opened().room.case(session.RoomVisit(Person("mara", ("manager",)), "v"), case.number).value
    assert shown.case.ruling is None


def test_a_form_that_a_colleague_forestalled_says_why_not_and_stays(opening: Opening, a_case: Opener) -> None:
    case = a_case("NV")
    test = opening("cases", "manager", case=case.number)
    test.button_group[0].set_value("Ruling").run()
    test.text_area[0].set_value("half of the pot")
    room, ivan = session._opened().room, session.RoomVisit(Person("ivan", ("investigator",)), "visit")
    room.close_case(ivan, case.number, "k", "paid", "seen", cents=None)
    press(test, "Ruling")
    assert "Reopen it first" in unmarked(test.warning[0].value)
    assert test.text_area[0].value == "half of the pot"
    assert "Ruling" not in [getattr(each, "content", each) for each in test.run().button_group[0].options]


def test_what_was_chosen_stays_where_a_colleague_changes_what_is_offered(opening: Opening, a_case: Opener) -> None:
    case = a_case("NV")
    test = opening("cases", "manager", name="mara", case=case.number)
    test.button_group[0].set_value("Claim").run()
    room, dia = session._opened().room, session.RoomVisit(Person("dia", ("manager",)), "visit")
    room.seal_case(dia, case.number, "k", ["mara", "dia"], "asked for")
    test.text_area[0].set_value("the pot")
    press(test, "Claim")
    assert test.button_group[0].value == "Claim"
    assert "the pot" in texts(test)

"""Exports on their page: one person orders, another signs, the export is made and downloaded, all of it on record."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from consumers.gateway.keys import PASSPHRASE
from consumers.record_place import RecordOptions
from consumers.room import Export, ExportAsked
from consumers.trust.keeper import begin
from consumers.trust.running import at_work
from consumers.vault.people import VAULT_FILE, Vault
from dashboards import session
from domain.desk.access import Accessed, AccessRefused
from domain.desk.records import decode
from domain.desk.roles import ROLES, ForbiddenError, Person, Role
from domain.facts.envelope import Fact
from tests.dashboards.conftest import Opening, texts

pytestmark = pytest.mark.xdist_group("record")
NOW = 1_900_000_000_000_000
AUDITOR = session.RoomVisit(Person("v", ("auditor",)), "v")


@pytest.fixture(scope="module")
def pit(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record, with a checkpoint that an export can be bound to."""
    made = tmp_path_factory.mktemp("checkpointed") / "pit"
    shutil.copytree(record, made)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(PASSPHRASE, "a passphrase for tests")
        begin(made, "catwalk/test", NOW)
        with at_work(RecordOptions(made, None, None)) as work:
            work.read(NOW)
            work.checkpoint(NOW)
    return made


@pytest.fixture
def checkpointed(pit: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pages are opened on that record."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    monkeypatch.setenv("CATWALK_DATA", str(pit))
    return pit


def press(test: AppTest, label: str) -> AppTest:
    next(each for each in test.button if each.label == label).click()
    return test.run()


def sign(test: AppTest, which: int = 0) -> AppTest:
    """Chooses an order and signs it."""
    orders = next(each for each in test.selectbox if each.label == "Order")
    return press(orders.set_value(orders.options[which]).run(), "Sign and make")


def fill(test: AppTest, **named: str) -> AppTest:
    fields = {each.label: each for each in test.text_input}
    for name, value in named.items():
        fields[name.replace("_", " ")].set_value(value)
    return test


def looked() -> list[Fact]:
    """All that was looked at, or refused."""
    recorder = session._opened().room._desk.recorder
    rows = recorder.select_notifications(1, 10_000)
    return [decode(bytes(row.state)) for row in rows if str(row.originator_id).startswith("access/")]


def test_one_orders_another_signs_and_the_file_is_there_with_its_digest(
    opening: Opening, checkpointed: Path, tmp_path: Path
) -> None:
    test = opening("exports", "manager", name="mara")
    assert "No export has been ordered yet" in texts(test)
    fill(test, or_a_hand="T1/2026-11-18:2", Recipient="The board", Purpose="a dispute")
    press(test, "Order")
    assert "waiting for a signature" in texts(test)
    assert "No order placed by someone else" in texts(test)

    test = opening("exports", "manager", name="otto")
    sign(test)
    said = texts(test)
    assert "signed by otto" in said
    (file,) = (tmp_path / "exports").glob("export-*.tar")
    held = session._opened().room.exports(AUDITOR).value
    assert held[0].export.signed is not None
    assert held[0].export.signed.digest in said
    assert test.get("download_button")
    taken = session._opened().room.export_taken(AUDITOR, held[0].export.order)
    assert taken == file.read_bytes()


def test_an_order_may_ask_for_names_and_is_for_those_who_may_know_them(opening: Opening, checkpointed: Path) -> None:
    """A user without the right to players' names can neither order, sign nor download it; each attempt is on record."""
    test = opening("exports", "manager", name="mara")
    fill(test, or_a_hand="T1/2026-11-18:2", Recipient="The board", Purpose="a dispute")
    next(each for each in test.checkbox if "names of players" in each.label).check()
    press(test, "Order")
    assert "Players: named" in texts(test)

    test = opening("exports", "auditor", name="arno")
    assert not [each for each in test.checkbox if "names of players" in each.label]
    sign(test)
    assert "may not" in test.warning[0].value
    opened = session._opened()
    state = opened.room.shelf._home.folder  # type: ignore[union-attr]
    with Vault(state / VAULT_FILE, b"a passphrase for tests", create=True):
        sign(opening("exports", "manager", name="otto"))

    test = opening("exports", "auditor", name="arno")
    assert "your roles do not allow you to see" in texts(test)
    assert not test.get("download_button")
    auditor = Person("arno", ("auditor",))
    (line,) = session._opened().room.exports(session.RoomVisit(auditor, "v")).value
    with pytest.raises(ForbiddenError):
        session._opened().room.export_taken(session.RoomVisit(auditor, "v"), line.export.order)
    asked = ExportAsked(hand="T1/2026-11-18:2", named=True, purpose="a dispute", recipient="The board")
    with pytest.raises(ForbiddenError):
        session._opened().room.order_export(session.RoomVisit(auditor, "v"), "k1", asked)
    refused = [each for each in looked() if isinstance(each, AccessRefused)]
    assert [(each.by, each.what) for each in refused] == [("arno", "export")] * 3

    assert opening("exports", "manager", name="mara").get("download_button")
    visit = session.RoomVisit(Person("mara", ("manager",)), "v2")
    for _ in range(2):
        assert session._opened().room.export_taken(visit, line.export.order)
    signed = line.export.signed
    assert signed is not None
    taken = [each for each in looked() if isinstance(each, Accessed) and each.what == "export" and each.by == "mara"]
    assert [each.of for each in taken] == [f"{signed.export} SHA-256 {signed.digest}"] * 2


def test_figures_to_date_are_ordered_with_days_and_not_with_a_hand(opening: Opening, checkpointed: Path) -> None:
    test = opening("exports", "manager", name="mara")
    fill(test, or_a_hand="T1/2026-11-18:2", Recipient="The board", Purpose="a dispute")
    next(each for each in test.checkbox if "year to date" in each.label).check()
    press(test, "Order")
    assert "need whole days" in test.warning[0].value
    test = opening("exports", "manager", name="mara")
    fill(test, Tables="T1", Recipient="The board", Purpose="the quarter")
    next(each for each in test.checkbox if "year to date" in each.label).check()
    press(test, "Order")
    assert "To date: months and years, with the previous year" in texts(test).replace("\\", "")


def test_what_nothing_on_record_fits_is_told_so(opening: Opening, checkpointed: Path) -> None:
    test = opening("exports", "investigator", name="ivan")
    fill(test, or_a_case="2026-0009", Recipient="The board", Purpose="a dispute")
    press(test, "Order")
    assert "covers no case 2026" in test.warning[0].value.replace("\\", "")


def test_without_a_checkpoint_it_is_told_what_to_do(opening: Opening, tmp_path: Path) -> None:
    test = opening("exports", "investigator", name="ivan")
    session._opened().room.shelf._home = type(session._opened().room.shelf._home)(tmp_path)  # type: ignore[union-attr]
    fill(test, Tables="T1", Recipient="The board", Purpose="a dispute")
    press(test, "Order")
    assert "run catwalk checkpoint" in test.warning[0].value.replace("\\", "")


@pytest.mark.parametrize("role", ROLES)
def test_who_may_order_may_not_sign_unless_the_role_says_so(opening: Opening, role: Role) -> None:
    test = opening("exports", role)
    assert not test.exception
    person = Person("ann", (role,))
    said = {each.value for each in test.header}
    assert ("Order" in said) == person.may("order-exports")
    assert ("Sign" in said) == (person.may("sign-exports") and person.may("order-exports"))


def ordered() -> list[Export]:
    """Orders so far, the newest first."""
    return [line.export for line in session._opened().room.exports(AUDITOR).value]


def test_an_order_that_a_colleague_takes_meanwhile_never_turns_into_another(
    opening: Opening, checkpointed: Path
) -> None:
    test = opening("exports", "manager", name="mara")
    for hand in ("T1/2026-11-18:2", "T1/2026-11-18:3", "T1/2026-11-18:4"):
        fill(test, or_a_hand=hand, Recipient="The board", Purpose="a dispute")
        press(test, "Order")
    otto = opening("exports", "manager", name="otto")
    orders = next(each for each in otto.selectbox if each.label == "Order")
    chosen = orders.options[1]
    gone = next(each for each in ordered() if f"({each.order})" in chosen)
    otto = orders.set_value(chosen).run()
    session._opened().room.decline_export(
        session.RoomVisit(Person("eve", ("manager",)), "v"), gone.order, "k", "a double"
    )
    assert "Choose an order" in texts(press(otto, "Sign and make"))
    assert not any(each.signed for each in ordered())
    left = next(each for each in otto.selectbox if each.label == "Order")
    otto = left.set_value(left.options[0]).run()
    next(each for each in otto.selectbox if each.label == "Order").set_value(left.options[1])
    press(otto, "Sign and make")  # pressed for the one, answered when the other is chosen
    assert not any(each.signed for each in ordered())
    sign(otto, 1)
    assert [each.signed is not None for each in ordered()].count(True) == 1

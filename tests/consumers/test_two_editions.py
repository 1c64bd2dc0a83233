"""Maryland changes table B of trips on 1 January: days on both sides are judged rightly, in one record."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from consumers.editions import EDITIONS, install_editions
from consumers.exporting.making import make
from consumers.trust.keeper import begin, open_keeper
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.rulebooks import editions, install
from domain.simulation.edits import broken, change
from domain.simulation.scripted import day, round_, seat
from projections.export.question import NamedEdition, Scope
from tests.export.pits import ENVIRONMENT, NOW, ORIGIN, Pit, asked, run, silent
from tests.rulebooks.two_editions import SINCE, folder_of

BEFORE = "2026-12-31"
FLUSH = seat(2, "Ah 9h", "play:4", trips=500, player="p-1")
DEALT = {"dealer": "9c 9d", "community": "Kh 7h 2h 5d 3s"}
OLD_CENTS, NEW_CENTS = 3_000, 3_500  # what a flush wins with $5 on trips: 6 to 1, and 7 to 1


def _day(gaming_day: str, wrong_cents: int) -> list[Fact]:
    """Two rounds with the same flush: the first paid as the day's edition says, the second as the other one does."""
    opens = datetime.fromisoformat(f"{gaming_day}T17:00:00").replace(tzinfo=UTC)
    facts = day(
        "UTH-MD",
        {"trips_table": "B"},
        rounds=[round_(FLUSH, **DEALT), round_(FLUSH, **DEALT)],
        gaming_day=gaming_day,
        opens_at=round(opens.timestamp()) * 1_000_000,
    )
    return broken(facts, change("wager-paid", round=2, wager="trips", to={"cents": wrong_cents}))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The second edition, installed as a property would, for every command of this module."""
    folder = folder_of(tmp_path_factory.mktemp("editions"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(EDITIONS, str(folder))
        for name, value in ENVIRONMENT.items():
            patched.setenv(name, value)
        install_editions()
        yield folder
    install(())


@pytest.fixture(scope="module")
def pit(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One embedded record of both days, which a real watcher has verified."""
    folder = tmp_path_factory.mktemp("pit")
    lines = [*_day(BEFORE, NEW_CENTS), *_day(SINCE, OLD_CENTS)]
    (folder / "days.jsonl").write_bytes(b"\n".join(map(encode, lines)))
    assert run("ingest", str(folder / "days.jsonl"), "--data", str(folder)).exit_code == 0
    (folder / "watched.jsonl").write_text(run("watch", "--once", "--json", "--data", str(folder)).stdout)
    return folder


def _rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def _trips(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Findings about trips: place, words, owed, handed back, clauses."""
    found = [row for row in rows if row.get("wager") == "trips"]
    return [
        (row["stream"], row["round"], row["code"], row["expected_cents"], row["observed_cents"], row["clauses"][0])
        for row in found
    ]


# Owed and handed back with the stake of $5.
FOUND = [
    (f"T7/{BEFORE}", 2, "wager-overpaid", 500 + OLD_CENTS, 500 + NEW_CENTS, "UTH-MD 12.C(2)"),
    (f"T7/{SINCE}", 2, "wager-underpaid", 500 + NEW_CENTS, 500 + OLD_CENTS, "UTH-MD 12.C(2)"),
]


def test_the_watcher_judges_each_day_by_the_edition_it_opened_under(pit: Path) -> None:
    """The first round of each day is silent; the second is paid as the other day's edition says (UTH-MD 12.C(2))."""
    rows = _rows((pit / "watched.jsonl").read_text())
    assert _trips(rows) == FOUND
    assert [row["code"] for row in rows if row["severity"] == "money"] == [row[2] for row in FOUND]


def test_verifying_the_log_again_finds_the_same(pit: Path) -> None:
    assert _trips(_rows(run("verify-log", "--data", str(pit)).stdout)) == FOUND


def test_without_the_edition_its_day_alone_is_left_unjudged(pit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finding says what is missing; the day before is judged as ever."""
    second = editions("UTH-MD")[-1].digest
    monkeypatch.delenv(EDITIONS)
    rows = _rows(run("verify-log", "--data", str(pit)).stdout)
    monkeypatch.undo()
    install_editions()
    assert _trips(rows) == FOUND[:1]
    (missing,) = [row for row in rows if row["code"] == "rule-book-unknown"]
    assert (missing["stream"], missing["severity"]) == (f"T7/{SINCE}", "integrity")
    assert second in missing["says"]


@pytest.mark.parametrize("state", ["open", "over", "followed by a day"])
def test_a_day_is_judged_once_its_edition_is_installed(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """The next watcher judges each table's newest day again; earlier days stay unchanged, and rows are rebuilt."""
    facts = _day(SINCE, OLD_CENTS)
    if state == "open":
        facts = facts[: 1 + max(place for place, fact in enumerate(facts) if isinstance(fact, RoundCompleted))]
    if state == "followed by a day":
        facts += _day("2027-01-02", OLD_CENTS)
    data = ("--data", str(tmp_path))
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(map(encode, facts)))
    run("ingest", str(tmp_path / "day.jsonl"), *data)
    monkeypatch.delenv(EDITIONS)
    run("watch", "--once", "--quiet", *data)
    run("project", "--once", *data)
    assert {code for _, code in _standing(tmp_path)} == {"rule-book-unknown"}
    monkeypatch.undo()
    run("watch", "--once", "--quiet", *data)
    run("project", "--once", *data)
    found = _standing(tmp_path)
    stays = {(f"T7/{SINCE}", "rule-book-unknown")}
    assert found & stays == (stays if state == "followed by a day" else set())
    assert (f"T7/{SINCE if state != 'followed by a day' else '2027-01-02'}", "wager-underpaid") in found
    assert {row["code"] for row in _rows(run("verify-log", *data).stdout)} == {"wager-underpaid", "shuffle-missing"}
    assert run("rebuild", *data).exit_code in (0, 1)
    owed = run("sql", "-c", "SELECT DISTINCT owed_cents AS owed FROM wagers WHERE wager = 'trips'", "--json", *data)
    assert _rows(owed.stdout) == [{"owed": 500 + NEW_CENTS}]


def _standing(folder: Path) -> set[tuple[str, str]]:
    told = run("ask", "findings", "--status", "standing", "--json", "--data", str(folder))
    return {(row["stream"], row["code"]) for row in _rows(told.stdout)}


def test_odds_are_told_by_the_edition_that_is_named(installed: Path) -> None:
    """Without one by the newest: a flush at 7 to 1 leaves the house less."""
    edges = {}
    for named in ("2026-11-18", SINCE, ""):
        words = ("--edition", named) if named else ()
        told = json.loads(run("odds", "UTH-MD", "--set", "trips_table=B", "--json", *words).stdout)
        edges[named] = told["wagers"]["trips"]["house_edge"]
    assert edges["2026-11-18"] > edges[SINCE] == edges[""]


@pytest.mark.parametrize(("gaming_day", "named", "due"), [(SINCE, 0, 1), (BEFORE, 1, 0)], ids=["too old", "too new"])
def test_a_day_under_an_edition_not_in_force_is_judged_by_it_and_told(
    installed: Path, tmp_path: Path, gaming_day: str, named: int, due: int
) -> None:
    held, wins = editions("UTH-MD"), (OLD_CENTS, NEW_CENTS)
    facts = broken(
        _day(gaming_day, wins[named]),
        change("wager-paid", wager="trips", to={"cents": wins[named]}),
        change("table-opened", to={"book_digest": held[named].digest}),
    )
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(map(encode, facts)))
    rows = _rows(run("verify-log", str(tmp_path / "day.jsonl")).stdout)
    (told,) = [row for row in rows if row["code"] != "shuffle-missing"]
    assert (told["code"], told["severity"]) == ("rule-book-not-in-force", "integrity")
    assert told["says"].startswith(
        f"The table opened under the edition {held[named].name} of UTH-MD, but on {gaming_day}"
    )
    assert f"the edition {held[due].name} is in force" in told["says"]


# the edition a case names: a day on which it is in force, or its digest; what trips return
SETTLED = [(BEFORE, 500 + OLD_CENTS), (SINCE, 500 + NEW_CENTS), ("2030-05-05", 500 + NEW_CENTS), ("first", 3_500)]


@pytest.mark.parametrize(("named", "back"), SETTLED)
def test_settle_answers_by_the_edition_a_case_names(installed: Path, tmp_path: Path, named: str, back: int) -> None:
    case = {
        "rulebook": "UTH-MD",
        "edition": editions("UTH-MD")[0].digest if named == "first" else named,
        "config": {"trips_table": "B"},
        "seats": [
            {
                "seat": 2,
                "wagers": {"ante": 1_000, "blind": 1_000, "trips": 500},
                "cards": ["Ah", "9h"],
                "actions": [{"action": "play", "street": "preflop", "cents": 4_000}],
            }
        ],
        "dealer": ["9c", "9d"],
        "community": ["Kh", "7h", "2h", "5d", "3s"],
    }
    file = tmp_path / "case.jsonl"
    file.write_text(json.dumps(case))
    (told,) = _rows(run("settle", str(file)).stdout)
    assert told["returns"]["2"]["trips"] == back


def test_settle_refuses_an_edition_that_is_not_installed(tmp_path: Path) -> None:
    file = tmp_path / "case.jsonl"
    file.write_text(json.dumps({"rulebook": "UTH-MD", "edition": "ab" * 32, "seats": []}))
    assert f"no edition of UTH-MD with digest '{'ab' * 32}' is installed" in run("settle", str(file)).output


def test_the_read_models_expect_of_each_day_what_its_edition_keeps(pit: Path) -> None:
    """A flush paid better leaves the house less: two houses, of one book and the same options."""
    assert run("project", "--once", "--data", str(pit)).exit_code == 0
    asked_for = "SELECT r.gaming_day AS day, max(h.edge) AS edge FROM rounds r JOIN houses h ON h.house = r.house"
    told = run("sql", "-c", f"{asked_for} WHERE h.wager = 'trips' GROUP BY 1 ORDER BY 1", "--json", "--data", str(pit))
    assert told.exit_code == 0, told.output
    before, since = (row["edge"] for row in _rows(told.stdout))
    assert before > since


def test_an_export_names_both_editions_and_says_that_one_was_not_shipped(pit: Path) -> None:
    """The verifier, which has no rule books, believes neither, and says so of the one the property installed."""
    begin(pit, ORIGIN, NOW)
    assert run("checkpoint", "--data", str(pit)).exit_code == 0
    with open_keeper(pit) as keeper:
        whole = Pit(pit, "", 0, "", None, "", (keeper.sizes()[-1],) * 2)  # type: ignore[arg-type] - only its folder
    with asked(whole, Scope(games=("UTH-MD",))) as (question, record, _):
        file = pit / "export.tar"
        make(question, record, file, silent)
    first, second = editions("UTH-MD")
    of_maryland = [each for each in question.books if each.book == "UTH-MD"]
    assert sorted(of_maryland, key=lambda each: not each.shipped) == [
        NamedEdition("UTH-MD", first.digest, first.title),
        NamedEdition("UTH-MD", second.digest, second.title, shipped=False),
    ]
    assert len(question.books) == len(of_maryland) + 4  # of the other books, the newest
    told = run("verify-export", str(file)).output
    assert f"that the edition 'UTH-MD {second.digest}' is the law: it did not come with the software" in told
    assert "the question names others" not in told

"""`catwalk books`: what there is, what a house may choose, what changed; and editions a property installed itself."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.editions import EDITIONS
from domain.rulebooks import BOOKS, editions, first_file, install, newest, parse
from tests.rulebooks.two_editions import changed, folder_of

FIRST = newest("UTH-MD").digest
SECOND = parse(changed()).digest


@pytest.fixture(autouse=True)
def nothing_installed() -> object:
    """Remove what a test installs, so that no other test sees it."""
    yield
    install(())


def books(*words: str, folder: Path | None = None) -> Result:
    return CliRunner().invoke(main, ["books", *words], env={EDITIONS: str(folder) if folder else ""})


def told(*words: str, folder: Path | None = None) -> list[dict[str, object]]:
    return [json.loads(line) for line in books(*words, "--json", folder=folder).stdout.splitlines()]


def test_every_book_is_listed_with_its_editions_and_their_former_digests() -> None:
    rows = told()
    assert [row["book"] for row in rows] == list(BOOKS)
    maryland = rows[1]
    assert (maryland["edition"], maryland["since"], maryland["digest"]) == ("2026-11-18", "2026-11-18", FIRST)
    assert (maryland["former"], maryland["shipped"]) == (list(editions("UTH-MD")[0].former), True)
    text = books().stdout
    assert f"  2026-11-18    {FIRST}\n" in text
    assert f"  formerly      {editions('UTH-MD')[0].former[0]}\n" in text
    assert "not shipped" not in text


def test_an_installed_edition_is_listed_as_not_shipped(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    assert f"  2027-01-01    {SECOND}  not shipped with Catwalk\n" in books("UTH-MD", folder=folder).stdout
    assert [(row["edition"], row["shipped"]) for row in told("uth-md", folder=folder)] == [
        ("2026-11-18", True),
        ("2027-01-01", False),
    ]
    assert [row["edition"] for row in told("UTH-MD")] == ["2026-11-18"]  # without the folder nobody knows it


def test_the_options_of_an_edition_are_listed_with_what_they_may_be() -> None:
    (row,) = [row for row in told("UTH-MD", "--options") if row["option"] == "trips_table"]
    assert (row["may_be"], row["default"], row["clause"]) == ("A, B, C, D, E", "A", "UTH-MD 12.C")
    assert "trips_table" in books("UTH-MD", "--options", "--edition", "2026-11-18").stdout


def test_every_pay_table_is_listed_hand_by_hand() -> None:
    rows = told("UTH-MD", "--tables")
    (flush,) = [row for row in rows if (row["wager"], row["table"], row["hand"]) == ("trips", "B", "flush")]
    assert (flush["pays"], flush["rule"], flush["clause"]) == ("6 to 1", "exact", "UTH-MD 12.C(2)")
    assert (flush["option"], flush["default"]) == ("trips_table=B", False)
    printed = {
        (name, letter): table
        for name, group in newest("UTH-MD").tables.items()
        for letter, table in group.tables.items()
    }
    assert {(row["wager"], row["table"]) for row in rows} == printed.keys()
    assert len(rows) == sum(len(table.printed) for table in printed.values())
    assert "flush" in books("UTH-MD", "--tables").stdout


def test_the_tables_in_force_at_one_house_are_listed_with_its_own_odds() -> None:
    rows = told("UTH-MA", "--tables", "--set", "trips_table=B", "--set", "posted_odds.trips.flush=8 to 1")
    trips = {row["hand"]: row["pays"] for row in rows if row["wager"] == "trips"}
    assert {row["table"] for row in rows if row["wager"] == "trips"} == {"B"}
    assert trips["flush"] == "8 to 1"
    assert trips["straight"] == newest("UTH-MA").tables["trips"].tables["B"].printed["straight"]
    assert "cover_all" not in {row["wager"] for row in rows}
    assert "cover_all" in {row["wager"] for row in told("UTH-MA", "--tables", "--set", "cover_all=true")}


@pytest.mark.parametrize(
    ("book", "setting"),
    [("UTH-MA", "decks=1"), ("UTH-MD", "decks=1"), ("PIK", "decks=1"), ("COL", "decks=1"), ("FAH", "decks=6")],
)
def test_a_table_that_is_the_default_is_the_one_in_force(book: str, setting: str) -> None:
    every = told(book, "--tables")
    assert [row for row in every if row["default"]] == told(book, "--tables", "--set", setting) != []


def test_the_example_of_a_difference_runs() -> None:
    ran = books("UTH-MD", "--diff", "2026-11-18", "2026-11-18")
    assert (ran.exit_code, ran.stdout) == (0, "no difference\n")


def test_a_difference_is_told_value_by_value_and_ends_with_1(tmp_path: Path) -> None:
    ran = books("UTH-MD", "--diff", "2026-11-18", SECOND[:12], "--json", folder=folder_of(tmp_path))
    assert ran.exit_code == 1
    (row,) = [json.loads(line) for line in ran.stdout.splitlines()]
    assert row == {"where": "tables.trips.B.flush", "before": "6 to 1", "after": "7 to 1", "wording": False}


def test_other_wording_alone_is_told_and_ends_with_0(tmp_path: Path) -> None:
    text = changed().replace(b'says = "The trips pay table of the Rules Submission."', b'says = "The trips table."')
    folder = folder_of(tmp_path)
    (folder / "uth-md" / "2027-01-01.2.toml").write_bytes(text)
    (folder / "DIGESTS").write_text(f"{SECOND}  uth-md/2027-01-01.toml\n{SECOND}  uth-md/2027-01-01.2.toml\n")
    ran = books("UTH-MD", "--diff", "2027-01-01", "2027-01-01.2", folder=folder)
    assert ran.exit_code == 0
    assert "options.trips_table.says" in ran.stdout


# what is asked | what is said
REFUSED = """
--options                          | RULEBOOK is missing: name one of UTH-MA, UTH-MD, PIK, FAH, COL.
UTH-MD --edition 2026-11-18        | --edition needs --options or --tables.
UTH-MD --set trips_table=B         | --set needs --tables.
UTH-MD --options --tables          | --options and --tables exclude each other
UTH-MD --tables --set trip_table=B | 'trip_table' is not an option of
UTH                                | there is no rule book 'UTH' (did you mean UTH-MA or UTH-MD?): name one of UTH-MA, UTH-MD, PIK, FAH, COL.
pick                               | there is no rule book 'pick' (did you mean PIK?)
blackjack                          | there is no rule book 'blackjack': name one of
UTH-MD --options --diff a b        | --options and --diff exclude each other
UTH-MD --diff 2026-11-18 2031-01-01 | UTH-MD has no edition '2031-01-01': its editions are 2026-11-18 (
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_a_question_that_cannot_be_answered_is_refused(row: str) -> None:
    words, says = (cell.strip() for cell in row.split("|"))
    ran = books(*words.split())
    assert ran.exit_code == 2
    assert says in ran.stderr


# what is wrong | in the file | written instead | the refusal
WRONG = """
a table the program asks for is gone  | [tables.bad_beat      | [tables.good_beat        | tables.bad_beat is missing
an option it asks for is gone         | [options.ante_min]    | [options.ante_least]     | options.ante_min is missing
a clause nobody knows                 | "UTH-MD 12.C(2)"      | "UTH-MD no.such"         | a clause that is not in the register
a value of another form               | value = 5_000_000     | value = "much"           | must have the same form as 5000000
no citation                           | clause = "UTH-MD 12.C(2)" |                      | tables.trips.B cites no clause of UTH-MD
another book                          | book = "UTH-MD"       | book = "UTH-MA"          | cites no clause of UTH-MA
no TOML                               | [tables.ante]         | [tables.ante             | it is not TOML
"""


@pytest.mark.parametrize("row", WRONG.strip().splitlines(), ids=lambda row: row.split("|")[0].strip())
def test_an_edition_no_day_could_be_judged_by_stops_every_command(tmp_path: Path, row: str) -> None:
    _, was, now, says = (cell.strip() for cell in row.split("|"))
    text = changed().decode()
    assert was in text
    folder = folder_of(tmp_path, digest="00")
    (folder / "uth-md" / "2027-01-01.toml").write_text(text.replace(was, now))
    ran = books(folder=folder)
    assert ran.exit_code == 2
    assert f"{folder / 'uth-md' / '2027-01-01.toml'} cannot be used as an edition: " in ran.stderr
    assert says in ran.stderr


def test_a_file_nobody_listed_and_one_that_was_changed_since_are_refused_with_their_digest(tmp_path: Path) -> None:
    ran = books(folder=folder_of(tmp_path, digest=""))
    assert ran.exit_code == 2
    assert f"If it is right, add the line: {SECOND}  uth-md/2027-01-01.toml" in ran.stderr
    ran = books(folder=folder_of(tmp_path, digest=FIRST))
    assert f"its digest is {SECOND}, but" in ran.stderr
    (tmp_path / "uth-md" / "2027-01-01.toml").unlink()
    assert "2027-01-01.toml is missing" in books(folder=tmp_path).stderr
    assert "which cannot be read" in books(folder=tmp_path / "nowhere").stderr


def test_a_day_that_is_taken_and_a_name_that_is_none_are_refused(tmp_path: Path) -> None:
    assert (
        "Catwalk has another edition 2026-11-18 of UTH-MD" in books(folder=folder_of(tmp_path, day="2026-11-18")).stderr
    )
    assert "name this one 2026-11-18.2.toml" in books(folder=tmp_path).stderr
    (tmp_path / "uth-md" / "2026-11-18.toml").unlink()
    assert "'newest' is not a day" in books(folder=folder_of(tmp_path, day="newest")).stderr


def test_an_installed_edition_that_comes_with_a_later_release_is_the_released_one(tmp_path: Path) -> None:
    """A user who updates Catwalk need not tidy the folder first."""
    rows = told("UTH-MD", folder=folder_of(tmp_path, first_file("UTH-MD")))
    assert [(row["edition"], row["shipped"]) for row in rows] == [("2026-11-18", True)]

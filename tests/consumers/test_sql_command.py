"""The read-only shell: it asks anything, touches nothing, and who looked is on record before anything is shown."""

import json
import shutil
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
from click.testing import CliRunner, Result

from consumers.accounts.asker import user
from consumers.asking import shell
from consumers.command import main
from consumers.desk.opening import open_desk
from domain.desk.access import Accessed, AccessFailed, AccessRefused
from domain.desk.records import decode
from domain.facts.envelope import Fact
from projections.guarded import guard
from projections.reading import opened
from projections.store.store import Store
from tests.projections.hand_made import HandMade, at
from tests.projections.rows import row

DAY = "T7/2026-11-18"


@pytest.fixture
def pit(tmp_path: Path) -> Path:
    """Two rounds, the first already in a Parquet file, and a fact beside them."""
    with HandMade() as made:
        for number in (1, 2):
            made.put("rounds", round=number, staked_cents=500 * number, began_at=at("20:00"), ended_at=at("20:01"))
        made.publish(tmp_path / "read")
    with Store.open(tmp_path / "read") as store:
        assert store.seal(DAY, [row("facts", DAY, sequence=1, type="table-opened.1", stored=b"{}")])
        store.publish()
    return tmp_path


def sql(pit: Path, *words: str, text: str = "") -> Result:
    return CliRunner().invoke(main, ["sql", *words, "--data", str(pit)], input=text)


class Written(NamedTuple):
    """Output that a shell wrote, in the place of an access log."""

    answered: list[str]
    not_run: list[tuple[str, str]]
    not_answered: list[tuple[str, str]]

    def asked(self, statement: str) -> None:
        self.answered.append(statement)

    def refused(self, text: str, why: str) -> None:
        self.not_run.append((text, why))

    def failed(self, statement: str, why: str) -> None:
        self.not_answered.append((statement, why))


def log_of(pit: Path) -> list[Fact]:
    """All entries of the access log."""
    with closing(open_desk(pit, {})) as desk:
        return [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 100)]


# Text a user types | the words of the reason
REFUSED_SQL = """
DROP VIEW rounds                                | runs queries only
COPY rounds TO 'x.csv'                          | runs queries only
ATTACH 'x.duckdb'                               | runs queries only
PRAGMA database_list                            | runs queries only
/* x */ pragma version                          | runs queries only
SELECT * FROM query('DROP VIEW rounds')         | query has side effects
SELECT 1; DELETE FROM rounds                    | runs queries only
SELEC 1                                         | syntax error
"""
# These are questions, and cannot be answered.
FAILED_SQL = """
FROM nowhere                                    | nowhere does not exist
SELECT no_such_column FROM rounds               | no_such_column
FROM read_csv('/etc/passwd')                    | disabled
SELECT 'x'::INTEGER                             | Could not convert
"""


@pytest.mark.parametrize("line", REFUSED_SQL.strip().splitlines())
def test_a_statement_that_is_refused_stands_in_the_access_log_with_the_reason(pit: Path, line: str) -> None:
    text, _, why = (each.strip() for each in line.partition("|"))
    done = sql(pit, "-c", text)
    assert (done.exit_code, done.stdout) == (2, "")
    [record] = log_of(pit)
    assert isinstance(record, AccessRefused)
    assert (record.what, record.of, record.by) == ("sql", text, user())
    assert why in record.why


@pytest.mark.parametrize("line", FAILED_SQL.strip().splitlines())
def test_a_statement_that_fails_stands_in_the_access_log_with_the_reason(pit: Path, line: str) -> None:
    text, _, why = (each.strip() for each in line.partition("|"))
    done = sql(pit, "-c", f"SELECT 7; {text}")
    assert done.exit_code == 2
    answered, asked, failed = log_of(pit)
    assert isinstance(answered, Accessed)
    assert isinstance(asked, Accessed)
    assert isinstance(failed, AccessFailed)
    assert (answered.of.rstrip(";"), asked.of, failed.of) == ("SELECT 7", text, text)
    assert why in failed.why


def accesses(pit: Path) -> list[Accessed]:
    with closing(open_desk(pit, {})) as desk:
        found = [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 100)]
    return [record for record in found if isinstance(record, Accessed)]


def test_a_question_is_answered_in_three_forms_from_the_option_or_from_standard_input(pit: Path) -> None:
    asks = "SELECT round, staked_cents FROM rounds ORDER BY round"
    assert sql(pit, "-c", asks).stdout == "round  staked_cents\n    1           500\n    2          1000\n"
    assert sql(pit, "-c", asks, "--csv").stdout == "round,staked_cents\n1,500\n2,1000\n"
    rows = [json.loads(line) for line in sql(pit, "--json", text=asks + ";").stdout.splitlines()]
    assert rows == [{"round": 1, "staked_cents": 500}, {"round": 2, "staked_cents": 1_000}]
    assert (
        sql(pit, "-c", "-", "--csv", text="SELECT 1 AS x; FROM facts SELECT type;").stdout
        == "x\n1\ntype\ntable-opened.1\n"
    )


def test_who_looked_why_and_at_what_is_on_record(pit: Path) -> None:
    sql(pit, "-c", "SELECT 1", "--purpose", "dispute 118")
    sql(pit, "-c", "SELECT 2; SELECT 3")
    assert [(each.what, each.of, each.why, each.generation) for each in accesses(pit)] == [
        ("sql", "SELECT 1", "dispute 118", 2),
        ("sql", "SELECT 2", "", 2),
        ("sql", "SELECT 3", "", 2),
    ]
    assert all(each.by for each in accesses(pit))


def test_a_statement_longer_than_a_record_is_kept_by_its_beginning_and_its_hash(pit: Path) -> None:
    asks = f"SELECT 1 AS x, '{'y' * 30_000}' AS long"
    assert sql(pit, "-c", asks, "--csv").exit_code == 0
    (kept,) = accesses(pit)
    assert kept.of.startswith(asks[:20_000])
    assert sha256(asks.encode()).hexdigest() in kept.of
    assert len(kept.of) < 21_000


def test_nothing_is_shown_where_it_cannot_be_recorded(pit: Path) -> None:
    (pit / "record/desk.sqlite").mkdir(parents=True)
    answer = sql(pit, "-c", "SELECT 42 AS secret")
    assert answer.exit_code == 2
    assert "42" not in answer.stdout
    assert "without a record of who looks" in answer.output


# Statement that a user tries
TRIES = [
    "INSERT INTO published.main.rounds SELECT * FROM rounds",
    "DELETE FROM published.main.tables",
    "CREATE TABLE mine AS SELECT 1",
    "DROP VIEW rounds",
    "COPY (SELECT 1) TO '{parquet}' (USE_TMP_FILE false)",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{parquet}' (USE_TMP_FILE false)",
    "COPY rounds TO '{folder}/rounds.csv'",
    "EXPORT DATABASE '{folder}/all'",
    "ATTACH '{folder}/other.duckdb'",
    "DETACH published",
    "FROM read_text('/etc/hostname')",
    "FROM read_blob('{folder}/read/current')",
    "FROM glob('/*')",
    "FROM '{folder}/record/desk.sqlite'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET allowed_paths",
    "PRAGMA disable_verification",
    "SELECT 1; DROP VIEW rounds",
    "BEGIN",
    "CALL force_checkpoint('published')",
    "SELEC 1",
    "FROM enable_logging(level = 'trace', storage = 'stdout')",
    "SELECT (SELECT count(*) FROM system.main.Enable_Profiling())",
    'EXPLAIN ANALYZE FROM /* as it were */ "disable_logging"/**/()',
    "DESCRIBE FROM query('FROM enable_' || 'logging()')",
    "WITH x AS (FROM json_execute_serialized_sql(json_serialize_sql('FROM checkpoint()'))) FROM x",
    "SELECT write_log('somebody was here')",
    "FROM arrow_scan(1, 2, 3)",
    "",
]


@pytest.mark.parametrize("statement", TRIES)
def test_nothing_but_what_is_published_can_be_read_and_nothing_written(pit: Path, statement: str) -> None:
    with opened(pit / "read") as reading:
        parquet = reading.files("rounds")[0]
    before = {path: path.read_bytes() for path in pit.rglob("*") if path.is_file()}
    answer = sql(pit, "-c", statement.format(folder=pit, parquet=parquet))
    after = {path: path.read_bytes() for path in pit.rglob("*") if path.is_file() and path.parent.name != "record"}
    assert answer.exit_code == (2 if statement else 0)
    assert answer.stdout == ""
    assert after == before


def test_a_moment_with_a_zone_is_told_in_utc(pit: Path) -> None:
    asks = (
        "SELECT TIMESTAMPTZ '2026-11-18 15:01:00.5-05' AS at, 1 AS n, [now()] IS NULL AS x, TIMESTAMPTZ 'epoch' AS at"
    )
    assert sql(pit, "-c", asks, "--csv").stdout.splitlines() == [
        "at,n,x,at",
        "2026-11-18 20:01:00.5+00,1,False,1970-01-01 00:00:00+00",
    ]
    named = """SELECT TIMESTAMPTZ 'epoch' AS "when ""it"" was" -- as text"""
    assert sql(pit, "-c", named).stdout == 'when "it" was\n1970-01-01 00:00:00+00\n'


def test_a_pivot_is_answered_where_its_columns_are_named(pit: Path) -> None:
    assert sql(pit, "-c", "PIVOT rounds ON round IN (1, 2) USING count(*) GROUP BY stream", "--csv").stdout == (
        f"stream,1,2\n{DAY},1,1\n"
    )
    unnamed = sql(pit, "-c", "PIVOT rounds ON round USING count(*)")
    assert unnamed.exit_code == 2
    assert "PIVOT needs its columns" in unnamed.output


def test_the_guard_holds_even_where_a_statement_slips_through(pit: Path) -> None:
    with opened(pit / "read") as reading:
        guard(reading)
        assert reading.query("SELECT count(*) FROM rounds") == [(2,)]
        for statement in ("SET threads = 1", f"ATTACH '{pit}/other.duckdb'", "FROM read_text('/etc/hostname')"):
            with pytest.raises(duckdb.Error):
                reading.connection.execute(statement)


def test_a_session_goes_on_after_a_mistake(pit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = iter(
        [
            ".tables",
            ".schema houses",
            ".schema nowhere",
            "",
            "SELEC;",
            "DROP VIEW rounds;",
            "SELECT",
            "  7 AS x;",
            ".quit",
            "SELECT 8;",
        ]
    )
    prompts: list[str] = []
    asks = Written([], [], [])

    def lines(prompt: str) -> str:
        prompts.append(prompt)
        return next(said)

    with opened(pit / "read") as reading:
        shell.Shell(reading, asks, "csv").follow(lines)
    told = capsys.readouterr()
    assert "houses" in told.out
    assert "the house edge for one unit" in told.out
    assert told.out.endswith("x\n7\n")
    assert "syntax error" in told.err
    assert "runs queries only" in told.err
    assert prompts.count(shell.MORE) == 1
    assert asks.answered == ["SELECT\n  7 AS x;"]
    assert [text for text, _ in asks.not_run] == ["SELEC;", "DROP VIEW rounds;"]
    assert next(said) == "SELECT 8;"


def test_a_folder_that_is_gone_or_damaged_is_told_plainly(pit: Path) -> None:
    current = pit / "read/current"
    for generation in (pit / "read").rglob("*.duckdb"):
        generation.write_bytes(b"no database")
    damaged = sql(pit, "-c", "SELECT 1")
    assert damaged.exit_code == 2
    assert "rebuild" in damaged.output
    current.unlink()
    shutil.rmtree(pit / "read")
    assert "catwalk project" in sql(pit, "-c", "SELECT 1").output

"""SQL through the read-only shell: it writes nothing, opens no other file, changes no setting and reaches no other machine."""

import contextlib
import io
import os
import random
import re
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import duckdb

from consumers.asking.shell import Shell
from projections.guarded import guard
from projections.questions.asking import AskedWronglyError
from projections.reading import GenerationReader, opened
from projections.schema import SCHEMA
from tests.fuzz.branches import seen
from tests.fuzz.kit import Run, Target, require
from tests.projections.hand_made import HandMade, at

SECRET: Final = "7f3a-not-for-any-answer"  # noqa: S105 - a mark that no answer may hold
_PATIENCE: Final = 1.0  # seconds for an answer: a question larger than the data only delays its own client
_MOST: Final = 200_000  # letters of an answer
_TOKEN = re.compile(r"'[^']*'|\"[^\"]*\"|\$\$|\w+|\s+|.", re.DOTALL)
_TEXT: Final = (
    "SELECT FROM WITH AS WHERE GROUP BY ALL ORDER LIMIT DESCRIBE SUMMARIZE SHOW EXPLAIN ANALYZE PIVOT UNPIVOT ON IN USING "
    "COPY TO INSERT INTO UPDATE SET DELETE CREATE TABLE VIEW MACRO DROP ALTER ATTACH DETACH USE INSTALL LOAD PRAGMA CALL "
    "EXPORT IMPORT DATABASE BEGIN COMMIT CHECKPOINT VACUUM RESET VALUES RECURSIVE UNION LATERAL CROSS JOIN PREPARE EXECUTE "
    "DEALLOCATE COMMENT TYPE SECRET SEQUENCE INDEX RETURNING REPLACE TEMP FORMAT PARQUET CSV JSON MATERIALIZED COLUMNS "
    "EXCLUDE OVER PARTITION FILTER HAVING DISTINCT SAMPLE POSITIONAL ASOF CASE WHEN THEN END CAST TRY_CAST NULL TRUE "
    "( ) , ; * . = :: [ ] { } : -> || ? $1 -- /* */ $$ 0 1 -1 1e308 7"
)
_WORDS: Final = tuple(_TEXT.split())


class _EnoughError(Exception):
    """An answer is long enough."""


class _Answer(io.StringIO):
    def write(self, text: str) -> int:
        if self.tell() + len(text) > _MOST:
            raise _EnoughError
        return super().write(text)


class _Unrecorded:
    """An access log that keeps nothing, called as one or asked by name."""

    def __call__(self, statement: str) -> None: ...

    def asked(self, statement: str) -> None: ...

    def refused(self, text: str, why: str) -> None: ...

    def failed(self, statement: str, why: str) -> None: ...


class _Pit:
    """Published data, a secret beside it in a file and in the environment, and what must stay as it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with HandMade() as made:
            for number in (1, 2):
                made.put("rounds", round=number, staked_cents=500 * number, began_at=at("20:00"), ended_at=at("20:01"))
            made.put("tables", state="playing", book="UTH-MD")
            made.publish(folder / "read")
        (folder / "secret.csv").write_text(f"secret\n{SECRET}\n")
        (folder / "secret.json").write_text(f'{{"secret":"{SECRET}"}}\n')
        os.environ["CATWALK_FUZZ_SECRET"] = SECRET
        os.chdir(folder)  # what is written without a folder is written here
        self.open()
        self.files = self._files()

    def open(self) -> None:
        """Open the data as the command does, with little memory."""
        self.reading: GenerationReader = opened(self.folder / "read")
        self.reading.connection.execute("SET memory_limit = '512MB'")
        guard(self.reading)
        self.told = self._told()
        self.macros = self._macros()

    def _told(self) -> list[Any]:
        """Settings, databases and what they hold."""
        connection = self.reading.connection
        return [
            connection.execute(query).fetchall()
            for query in (
                "SELECT name, value FROM duckdb_settings() ORDER BY ALL",
                "SELECT database_name, path FROM duckdb_databases() ORDER BY ALL",
                "SELECT schema_name, table_name FROM duckdb_tables() ORDER BY ALL",
                "SELECT view_name, sql FROM duckdb_views() ORDER BY ALL",
                "SELECT name FROM duckdb_prepared_statements() ORDER BY ALL",
            )
        ]

    def _macros(self) -> list[Any]:
        """The user-defined functions: slow to list, so asked for only where a statement names one."""
        return self.reading.connection.execute(
            "SELECT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY ALL"
        ).fetchall()

    def _files(self) -> dict[str, tuple[int, int]]:
        return {
            str(path): (path.stat().st_size, path.stat().st_mtime_ns)
            for path in self.folder.rglob("*")
            if path.is_file()
        }

    def check(self, text: str) -> None:
        """Require that the data is unchanged and holds nothing new."""
        require(self._files() == self.files, f"a file was written or changed by {text!r}")
        if re.search("macro|function", text, re.IGNORECASE):
            require(self._macros() == self.macros, f"a function was made by {text!r}")
        told = self._told()
        if told != self.told:
            differs = [(now, then) for ours, theirs in zip(told, self.told, strict=True)
                       for now, then in zip(ours, theirs, strict=False) if now != then]  # fmt: skip
            self.reading.close()
            self.open()
            require(False, f"a setting or a table changed by {text!r}: {differs[:2]}")


def questions(folder: Path) -> Run:
    """Statements through the shell of `catwalk sql`."""
    pit = _Pit(folder)

    def run(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        answer, errors = _Answer(), io.StringIO()
        connection = pit.reading.connection
        timer = threading.Timer(_PATIENCE, connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            with contextlib.redirect_stdout(answer), contextlib.redirect_stderr(errors):
                Shell(pit.reading, _Unrecorded(), "csv").run(text)
            seen("answered")
        except AskedWronglyError as error:
            seen(str(error)[:60])
        except _EnoughError:
            pass
        finally:
            timer.cancel()
        require(SECRET not in answer.getvalue(), f"the secret was read by {text!r}")
        pit.check(text)

    return run


@cache
def vocabulary() -> tuple[str, ...]:
    """Words of SQL, every function DuckDB has, every setting, and our tables and columns."""
    with duckdb.connect(":memory:") as connection:
        functions = [
            f"{name}("
            for (name,) in connection.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
        ]
        settings = [name for (name,) in connection.execute("SELECT name FROM duckdb_settings()").fetchall()]
    columns = {f'"{column.name}"' for table in SCHEMA.values() for column in table.columns}
    files = ("'secret.csv'", "'secret.json'", "'*.csv'", "'/etc/passwd'", "'out.csv'", "'CATWALK_FUZZ_SECRET'",
             "'read/*/*.duckdb'", "'https://127.0.0.1:9/x.csv'", "'s3://x/y'", "published", "published.main.rounds",
             "temp", "system", "information_schema", "duckdb_settings()", "range(3)")  # fmt: skip
    return (*_WORDS, *sorted(functions), *settings, *sorted(columns), *SCHEMA, *files)


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Tokens put in, left out, moved, or a statement put inside another."""
    tokens = _TOKEN.findall(data.decode("utf-8", "replace")) or ["SELECT", " ", "1"]
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        place = chance.randrange(len(tokens) + 1)
        how = chance.randrange(8)
        word = chance.choice(vocabulary())
        if how == 0 and len(tokens) > 1:
            del tokens[min(place, len(tokens) - 1)]
        elif how == 1:
            other = chance.randrange(len(tokens) + 1)
            tokens[place:place] = tokens[min(place, other) : max(place, other)][:20]
        elif how == 2:
            tokens[place:place] = [" ", chance.choice(_WORDS), " "]
        elif how == 3:
            tokens = [*_wrapped(tokens, chance)]
        elif how == 4:
            tokens[place:place] = [" FROM ", word, *(["'secret.csv')"] if word.endswith("(") else [" "])]
        elif how == 5:
            tokens[place:place] = [word, *([chance.choice(vocabulary()), ")"] if word.endswith("(") else [])]
        else:
            tokens[place : place + 1] = [word]
    return "".join(tokens).encode("utf-8", "replace")


def _wrapped(tokens: list[str], chance: random.Random) -> Iterator[str]:
    before, after = chance.choice(
        (("SELECT * FROM (", ")"), ("WITH x AS (", ") FROM x"), ("EXPLAIN ANALYZE ", ""), ("SELECT (", ")"),
         ("DESCRIBE ", ""), ("SUMMARIZE ", ""), ("SELECT 1; ", ""), ("", "; SELECT 1"), ("EXPLAIN (FORMAT json) ", ""),
         ("FROM query('", "')"), ("SELECT EXISTS (", ")"), ("(", ") UNION ALL SELECT 1"), ("SHOW ", ""))
    )  # fmt: skip
    yield before
    yield from tokens
    yield after


TARGETS = (Target("questions", questions, mutate, bytes=2048, share=2),)

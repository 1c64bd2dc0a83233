"""The documents say what the code does: every block of the README runs, every generated page is fresh."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers import reference
from consumers.command import main
from consumers.logs.opening import embedded_log
from domain.games import GAMES
from domain.rulebooks import edition_on
from domain.settlement import KINDS
from domain.settlement.case_actions import ACTIONS
from domain.settlement.case_line import RawCase, RawSeat

ROOT = Path(__file__).parent.parent
CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "GLOSSARY.md", "CHANGELOG.md", "CONTRIBUTING.md")


def blocks() -> list[tuple[str, str]]:
    return [(found["command"], found["output"]) for found in CONSOLE.finditer((ROOT / "README.md").read_text())]


@pytest.mark.parametrize(("command", "output"), blocks(), ids=lambda text: text[:60])
def test_a_block_of_the_readme_prints_what_it_says(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "catwalk"
    beside = Path(sys.executable).parent / "catwalk"
    ran = subprocess.run([beside, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout == output


def test_the_device_feed_of_the_readme_runs_as_it_stands(tmp_path: Path) -> None:
    """The lines that point a device at the gateway, in a shell, ending in a doctor that finds the record whole."""
    found = re.search(r"```sh\n(export CATWALK_DATA.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert found is not None
    assert len(found[1].splitlines()) <= 12
    shutil.copytree(ROOT / "docs/examples", tmp_path / "docs/examples")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-e", "-c", found[1]],
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "30 recorded" in ran.stderr
    assert "records in 2 streams: whole" in ran.stderr


def test_the_simulated_day_of_the_readme_runs_as_it_stands(tmp_path: Path) -> None:
    """A day with incidents, verified, scored, recorded, watched, one of its hands rebuilt, and what a room asks of it."""
    found = re.findall(r"```sh\n(catwalk (?:simulate|project).*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(found) == 2
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-e", "-c", "".join(found)],
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"^all .* 1\.0000  1\.0000$", ran.stdout, re.MULTILINE)
    assert re.search(r"^T1/2026-11-18 round \d+", ran.stdout, re.MULTILINE)


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table's day on record and published, for a page to speak of."""
    folder = tmp_path_factory.mktemp("pit")
    for words in ("simulate --tables 1 --out day.jsonl", "ingest day.jsonl --data pit", "project --once --data pit"):
        catwalk = Path(sys.executable).parent / "catwalk"
        subprocess.run([catwalk, *words.split()], cwd=folder, check=True, capture_output=True)
    return folder


def of_operations(begins: str) -> str:
    """The block of docs/operations.md that begins so."""
    page = (ROOT / "docs/operations.md").read_text()
    (found,) = (block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if block.startswith(begins))
    return str(found)


def in_shell(script: str, folder: Path, *words: str, **told: str) -> subprocess.CompletedProcess[str]:
    """A script as it stands on a page, and what it says."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    bare = {name: value for name, value in os.environ.items() if not name.startswith("CATWALK")}
    return subprocess.run(
        ["bash", "-e", "-c", script, "pit", *words],
        check=False,
        cwd=folder,
        env=bare | {"PATH": path} | told,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def test_accounts_at_a_terminal_are_as_the_page_of_operations_says(pit: Path) -> None:
    """A manager sees the hold, an operator the floor; then nobody sees anything without an account."""
    for name in ("mara", "olga"):
        (pit / f"{name}.txt").write_text(f"long enough for the {len(name)} of us\n")
    ran = in_shell(of_operations("catwalk accounts add mara"), pit, CATWALK_DATA="pit")
    assert ran.returncode == 0, ran.stderr
    assert "mara added (manager)" in ran.stderr
    assert "T1" in ran.stdout
    script = of_operations("#!/bin/sh").replace("/var/lib/catwalk/pit", str(pit / "pit"))
    script = script.replace("/opt/catwalk/.venv/bin/catwalk", str(Path(sys.executable).parent / "catwalk"))
    own = pit / "own"
    shutil.copytree(pit / "pit", own, ignore=shutil.ignore_patterns("accounts.toml"))
    for folder in ((), ("--data", str(own))):
        refused = in_shell(script, pit, "ask", "floor", *folder)
        assert (refused.returncode, refused.stdout) == (4, ""), refused.stderr
        let_in = in_shell(script, pit, "ask", "floor", "--as", "olga", "--password-file", "olga.txt", *folder)
        assert (let_in.returncode, "T1" in let_in.stdout) == (0, True), let_in.stderr
    assert in_shell(script, pit, "ingest", "day.jsonl").returncode == 2


EXAMPLES = sorted((ROOT / "docs/examples").glob("*.jsonl"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_names_the_edition_of_its_rule_book_that_is_in_force(path: Path) -> None:
    """A table that opened under an edition nobody has is not judged."""
    for found in filter(lambda each: "book_digest" in each, map(json.loads, path.read_text().splitlines())):
        assert found["book_digest"] == edition_on(found["book"], found["gaming_day"]).digest


def test_the_examples_open_a_table_that_is_judged(tmp_path: Path) -> None:
    """The gateway adds the edition in force where the opening names none."""
    ran = CliRunner().invoke(main, ["ingest", "--data", str(tmp_path), str(ROOT / "docs/examples/openings.jsonl")])
    assert ran.exit_code == 0, ran.output
    with closing(embedded_log(tmp_path)) as log:
        opened = json.loads(next(iter(log.read_stream("T7/2026-11-18"))))
    assert opened["book_digest"] == edition_on(opened["book"], opened["gaming_day"]).digest


def test_the_readme_has_blocks_to_run() -> None:
    assert len(blocks()) >= 2


@pytest.mark.parametrize(
    ("path", "page"),
    [
        (reference.COMMANDS, reference.commands_page),
        (reference.HOUSE_OPTIONS, reference.house_options_page),
        (reference.READ_MODELS, reference.read_models_page),
        (reference.EXPORT_FORMAT, reference.export_format_page),
        (reference.OPENAPI, reference.openapi_document),
        (reference.SETTLEMENT, reference.settlement_page),
    ],
    ids=["commands", "house options", "read models", "export format", "OpenAPI", "settlement"],
)
def test_a_generated_page_is_fresh(path: Path, page: object) -> None:
    """`make docs` writes it."""
    assert callable(page)
    assert (ROOT / path).read_text() == page()


def test_every_command_has_examples_in_its_help() -> None:
    for name, command in main.commands.items():
        assert "Example" in (command.epilog or ""), f"catwalk {name} --help shows no example"


def test_the_case_format_names_every_field_wager_action_and_irregularity() -> None:
    page = (ROOT / "docs/case-format.md").read_text()
    words = set(RawCase.__struct_fields__) | set(RawSeat.__struct_fields__)
    for game in GAMES.values():
        words |= set(game.placed) | set(ACTIONS[game.kind]) | set(KINDS[game.kind])
    assert sorted(word for word in words if word not in page) == []


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# Names in the documents that are cards, or belong to standards and other programs.
FOREIGN = {"Ah", "Td", "Alter", "AlterConfigs", "BagIt", "Delete", "HttpOnly", "LoadCredential", "SameSite", "Secure"}
FOREIGN |= {"StateDirectory"}


def code_in(path: Path) -> list[str]:
    """The code between backticks in a document, without its blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL))


def python_names() -> set[str]:
    """Every name that a module of the project defines or imports."""
    found = set()
    for folder in ("domain", "projections", "consumers", "dashboards", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef | ast.alias):
                    found.add(node.name)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found.add(node.id)
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_link_of_a_document_leads_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text()):
        assert (ROOT / target).exists(), f"{name} links to {target}"


def test_each_path_that_a_document_names_exists() -> None:
    """A path with a `*` matches a file; a path of a module may leave out its top folder."""
    missing = []
    for page in PAGES:
        for code in code_in(page):
            paths = re.findall(r"(?<!\S)((?:domain|projections|consumers|dashboards|tests|docs)/[\w./*-]+)", code)
            if not paths and re.fullmatch(r"[\w/]+/\w+\.py", code):
                paths = [f"**/{code}"]
            missing += [f"{page.relative_to(ROOT)}: {path}" for path in paths if not any(ROOT.glob(path.rstrip("/")))]
    assert missing == []


def test_each_class_that_a_document_names_exists() -> None:
    known = python_names() | FOREIGN
    missing = []
    for page in PAGES:
        for code in code_in(page):
            names = re.findall(r"(?<![\w.#/-])(?:[A-Z][a-z]+){2,}\b", code)
            names += [code] if re.fullmatch(r"[A-Z][a-z]+", code) else []
            missing += [f"{page.relative_to(ROOT)}: {name}" for name in names if name not in known]
    assert missing == []


def test_the_newest_release_of_the_changelog_is_the_version_of_the_project() -> None:
    """Releases go from the newest to the oldest, each with its date."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    releases = re.findall(r"^## (\d+)\.(\d+)\.(\d+), (\d{4}-\d\d-\d\d)$", text, re.MULTILINE)
    versions = [tuple(map(int, release[:3])) for release in releases]
    assert versions == sorted(versions, reverse=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == ".".join(releases[0][:3])


def test_the_glossary_gives_each_word_one_sentence_in_order() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", (ROOT / "GLOSSARY.md").read_text(), re.MULTILINE)[1:]
    words = [word.casefold() for word, _ in rows]
    assert words == sorted(words)
    assert len(set(words)) == len(words)
    assert all(sentence.endswith(".") for _, sentence in rows)

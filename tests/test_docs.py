"""The documents say what the code does: every block of the README runs, every generated page is fresh."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from consumers import reference
from consumers.command import main
from domain.settlement import KINDS
from domain.settlement.case_actions import ACTIONS
from domain.settlement.case_format import PLACED
from domain.settlement.case_line import RawCase, RawSeat

ROOT = Path(__file__).parent.parent
CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "GLOSSARY.md", "DECISIONS.md", "CHANGELOG.md", "CONTRIBUTING.md")


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


def test_the_readme_has_blocks_to_run() -> None:
    assert len(blocks()) >= 2


@pytest.mark.parametrize(
    ("path", "page"),
    [
        (reference.COMMANDS, reference.commands_page),
        (reference.HOUSE_OPTIONS, reference.house_options_page),
        (reference.READ_MODELS, reference.read_models_page),
    ],
    ids=["commands", "house options", "read models"],
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
    for book, wagers in PLACED.items():
        words |= set(wagers) | set(ACTIONS[book]) | set(KINDS[book])
    assert sorted(word for word in words if word not in page) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_link_of_a_document_leads_somewhere(name: str) -> None:
    text = (ROOT / name).read_text()
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / target).exists(), f"{name} links to {target}"
    for target in re.findall(r"`((?:domain|consumers|tests|docs)/[\w./-]+)`", text):
        assert (ROOT / target).exists(), f"{name} names {target}"


def test_the_glossary_gives_each_word_one_sentence_in_order() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", (ROOT / "GLOSSARY.md").read_text(), re.MULTILINE)[1:]
    words = [word.casefold() for word, _ in rows]
    assert words == sorted(words)
    assert len(set(words)) == len(words)
    assert all(sentence.endswith(".") for _, sentence in rows)

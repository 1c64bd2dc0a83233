"""Plain American English: phrases that no document, help text or page may use, each with a sentence it must catch."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from consumers.command import main
from tests.citations import ROOT

DOCUMENTS = sorted(
    [ROOT / "README.md", ROOT / "GLOSSARY.md", *(ROOT / "docs").glob("*.md")]
    + [ROOT / "docs" / name / "README.md" for name in ("facts", "findings")]
)
COMMANDS = sorted((ROOT / "consumers" / "commands").glob("*.py"))
PAGES = sorted((ROOT / "dashboards").rglob("*.py"))
# Folders in which every docstring, comment and message is plain, not only what a page or a terminal shows.
FOLDERS = ("dashboards", "projections")
MODULES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
REPORTS = sorted([*(ROOT / "projections").rglob("*.typ"), ROOT / "projections" / "export" / "HOW-TO-VERIFY.txt"])
# A docstring begins with an imperative or a noun phrase, so never with one of these words.
_RIDDLES = re.compile(
    r"(?:What|How|Whether|Where|Who|Whom|Whose|Which|When|Why|That|If|Of|Raises|Returns|Says|Tells|Makes|Writes|Takes"
    r"|Gives|Puts|Reads|Draws|Nobody|Somebody|Everybody|Whoever|Whatever)\b"
)
_CODE = re.compile(r"`[^`\n]+`")


class Banned(NamedTuple):
    """A phrase nobody may use: its pattern, a sentence that has it, and how to say it."""

    pattern: str
    says: str
    instead: str


BANNED = [
    Banned(r"\banew\b", "It is killed and started anew.", "It is killed and started again. Renew the key."),
    Banned(r"\bof before\b", "The list of before stays.", "The earlier list stays, as of the day before."),
    Banned(r"\bby now\b", "The table is closed by now.", "The table is closed. By noon it is open."),
    Banned(r"\b(?:some|any)body else['’]s\b", "It is somebody else's order.", "Somebody else placed the order."),
    Banned(r"\bnobody fores(?:aw|ees)\b", "It failed, for a reason nobody foresaw.", "Something went wrong."),
    Banned(r"\bt(?:ake|akes|aken|aking|ook) away\b", "Take away the file.", "Download the file. Take the file."),
    Banned(
        r"\b(?:floor|pit|casino)s? that (?:does|do) not exist\b", "A floor that does not exist.", "A simulated floor."
    ),
    Banned(
        r"\bgo(?:es|ing|ne)? on (?:from|with)\b", "It goes on from the marks.", "It resumes. The jump goes on record."
    ),
    Banned(r"\bwent on (?:from|with)\b", "It went on with the next day.", "It continued with the next day."),
    Banned(r"\bexplained since\b", "This finding is explained since.", "This finding is withdrawn."),
    Banned(
        r"(?:^|[.:;!?] |\| )[Ww]hat (?:is|was) (?:\w+ ){1,2}(?:is|was)\b",
        "What is owed is told when the hand is over.",
        "It says what is proved and what is not. If what is owed is known, pay it.",
    ),
    Banned(r"\bwhatever (?:is|was) not\b", "Name whatever is not as written.", "Report every altered record."),
    Banned(r"\bfor want of\b", "Undecided for want of what?", "Undecided because the card is missing."),
    Banned(r"\bat the asking\b", "It is made at the asking.", "It is computed when asked."),
    Banned(r"\btwo by two\b", "Tables are taken two by two.", "Tables are compared in pairs."),
    Banned(r"\blooked at together\b", "Two tables are looked at together.", "Two tables are compared."),
    Banned(r"\botherwise than\b", "It stands there otherwise than said.", "It differs. It is otherwise unchanged."),
    Banned(r"\btell(?:s|ing)? of\b|\btold of\b", "The record tells of a key.", "The record registers a key."),
    Banned(r"\bnothing here (?:that|which)\b", "Nothing here that fits.", "No findings match these filters."),
    Banned(r"\bnothing of (?:ours|theirs|anybody's)\b", "You need nothing of ours.", "You need none of our software."),
    Banned(r"\bjust now\b", "It could not be reached just now.", "The data store is unavailable now."),
    Banned(r"\bif it stays so\b", "If it stays so, call.", "If the problem remains, call."),
    Banned(r"\bwoven in\b", "What is woven in?", "Which incidents are added?"),
    Banned(r"\bwhere left out\b", "Now, where left out.", "Default: now. It says where it was left."),
    Banned(r"\bfor ever\b", "It is kept for ever.", "It is kept forever, for every table."),
    Banned(
        r"\b(?:colour|neighbour|behaviour|judgement|licence|favour|honour|centre)\w*",
        "The licence of the dealer.",
        "The license of the dealer, in another color.",
    ),
]


def troubles(texts: Iterator[tuple[str, str]]) -> list[str]:
    """A sentence for each banned phrase, with the place and the words around it."""
    found = []
    for where, text in texts:
        flat = re.sub(r"\s+", " ", text)
        for banned in BANNED:
            for match in re.finditer(banned.pattern, flat, re.IGNORECASE):
                around = flat[max(0, match.start() - 40) : match.end() + 40].strip()
                found.append(f"{where}: …{around}…; say it as in: {banned.instead}")
    return found


def helps(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    """The help of a command, of its options and of the commands inside it."""
    yield f"{name} --help", f"{command.help or ''}\n{command.epilog or ''}\n{command.short_help or ''}"
    for each in command.params:
        if isinstance(each, click.Option):
            yield f"{name} {each.opts[-1]}", each.help or ""
    if isinstance(command, click.Group):
        for inner, of in sorted(command.commands.items()):
            yield from helps(of, f"{name} {inner}")


def spoken(path: Path) -> Iterator[tuple[str, str]]:
    """The string literals of a module that are no docstrings: what a person may read on a page or a terminal."""
    tree = ast.parse(path.read_text("utf-8"))
    silent = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in silent:
            yield f"{path.relative_to(ROOT)}:{each.lineno}", each.value


@pytest.mark.parametrize("banned", BANNED, ids=[each.says for each in BANNED])
def test_a_banned_phrase_is_caught_and_what_to_say_instead_is_not(banned: Banned) -> None:
    assert re.search(banned.pattern, banned.says, re.IGNORECASE)
    assert troubles(iter([("here", banned.instead)])) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_says_it_plainly(path: Path) -> None:
    text = _CODE.sub("``", path.read_text("utf-8"))
    assert troubles(iter([(str(path.relative_to(ROOT)), text)])) == []


def test_the_help_of_every_command_says_it_plainly() -> None:
    assert troubles(helps(main, "catwalk")) == []


@pytest.mark.parametrize("path", [*COMMANDS, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_and_a_command_say_it_plainly(path: Path) -> None:
    assert troubles(spoken(path)) == []


def written(path: Path) -> Iterator[tuple[str, str]]:
    """Every docstring, message and comment of a module, each with its line; the names in them are code."""
    text = path.read_text("utf-8")
    for each in ast.walk(ast.parse(text)):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and not each.value.isidentifier():
            yield f"{path.relative_to(ROOT)}:{each.lineno}", _CODE.sub("``", each.value)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield f"{path.relative_to(ROOT)}:{token.start[0]}", token.string


def riddles(path: Path) -> list[str]:
    """The docstrings of a module that begin with neither an imperative nor a noun phrase."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [
        ast.get_docstring(each) for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, kinds)
    ]
    return [f"{path.relative_to(ROOT)}: {each.splitlines()[0]}" for each in found if each and _RIDDLES.match(each)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_it_plainly(path: Path) -> None:
    assert troubles(written(path)) == []
    assert riddles(path) == []


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_goes_with_an_export_says_it_plainly(path: Path) -> None:
    text = re.sub(r"\b\w+\.\w+", "", path.read_text("utf-8"))  # a name in a template is code
    assert troubles(iter([(str(path.relative_to(ROOT)), text)])) == []


def test_a_docstring_that_begins_with_a_riddle_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""How far a stream is one chain."""\n\n\ndef plain() -> None:\n    """Return the chain."""\n')
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert riddles(module) == ["module.py: How far a stream is one chain."]

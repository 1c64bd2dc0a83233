"""Plain American English: phrases that no text for people may use, each with a sentence that it must catch."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from consumers.command import main
from domain.clauses import findings
from tests.citations import ROOT

DOCUMENTS = sorted(
    [ROOT / "README.md", ROOT / "GLOSSARY.md", *(ROOT / "docs").glob("*.md")]
    + [*(ROOT / "docs/decisions").glob("*.md")]
    + [ROOT / "docs" / name / "README.md" for name in ("facts", "findings")]
)
COMMANDS = sorted((ROOT / "consumers" / "commands").glob("*.py"))
PAGES = sorted((ROOT / "dashboards").rglob("*.py"))
# Folders and modules whose docstrings, comments, error messages and finding sentences are checked.
SOURCES = ("consumers", "dashboards", "domain", "projections")
# The placeholder in the orders is part of their digests.
UNCHECKED = (ROOT / "consumers" / "exporting" / "orders.py",)
MODULES = sorted(
    path
    for name in SOURCES
    for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))
    if path not in UNCHECKED and path.parent not in UNCHECKED
)
# The tests, by folder. This module quotes the banned words on purpose.
_TESTS = sorted({*(ROOT / "tests").rglob("*.py")} - {Path(__file__)})
TESTS = {of: [*paths] for of, paths in groupby(_TESTS, lambda path: path.relative_to(ROOT / "tests").parts[0])}
REPORTS = sorted([*(ROOT / "projections").rglob("*.typ"), ROOT / "projections" / "export" / "HOW-TO-VERIFY.txt"])
_CODE = re.compile(r"`[^`]+`")


class Banned(NamedTuple):
    """A phrase nobody may use: its pattern, a sentence that has it, and how to say it."""

    pattern: str
    says: str
    instead: str


BANNED = [
    Banned(r"\banew\b", "It is killed and started anew.", "It is killed and started again. Renew the key."),
    Banned(r"\bof before\b", "The list of before stays.", "The earlier list stays, as of the day before."),
    Banned(r"\bby now\b", "The table is closed by now.", "The table is closed. By noon it is open."),
    Banned(r"\b(?:some|any)body else['’]s\b", "It is somebody else's order.", "Another clerk placed the order."),
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

# Banned in documents, docstrings, comments and messages.
RIDDLES = [
    Banned(r"\bwho(?:m|so)?ever\b", "Whoever took it must sign.", "The person who took it must sign."),
    Banned(r"\b(?:some|any)body\b", "Somebody placed it.", "A player placed it. Nobody saw it. Everybody decided."),
    Banned(r"\b(?:is|are|was|were|be|been|being|as) told\b", "The gap is told.", "The gap is reported."),
    Banned(r"\b(?:none|nothing|empty|no) where\b", "The seat, none where unknown.", "The seat, or None if unknown."),
    Banned(r"\b(?:what|all that) (?:stands|lies)\b", "Read what stands there.", "Read the log."),
    Banned(r"\bfor want\b|\bas good as\b|\bso as to\b", "It stops for want of a key.", "It stops without a key."),
    Banned(r"\b(?:let|lets|letting) go\b", "The day is let go.", "The day is released."),
    Banned(r"\bno more than is\b", "It keeps no more than is needed.", "It keeps only the newest day."),
]
# No docstring opens with these: its first line is an imperative or a noun phrase that says what the function returns.
_CLAUSE = "What|Who|Whom|Whose|Which|Where|How|Why|When|While|Once|As|If|Of|Behind|Nor|Neither|Only"
_VAGUE = "Some(?:body|one|thing)|Any(?:body|one|thing)|Nobody|Nothing|It|Its|They|That|This|These|Those|There|Here"
_THIRD_PERSON = (
    "Adds|Appends|Asks|Begins|Builds|Closes|Compares|Computes|Decides|Draws|Drops|Finds|Folds|Follows|Gathers|Gives|"
    "Goes|Has|Is|Keeps|Lets|Makes|Opens|Proves|Puts|Raises|Reads|Refuses|Registers|Removes|Returns|Runs|Says|Sends|"
    "Shows|Starts|Stops|Takes|Tells|Tries|Waits|Writes"
)
_RIDDLING = re.compile(rf"\W*(?:{_CLAUSE}|{_VAGUE}|{_THIRD_PERSON})\b(?!-)")


def troubles(texts: Iterator[tuple[str, str]], phrases: list[Banned] = BANNED) -> list[str]:
    """A sentence for each banned phrase, with the place and the words around it."""
    found = []
    for where, text in texts:
        flat = re.sub(r"\s+", " ", text)
        for banned in phrases:
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


@lru_cache(maxsize=2)
def _nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


def spoken(path: Path) -> Iterator[tuple[str, str]]:
    """The string literals of a module without its docstrings: text for a page, a terminal, an error or a finding."""
    silent = {id(each.value) for each in _nodes(path) if isinstance(each, ast.Expr)}
    for each in _nodes(path):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in silent:
            yield f"{path.relative_to(ROOT)}:{each.lineno}", each.value


def docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """The docstrings of a module, without the code they quote."""
    for each in _nodes(path):
        if isinstance(each, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            line = 1 if isinstance(each, ast.Module) else each.lineno
            if text := ast.get_docstring(each):
                yield f"{path.relative_to(ROOT)}:{line}", _CODE.sub("``", text)


def comments(path: Path) -> Iterator[tuple[str, str]]:
    """The comments of a module, those on consecutive lines as one."""
    last, start, words = 0, 0, ""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield f"{path.relative_to(ROOT)}:{start}", words
                start, words = token.start[0], ""
            last, words = token.start[0], f"{words} {_CODE.sub('``', token.string).lstrip('# ')}"
    yield f"{path.relative_to(ROOT)}:{start}", words


def of_docstrings(paths: Iterable[Path]) -> list[str]:
    """A sentence for each docstring with a banned phrase, and each that does not open with what the code does or is."""
    texts = [each for path in paths for each in docstrings(path)]
    opens = [f"{where} opens with a riddle: {text}" for where, text in texts if _RIDDLING.match(text)]
    return troubles(iter(texts), [*BANNED, *RIDDLES]) + opens


@pytest.mark.parametrize("banned", [*BANNED, *RIDDLES], ids=[each.says for each in [*BANNED, *RIDDLES]])
def test_a_banned_phrase_is_caught_and_what_to_say_instead_is_not(banned: Banned) -> None:
    assert re.search(banned.pattern, banned.says, re.IGNORECASE)
    assert troubles(iter([("here", banned.instead)]), [*BANNED, *RIDDLES]) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_says_it_plainly(path: Path) -> None:
    text = _CODE.sub("``", path.read_text("utf-8"))
    assert troubles(iter([(str(path.relative_to(ROOT)), text)]), [*BANNED, *RIDDLES]) == []


def test_the_help_of_every_command_says_it_plainly() -> None:
    assert troubles(helps(main, "catwalk")) == []


@pytest.mark.parametrize("path", [*COMMANDS, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_and_a_command_say_it_plainly(path: Path) -> None:
    assert troubles(spoken(path)) == []


def test_the_sentence_of_every_finding_code_says_it_plainly() -> None:
    texts = ((code, finding.says) for code, finding in findings().items())
    assert troubles(texts, [*BANNED, *RIDDLES]) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_it_plainly(path: Path) -> None:
    # The strings of the simulated floor are left out: its labels and facts keep their bytes.
    simulated = path.is_relative_to(ROOT / "domain" / "simulation")
    sentences = ((where, text) for where, text in spoken(path) if " " in text and not simulated)
    assert troubles(iter([*comments(path), *sentences]), [*BANNED, *RIDDLES]) == []
    assert of_docstrings([path]) == []


@pytest.mark.parametrize("folder", TESTS)
def test_the_docstrings_and_comments_of_tests_say_it_plainly(folder: str) -> None:
    remarks = (remark for path in TESTS[folder] for remark in comments(path))
    assert troubles(remarks, [*BANNED, *RIDDLES]) == []
    assert of_docstrings(TESTS[folder]) == []


@pytest.mark.parametrize("opening", ["What is owed.", "Takes a fact.", "It holds.", "Whom to ask.", "Of a hand, it."])
def test_a_riddling_opening_is_caught(opening: str) -> None:
    assert _RIDDLING.match(opening)


@pytest.mark.parametrize("opening", ["The amount owed.", "Take a fact.", "Whether it holds.", "Itself a fact."])
def test_a_plain_opening_is_not(opening: str) -> None:
    assert not _RIDDLING.match(opening)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_goes_with_an_export_says_it_plainly(path: Path) -> None:
    text = re.sub(r"\b\w+\.\w+", "", path.read_text("utf-8"))  # a name in a template is code
    assert troubles(iter([(str(path.relative_to(ROOT)), text)])) == []

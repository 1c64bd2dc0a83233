"""The types for clients take each golden fact, refuse what is none, and write the bytes that the gateway reads."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.citations import ROOT

BINDINGS = ROOT / "docs/bindings"
JAVASCRIPT = ROOT / "tests/javascript"
TSC = JAVASCRIPT / "node_modules/typescript/bin/tsc"
GOLDEN = {path.stem: path.read_text().rstrip("\n") for path in sorted((ROOT / "tests/golden/facts").glob("*.json"))}
PLACED = GOLDEN["wager-placed.1"]
WRONG = {
    "a wager that no table has": ("WagerPlaced", PLACED.replace('"ante"', '"insurance"')),
    "a field misspelled": ("WagerPlaced", PLACED.replace('"cents"', '"cent"')),
    "a field left out": ("WagerPlaced", re.sub(r'"seat":\d+,', "", PLACED)),
    "money as text": ("WagerPlaced", re.sub(r'"cents":\d+', '"cents":"10.00"', PLACED)),
    "another type's fields": ("CardDealt", PLACED.replace("wager-placed.1", "card-dealt.1")),
    "a card in another notation": ("CardDealt", re.sub(r'"card":"[^"]*"', '"card":"10h"', GOLDEN["card-dealt.1"])),
    "a key that is no wager": ("TableOpened", GOLDEN["table-opened.1"].replace('{"ante":', '{"insurance":')),
}


def _class(name: str) -> str:
    """The name of a type in a client's language."""
    return "".join(word.capitalize() for word in name.rpartition(".")[0].split("-"))


def _in_python(told: str) -> str:
    return repr(json.loads(told))


def test_each_golden_fact_has_its_type_in_both_languages() -> None:
    for text in (BINDINGS / "python/catwalk_facts/__init__.py", BINDINGS / "typescript/facts.ts"):
        names = set(re.findall(r"^(?:export interface|class) (\w+)", text.read_text(), re.MULTILINE))
        assert names == {*map(_class, GOLDEN), "Envelope", "WagerLimits", "DeviceHere"}


def test_a_python_type_checker_takes_each_golden_fact_and_refuses_what_is_none(tmp_path: Path) -> None:
    lines = ["import catwalk_facts as c"]
    lines += [f"f{at}: c.{_class(name)} = {_in_python(told)}" for at, (name, told) in enumerate(GOLDEN.items())]
    wrong = len(lines) + 1
    lines += [f"w{at}: c.{name} = {_in_python(told)}" for at, (name, told) in enumerate(WRONG.values())]
    (tmp_path / "client.py").write_text("\n".join(lines) + "\n")
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "client.py"],
        cwd=tmp_path,
        env={"MYPYPATH": str(BINDINGS / "python"), "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    refused = {int(at) for at in re.findall(r"^client\.py:(\d+): error", run.stdout, re.MULTILINE)}
    assert refused == set(range(wrong, wrong + len(WRONG))), run.stdout + run.stderr


def test_the_python_package_alone_writes_what_the_gateway_reads(tmp_path: Path) -> None:
    client = "import sys, json, catwalk_facts as c\nfor told in sys.stdin: print(c.line(json.loads(told)))\n"
    client = f"import sys; sys.path.insert(0, {str(BINDINGS / 'python')!r})\n{client}"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", client],
        input="\n".join(GOLDEN.values()),
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert run.stdout.splitlines() == list(GOLDEN.values())


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A client in TypeScript with each golden fact, and with each wrong one, for the compiler to refuse."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "facts.ts").write_bytes((BINDINGS / "typescript/facts.ts").read_bytes())
    lines = [
        'import { line } from "./facts.js";',
        'import type * as c from "./facts.js";',
        "const told: string[] = [];",
    ]
    for at, (name, told) in enumerate(GOLDEN.items()):
        lines += [f"const f{at}: c.{_class(name)} = {told};", f"told.push(line(f{at}));"]
    late = PLACED.replace('"at":1795036205000001', '"at":253402127999999999n')
    lines += [f"const late: c.WagerPlaced = {late};", "told.push(line(late));"]
    (folder / "client.ts").write_text("\n".join((*lines, 'console.log(told.join("\\n"));')))
    wrong = [f"export const w{at}: c.{name} = {told};" for at, (name, told) in enumerate(WRONG.values())]
    (folder / "wrong.ts").write_text("\n".join(('import type * as c from "./facts.js";', *wrong)))
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def _compiled(client: Path, name: str) -> list[tuple[str, int]]:
    """The errors that the TypeScript compiler finds, by file and line."""
    strict = ("--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "nodenext")
    run = subprocess.run(
        ["node", TSC, *strict, "--pretty", "false", name], cwd=client, capture_output=True, text=True, check=False
    )
    return [(file, int(at)) for file, at in re.findall(r"^(\S+)\((\d+),\d+\): error", run.stdout, re.MULTILINE)]


def test_the_typescript_compiler_takes_each_golden_fact_and_the_client_writes_it(client: Path) -> None:
    assert _compiled(client, "client.ts") == []
    run = subprocess.run(["node", "client.js"], cwd=client, capture_output=True, text=True, check=True)
    late = PLACED.replace('"at":1795036205000001', '"at":253402127999999999')
    assert run.stdout.splitlines() == [*GOLDEN.values(), late]


def test_the_typescript_compiler_refuses_what_is_no_fact(client: Path) -> None:
    assert {at for file, at in _compiled(client, "wrong.ts") if file == "wrong.ts"} == set(range(2, 2 + len(WRONG)))

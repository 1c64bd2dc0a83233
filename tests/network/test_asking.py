"""Schemathesis asks the served document for requests, and sends them by HTTPS: it knows nothing else of the gateway.

Each answer is one of the document, in its form; on record is what was answered with `taken`, and nothing else. REQUESTS is
how many it makes by chance, beside the boundaries of each field, and SEED which; with it, facts of all types are asked for.
"""

import base64
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.citations import ROOT
from tests.gateway.admitted import register
from tests.network import said
from tests.network.asking import SOURCE, TABLE
from tests.network.serving import Site, document, opened

REQUESTS = os.environ.get("REQUESTS", "")
SEED = os.environ.get("SEED", "1")
SOME = 3  # types of fact whose boundaries are asked for by `make test`


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A gateway whose table T7 is open, with a source that may report play at it."""
    with opened(tmp_path_factory.mktemp("asked")) as one:
        register(
            one.folder / "pit",
            SOURCE,
            "--table",
            TABLE,
            "--may",
            "play",
            "--secret-out",
            one.folder / f"{SOURCE}.secret",
        )
        one.start()
        yield one
        one.end()


Exchange = tuple[dict[str, Any], dict[str, Any]]


def asked(site: Site, *more: str, types: int = 1) -> list[Exchange]:
    """Let Schemathesis ask; return each request with its answer. It fails with what it found, and how to repeat it."""
    report = site.folder / f"asked-{len(list(site.folder.glob('asked-*')))}.har"
    drawn = random.Random(SEED).sample(  # noqa: S311 - which types are asked for
        sorted(document()["components"]["schemas"]["Fact"]["discriminator"]["mapping"]), types
    )
    around = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.network.asking", "PYTHONPATH": str(ROOT), "CI": ""}
    around |= {"TYPES": "" if REQUESTS else " ".join(drawn)}
    words = ["run", f"https://localhost:{site.https}/v1/openapi.json", "--tls-verify", "pit.crt", "--checks", "all"]
    words += ["--exclude-checks", "positive_data_acceptance", "--max-examples", REQUESTS or "25", "--seed", SEED]
    words += ["--generation-database", "none", "--report-har-path", str(report), "--report-preserve-bytes", *more]
    program = [sys.executable, "-m", "schemathesis.cli", "--no-color", *words]
    ran = subprocess.run(program, capture_output=True, text=True, cwd=site.folder, env=around, check=False)
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
    return [(one["request"], one["response"]) for one in json.loads(report.read_text())["log"]["entries"]]


def told(exchange: Exchange) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Each line of a request that has an answer, with it."""
    request, response = exchange
    kind = next((one["value"] for one in request["headers"] if one["name"].lower() == "content-type"), "")
    here = said.lines(kind.partition(";")[0], base64.b64decode(request.get("postData", {}).get("text", "")))
    for answer in json.loads(base64.b64decode(response["content"]["text"])).get("facts", []):
        yield here[answer["line"] - 1], answer


def test_without_its_secret_a_source_leaves_nothing_here(site: Site) -> None:
    """A client that proves nothing adds no fact and no dead letter."""
    before = len(site.record()), len(site.letters())
    seen = asked(site, "--phases", "fuzzing")
    assert Counter(response["status"] for _, response in seen)[401] >= 20
    assert not [one for exchange in seen for one in told(exchange)]
    assert (len(site.record()), len(site.letters())) == before


def test_what_was_answered_with_taken_is_on_record_and_nothing_else(site: Site) -> None:
    """In its order, in its words, and once; every refused line is a dead letter."""
    before = len(site.letters())
    seen = asked(site, "--header", f"Authorization: Bearer {site.secret(SOURCE)}", types=SOME)
    answers = [one for exchange in seen for one in told(exchange)]
    words = Counter(answer["answer"] for _, answer in answers)
    assert min(words["taken"], words["refused"]) >= 100, words
    assert {response["status"] for _, response in seen} >= {200, 400, 405, 415, 422}
    taken = [said.fact(line) for line, answer in answers if answer["answer"] == "taken"]
    stored = [fact for fact in site.record() if fact["source"] == SOURCE]
    assert [(one["type"], one["source_key"]) for one in stored] == [
        (one["type"], one["source_key"]) for one in taken if one
    ]
    for sent, found in zip(taken, stored, strict=True):
        assert sent is not None
        assert {name: found[name] for name in sent.keys() & found.keys()} | {"stream": TABLE} == {
            name: value for name, value in sent.items() if name in found
        }
    letters = site.letters()[before:]
    assert len(letters) == words["refused"]

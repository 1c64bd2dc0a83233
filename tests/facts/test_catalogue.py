"""The catalogue of facts and the pages written from it."""

import re
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from consumers.contracts import pages as contracts
from domain.facts.catalogue import SUBJECTS, TYPES
from domain.facts.codec import decode, encode, name_of
from domain.facts.decisions import DecisionMade
from domain.facts.envelope import Fact
from domain.facts.samples import sample
from domain.facts.streams import BadStreamError, stream
from domain.games import GAMES

ROOT = Path(__file__).parent.parent.parent
every_type = pytest.mark.parametrize("name", TYPES)
VERDICTS = ("overpaid", "underpaid", "late", "wrong", "illegal", "cheat", "violation", "invalid")


def test_every_fact_module_is_in_the_catalogue() -> None:
    modules = {path.stem for path in (ROOT / "domain/facts").glob("*.py")}
    helpers = {
        "__init__",
        "catalogue",
        "cloudevents",
        "codec",
        "envelope",
        "explained",
        "inputs",
        "nearest",
        "other_forms",
        "refused",
        "samples",
        "streams",
        "words",
    }
    assert modules - helpers == {subject.__name__.rsplit(".", maxsplit=1)[-1] for subject in SUBJECTS}


@every_type
def test_a_type_is_stored_under_its_own_name_and_version(name: str) -> None:
    kind = TYPES[name]
    words = "-".join(word.lower() for word in re.findall(r"[A-Z][a-z]*", kind.__name__))
    assert re.fullmatch(rf"{words}\.[1-9]\d*", name)
    assert name_of(sample(kind)) == name


@every_type
def test_a_type_is_told_in_one_sentence_and_passes_no_verdict(name: str) -> None:
    kind = TYPES[name]
    sentence = (kind.__doc__ or "").strip()
    assert sentence.endswith((".", '."'))
    told = " ".join((name, *kind.__struct_fields__))
    assert not [word for word in VERDICTS if word in told]


@every_type
def test_the_golden_file_of_a_type_is_its_stored_form(name: str) -> None:
    """A changed field, default or order is a changed file: a decision to review."""
    golden = (ROOT / contracts.FACTS.golden / f"{name}.json").read_bytes()
    full = sample(TYPES[name])
    assert encode(full) + b"\n" == golden
    assert decode(golden) == full


@every_type
def test_a_sample_gives_every_field(name: str) -> None:
    kind = TYPES[name]
    assert msgspec.json.decode(encode(sample(kind))).keys() == {"type", *kind.__struct_encode_fields__}


def test_no_golden_file_outlives_its_type() -> None:
    assert {path.stem for path in (ROOT / contracts.FACTS.golden).glob("*.json")} == set(TYPES)


def test_the_schemas_the_asyncapi_document_and_the_catalogue_page_are_fresh() -> None:
    """`make docs` writes them."""
    stale = [str(path) for path, content in contracts.pages().items() if (ROOT / path).read_bytes() != content]
    assert stale == []
    assert {path.stem for path in (ROOT / contracts.FACTS.schemas).glob("*.json")} == {*TYPES, "shared"}


def test_money_is_whole_cents_by_its_name() -> None:
    """A field that holds money says so, and is an integer."""
    for kind in TYPES.values():
        for field in msgspec.structs.fields(kind):
            if field.name.endswith("cents") and "dict" not in str(field.type):
                assert "int" in str(field.type), f"{kind.__name__}.{field.name}"
            assert "float" not in str(field.type)


def test_the_envelope_satisfies_the_event_sourcing_library() -> None:
    fact = sample(TYPES["card-dealt.1"])
    assert isinstance(fact, Fact)
    assert (fact.originator_id, fact.originator_version) == ("T7/2026-11-18", 12)
    assert fact.id == "T7/2026-11-18:12"


@pytest.mark.parametrize(
    "name", ["T7/2026-11-18\n", "T7/٢٠٢٦-١١-١٨", "T7/2026-99-99", "T7/2026-1-18", "/2026-11-18", "T7"]
)
def test_a_name_without_a_table_or_a_day_of_the_calendar_is_no_stream(name: str) -> None:
    with pytest.raises(BadStreamError, match="is not the name of a stream"):
        stream(name)


def test_each_word_of_a_decision_belongs_to_a_game() -> None:
    words = {word for game in GAMES.values() for word in game.decisions}
    assert words == set(get_args(get_type_hints(DecisionMade)["decision"]))

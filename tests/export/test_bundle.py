"""An export from the record: what it holds, what it proves, and that it says the same whenever it is asked the same."""

import csv
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import msgspec
import pytest

from consumers.exporting.making import make
from domain.facts.codec import decode
from domain.facts.watching import Corrected
from projections.export.columns import TABLES
from projections.export.question import Scope
from tests.export.delivered import verify
from tests.export.pits import DAYS, Pit, asked, exported, silent

pytestmark = pytest.mark.xdist_group("export")
FIRST = Scope(days=(DAYS[0], DAYS[0]))
BOTH = Scope(days=(DAYS[0], DAYS[1]))
Exports = Callable[[Scope], Path]


@pytest.fixture(scope="module")
def exports(pit: Pit, tmp_path_factory: pytest.TempPathFactory) -> Exports:
    """The export of a question, made once."""
    folder = tmp_path_factory.mktemp("exports")
    held: dict[Scope, Path] = {}

    def of(scope: Scope) -> Path:
        if scope not in held:
            exported(pit, scope, folder / f"{len(held)}.tar")
            held[scope] = folder / f"{len(held)}.tar"
        return held[scope]

    return of


class Bundle:
    """An export, read as any tar."""

    def __init__(self, file: Path) -> None:
        with tarfile.open(file) as whole:
            self.files = {
                member.name.partition("/")[2]: whole.extractfile(member).read()  # type: ignore[union-attr]
                for member in whole.getmembers()
            }

    def rows(self, table: str) -> list[dict[str, str]]:
        text = TextIOWrapper(BytesIO(self.files[f"data/tables/{table}.csv"]), "utf-8", newline="")
        return list(csv.DictReader(text))

    def streams(self) -> dict[str, dict[str, object]]:
        lines = map(msgspec.json.decode, self.files["data/streams.jsonl"].splitlines())
        return {f"{line['kind']} {line['stream']}": line for line in lines}


def verified(pit: Pit, file: Path, scope: Scope) -> str:
    """The answer of the verifier that goes with it, with the property's key from outside."""
    with asked(pit, scope) as (_, _, keeper):
        key = verify.Key(keeper.key.name, keeper.key.public)
    with file.open("rb") as stored:
        verdict = verify.verify(stored, verify.Asked([key], []))
    assert verdict.status == 3, verdict.lines  # no witness was given
    assert not verdict.faults
    return verdict.line


def scopes(pit: Pit) -> dict[str, Scope]:
    return {
        "days": FIRST,
        "a table": Scope(tables=("T1",)),
        "a game": Scope(games=("COL",), days=(DAYS[0], DAYS[0])),
        "a player": Scope(player=pit.player),
        "a finding": Scope(finding=pit.finding.finding),
        "a hand": Scope(hand=f"{pit.corrected}:2"),
        "a case": Scope(case=pit.case),
        "the access log": Scope(days=("2000-01-01", "9999-12-31"), access=True),
    }


@pytest.mark.parametrize(
    "named", ["days", "a table", "a game", "a player", "a finding", "a hand", "a case", "the access log"]
)
def test_an_export_is_proved_by_the_verifier_that_goes_with_it(pit: Pit, exports: Exports, named: str) -> None:
    scope = scopes(pit)[named]
    assert verified(pit, exports(scope), scope).startswith("SOUND IN ITSELF")


def test_the_same_question_is_the_same_bytes_in_three_zones_with_three_hash_seeds(pit: Pit, tmp_path: Path) -> None:
    """Each made by a process of its own."""
    places = [("UTC", "0"), ("Asia/Kathmandu", "1"), ("America/St_Johns", "424242")]
    found = set()
    for zone, seed in places:
        file = tmp_path / f"{seed}.tar"
        code = (
            "from consumers.command import without_pandas; without_pandas(); "
            "import msgspec, sys; from pathlib import Path; from tests.export import pits; "
            "from projections.export.question import Scope; "
            "pit = msgspec.json.decode(sys.argv[1], type=pits.Pit, dec_hook=lambda kind, told: kind(told)); "
            f"pits.exported(pit, Scope(days=('{DAYS[1]}', '{DAYS[1]}'), to_date=True), Path(sys.argv[2]))"
        )
        told = msgspec.json.encode(pit, enc_hook=str).decode()
        environment = {**os.environ, "TZ": zone, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, told, str(file)], env=environment, check=True)
        found.add(file.read_bytes())
    assert len(found) == 1


def test_nothing_after_the_checkpoint_leaks_in(pit: Pit, tmp_path: Path) -> None:
    """Asked of the same checkpoint when the record has gone on for a day, and of days that it does not know yet."""
    scope = Scope(days=(DAYS[0], DAYS[2]))
    exported(pit, scope, tmp_path / "x.tar")
    bundle = Bundle(tmp_path / "x.tar")
    assert not [name for name in bundle.files if DAYS[2] in name]
    assert {row["gaming_day"] for row in bundle.rows("rounds")} <= {DAYS[0], DAYS[1]}
    exported(pit, scope, tmp_path / "y.tar", pit.sizes[1])
    assert [name for name in Bundle(tmp_path / "y.tar").files if DAYS[2] in name]


def test_a_day_is_told_as_it_was_corrected_later_and_the_correction_goes_along(pit: Pit, exports: Exports) -> None:
    bundle = Bundle(exports(FIRST))
    later = bundle.streams()[f"facts {pit.corrected.partition('/')[0]}/{DAYS[1]}"]
    assert (later["whole"], later["records"], later["rounds"]) == (False, 2, [])
    shown = [decode(line) for line in bundle.files[f"data/facts/{later['stream']}.jsonl"].splitlines()]
    correction = shown[1]
    assert isinstance(correction, Corrected)
    facts = [decode(line) for line in bundle.files[f"data/facts/{pit.corrected}.jsonl"].splitlines()]
    wrong = facts[pit.sequence - 1]
    row = next(
        row
        for row in bundle.rows("paid")
        if (row["stream"], row["round"], row["seat"], row["wager"])
        == (pit.corrected, str(wrong.round), str(wrong.seat), wrong.wager)  # type: ignore[attr-defined]
    )
    assert int(row["staked_cents"]) == correction.reads["cents"]  # type: ignore[index]


def test_what_was_paid_is_the_same_by_the_facts_alone_and_by_the_fold(pit: Pit, exports: Exports) -> None:
    bundle = Bundle(exports(BOTH))
    place = ("stream", "round", "seat", "wager")
    folded = {tuple(row[name] for name in place): row for row in bundle.rows("wagers")}
    for row in bundle.rows("paid"):
        same = folded[tuple(row[name] for name in place)]
        for amount in ("collected_cents", "paid_cents", "returned_cents"):
            assert same[amount] in (row[amount], ""), row
    assert len(bundle.rows("paid")) > 50


def test_a_hand_shows_its_round_and_no_other(pit: Pit, exports: Exports) -> None:
    bundle = Bundle(exports(Scope(hand=f"{pit.corrected}:2")))
    facts = [decode(line) for line in bundle.files[f"data/facts/{pit.corrected}.jsonl"].splitlines()]
    assert {fact.round for fact in facts} == {2, None}
    assert {type(fact).__name__ for fact in facts if fact.round is None} <= {
        "TableOpened", "OptionChanged", "MethodChanged", "LimitsPosted", "PersonCame", "PersonWent", "ChainSealed",
    }  # fmt: skip
    assert {row["round"] for row in bundle.rows("rounds")} == {"2"}
    assert not bundle.rows("table_money")


def test_a_players_rounds_are_those_the_player_has_a_hand_in(pit: Pit, exports: Exports) -> None:
    hands = Bundle(exports(Scope(player=pit.player))).rows("hands")
    rounds = {(row["stream"], row["round"]) for row in hands}
    own = {(row["stream"], row["round"]) for row in hands if row["player"] == pit.player}
    assert rounds == own
    everything = Bundle(exports(BOTH)).rows("hands")
    assert own == {(row["stream"], row["round"]) for row in everything if row["player"] == pit.player}


def test_a_case_brings_its_records_its_finding_and_its_hands(pit: Pit, exports: Exports) -> None:
    bundle = Bundle(exports(Scope(case=pit.case)))
    assert f"data/desk/case/{pit.case}.jsonl" in bundle.files
    assert pit.finding.finding in {row["finding"] for row in bundle.rows("findings")}
    assert {"2", str(pit.finding.round)} <= {row["round"] for row in bundle.rows("rounds")}


def test_the_tables_have_the_columns_the_page_says(exports: Exports) -> None:
    page = (Path(__file__).parent.parent.parent / "docs/export-format.md").read_text("utf-8")
    told = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].strip("*") in TABLES:
            told[cells[0].strip("*")] = cells[-1].split(", ")
    columns = {
        name: [f"**{column.name}**" if column.integer else column.name for column in columns]
        for name, columns in TABLES.items()
    }
    assert told == columns
    bundle = Bundle(exports(FIRST))
    for name, wanted in columns.items():
        if name != "players":
            head = bundle.files[f"data/tables/{name}.csv"].partition(b"\r\n")[0].decode()
            assert head == ",".join(column.strip("*") for column in wanted)


def test_players_are_named_only_where_they_may_be(pit: Pit, exports: Exports, tmp_path: Path) -> None:
    """The one place where names come in; without a keeper of names there are tokens and no table of players."""
    with asked(pit, FIRST) as (question, record, _):
        named = msgspec.structs.replace(question, identities="named")
        make(named, record, tmp_path / "named.tar", silent, names=lambda token: f"Mr {token}")
    assert "data/tables/players.csv" not in Bundle(exports(FIRST)).files
    rows = Bundle(tmp_path / "named.tar").rows("players")
    assert {row["name"] for row in rows} == {f"Mr {row['player']}" for row in rows}
    assert pit.player in {row["player"] for row in rows}

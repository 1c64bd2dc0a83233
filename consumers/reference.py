"""`make docs`: write the reference pages of docs/ from the code."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import msgspec

from consumers.command import main
from consumers.contracts import pages as contracts
from consumers.network import openapi
from consumers.settlement_page import settlement_page
from domain.rulebooks import BOOKS, Option, RuleBook, newest, own_options
from projections.export.verifier.columns import COLUMNS
from projections.schema import NOT_IN_DIGESTS, TABLES_OF_MODELS, ModelTable

COMMANDS = Path("docs/commands.md")
HOUSE_OPTIONS = Path("docs/house-options.md")
READ_MODELS = Path("docs/read-models.md")
EXPORT_FORMAT = Path("docs/export-format.md")
OPENAPI = Path("docs/openapi.json")
SETTLEMENT = Path("docs/settlement.md")
_WIDTH = 100
_NO_FRACTIONS = """\
No option takes a number with a fraction: amounts are whole cents, percentages are whole, and odds are text such as
`3 to 2`. So a source that signs its lines can state every option. A fraction raises the finding
`house-option-invalid`. If a meter's rate is not a whole number of cents to the dollar, leave `progressive.rates` out;
the increase of the meter is then not checked.
"""


def commands_page() -> str:
    """The page of every command with its help, as the command itself prints it."""
    pages = ["# Commands\n\nWritten by `make docs` from the commands' own help.\n"]
    pages += [
        f"## {context.command_path}\n\n```\n{context.get_help().rstrip()}\n```\n"
        for context in _contexts(main, "catwalk", None)
    ]
    return "\n".join(pages)


def _contexts(command: click.Command, name: str, parent: click.Context | None) -> Iterator[click.Context]:
    settings = {**command.context_settings, "max_content_width": _WIDTH, "terminal_width": _WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield context
    if isinstance(command, click.Group):
        for inner_name, inner in sorted(command.commands.items()):
            yield from _contexts(inner, inner_name, context)


def house_options_page() -> str:
    """The page of every option of every rule book: allowed values, default, clause and reading."""
    pages = [
        "# House options\n\nWritten by `make docs` from the rule books. A dot separates an object from its member.\n",
        _NO_FRACTIONS,
    ]
    pages += [_book(newest(name)) for name in BOOKS]
    pages.append(_options("## The house's own rules\n\n" + _OWN, own_options()))
    return "\n".join(pages)


_OWN = (
    "No law prints these rules, which the house sets for itself. Findings cite them as `HOUSE`. Their options need no"
    " approval, and may be named at every table beside the options of its book.\n"
)


def _book(book: RuleBook) -> str:
    return _options(f"## {book.book}: {book.title}\n", book.options)


def _options(title: str, options: Mapping[str, Option]) -> str:
    rows = [
        title,
        "| option | allowed values | default | clause | meaning |",
        "|---|---|---|---|---|",
    ]
    for path, option in options.items():
        reading = f" *Reading:* {option.reading}" if option.reading else ""
        rows.append(f"| `{path}` | {_may_be(option)} | {_default(option)} | {option.clause} | {option.says}{reading} |")
    return "\n".join(rows) + "\n"


_ROWS = {
    "round": "Rows of finished rounds; a row computed again after a later fact replaces the earlier row.",
    "day": "Rows of a table's day so far.",
    "own": "Each row has its own key.",
    "rollup": "Computed from the rounds of a table's day: stored for sealed days, computed when asked for open ones.",
    "sealed": "Rows of verified, closed days only.",
}


def read_models_page() -> str:
    """The page of every table of the read models with its columns."""
    not_in = ", ".join(f"`{name}`" for name in sorted(NOT_IN_DIGESTS))
    head = (
        "# Read models\n\nWritten by `make docs` from `projections/schema.toml`.\n\n"
        "`catwalk project` writes these tables and publishes them. You can query each table by its name. Amounts are"
        " in whole cents, and times are in UTC. An unknown value is null. No table shows a card of a live hand or the"
        " identity of a player. Everything here is computed from the record: `catwalk rebuild` computes it again and"
        f" compares a digest of each table, which excludes {not_in}.\n\n"
        "A *rollup* is computed from the rounds. It sums many rounds in one row, or repeats them in another order, so"
        " that a question about a year opens few files and few parts of them. It is written when a table's day is"
        " sealed, and written again when a correction opens that day and it is sealed again. For open days, the same"
        " query computes it when asked; the sums of `table_days` and `wager_days` are stored for rounds in segments."
        " `catwalk doctor` computes each rollup again and reports the first row that disagrees with the rounds."
        " A file that is missing or has the wrong length is reported when the read models are opened.\n"
    )
    return "\n".join([head, *map(_read_model, TABLES_OF_MODELS)])


def _read_model(table: ModelTable) -> str:
    key = ", ".join(f"`{name}`" for name in table.key)
    rows = [
        f"## {table.name}\n",
        f"{table.about} {_ROWS[table.kind]} Key: {key}.\n",
        "| column | type | meaning |",
    ]
    rows += ["|---|---|---|", *(f"| `{each.name}` | {each.type} | {each.about} |" for each in table.columns)]
    return "\n".join(rows) + "\n"


_OF_A_TABLE = re.compile(r"^\| (?P<name>\*?(?P<table>[a-z_]+)\*?) \| (?P<row>[^|]*) \| [^|]* \|$", re.MULTILINE)


def export_format_page() -> str:
    """The page of the export's format as it stands, with the columns of every table as they are declared."""
    page = EXPORT_FORMAT.read_text("utf-8")
    told = {found["table"] for found in _OF_A_TABLE.finditer(page)}
    if missing := COLUMNS.keys() - told:
        raise ValueError(f"{EXPORT_FORMAT} has no row for the table {min(missing)}: add one, with what its rows are")
    return _OF_A_TABLE.sub(_row_of_a_table, page)


def _row_of_a_table(found: re.Match[str]) -> str:
    if found["table"] not in COLUMNS:
        return found[0]
    names = (f"**{name[1:]}**" if name.startswith("*") else name for name in COLUMNS[found["table"]])
    return f"| {found['name']} | {found['row']} | {', '.join(names)} |"


def openapi_document() -> str:
    """The OpenAPI document of the HTTPS way in, with a line for each schema."""
    found = openapi.document()
    schemas = found["components"]["schemas"]
    rows = [f"{_json(name)}: {_json(schema)}" for name, schema in schemas.items()]
    head = {**found, "components": {**found["components"], "schemas": {}}}
    text = msgspec.json.format(_json(head).encode(), indent=1).decode()
    return text.replace('"schemas": {}', '"schemas": {\n   ' + ",\n   ".join(rows) + "\n  }") + "\n"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


_KINDS = {
    "flag": "true, false",
    "cents": "whole cents",
    "amounts": "a list of whole cents",
    "percent": "a whole number of percent",
    "group": "an object",
    "meters": "meter and whole cents",
    "awards": "hand and whole cents",
    "odds": "wager, hand, odds",
    "tolerance": "whole cents, zero or more",
}


def _may_be(option: Option) -> str:
    return ", ".join(f"`{value}`" for value in option.allowed) if option.allowed else _KINDS[option.kind]


def _default(option: Option) -> str:
    if option.default is None:
        return "not offered"
    return f"`{str(option.default).lower() if isinstance(option.default, bool) else option.default}`"


if __name__ == "__main__":
    COMMANDS.write_text(commands_page())
    HOUSE_OPTIONS.write_text(house_options_page())
    READ_MODELS.write_text(read_models_page())
    EXPORT_FORMAT.write_text(export_format_page())
    OPENAPI.write_text(openapi_document())
    SETTLEMENT.write_text(settlement_page())
    for contract in contracts.BOTH:
        contract.schemas.mkdir(parents=True, exist_ok=True)
        for old in contract.schemas.glob("*.json"):
            old.unlink()
    for path, content in contracts.pages().items():
        path.write_bytes(content)

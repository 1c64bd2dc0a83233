"""Set a page: data and templates in, PDF/A-3a and PDF/UA-1 out, the same bytes on every machine and at any time.

The templates read their content from one JSON file, so typed text is never read as markup. Only the fonts shipped here
are used, and the only date in the file is the one it is given.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import typst

from projections.export.report.glyphs import FONTS
from projections.export.report.told import Attached

PAGES: Final = Path(__file__).parent / "pages"


class SettingError(Exception):
    """A report that could not be set: a mistake in Catwalk, with the typesetter's own message."""


def pdf(page: str, told: Mapping[str, Any], at: datetime, attached: Sequence[Attached] = ()) -> bytes:
    """Return the document of this template, dated `at`, with these files inside."""
    files: dict[str, bytes] = {each.name: each.read_bytes() for each in sorted(PAGES.glob("*.typ"))}
    files["main.typ"] = files.pop(f"{page}.typ")
    files["told.json"] = msgspec.json.encode({**told, "files": [_named(*each) for each in enumerate(attached)]})
    files.update({f"attached/{number}": each.holds for number, each in enumerate(attached)})
    moment = at.astimezone(UTC).replace(microsecond=0)
    try:
        made = typst.compile(
            files,  # type: ignore[call-overload] # it takes a project of several files as a dictionary
            font_paths=_fonts(),
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards=["a-3a", "ua-1"],
            timestamp=moment,
        )
    except typst.TypstError as error:
        raise SettingError(f"{page}: {error.message}") from error
    return bytes(made)


def _named(number: int, file: Attached) -> dict[str, str]:
    return {"at": f"attached/{number}", "name": file.name, "about": file.about, "type": file.media_type}


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[FONTS])

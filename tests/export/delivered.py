"""The program that goes with an export, as its receiver has it: the one file, and not the modules it is made of.

Whole exports are verified by it, so that what the tests say is said of what is delivered; parts are tried in their rooms.
"""

from functools import lru_cache
from importlib.abc import InspectLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from projections.export import one_file


class _Program(InspectLoader):
    def get_source(self, fullname: str) -> str:
        return one_file.program().decode()


_LOADER = _Program()
verify = module_from_spec(spec_from_loader("verify", _LOADER))
_LOADER.exec_module(verify)
# The exports of a run have most of their seals in common, and a signature that holds once holds always.
verify.Asked.__new__.__defaults__ = (
    *verify.Asked.__new__.__defaults__[:-1],
    lru_cache(maxsize=50_000)(verify.Asked().holds),
)


def put(folder: Path) -> Path:
    """The program in a folder, to be run by itself."""
    file = folder / "verify.py"
    file.write_bytes(one_file.program())
    return file

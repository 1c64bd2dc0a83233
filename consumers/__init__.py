"""Everything that touches the world: files, sockets, Kafka, and the `catwalk` command."""

from importlib.util import find_spec
from pathlib import Path

# Catwalk's packages have plain names. Another distribution's package of the same name can hide one of them.
for _name in ("domain", "projections", "dashboards"):
    _spec = find_spec(_name)
    _place = _spec.origin if _spec is not None else None
    if _place is None or Path(_place).parent.parent != Path(__file__).parent.parent:
        _found = ", ".join(_spec.submodule_search_locations or ()) if _spec is not None else "nowhere"
        raise SystemExit(
            f"catwalk: the package {_name!r} that Python finds ({_found}) is not Catwalk's. Catwalk is an application:"
            " install it in an environment of its own, with pipx install . in its folder."
        )

"""One target under atheris, in a process of its own: `python -m tests.fuzz.worker TARGET CORPUS SEEDS [libFuzzer's options]`.

Everything of ours but the harness is instrumented as it is imported.
"""

import logging
import random
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["consumers", "domain", "projections"]):
    from tests.fuzz import branches
    from tests.fuzz.kit import memory
    from tests.fuzz.targets import ALL


def main() -> None:
    """Run until libFuzzer's own limits are reached or a property does not hold."""
    name, *options = sys.argv[1:]
    target = ALL[name]
    branches.BRANCH[0] = atheris.instrument_func(branches.BRANCH[0])
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="catwalk-fuzz-", dir=memory()) as folder:
        run = target.made(Path(folder))

        def one(data: bytes) -> None:
            run(bytes(data))

        def mutated(data: bytes, most: int, seed: int) -> bytes:
            chance = random.Random(seed)  # noqa: S311 - libFuzzer's own seed
            if target.mutate is None or chance.random() < 0.2:
                return atheris.Mutate(data, most)
            return target.mutate(bytes(data), chance)[:most]

        words = [sys.argv[0], *options]
        if target.mutate is None:
            atheris.Setup(words, one)
        else:
            atheris.Setup(words, one, custom_mutator=mutated)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

"""Fuzzing: bytes made by chance and by coverage go in at the project's edges, and a property must hold of what comes out.

`make fuzz` lets atheris look for such bytes; `make test` replays the ones in `seeds/`, which it kept.
"""

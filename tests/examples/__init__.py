"""The days in docs/examples/days: made once by `python -m tests.examples`, and judged by tests as they are stored."""

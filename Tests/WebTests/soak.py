"""The long tests: random, killed by the clock, with many connections or much memory.

`make soak` runs them in full, with a seed. The suite runs a few of their cases, always the same.
"""

import os

import pytest

_SEED = os.environ.get("CALOTYPE_SOAK_SEED")

# Marks a test that only `make soak` runs.
soak_alone = pytest.mark.skipif(_SEED is None, reason="make soak runs it")


def cases(few, many):
    """Returns the number of cases."""
    return few if _SEED is None else many


def seeded(number):
    """Returns a seed. In `make soak` it differs from run to run."""
    return number + 1000 * int(_SEED or 0)

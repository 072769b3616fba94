"""Fixtures that every folder of tests may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples at every run, so that a change fails for what it did; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the checkout; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the data folder {SHARED}")
    return SHARED

"""Fixtures that every folder of tests may use."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the checkout; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the data folder {SHARED}")
    return SHARED

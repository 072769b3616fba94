"""citysim.tests."""

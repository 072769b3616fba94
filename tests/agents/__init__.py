"""Tests of citysim.agents."""

"""Tests of citysim.runs."""

"""Tests of citysim.tasks."""

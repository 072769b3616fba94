"""Tests of citysim.geo."""

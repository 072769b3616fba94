"""Tests of citysim.crowd."""

"""citysim.runs."""

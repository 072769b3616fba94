"""citysim.serve."""

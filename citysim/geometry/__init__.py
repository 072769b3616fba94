"""citysim.geometry."""

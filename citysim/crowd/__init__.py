"""citysim.crowd."""

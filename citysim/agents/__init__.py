"""citysim.agents."""

"""citysim.geo.content."""

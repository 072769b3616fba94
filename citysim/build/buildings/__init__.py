"""citysim.build.buildings."""

"""citysim.build.streets."""

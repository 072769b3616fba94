"""citysim.build.procedural."""

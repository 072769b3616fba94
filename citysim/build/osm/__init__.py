"""citysim.build.osm."""

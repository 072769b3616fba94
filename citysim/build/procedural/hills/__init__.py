"""Hills: the ground of embedded cities that are not flat: corridors of streets, zones between, streets of stairs."""

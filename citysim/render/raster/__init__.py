"""citysim.render.raster."""

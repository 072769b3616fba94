"""citysim.build.props."""

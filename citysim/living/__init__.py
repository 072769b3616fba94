"""What lives around a walker: people, closures, rain, signals, residents. `citysim.world` puts it together."""

"""Textures of buildings, painted with hashed noise: the same pixels on every machine."""

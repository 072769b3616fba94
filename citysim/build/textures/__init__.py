"""Textures made from hashed noise: no picture files, the same bytes on every machine."""

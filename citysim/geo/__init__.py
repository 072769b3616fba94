"""Longitude and latitude, 3D Tiles, the pedestrian network and places."""

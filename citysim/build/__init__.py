"""Makes city packages.

A source (an OpenStreetMap extract, a procedural preset) is first turned into one `CityPlan`; `assemble` turns any plan
into a `CityDraft` (meshes, objects, places, network), and `package` writes that as a city package of 3D Tiles.
"""

"""Decodes tile contents (b3dm, glb, glTF, composites) into trimesh meshes in local metres.

`container` takes the wrapping off, `document` gives typed access to one glTF, `accessors` reads its arrays, `surfaces`
its materials, `images` its pictures, `primitives` its triangles, and `meshes` puts a whole tile together.
`extensions` is the one table of what is understood.
"""

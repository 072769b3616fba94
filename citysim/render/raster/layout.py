"""The flat arrays that kernels read and write, as named tuples (numba unpacks them without a cost a frame)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# Numbers inside kernels: numba infers their machine types, which numpy's stubs cannot follow.
Int = Any
Real = Any
U: Any = np.uint64  # for indices: an unsigned one spares numba's test for negative indices (1.9x in the scan loops)
I32: Any = np.int32
I64: Any = np.int64
F: Any = np.float32
D: Any = np.float64

# Bits of Geometry.flags (a triangle) and Looks.flags (a material).
DOUBLE_SIDED = 1
ALPHA_TEST = 2
UNLIT = 4
VARIED_COLOR = 8  # the three vertices differ in colour: interpolate it

# Kinds in Looks.glow: the alpha byte of an opaque texture is its glow.
GLOW_NONE, GLOW_OWN, GLOW_ROOMS = 0, 1, 2

# Places in the camera vector of `pack_camera`.
CAM_ROT, CAM_EYE, CAM_FOCAL, CAM_CX, CAM_CY, CAM_NEAR, CAM_FAR, CAM_REF, CAM_ORTHO = 0, 9, 12, 13, 14, 15, 16, 17, 18
CAM_SIZE = 19

# Places in a record (one row a triangle that won at least one pixel); planes are (A, B, C) of A x + B y + C at pixel
# indices x, y, of attribute times 1/w in perspective and of the attribute itself in orthographic views.
# 0 u, 3 v, 6 d(1/w)/dx, 7 d(1/w)/dy, 8 uv area a pixel times (1/w)^3, 9 unit normal, 12 red, 15 green, 18 blue
# (0..255), 21 whether its back is seen, 22 whole texture units taken off u, 23 off v, 24 and 25 the first column and
# row of the picture that its box touches.
REC_SIZE = 26

# Places in the light vector of `pack_light`.
LIGHT_SUN, LIGHT_SUN_COLOR, LIGHT_SKY, LIGHT_GROUND, LIGHT_BOUNCE, LIGHT_FOG, LIGHT_DENSITY = 0, 3, 6, 9, 12, 15, 18
LIGHT_EMISSIVE, LIGHT_UNLIT, LIGHT_GLOW = 19, 20, 23
# Of clouds: field value at their edge, steepness of the edge (0: no clouds), drift u, v, (30: brightness of
# the sun's disc over its halo), texels of the field
# over height, a step towards the sun (u, v), colour of the sunny side, colour of the base.
LIGHT_EDGE, LIGHT_STEEP, LIGHT_DRIFT, LIGHT_DISC, LIGHT_LAYER, LIGHT_SUNWARD, LIGHT_CLOUD, LIGHT_BASE = (
    26,
    27,
    28,
    30,
    31,
    32,
    34,
    37,
)
# Of haze: height over which it thins to 1/e, factor for rays down to the ground; LIGHT_DENSITY is that at the eye.
LIGHT_HAZE = 40
LIGHT_SIZE = 42

SHADOW_SIDE = 2048  # texels along a shadow map's side
GUARD_PX = float(1 << 20)  # screen coordinates beyond this many pixels from the corner are clipped away
BUCKETS = 512  # of distance, into which clusters are sorted
VERTICES = 512  # most vertices of a cluster
CORNER_BITS, CORNER_DOUBLE = 10, 1 << 30
FRACTION = 256  # sub-pixel steps in a pixel: vertices snap to this lattice


class Geometry(NamedTuple):
    """Clusters of triangles; see GeometryArena."""

    boxes: Array  # (C, 6) float32 min x, y, z, max x, y, z, local metres
    cluster_vertices: Array  # (C, 2) int32 first, count
    cluster_triangles: Array  # (C, 2) int32 first, count
    x: Array  # (V,) float32 local metres
    y: Array
    z: Array
    u: Array  # (V,) float32
    v: Array
    colors: Array  # (V, 4) uint8
    corners: Array  # (T,) int32 three indexes within the cluster's vertices, CORNER_BITS each, and CORNER_DOUBLE
    materials: Array  # (T,) int32
    labels: Array  # (T,) int32
    flags: Array  # (T,) uint8


class Looks(NamedTuple):
    """Materials and textures; see TextureArena."""

    texture: Array  # (M,) int32, -1 for none
    color: Array  # (M, 4) float32 linear
    cutoff: Array  # (M,) int32, alpha byte below which there is a hole
    emissive: Array  # (M, 3) float32 linear
    flags: Array  # (M,) uint8
    glow: Array  # (M, 3) int32: GLOW_ kind, columns and rows of windows
    texels: Array  # (N,) uint32, bytes r, g, b, a: all levels of all textures
    shape: Array  # (X + 1, 3) int32 log2 width, log2 height, number of levels; the last one is a white texel
    levels: Array  # (X + 1, 16) int32 first texel of each level, whose rows and columns have one more: see `bordered`


class Target(NamedTuple):
    """Per-picture buffers."""

    nearness: Array  # (H * W,) float32: 1 / depth, or reference - depth when orthographic; 0 where nothing was drawn
    nearness_bits: Array  # the same memory as int32: positive floats compare like their bits
    record: Array  # (H * W,) int32 index of a record, -1 for sky
    tile_min: Array  # (tiles,) int32 bits of the least nearness of each Hi-Z tile, at some time in the past
    tile_dirty: Array  # (tiles,) uint8, 1 when the tile was drawn to since


class Scratch(NamedTuple):
    """Working memory of one strip."""

    bounds: Array  # (5, C) int32 where clusters may show: see `bound_eight`
    ahead: Array  # (4,) float64 see `meets_eight`
    visible: Array  # (C,) int32 clusters inside the frustum
    keys: Array  # (C,) int32 distance bucket of each
    sorted: Array  # (C,) int32 the same clusters front to back
    starts: Array  # (BUCKETS + 1,) int32 where each bucket begins
    planes: Array  # (2, 6, 4) float64 of the frustum
    camera_space: Array  # (3, 512) float64 right, down, forward of a cluster's vertices
    screen: Array  # (2, 512) int32 snapped pixel coordinates
    near: Array  # (512,) float64 nearness
    outside: Array  # (512 + 4,) uint8 1: nearer than the near plane, 2: beyond the guard band; see `beside_eight`
    polygon: Array  # (2, 12, 8) float64 right, down, forward, u, v, r, g, b
    corner: Array  # (3, 6) float64 u, v, r, g, b, nearness of the triangle at hand
    records: Array  # (R, REC_SIZE) float64
    record_triangle: Array  # (R,) int32
    rows: Array  # (R, ROW_SIZE) float32 what `shade_group` reads of each record
    row_bits: Array  # the same memory as int32
    line: Array  # (LINE_SIZE,) float32 constants of a frame and of a line of it
    tail: Array  # (3 * GROUP,) uint8 the last pixels of a line
    rest_near: Array  # (GROUP,) float32 nearness of the last pixels of a line
    rest_record: Array  # (GROUP,) int32 their records


class Tables(NamedTuple):
    """Look-up tables of one atmosphere and of the tone curve."""

    linear: Array  # (256,) float32: sRGB byte to linear light
    linear_fine: Array  # (1024,) float32: sRGB in quarters of a byte to linear light
    fog: Array  # (4096,) float32: fog share at optical depth i / 512
    tone: Array  # (16384 + 3,) uint8: linear light i / 4096 to an sRGB byte; the end is only for wide reads
    halo: Array  # (512,) float32: strength of the sun's halo by cosine i / 512 of the angle to it
    sky: Array  # (1024, 4) float32 linear: sky by sine of elevation (i - 512) / 512, share of it behind the haze
    clouds: Array  # (SIDE * SIDE,) uint16, see clouds.cloud_field; empty without clouds


class Shadows(NamedTuple):
    """Sun shadows of one frame; see ShadowMaps. Empty maps: no shadows."""

    fine: Array  # (SHADOW_SIDE^2,) uint16 nearness to the sun in steps, the street at hand
    coarse: Array  # the same for what is far
    pool: Array  # (slots * SHADOW_SIDE^2,) uint16, which both lie in
    slots: Array  # (2,) int64 their places in it
    rays: Array  # (2, 7, 3) float64 eye, right, down, forward, east, north, up in each map's coordinates
    margins: Array  # (2, 3) float64 metres along the normal, steps towards the sun, unused


class Extras(NamedTuple):
    """What nights and wet weather add to the light of a frame; None in its stead by day without rain.

    Kernels that get None are compiled without it, so that it costs them nothing.
    """

    lamps: Array  # (L, 8) float64 east, north, up, 1 / radius^2, red, green, blue, size of the head
    cells: Array  # (rows * columns, LAMPS_A_CELL) int32 numbers of lamps, -1 after the last
    grid: Array  # (5,) float64 west, south, cells a metre, columns, rows
    numbers: Array  # (EXTRA_SIZE,) float64 in the order of the EXTRA_ constants


LAMPS_A_CELL = 12
EXTRA_SHARE, EXTRA_ROOM, EXTRA_OWN, EXTRA_LAMPS, EXTRA_SIZE = 0, 1, 4, 5, 6

# Rows of `more` (MORE_SIZE, W + 8) float32, what a line of the picture gets beside sun and sky: light to add (r, g, b,
# the material's colour included), light of what glows (r, g, b), how far a window is lit in [0, 1] (-1: glows in its
# own colours), and the factor of all other light (wet ground is darker).
MORE_LIGHT, MORE_GLOW, MORE_STATE, MORE_DAMP, MORE_SIZE = 0, 3, 6, 7, 8

"""Scan conversion of one snapped triangle: exact integer edge functions with the top-left rule.

Vertices lie on a lattice of 1/256 pixel and must be ordered so that `det` (twice the signed area) is positive with y
pointing down. A pixel belongs to a triangle when its centre is inside, or on a top or left edge: neighbours that share
an edge never both draw a pixel and never both leave it out. Nearness comes from the exact edge values, so that it does
not depend on where a loop started: strips of a picture are equal to the whole, bit for bit.
"""

from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, D, F, Int, Real, U
from citysim.render.raster.mipmaps import MAX_LEVELS
from citysim.render.raster.sample import alpha_at
from citysim.render.raster.scanning import scan_eight, scan_eight_large, scan_eight_masked

NARROW = 8  # pixels: lines of boxes up to this width are one step, of wider ones only the part that an edge leaves
LARGE = 1 << 37  # box areas, in 1/65536 pixel, from which edge values over 256 may exceed int32


@helper
def edge_bias(dx: Int, dy: Int) -> Int:
    """0 for a top or left edge (its pixels belong to the triangle), -1 for the others."""
    if dy < 0 or (dy == 0 and dx > 0):
        return 0
    return -1


@kernel
def fill_opaque(
    ax: Int, ay: Int, bx: Int, by: Int, cx: Int, cy: Int, det: Int, sa: Real, sb: Real, sc: Real,
    px0: Int, px1: Int, py0: Int, py1: Int, stride: Int, nearness: Array, record: Array, index: Int,
) -> Int:  # fmt: skip
    """As scan_opaque, for callers from Python."""
    return scan_opaque(
        ax, ay, bx, by, cx, cy, det, sa, sb, sc, px0, px1, py0, py1, stride, nearness, record, index
    )  # fmt: skip


@helper
def scan_opaque(
    ax: Int, ay: Int, bx: Int, by: Int, cx: Int, cy: Int, det: Int, sa: Real, sb: Real, sc: Real,
    px0: Int, px1: Int, py0: Int, py1: Int, stride: Int, nearness: Array, record: Array, index: Int,
) -> Int:  # fmt: skip
    """Draw pixels [px0, px1] x [py0, py1] of a triangle where it is nearer; returns how many pixels it won."""
    if large(ax, ay, bx, by, cx, cy):
        return scan_large(
            ax, ay, bx, by, cx, cy, det, sa, sb, sc, px0, px1, py0, py1, stride, nearness, record, index
        )  # fmt: skip
    x, y = px0 * 256 + 128, py0 * 256 + 128
    ea = (cx - bx) * (y - by) - (cy - by) * (x - bx) + edge_bias(cx - bx, cy - by)
    eb = (ax - cx) * (y - cy) - (ay - cy) * (x - cx) + edge_bias(ax - cx, ay - cy)
    ec = (bx - ax) * (y - ay) - (by - ay) * (x - ax) + edge_bias(bx - ax, by - ay)
    low_b, low_c = D(eb & 255), D(ec & 255)
    ea, eb, ec = ea >> 8, eb >> 8, ec >> 8  # steps are multiples of 256: signs, and so the pixels, stay
    ea_x, eb_x, ec_x = by - cy, cy - ay, ay - by
    inverse = 1.0 / det
    kb, kc = (sb - sa) * inverse, (sc - sa) * inverse
    won = 0
    width = px1 - px0 + 1
    at = py0 * stride + px0
    if width <= NARROW:
        for _ in range(py0, py1 + 1):
            won += scan_eight(
                nearness, record, at, ea, eb, ec, ea_x, eb_x, ec_x, low_b, low_c, sa, kb, kc, width, index
            )  # fmt: skip
            ea, eb, ec, at = ea + (cx - bx), eb + (ax - cx), ec + (bx - ax), at + stride
        return won
    ra, start_a, high_a = line_limits(ea_x)
    rb, start_b, high_b = line_limits(eb_x)
    rc, start_c, high_c = line_limits(ec_x)
    end = D(width)
    for _ in range(py0, py1 + 1):
        ta, tb, tc = ea * ra, eb * rb, ec * rc
        low = later(later(ta + start_a, tb + start_b), later(tc + start_c, 0.0))
        high = sooner(sooner(ta + high_a, tb + high_b), sooner(tc + high_c, end))
        first, last = I64(sooner(low, end)), I64(later(high, -1.0))
        for step in range(first, last, 8):
            won += scan_eight(
                nearness, record, at + step, ea + step * ea_x, eb + step * eb_x, ec + step * ec_x, ea_x, eb_x, ec_x,
                low_b, low_c, sa, kb, kc, width - step, index,
            )  # fmt: skip
        ea, eb, ec, at = ea + (cx - bx), eb + (ax - cx), ec + (bx - ax), at + stride
    return won


@helper
def large(ax: Int, ay: Int, bx: Int, by: Int, cx: Int, cy: Int) -> Int:
    """Whether a triangle is too large for `scan_eight`."""
    return (max(ax, bx, cx) - min(ax, bx, cx) + 256) * (max(ay, by, cy) - min(ay, by, cy) + 256) >= LARGE


@helper
def later(a: Real, b: Real) -> Real:
    """The greater one."""
    return a if a > b else b


@helper
def sooner(a: Real, b: Real) -> Real:
    """The smaller one."""
    return a if a < b else b


@helper
def line_limits(step: Int) -> Real:
    """How an edge with this step bounds the columns of a line on which it begins with `value`: three numbers.

    With t = value * (the first number) it leaves columns from t + (the second) and before t + (the third), and at most
    two more on each side. Sums in the place of branches: which side an edge is on cannot be guessed.
    """
    far = 1e15
    if step == 0:
        return 0.0, -far, far
    return -1.0 / step, (-1.0 if step > 0 else -far), (2.0 if step < 0 else far)


@helper
def scan_large(
    ax: Int, ay: Int, bx: Int, by: Int, cx: Int, cy: Int, det: Int, sa: Real, sb: Real, sc: Real,
    px0: Int, px1: Int, py0: Int, py1: Int, stride: Int, nearness: Array, record: Array, index: Int,
) -> Int:  # fmt: skip
    """As scan_opaque, in int64, for triangles that reach far beyond the picture."""
    x, y = px0 * 256 + 128, py0 * 256 + 128
    ea = (cx - bx) * (y - by) - (cy - by) * (x - bx) + edge_bias(cx - bx, cy - by)
    eb = (ax - cx) * (y - cy) - (ay - cy) * (x - cx) + edge_bias(ax - cx, ay - cy)
    ec = (bx - ax) * (y - ay) - (by - ay) * (x - ax) + edge_bias(bx - ax, by - ay)
    ea_x, eb_x, ec_x = (by - cy) * 256, (cy - ay) * 256, (ay - by) * 256
    ea_y, eb_y, ec_y = (cx - bx) * 256, (ax - cx) * 256, (bx - ax) * 256
    inverse = 1.0 / det
    kb, kc = (sb - sa) * inverse, (sc - sa) * inverse
    won = 0
    end = D(px1 - px0 + 1)
    ra, start_a, high_a = line_limits(ea_x)
    rb, start_b, high_b = line_limits(eb_x)
    rc, start_c, high_c = line_limits(ec_x)
    at = py0 * stride + px0
    for _ in range(py0, py1 + 1):
        ta, tb, tc = ea * ra, eb * rb, ec * rc
        low = later(later(ta + start_a, tb + start_b), later(tc + start_c, 0.0))
        high = sooner(sooner(ta + high_a, tb + high_b), sooner(tc + high_c, end))
        first, last = I64(sooner(low, end)), I64(later(high, -1.0))
        for step in range(first, last, 8):
            won += scan_eight_large(
                nearness, record, at + step, ea + step * ea_x, eb + step * eb_x, ec + step * ec_x, ea_x, eb_x, ec_x, sa,
                kb, kc, last - step, index,
            )  # fmt: skip
        ea, eb, ec, at = ea + ea_y, eb + eb_y, ec + ec_y, at + stride
    return won


@helper
def fill_masked(
    ax: Int, ay: Int, bx: Int, by: Int, cx: Int, cy: Int, det: Int, sa: Real, sb: Real, sc: Real,
    px0: Int, px1: Int, py0: Int, py1: Int, stride: Int, nearness: Array, record: Array, index: Int,
    planes: Array, ortho: Int, cutoff: Int, texels: Array, shape: Array, levels: Array, texture: Int,
) -> Int:  # fmt: skip
    """As scan_opaque, but pixels whose texel alpha is below `cutoff` are holes; `planes` is the triangle's record."""
    if large(ax, ay, bx, by, cx, cy):
        return fill_masked_large(
            ax, ay, bx, by, cx, cy, det, sa, sb, sc, px0, px1, py0, py1, stride, nearness, record, index, planes, ortho,
            cutoff, texels, shape, levels, texture,
        )  # fmt: skip
    x, y = px0 * 256 + 128, py0 * 256 + 128
    ea = (cx - bx) * (y - by) - (cy - by) * (x - bx) + edge_bias(cx - bx, cy - by)
    eb = (ax - cx) * (y - cy) - (ay - cy) * (x - cx) + edge_bias(ax - cx, ay - cy)
    ec = (bx - ax) * (y - ay) - (by - ay) * (x - ax) + edge_bias(bx - ax, by - ay)
    low_b, low_c = D(eb & 255), D(ec & 255)
    ea, eb, ec = ea >> 8, eb >> 8, ec >> 8  # steps are multiples of 256: signs, and so the pixels, stay
    ea_x, eb_x, ec_x = by - cy, cy - ay, ay - by
    inverse = 1.0 / det
    kb, kc = (sb - sa) * inverse, (sc - sa) * inverse
    won = 0
    width = px1 - px0 + 1
    log_w, log_h = I64(shape[U(texture), U(0)]), I64(shape[U(texture), U(1)])
    top = I64(shape[U(texture), U(2)]) - 1
    for row in range(py0, py1 + 1):
        for step in range(0, width, 8):
            won += scan_eight_masked(
                nearness, record, row * stride + px0 + step, ea + step * ea_x, eb + step * eb_x, ec + step * ec_x, ea_x,
                eb_x, ec_x, low_b, low_c, sa, kb, kc, width - step, index, px0 + step, row, planes, ortho, cutoff,
                texels, levels, texture * MAX_LEVELS, log_w, log_h, top,
            )  # fmt: skip
        ea, eb, ec = ea + (cx - bx), eb + (ax - cx), ec + (bx - ax)
    return won


@helper
def fill_masked_large(
    ax: Int, ay: Int, bx: Int, by: Int, cx: Int, cy: Int, det: Int, sa: Real, sb: Real, sc: Real,
    px0: Int, px1: Int, py0: Int, py1: Int, stride: Int, nearness: Array, record: Array, index: Int,
    planes: Array, ortho: Int, cutoff: Int, texels: Array, shape: Array, levels: Array, texture: Int,
) -> Int:  # fmt: skip
    """As fill_masked, in int64, for triangles that reach far beyond the picture."""
    x, y = px0 * 256 + 128, py0 * 256 + 128
    ea = (cx - bx) * (y - by) - (cy - by) * (x - bx) + edge_bias(cx - bx, cy - by)
    eb = (ax - cx) * (y - cy) - (ay - cy) * (x - cx) + edge_bias(ax - cx, ay - cy)
    ec = (bx - ax) * (y - ay) - (by - ay) * (x - ax) + edge_bias(bx - ax, by - ay)
    ea_x, eb_x, ec_x = (by - cy) * 256, (cy - ay) * 256, (ay - by) * 256
    ea_y, eb_y, ec_y = (cx - bx) * 256, (ax - cx) * 256, (bx - ax) * 256
    inverse = 1.0 / det
    kb, kc = (sb - sa) * inverse, (sc - sa) * inverse
    won = 0
    for row in range(py0, py1 + 1):
        fa, fb, fc = ea, eb, ec
        u_row = planes[U(1)] * row + planes[U(2)]
        v_row = planes[U(4)] * row + planes[U(5)]
        for column in range(px0, px1 + 1):
            if (fa | fb | fc) >= 0:
                at = row * stride + column
                near = F(sa + fb * kb + fc * kc)
                if near > nearness[U(at)]:
                    depth = 1.0 if ortho else 1.0 / D(near)
                    u = (planes[U(0)] * column + u_row) * depth
                    v = (planes[U(3)] * column + v_row) * depth
                    area = planes[U(8)] * depth * depth * depth
                    if alpha_at(texels, shape, levels, texture, u, v, area) >= cutoff:
                        nearness[U(at)] = near
                        record[U(at)] = index
                        won += 1
            fa += ea_x
            fb += eb_x
            fc += ec_x
        ea += ea_y
        eb += eb_y
        ec += ec_y
    return won

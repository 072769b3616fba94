"""Colour of sixteen neighbouring pixels at once: texture, light, shadow and fog, whatever records they show.

Pixels of one group may belong to different triangles: what they need of them is gathered from compact rows, so that
the time does not depend on how small triangles are, and there is no loop whose end a processor has to guess. Sixteen
are two vectors of eight on today's processors: while one waits for its gathers, the other one goes on.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from citysim.render.raster.lanes import I32, I64, Lanes, Wide
from citysim.render.raster.layout import MORE_DAMP, MORE_GLOW, MORE_LIGHT, MORE_STATE, SHADOW_SIDE

# Places in a row of Scratch.rows (float32; T: bits of an int32). Planes are (A, B, C) of A (x - x0) + B (y - y0) + C,
# texture coordinates in 1/256 texel of the finest level, both over depth.
ROW_U, ROW_V, ROW_SLOPE, ROW_CORNER, ROW_TEXTURE, ROW_LEVELS = 0, 3, 6, 8, 9, 10  # T from ROW_CORNER to ROW_LEVELS
ROW_AMBIENT, ROW_SUN, ROW_NORMAL, ROW_EMITTED, ROW_COLOR = 11, 14, 17, 18, 21  # T: ROW_NORMAL
ROW_SIZE, ROW_LABEL = 32, 31  # T: ROW_LABEL
# ROW_CORNER: x0 + y0 * 65536. ROW_TEXTURE: log2 width, log2 height << 5, levels - 1 << 10, flags. ROW_LEVELS: the
# texture's first place in Looks.levels. ROW_NORMAL: three 10-bit parts, 511 for 0.
ROW_VARIED, ROW_EMITS = 1 << 16, 1 << 17

# Places in the vector of frame and line constants (float32).
LINE_CENTRE, LINE_STEP, LINE_RAY_Y, LINE_Y, LINE_ORTHO, LINE_FOG = 0, 1, 2, 3, 4, 5
LINE_THICKNESS, LINE_REFERENCE, LINE_SHADOWED, LINE_SLOTS, MAP_LINE = 8, 9, 10, 11, 13
MAP_PLACE, MAP_FORWARD, MAP_RIGHT, MAP_DOWN, MAP_NORMAL, MAP_SIZE = 0, 3, 6, 9, 12, 21
LINE_MORE = MAP_LINE + 2 * MAP_SIZE
LINE_CAP = LINE_MORE + 1
LINE_SIZE = LINE_CAP + 1

GROUP = 16  # pixels coloured at once
SHARPEN_SHIFTS = (2, 3)  # 96 of 256: how far towards the shorter axis of a footprint the mip level moves
SHARPEN_MOST = 320  # and at most this many 1/256 levels
MAP_END, LOG_SIDE = SHADOW_SIDE - 2.0, SHADOW_SIDE.bit_length() - 1


@intrinsic
def shade_group(
    typing: Any, nearness: Any, record: Any, at: Any, x: Any, rows: Any, bits: Any, texels: Any,
    levels: Any, linear: Any, tone: Any, fog: Any, maps: Any, line: Any, rest: Any, stride: Any, out: Any, out_at: Any,
) -> Any:  # fmt: skip
    """Write the colours of GROUP pixels from place `at` of the picture, column `x`, to out[out_at : out_at + 3 GROUP].

    `rest` (MORE_SIZE * stride,) holds the rows of night and rain beside this line, by column; it is read where
    LINE_MORE is set.

    Pixels without a record get some colour: the sky is painted over them. Returns bit k set where pixel k has one.
    """
    arrays = (nearness, record, rows, bits, texels, levels, linear, tone, fog, maps, line, rest, out)
    if not all(isinstance(kind, types.Array) for kind in arrays):
        return None
    signature = types.int64(
        nearness, record, types.int64, types.int64, rows, bits, texels, levels, linear, tone, fog, maps,
        line, rest, types.int64, out, types.int64,
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        given = [
            context.make_array(kind)(context, builder, value=value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(signature.args, values, strict=True)
        ]
        return _shade(Wide(builder, GROUP), *given)

    return signature, generate


def _shade(
    e: Wide, nearness: Any, record: Any, at: Any, x: Any, rows: Any, bits: Any, texels: Any, levels: Any,
    linear: Any, tone: Any, fog: Any, maps: Any, line: Any, rest: Any, stride: Any, out: Any, out_at: Any,
) -> Any:  # fmt: skip
    builder = e.builder
    index = e.read(record, at)
    seen = builder.zext(builder.bitcast((index > -1).value, ir.IntType(GROUP)), I64)
    with builder.if_then(builder.icmp_unsigned("!=", seen, ir.Constant(seen.type, 0))):
        _color(
            e, nearness, index, at, x, rows, bits, texels, levels, linear, tone, fog, maps, line, rest, stride,
            out, out_at,
        )  # fmt: skip
    return seen


def _color(
    e: Wide, nearness: Any, index: Lanes, at: Any, x: Any, rows: Any, bits: Any, texels: Any, levels: Any,
    linear: Any, tone: Any, fog: Any, maps: Any, line: Any, rest: Any, stride: Any, out: Any, out_at: Any,
) -> None:  # fmt: skip
    builder = e.builder
    index = index << (ROW_SIZE.bit_length() - 1)  # the sky's row lies before the first one
    near = e.read(nearness, at)
    ortho = e.constant(line, LINE_ORTHO) > 0.5
    depth = ortho.choose(e.real(1.0), 1.0 / near)

    def of(place: int) -> Lanes:
        return e.pick(_from(e, rows, place), index)

    def word(place: int) -> Lanes:
        return e.pick(_from(e, bits, place), index)

    ua, ub, uc, va, vb, vc = (of(ROW_U + k) for k in range(6))
    qx, qy = of(ROW_SLOPE), of(ROW_SLOPE + 1)
    corner, shape, start = word(ROW_CORNER), word(ROW_TEXTURE), word(ROW_LEVELS)
    column = e.same(builder.trunc(x, ir.IntType(32))) + e.steps()
    dx = (column - (corner & 0xFFFF)).as_real()
    dy = e.constant(line, LINE_Y) - corner.unsigned_shift(16).as_real()
    u = (ua * dx + ub * dy + uc) * depth
    v = (va * dx + vb * dy + vc) * depth
    level = _level((ua - u * qx) * depth, (va - v * qx) * depth, (ub - u * qy) * depth, (vb - v * qy) * depth)
    top = (shape.unsigned_shift(10) & 31) << 8
    level = level.least(top)
    first, share = level >> 8, level & 255
    iu, iv = u.floor(), v.floor()
    rb, ga = _texture(e, texels, levels, start, shape, first, iu, iv)
    red_blue, green = e.variable(rb), e.variable(ga)
    with e.when(e.any(share > 0)):
        rb2, ga2 = _texture(e, texels, levels, start, shape, (first + 1).least(top >> 8), iu, iv)
        more = (share << 8) | (share << 24)
        less = more ^ -1
        between = share > 0  # what a lane gets must not depend on its neighbours
        red_blue.set(between.choose(rb.halves_share(less).halves_plus(rb2.halves_share(more)), rb))
        green.set(between.choose(ga.halves_share(less).halves_plus(ga2.halves_share(more)), ga))
    rb, ga = red_blue.get(), green.get()
    channels = (rb & 0xFFFF, ga & 0xFFFF, rb.unsigned_shift(16))
    albedo = [e.pick(linear, (channel + 32).unsigned_shift(6)) for channel in channels]
    # light
    ray_x = (column.as_real() - e.constant(line, LINE_CENTRE)) * e.constant(line, LINE_STEP)
    ambient, sun = ([of(place + c) for c in range(3)] for place in (ROW_AMBIENT, ROW_SUN))
    lit = e.variable(e.real(1.0))
    with e.when(builder.fcmp_ordered(">", e.scalar(line, LINE_SHADOWED), ir.Constant(ir.FloatType(), 0.5))):
        along = ortho.choose(e.constant(line, LINE_REFERENCE) - near, depth)
        lit.set(_sunlit(e, maps, line, word(ROW_NORMAL), ray_x, depth, along))
    sunlit = lit.get()
    light = [e.variable(ambient[c] + sun[c] * sunlit) for c in range(3)]
    wanted = builder.fcmp_ordered(">", e.scalar(line, LINE_MORE), ir.Constant(ir.FloatType(), 0.5))

    def beside(row: int) -> Lanes:
        return e.read(rest, builder.add(x, builder.mul(stride, ir.Constant(stride.type, row))))

    with e.when(wanted):
        damp = beside(MORE_DAMP)
        for c in range(3):
            light[c].set(light[c].get() * damp + beside(MORE_LIGHT + c))
    with e.when(e.any((shape & ROW_VARIED) > 0)):
        varied = (shape & ROW_VARIED) > 0
        for c in range(3):
            tint = (of(ROW_COLOR + 3 * c) * dx + of(ROW_COLOR + 3 * c + 1) * dy + of(ROW_COLOR + 3 * c + 2)) * depth
            light[c].set(varied.choose(light[c].get() * tint, light[c].get()))
    with e.when(e.any((shape & ROW_EMITS) > 0)):
        for c in range(3):
            light[c].set(light[c].get() + of(ROW_EMITTED + c))
    color = [e.variable(albedo[c] * light[c].get()) for c in range(3)]
    with e.when(wanted):
        shine, base = _shining(e, ga.unsigned_shift(16), beside(MORE_STATE))
        for c in range(3):
            color[c].set(color[c].get() + beside(MORE_GLOW + c) * shine * (albedo[c] + base))
    # fog
    ray_y = e.constant(line, LINE_RAY_Y)
    far = depth * e.root(ray_x * ray_x + (ray_y * ray_y + 1.0)) * e.constant(line, LINE_THICKNESS)
    veil = e.pick(fog, far.least(e.constant(line, LINE_CAP)).whole())
    word_out = e.whole(0)
    for c in range(3):
        plain = color[c].get()
        shown = plain + (e.constant(line, LINE_FOG + c) - plain) * veil
        code = e.pick(tone, (shown * 4096.0).least(16383.0).most(0.0).whole())
        word_out = word_out | (code << (8 * c))
    _store(e, word_out, out, out_at)


def _shining(e: Wide, mask: Lanes, state: Lanes) -> tuple[Lanes, Lanes]:
    """Strength of a glow `mask` (8.8 bits), and what to add to the surface's colour before it multiplies that.

    Rooms are lit by `state` in [0, 1], and all of them where the mask is above STEADY of `build.draft`; -1 stands for
    what glows in its own colours.
    """
    shine = mask.as_real() * (1.0 / 65280.0)
    steady = ((shine - 0.66) * 7.0).least(1.0).most(0.0)
    room = shine * (state + (1.0 - state) * steady)
    own = state < 0.0
    return own.choose(shine, room), own.choose(e.real(0.0), 0.4)


def _from(e: Wide, pointer: Any, place: int) -> Any:
    return e.builder.gep(pointer, [ir.Constant(ir.IntType(64), place)])


def _log2(value: Lanes) -> Lanes:
    """log2 of (1/256 texel)^2 in texels, in 1/256, piecewise linear between powers of two."""
    return (value.pattern() - (0x3F800000 + (16 << 23))) >> 15


def _level(ux: Lanes, vx: Lanes, uy: Lanes, vy: Lanes) -> Lanes:
    """Mip level in 1/256 from steps a pixel: the longer axis of its footprint, moved towards the shorter."""
    longest = _log2((ux * ux + vx * vx).most(uy * uy + vy * vy))
    area = ux * vy - uy * vx
    area = _log2(area.most(0.0 - area).most(1e-2))
    stretch = (longest - area).most(0)
    sharper = (stretch >> SHARPEN_SHIFTS[0]) + (stretch >> SHARPEN_SHIFTS[1])
    return ((longest >> 1) - sharper.least(SHARPEN_MOST)).most(0)


def _texture(
    e: Wide, texels: Any, levels: Any, start: Lanes, shape: Lanes, level: Lanes, iu: Lanes, iv: Lanes
) -> tuple[Lanes, Lanes]:
    """Bilinear texel of a level at iu, iv (1/256 texel of the finest): red and blue, green and alpha, 8.8 bits each."""
    log_w, log_h = ((shape & 31) - level).most(0), ((shape.unsigned_shift(5) & 31) - level).most(0)
    u, v = (iu >> level) - 128, (iv >> level) - 128
    one = e.whole(1)
    x, y = (u >> 8) & ((one << log_w) - 1), (v >> 8) & ((one << log_h) - 1)
    place = e.pick(levels, start + level) + (y << log_w) + y + x  # rows are one texel longer than wide
    below = place + (one << log_w) + 1
    fx, fy = u & 255, v & 255
    both = fx.halves_times(fy).unsigned_shift(8)
    right, low = fx - both, fy - both
    weights = (256 - fx - low, right, low, both)
    red_blue, green_alpha = e.whole(0), e.whole(0)
    taps = (*e.pairs(texels, place), *e.pairs(texels, below))
    for tap, weight in zip(taps, weights, strict=True):
        double = weight | (weight << 16)
        red_blue = red_blue.halves_plus((tap & 0x00FF00FF).halves_times(double))
        green_alpha = green_alpha.halves_plus((tap.unsigned_shift(8) & 0x00FF00FF).halves_times(double))
    return red_blue, green_alpha


def _on_map(
    e: Wide, line: Any, base: int, normal: list[Lanes], ray_x: Lanes, depth: Lanes, along: Lanes
) -> list[Lanes]:
    """Place in a shadow map: column, row, nearness to the sun."""
    found = []
    for k in range(3):
        place = e.constant(line, base + MAP_PLACE + k)
        for axis in range(3):
            place = place + normal[axis] * e.constant(line, base + MAP_NORMAL + 3 * axis + k)
        across = ray_x * e.constant(line, base + MAP_RIGHT + k) + e.constant(line, base + MAP_DOWN + k)
        found.append(place + across * depth + along * e.constant(line, base + MAP_FORWARD + k))
    return found


def _inside(place: list[Lanes]) -> Lanes:
    low = place[0].least(place[1]) > 1.0
    return low & (place[0].most(place[1]) < MAP_END)


def _sunlit(e: Wide, maps: Any, line: Any, packed: Lanes, ray_x: Lanes, depth: Lanes, along: Lanes) -> Lanes:
    """Share of the sun that reaches each pixel: the fine map where it lies, else the coarse one, else all."""
    normal = [((packed.unsigned_shift(10 * k) & 1023) - 511).as_real() * (1.0 / 511.0) for k in range(3)]
    fine = _on_map(e, line, MAP_LINE, normal, ray_x, depth, along)
    near = _inside(fine)
    place = [e.variable(p) for p in fine]
    slot = e.variable(e.constant(line, LINE_SLOTS))
    known = e.variable(near.choose(e.whole(1), 0))
    with e.when(e.any(Lanes(e, e.builder.not_(near.value)))):
        coarse = _on_map(e, line, MAP_LINE + MAP_SIZE, normal, ray_x, depth, along)
        for k in range(3):
            place[k].set(near.choose(fine[k], coarse[k]))
        slot.set(near.choose(slot.get(), e.constant(line, LINE_SLOTS + 1)))
        known.set(known.get() | _inside(coarse).choose(e.whole(1), 0))
    inside = known.get() > 0
    x = inside.choose(place[0].get(), 2.0) - 0.5
    y = inside.choose(place[1].get(), 2.0) - 0.5
    column, row = x.whole(), y.whole()
    fx, fy = x - column.as_real(), y - row.as_real()
    start = (slot.get().whole() << 2 * LOG_SIDE) + (row << LOG_SIDE) + column
    limit = place[2].get().least(70000.0).most(-1.0).whole()
    sides = []
    for step in (0, SHADOW_SIDE):
        both = Lanes(e, e.fetch(maps, start + step, ir.IntType(32)))
        left, right = both & 0xFFFF, both.unsigned_shift(16)
        a = (left <= limit).choose(e.real(1.0), 0.0)
        b = (right <= limit).choose(e.real(1.0), 0.0)
        sides.append(a + (b - a) * fx)
    share = sides[0] + (sides[1] - sides[0]) * fy
    return inside.choose(share, 1.0)


def _store(e: Wide, words: Lanes, out: Any, at: Any) -> None:
    """The low three bytes of each lane, one after the other."""
    builder = e.builder
    some = ir.VectorType(ir.IntType(8), 32)
    order = ir.Constant(ir.VectorType(I32, 24), [4 * (k // 3) + k % 3 for k in range(24)])
    for first in range(0, e.width, 8):
        half = ir.Constant(ir.VectorType(I32, 8), list(range(first, first + 8)))
        eight = builder.shuffle_vector(words.value, ir.Constant(words.value.type, ir.Undefined), half)
        packed = builder.shuffle_vector(builder.bitcast(eight, some), ir.Constant(some, ir.Undefined), order)
        start = builder.gep(out, [builder.add(at, ir.Constant(I64, 3 * first))])
        builder.store(packed, builder.bitcast(start, ir.VectorType(ir.IntType(8), 24).as_pointer()), align=1)

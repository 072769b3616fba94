"""One step of scan conversion: up to eight pixels of a line are tested against a triangle and drawn where it is nearer.

There is no branch on the picture in it: which pixels a triangle wins cannot be guessed, and wrong guesses took half of
the geometry pass. Pixels that are not won are not written, so that strips drawn side by side cannot disturb each other.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from citysim.render.raster.lanes import F64, I32, I64, WIDTH, Lanes, Wide


def pointers(context: Any, builder: Any, signature: Any, values: Any) -> list[Any]:
    """The arguments of an intrinsic, arrays as pointers to their first element."""
    return [
        context.make_array(kind)(context, builder, value=value).data if isinstance(kind, types.Array) else value
        for kind, value in zip(signature.args, values, strict=True)
    ]


def _tested(
    e: Wide, edges: tuple[Any, Any, Any], steps: tuple[Any, Any, Any], lows: tuple[Any, Any],
    plane: tuple[Any, Any, Any], count: Any, nearness: Any, at: Any,
) -> tuple[Lanes, Lanes]:  # fmt: skip
    """Which lanes win, as far as edges and nearness say, and their nearness."""
    builder = e.builder
    column = e.steps()
    a, b, c = (
        e.same(builder.trunc(edge, I32)) + column * e.same(builder.trunc(step, I32))
        for edge, step in zip(edges, steps, strict=True)
    )
    inside = ((a | b | c) > -1) & (column < e.same(builder.trunc(count, I32)))
    # The exact edge value in 1/256 pixel: steps are whole pixels, so that the low byte is that of the box's corner.
    fb, fc = (edge.doubled() * 256.0 + e.same(low) for edge, low in ((b, lows[0]), (c, lows[1])))
    base, slope_b, slope_c = (e.same(value) for value in plane)
    near = (base + fb * slope_b + fc * slope_c).single()
    return inside & (near > e.read_where(inside, nearness, at)), near


@intrinsic
def scan_eight(
    typing: Any, nearness: Any, record: Any, at: Any, ea: Any, eb: Any, ec: Any, sa: Any, sb: Any, sc: Any, low_b: Any,
    low_c: Any, near: Any, slope_b: Any, slope_c: Any, count: Any, index: Any,
) -> Any:  # fmt: skip
    """Draw the pixels at, at + 1, ... at + count - 1 (count up to 8, more counts as 8); how many were won.

    ea, eb, ec: edge values of the first pixel over 256, whose low bytes are low_b and low_c as float64; sa, sb, sc:
    their steps a pixel. All of them must fit into int32. Nearness is near + edge b * slope_b + edge c * slope_c.
    """
    signature = types.int64(
        nearness, record, types.int64, *[types.int64] * 6, *[types.float64] * 5, types.int64, types.int64
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        nearness, record, at, ea, eb, ec, sa, sb, sc, low_b, low_c, near, slope_b, slope_c, count, index = pointers(
            context, builder, signature, values
        )
        e = Wide(builder)
        won, nearer = _tested(
            e, (ea, eb, ec), (sa, sb, sc), (low_b, low_c), (near, slope_b, slope_c), count, nearness, at
        )
        e.store_where(won, nearer, nearness, at)
        e.store_where(won, e.same(builder.trunc(index, I32)), record, at)
        return _count(builder, won)

    return signature, generate


@intrinsic
def scan_eight_large(
    typing: Any, nearness: Any, record: Any, at: Any, ea: Any, eb: Any, ec: Any, sa: Any, sb: Any, sc: Any, near: Any,
    slope_b: Any, slope_c: Any, count: Any, index: Any,
) -> Any:  # fmt: skip
    """As `scan_eight`, with edge values of the first pixel and steps a pixel that are exact and need 64 bits."""
    signature = types.int64(
        nearness, record, types.int64, *[types.int64] * 6, *[types.float64] * 3, types.int64, types.int64
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        nearness, record, at, ea, eb, ec, sa, sb, sc, near, slope_b, slope_c, count, index = pointers(
            context, builder, signature, values
        )
        e = Wide(builder)
        column = Lanes(e, builder.sext(e.steps().value, ir.VectorType(I64, WIDTH)))
        a, b, c = (e.same(edge) + column * e.same(step) for edge, step in ((ea, sa), (eb, sb), (ec, sc)))
        inside = ((a | b | c) > -1) & (e.steps() < e.same(builder.trunc(count, I32)))
        nearer = (e.same(near) + b.doubled() * e.same(slope_b) + c.doubled() * e.same(slope_c)).single()
        won = inside & (nearer > e.read_where(inside, nearness, at))
        e.store_where(won, nearer, nearness, at)
        e.store_where(won, e.same(builder.trunc(index, I32)), record, at)
        return _count(builder, won)

    return signature, generate


def _count(builder: Any, truth: Lanes) -> Any:
    return builder.ctpop(builder.zext(builder.bitcast(truth.value, ir.IntType(WIDTH)), I64))


@intrinsic
def scan_eight_masked(
    typing: Any, nearness: Any, record: Any, at: Any, ea: Any, eb: Any, ec: Any, sa: Any, sb: Any, sc: Any, low_b: Any,
    low_c: Any, near: Any, slope_b: Any, slope_c: Any, count: Any, index: Any, x: Any, y: Any, planes: Any, ortho: Any,
    cutoff: Any, texels: Any, levels: Any, first_level: Any, log_w: Any, log_h: Any, top: Any,
) -> Any:  # fmt: skip
    """As `scan_eight`, but pixels whose texel alpha is below `cutoff` are holes.

    `planes` is the triangle's record; x, y the first pixel; `first_level` the texture's first place in `levels`.
    """
    signature = types.int64(
        nearness, record, types.int64, *[types.int64] * 6, *[types.float64] * 5, *[types.int64] * 4, planes,
        types.int64, types.int64, texels, levels, *[types.int64] * 4,
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        (
            nearness, record, at, ea, eb, ec, sa, sb, sc, low_b, low_c, near, slope_b, slope_c, count, index, x, y,
            planes, ortho, cutoff, texels, levels, first_level, log_w, log_h, top,
        ) = pointers(context, builder, signature, values)  # fmt: skip
        e = Wide(builder)
        won, nearer = _tested(
            e, (ea, eb, ec), (sa, sb, sc), (low_b, low_c), (near, slope_b, slope_c), count, nearness, at
        )
        total = builder.alloca(I64)
        builder.store(ir.Constant(I64, 0), total)
        with builder.if_then(e.any(won)):
            flat = e.same(builder.icmp_signed("!=", ortho, ir.Constant(I64, 0)))
            depth = flat.choose(nearer.doubled() * 0.0 + 1.0, 1.0 / nearer.doubled())
            column = (e.same(builder.trunc(x, I32)) + e.steps()).doubled()
            row = builder.sitofp(y, F64)

            def plane(k: int) -> Lanes:
                rest = builder.fadd(builder.fmul(e.scalar(planes, k + 1), row), e.scalar(planes, k + 2))
                return (e.constant(planes, k) * column + e.same(rest)) * depth

            area = e.constant(planes, 8) * depth * depth * depth
            alpha = _alpha(e, texels, levels, first_level, log_w, log_h, top, plane(0), plane(3), area)
            shown = won & (alpha > e.same(builder.trunc(builder.sub(cutoff, ir.Constant(I64, 1)), I32)))
            e.store_where(shown, nearer, nearness, at)
            e.store_where(shown, e.same(builder.trunc(index, I32)), record, at)
            builder.store(_count(builder, shown), total)
        return builder.load(total)

    return signature, generate


def _alpha(
    e: Wide, texels: Any, levels: Any, first_level: Any, log_w: Any, log_h: Any, top: Any, u: Lanes, v: Lanes,
    area: Lanes,
) -> Lanes:  # fmt: skip
    """Alpha bytes at u, v on the level where one texel covers about one pixel; `area` is uv area a pixel."""
    builder, one = e.builder, ir.Constant(I64, 1)

    def word(value: Any) -> Lanes:
        return e.same(builder.trunc(value, I32))

    size = e.same(builder.sitofp(builder.shl(one, builder.add(log_w, log_h)), F64))
    found = ((((area * size).single().pattern() - 0x3F800000) >> 15) + 128) >> 9
    level = found.most(0).least(word(top))
    iu, iv = (
        (place * e.same(builder.sitofp(builder.shl(ir.Constant(I64, 256), log), F64))).floor()
        for place, log in ((u, log_w), (v, log_h))
    )
    width, height = (word(log) - level for log in (log_w, log_h))
    width, height = width.most(0), height.most(0)
    fu, fv, unit = (iu >> level) - 128, (iv >> level) - 128, e.whole(1)
    x, y = (fu >> 8) & ((unit << width) - 1), (fv >> 8) & ((unit << height) - 1)
    place = e.pick(levels, word(first_level) + level) + (y << width) + y + x  # rows are one texel longer: `bordered`
    below = place + (unit << width) + 1
    right, low = fu & 255, fv & 255
    both = (right * low) >> 8
    weights = (256 - right - low + both, right - both, low - both, both)
    taps = (*e.pairs(texels, place), *e.pairs(texels, below))
    total = e.whole(0)
    for tap, weight in zip(taps, weights, strict=True):
        total = total + tap.unsigned_shift(24) * weight
    return (total >> 8) & 255

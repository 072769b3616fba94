"""Vertices to the screen, eight at a time."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from citysim.render.raster.lanes import F64, I32, I64, WIDTH, Lanes, Wide
from citysim.render.raster.layout import VERTICES
from citysim.render.raster.scanning import pointers

GUARD = 1 << 28  # GUARD_PX in sub-pixel steps
CENTRE = 0.5 + (1 << 30)  # makes truncation to int32 round to nearest for |value| < 2^29


@intrinsic
def place_eight(
    typing: Any, cam: Any, xs: Any, ys: Any, zs: Any, first: Any, at: Any, space: Any, screen: Any, near: Any,
    outside: Any, count: Any,
) -> Any:  # fmt: skip
    """Camera space, snapped screen place, nearness and outside bits of vertices first ... first + 7 to column `at`.

    Returns the outside bits of the first `count` of them together. All in float64, in the order written: clipping
    does the very same sums.
    """
    signature = types.int64(
        cam, xs, ys, zs, types.int64, types.int64, space, screen, near, outside, types.int64
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        cam, xs, ys, zs, first, at, space, screen, near, outside, count = pointers(context, builder, signature, values)
        e = Wide(builder)
        dx, dy, dz = (
            e.read(axis, first).doubled() - e.constant(cam, 9 + k) for k, axis in enumerate((xs, ys, zs))
        )  # fmt: skip
        right, down, ahead = (
            e.constant(cam, 3 * k) * dx + e.constant(cam, 3 * k + 1) * dy + e.constant(cam, 3 * k + 2) * dz
            for k in range(3)
        )
        least = e.constant(cam, 15)
        behind = ahead < least
        flat = e.constant(cam, 18) > 0.5
        scale = 1.0 / (ahead > least).choose(ahead, least)
        e.store(flat.choose(e.constant(cam, 17) - ahead, scale), near, at)
        factor = e.same(builder.fmul(e.scalar(cam, 12), ir.Constant(F64, 256.0)))
        beyond = []
        for k, value in enumerate((right, down, ahead)):
            e.store(value, space, builder.add(at, ir.Constant(I64, k * VERTICES)))
            if k < 2:
                shift = e.same(builder.fmul(e.scalar(cam, 13 + k), ir.Constant(F64, 256.0)))
                plain = value * factor
                place = flat.choose(plain, plain * scale) + shift
                place = place.least(2.0 * GUARD).most(-2.0 * GUARD)
                snapped = (place + CENTRE).whole() - (1 << 30)
                e.store(snapped, screen, builder.add(at, ir.Constant(I64, k * VERTICES)))
                beyond.append((snapped > GUARD - 1) | (snapped < 1 - GUARD))
        far = beyond[0] | beyond[1]
        bits = behind.choose(e.whole(1), 0) | far.choose(e.whole(2), 0)
        e.store(Lanes(e, builder.trunc(bits.value, ir.VectorType(ir.IntType(8), WIDTH))), outside, at)
        valid = e.steps() < e.same(builder.trunc(count, I32))
        one, two = (
            builder.zext(e.any(Lanes(e, builder.and_(valid.value, truth.value))), I64) for truth in (behind, far)
        )
        return builder.or_(one, builder.shl(two, ir.Constant(I64, 1)))

    return signature, generate

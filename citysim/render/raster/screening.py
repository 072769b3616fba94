"""Quick tests of eight things at once that let only through what may show; what they let through is tested exactly.

Both err on the safe side by more than float32 can be wrong, so that they never change a pixel.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from citysim.render.raster.lanes import F32, I32, I64, WIDTH, Lanes, Wide
from citysim.render.raster.layout import CORNER_BITS, CORNER_DOUBLE, VERTICES

DOUBT = 2.0**-20  # relative error of a float32 determinant, generously
ROOM = 1e-3  # relative error of projected boxes, very generously


@intrinsic
def promising(
    typing: Any, corners: Any, at: Any, end: Any, screen: Any, x0: Any, x1: Any, y0: Any, y1: Any
) -> Any:  # fmt: skip
    """Bit k of the answer: triangle at + k, before `end`, may face the eye and touch a pixel centre of a rectangle."""
    signature = types.int64(corners, types.int64, types.int64, screen, *[types.int64] * 4)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        e = Wide(builder)
        lists, at, end, screen, *bounds = (
            context.make_array(kind)(context, builder, value=value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(signature.args, values, strict=True)
        )
        screen_y = builder.gep(screen, [ir.Constant(I64, VERTICES)])
        packed = e.read(lists, at)
        mask = (1 << CORNER_BITS) - 1
        index = [packed.unsigned_shift(CORNER_BITS * k) & mask for k in range(3)]
        ax, bx, cx = (e.pick(screen, i) for i in index)
        ay, by, cy = (e.pick(screen_y, i) for i in index)
        one = (bx - ax).as_real() * (cy - ay).as_real()
        two = (cx - ax).as_real() * (by - ay).as_real()
        doubt = (one.most(0.0 - one) + two.most(0.0 - two)) * DOUBT
        keep = (one - two < doubt) | ((packed & CORNER_DOUBLE) > 0)
        left, right, top, bottom = (e.same(builder.trunc(v, I32)) for v in bounds)
        keep = keep & _reaches(ax, bx, cx, left, right) & _reaches(ay, by, cy, top, bottom)
        rest = e.same(builder.trunc(builder.sub(end, at), I32))
        keep = keep & (e.steps() < rest)
        return builder.zext(builder.bitcast(keep.value, ir.IntType(WIDTH)), I64)

    return signature, generate


def _reaches(a: Lanes, b: Lanes, c: Lanes, first: Lanes, end: Lanes) -> Lanes:
    """Whether the span of three sub-pixel places holds a pixel centre of [first, end)."""
    low = ((a.least(b).least(c) + 127) >> 8).most(first)
    high = ((a.most(b).most(c) - 128) >> 8).least(end - 1)
    return low <= high


@intrinsic
def lowest_bit(typing: Any, mask: Any) -> Any:
    """Place of the lowest bit that is set; `mask` is not 0."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def project_box(typing: Any, cam: Any, boxes: Any, cluster: Any, out: Any) -> Any:
    """Bounds of a box on the screen to out (5,) float32: least x, most x, least y, most y, greatest nearness.

    Returns 0, and leaves `out` alone, when the box comes too close to the eye's plane to be projected.
    """
    signature = types.int64(cam, boxes, types.int64, out)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        e = Wide(builder)
        cam, boxes, cluster, out = (
            context.make_array(kind)(context, builder, value=value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(signature.args, values, strict=True)
        )
        box = builder.gep(boxes, [builder.mul(cluster, ir.Constant(I64, 6))])
        double = ir.DoubleType()

        def given(place: int) -> Lanes:
            return e.same(builder.fptrunc(e.scalar(cam, place), F32))

        corner = []
        for axis in range(3):
            low, high = (
                e.same(builder.fptrunc(builder.fsub(builder.fpext(v, double), e.scalar(cam, 9 + axis)), F32))
                for v in (e.scalar(box, axis), e.scalar(box, 3 + axis))
            )
            upper = (e.steps() & (1 << axis)) > 0
            corner.append(upper.choose(high, low))
        right, down, ahead = (
            corner[0] * given(3 * k) + corner[1] * given(3 * k + 1) + corner[2] * given(3 * k + 2) for k in range(3)
        )
        ortho = given(18) > 0.5
        size = sum((c.most(0.0 - c) for c in corner[1:]), corner[0].most(0.0 - corner[0]))
        close = e.any(ahead < (size * ROOM + 1.0))
        # In orthographic views a box before the near plane only has to be let through.
        scale = ortho.choose(given(12), given(12) / ahead)
        near = ortho.choose(given(17) - ahead, 1.0 / ahead)
        x, y = right * scale, down * scale
        found = (
            _least(e, x), _most(e, x), _least(e, y), _most(e, y), _most(e, near) * (1.0 + ROOM)
        )  # fmt: skip
        with builder.if_then(builder.not_(close)):
            for k, value in enumerate(found):
                if k < 4:
                    slack = value.most(0.0 - value) * ROOM + 1.0
                    value = (value - slack if k % 2 == 0 else value + slack) + given(13 + k // 2)
                place = builder.gep(out, [ir.Constant(I64, k)])
                builder.store(builder.extract_element(value.value, ir.Constant(I32, 0)), place)
        return builder.zext(builder.not_(close), I64)

    return signature, generate


def _folded(e: Wide, value: Lanes, step: int) -> Lanes:
    order = ir.Constant(ir.VectorType(I32, WIDTH), [(k + step) % WIDTH for k in range(WIDTH)])
    return Lanes(e, e.builder.shuffle_vector(value.value, value.value, order))


def _least(e: Wide, value: Lanes) -> Lanes:
    """The smallest of the eight, in all lanes."""
    for step in (4, 2, 1):
        value = value.least(_folded(e, value, step))
    return value


def _most(e: Wide, value: Lanes) -> Lanes:
    """The greatest of the eight, in all lanes."""
    for step in (4, 2, 1):
        value = value.most(_folded(e, value, step))
    return value

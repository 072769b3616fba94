"""Quick tests of eight things at once that let only through what may show; what they let through is tested exactly.

Both err on the safe side by more than float32 can be wrong, so that they never change a pixel.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from citysim.render.raster.lanes import F32, F64, I32, I64, WIDTH, Lanes, Wide
from citysim.render.raster.layout import CORNER_BITS, CORNER_DOUBLE, VERTICES
from citysim.render.raster.scanning import pointers

DOUBT = 2.0**-20  # relative error of a float32 determinant, generously
ERROR = 1e-6  # of the sum of coordinates: how wrong the float32 sums of a projected box are, generously
SNAPPED = 0.02  # pixels by which a corner that is snapped may leave the box

# Outside bits of a vertex: nearer than the near plane, beyond the guard band, and left, right, above, below.
BEHIND, GUARDED = 1, 2
BESIDE_BITS = (4, 8, 16, 32)
UNSOUND, BESIDE = BEHIND | GUARDED, 60


@intrinsic
def promising(
    typing: Any, corners: Any, at: Any, end: Any, screen: Any, x0: Any, x1: Any, y0: Any, y1: Any
) -> Any:  # fmt: skip
    """Bit k of the answer: triangle at + k, before `end`, may face the eye and touch a pixel centre of a rectangle."""
    signature = types.int64(corners, types.int64, types.int64, screen, *[types.int64] * 4)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        e = Wide(builder)
        lists, at, end, screen, *bounds = pointers(context, builder, signature, values)
        keep, _ = _promising(e, lists, at, end, screen, bounds)
        return builder.zext(builder.bitcast(keep.value, ir.IntType(WIDTH)), I64)

    return signature, generate


@intrinsic
def promising_near(
    typing: Any, corners: Any, at: Any, end: Any, screen: Any, x0: Any, x1: Any, y0: Any, y1: Any, outside: Any
) -> Any:  # fmt: skip
    """As `promising`, for clusters some of whose vertices have outside bits, also those of `beside_eight`.

    Triangles that must be clipped stay, unless all three corners lie beyond one plane of the rectangle or the near one.
    """
    signature = types.int64(corners, types.int64, types.int64, screen, *[types.int64] * 4, outside)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        e = Wide(builder)
        lists, at, end, screen, *bounds, outside = pointers(context, builder, signature, values)
        keep, index = _promising(e, lists, at, end, screen, bounds)
        bits = [e.pick(outside, i) for i in index]
        clipped = ((bits[0] | bits[1] | bits[2]) & UNSOUND) > 0
        somewhere = (bits[0] & bits[1] & bits[2] & (BEHIND | BESIDE)).equals(0)
        rest = e.steps() < e.same(builder.trunc(builder.sub(end, at), I32))
        keep = (clipped & somewhere & rest) | (keep & clipped.equals(0))
        return builder.zext(builder.bitcast(keep.value, ir.IntType(WIDTH)), I64)

    return signature, generate


@intrinsic
def beside_eight(
    typing: Any, cam: Any, space: Any, at: Any, x0: Any, x1: Any, y0: Any, y1: Any, outside: Any
) -> Any:  # fmt: skip
    """Add to the outside bits of vertices at ... at + 7 which planes of a rectangle of pixels they lie beyond."""
    signature = types.int64(cam, space, types.int64, *[types.int64] * 4, outside)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        e = Wide(builder)
        cam, space, at, *bounds, outside = pointers(context, builder, signature, values)
        ahead = e.read(space, builder.add(at, ir.Constant(I64, 2 * VERTICES)))
        flat = e.constant(cam, 18).equals(0.0)
        ahead = flat.choose(ahead, 1.0)
        bits = Lanes(e, builder.zext(e.read(outside, at).value, ir.VectorType(I32, WIDTH)))
        for axis in range(2):
            value = e.read(space, builder.add(at, ir.Constant(I64, axis * VERTICES))) * e.constant(cam, 12)
            low, high = (
                e.same(builder.fsub(builder.sitofp(bounds[2 * axis + side], F64), e.scalar(cam, 13 + axis)))
                for side in range(2)
            )
            bits = bits | (value < low * ahead).choose(e.whole(BESIDE_BITS[2 * axis]), 0)
            bits = bits | (value > high * ahead).choose(e.whole(BESIDE_BITS[2 * axis + 1]), 0)
        e.store(Lanes(e, builder.trunc(bits.value, ir.VectorType(ir.IntType(8), WIDTH))), outside, at)
        return ir.Constant(I64, 0)

    return signature, generate


def _promising(e: Wide, lists: Any, at: Any, end: Any, screen: Any, bounds: Any) -> tuple[Lanes, list[Lanes]]:
    """The truth values of `promising`, and the corners' places."""
    builder = e.builder
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
    return keep, index


def _reaches(a: Lanes, b: Lanes, c: Lanes, first: Lanes, end: Lanes) -> Lanes:
    """Whether the span of three sub-pixel places holds a pixel centre of [first, end)."""
    low = ((a.least(b).least(c) + 127) >> 8).most(first)
    high = ((a.most(b).most(c) - 128) >> 8).least(end - 1)
    return low <= high


@intrinsic
def least_of_four(typing: Any, bits: Any, at: Any, stride: Any) -> Any:
    """Least value of an int32 picture over 4 x 4 pixels from place `at`."""
    return types.int64(bits, types.int64, types.int64), _least(4)


@intrinsic
def least_of_eight(typing: Any, bits: Any, at: Any, stride: Any) -> Any:
    """Least value of an int32 picture over 8 x 8 pixels from place `at`."""
    return types.int64(bits, types.int64, types.int64), _least(WIDTH)


def _least(side: int) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        e = Wide(builder, side)
        bits, at, stride = pointers(context, builder, signature, values)
        found = e.read(bits, at)
        for _ in range(side - 1):
            at = builder.add(at, stride)
            found = found.least(e.read(bits, at))
        while side_of(found) > 1:
            kind, half = found.value.type, side_of(found) // 2
            low, high = (
                builder.shuffle_vector(
                    found.value, ir.Constant(kind, ir.Undefined),
                    ir.Constant(ir.VectorType(I32, half), list(range(first, first + half))),
                )
                for first in (0, half)
            )  # fmt: skip
            found = Lanes(Wide(builder, half), low).least(Lanes(Wide(builder, half), high))
        return builder.sext(builder.extract_element(found.value, ir.Constant(I32, 0)), I64)

    return generate


def side_of(lanes: Lanes) -> int:
    """How many lanes there are."""
    return int(lanes.value.type.count)


@intrinsic
def lowest_bit(typing: Any, mask: Any) -> Any:
    """Place of the lowest bit that is set; `mask` is not 0."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def meets_eight(typing: Any, planes: Any, boxes: Any, first: Any, count: Any, ahead: Any, near: Any) -> Any:
    """Bit k of the answer: the box of cluster first + k, of `count`, meets the inside of the six planes of planes[0].

    ahead (4,) float64: a direction and its product with the eye; near[k] gets how far along it a box begins.
    """
    signature = types.int64(planes, boxes, types.int64, types.int64, ahead, near)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        e = Wide(builder)
        planes, boxes, first, count, ahead, near = pointers(context, builder, signature, values)
        steps = e.steps()
        inside = steps < e.same(builder.trunc(count, I32))
        place = inside.choose(steps, 0) * 6
        start = builder.gep(boxes, [builder.mul(first, ir.Constant(I64, 6))])
        low, high = (
            [e.pick(builder.gep(start, [ir.Constant(I64, side + k)]), place).doubled() for k in range(3)]
            for side in (0, 3)
        )
        half = [(b - a) * 0.5 for a, b in zip(low, high, strict=True)]
        middle = [a + h for a, h in zip(low, half, strict=True)]
        for i in range(6):
            normal = [e.constant(planes, 4 * i + k) for k in range(3)]
            reach = [n.most(0.0 - n) * h for n, h in zip(normal, half, strict=True)]
            away = [n * m for n, m in zip(normal, middle, strict=True)]
            least = (reach[0] + reach[1] + reach[2]) * -1.001 - 1e-3
            beyond = away[0] + away[1] + away[2] + e.constant(planes, 4 * i + 3) < least
            inside = inside & Lanes(e, builder.not_(beyond.value))
        normal = [e.constant(ahead, k) for k in range(3)]
        reach = [n.most(0.0 - n) * h for n, h in zip(normal, half, strict=True)]
        away = [n * m for n, m in zip(normal, middle, strict=True)]
        depth = away[0] + away[1] + away[2] - e.constant(ahead, 3) - (reach[0] + reach[1] + reach[2])
        e.store(depth, near, ir.Constant(I64, 0))
        return builder.zext(builder.bitcast(inside.value, ir.IntType(WIDTH)), I64)

    return signature, generate


@intrinsic
def bound_eight(
    typing: Any, cam: Any, boxes: Any, clusters: Any, at: Any, count: Any, x0: Any, x1: Any, y0: Any, y1: Any, out: Any,
    stride: Any,
) -> Any:  # fmt: skip
    """Which pixels of a rectangle the boxes of clusters[at] ... of `count` may show in, to columns `at` ... of `out`.

    out (5, stride) int32: first and last column, first and last row, and the bits of the greatest nearness as float32.
    No column or row of first to last: nothing. A box too close to the eye's plane gets the rectangle and infinity.
    """
    signature = types.int64(
        cam, boxes, clusters, types.int64, types.int64, *[types.int64] * 4, out, types.int64
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        e = Wide(builder)
        cam, boxes, clusters, at, count, x0, x1, y0, y1, out, stride = pointers(context, builder, signature, values)
        valid = e.steps() < e.same(builder.trunc(count, I32))
        place = valid.choose(e.read(clusters, at), 0) * 6
        low, high = (
            [
                (e.pick(builder.gep(boxes, [ir.Constant(I64, side + k)]), place).doubled() - e.constant(cam, 9 + k))
                .single() for k in range(3)
            ]
            for side in (0, 3)
        )  # fmt: skip
        size = sum((a.most(0.0 - a).most(b.most(0.0 - b)) for a, b in zip(low[1:], high[1:], strict=True)),
                   low[0].most(0.0 - low[0]).most(high[0].most(0.0 - high[0])))  # fmt: skip

        def given(number: int) -> Lanes:
            return e.same(builder.fptrunc(e.scalar(cam, number), F32))

        # Each axis' share of right, down and ahead at both ends; the sums are as wrong as float32 makes them at most.
        ends = [[(low[k] * given(3 * row + k), high[k] * given(3 * row + k)) for k in range(3)] for row in range(3)]
        focal, flat = given(12), given(18) > 0.5
        error = size * ERROR
        near_limit = size * 1e-3 + 1.0
        close, blur = e.whole(0), e.real(0.0)
        found: list[Lanes] = []
        for corner in range(8):
            right, down, ahead = (
                ends[row][0][corner & 1] + ends[row][1][corner >> 1 & 1] + ends[row][2][corner >> 2] for row in range(3)
            )
            close = close | (ahead < near_limit).choose(e.whole(1), 0)
            inverse = 1.0 / ahead
            scale = flat.choose(focal, focal * inverse)
            near = flat.choose(given(17) - (ahead - error), 1.0 / (ahead - error))
            blur = blur.most(flat.choose(error * focal, error * inverse))
            values = (right * scale, down * scale, near)
            found = (
                [values[0], values[0], values[1], values[1], near] if not found else
                [found[0].least(values[0]), found[1].most(values[0]), found[2].least(values[1]),
                 found[3].most(values[1]), found[4].most(near)]
            )  # fmt: skip
        # In orthographic views a box before the near plane only has to be let through.
        open_ = close > 0
        edges = (x0, x1, y0, y1)
        for k in range(4):
            value = found[k]
            slack = flat.choose(blur, (value.most(0.0 - value) + focal) * blur) * 2.0 + SNAPPED
            value = (value - slack if k % 2 == 0 else value + slack) + given(13 + k // 2) - 0.5
            value = value.least(1e6).most(-1e6)
            first = e.same(builder.trunc(edges[k // 2 * 2], I32))
            last = e.same(builder.trunc(edges[k // 2 * 2 + 1], I32)) - 1
            if k % 2 == 0:  # the first centre at or after it
                pixel = open_.choose(first, (0 - (0.0 - value).floor()).most(first))
            else:
                pixel = open_.choose(last, value.floor().least(last))
            e.store(pixel, out, builder.add(at, builder.mul(stride, ir.Constant(I64, k))))
        nearest = open_.choose(e.real(float("inf")), found[4] * (1.0 + 1e-6))
        e.store(nearest.pattern(), out, builder.add(at, builder.mul(stride, ir.Constant(I64, 4))))
        return ir.Constant(I64, 0)

    return signature, generate

"""Eight pixels at once: a small language over LLVM's portable vectors, for kernels that numba's loops do not vectorise.

`Eight` builds instructions; `Lanes` are eight float32, int32 or truth values with Python's operators. There is no
processor-specific instruction in it: LLVM lowers vectors to what a CPU has, and every lane is plain IEEE arithmetic in
the order written, so that results do not depend on the CPU.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

WIDTH = 8
F32, I32, I64, BIT = ir.FloatType(), ir.IntType(32), ir.IntType(64), ir.IntType(1)
WORDS = ir.VectorType(ir.IntType(16), 2 * WIDTH)


class _LanePointers(ir.Instruction):
    """getelementptr with one base and eight indexes, which llvmlite's builder does not type."""

    def __init__(self, block: Any, base: Any, element: Any, index: Any) -> None:
        kind = ir.VectorType(base.type, WIDTH)
        super().__init__(block, kind, "getelementptr", [base, index])
        self.element = element

    def descr(self, buf: list[str]) -> None:
        base, index = self.operands
        buf.append(
            f"getelementptr {self.element}, {base.type} {base.get_reference()}, {index.type} {index.get_reference()}\n"
        )


class Lanes:
    """Eight values; arithmetic takes Python numbers for the other side."""

    def __init__(self, eight: "Eight", value: Any) -> None:
        self.eight, self.value = eight, value

    @property
    def real(self) -> bool:
        """Whether the lanes are float32."""
        return bool(self.value.type.element == F32)

    def _other(self, other: "Lanes | float") -> Any:
        if isinstance(other, Lanes):
            return other.value
        return (self.eight.real(other) if self.real else self.eight.whole(int(other))).value

    def _make(self, name: str, other: "Lanes | float", swap: bool = False) -> "Lanes":
        a, b = self.value, self._other(other)
        a, b = (b, a) if swap else (a, b)
        return Lanes(self.eight, getattr(self.eight.builder, f"f{name}" if self.real else name)(a, b))

    def __add__(self, other: "Lanes | float") -> "Lanes":
        return self._make("add", other)

    def __sub__(self, other: "Lanes | float") -> "Lanes":
        return self._make("sub", other)

    def __rsub__(self, other: float) -> "Lanes":
        return self._make("sub", other, swap=True)

    def __mul__(self, other: "Lanes | float") -> "Lanes":
        return self._make("mul", other)

    def __truediv__(self, other: "Lanes | float") -> "Lanes":
        return Lanes(self.eight, self.eight.builder.fdiv(self.value, self._other(other)))

    def __rtruediv__(self, other: float) -> "Lanes":
        return Lanes(self.eight, self.eight.builder.fdiv(self._other(other), self.value))

    def _bits(self, name: str, other: "Lanes | int") -> "Lanes":
        value = other.value if isinstance(other, Lanes) else self._other(other)
        return Lanes(self.eight, getattr(self.eight.builder, name)(self.value, value))

    def __and__(self, other: "Lanes | int") -> "Lanes":
        return self._bits("and_", other)

    def __or__(self, other: "Lanes | int") -> "Lanes":
        return self._bits("or_", other)

    def __xor__(self, other: "Lanes | int") -> "Lanes":
        return self._bits("xor", other)

    def __lshift__(self, other: "Lanes | int") -> "Lanes":
        return self._bits("shl", other)

    def __rshift__(self, other: "Lanes | int") -> "Lanes":
        """Arithmetic: the sign is kept."""
        return self._bits("ashr", other)

    def unsigned_shift(self, other: int) -> "Lanes":
        """Shift right, zeros come in."""
        return self._bits("lshr", other)

    def _compare(self, sign: str, other: "Lanes | float") -> "Lanes":
        build = self.eight.builder.fcmp_ordered if self.real else self.eight.builder.icmp_signed
        return Lanes(self.eight, build(sign, self.value, self._other(other)))

    def __gt__(self, other: "Lanes | float") -> "Lanes":
        return self._compare(">", other)

    def __lt__(self, other: "Lanes | float") -> "Lanes":
        return self._compare("<", other)

    def __le__(self, other: "Lanes | float") -> "Lanes":
        return self._compare("<=", other)

    def equals(self, other: "Lanes | float") -> "Lanes":
        """Lane by lane, as truth values."""
        return self._compare("==", other)

    def least(self, other: "Lanes | float") -> "Lanes":
        """The smaller of both; NaN gives the other."""
        b = Lanes(self.eight, self._other(other))
        return (self < b).choose(self, b)

    def most(self, other: "Lanes | float") -> "Lanes":
        """The greater of both; NaN gives the other."""
        b = Lanes(self.eight, self._other(other))
        return (self > b).choose(self, b)

    def choose(self, yes: "Lanes", no: "Lanes | float") -> "Lanes":
        """`yes` where these truth values hold, else `no`."""
        return Lanes(self.eight, self.eight.builder.select(self.value, yes.value, yes._other(no)))

    def whole(self) -> "Lanes":
        """Float32 to int32, towards zero; the caller keeps them in range."""
        return Lanes(self.eight, self.eight.builder.fptosi(self.value, ir.VectorType(I32, WIDTH)))

    def floor(self) -> "Lanes":
        """Float32 to the int32 at or below."""
        down = self.whole()
        return down + Lanes(
            self.eight, self.eight.builder.sext((down.as_real() > self).value, ir.VectorType(I32, WIDTH))
        )

    def as_real(self) -> "Lanes":
        """Int32 to float32."""
        return Lanes(self.eight, self.eight.builder.sitofp(self.value, ir.VectorType(F32, WIDTH)))

    def pattern(self) -> "Lanes":
        """The bits of float32 as int32."""
        return Lanes(self.eight, self.eight.builder.bitcast(self.value, ir.VectorType(I32, WIDTH)))

    def number(self) -> "Lanes":
        """Int32 bits as the float32 they stand for."""
        return Lanes(self.eight, self.eight.builder.bitcast(self.value, ir.VectorType(F32, WIDTH)))

    def halves_times(self, other: "Lanes") -> "Lanes":
        """Product of the two 16-bit halves of each lane, low 16 bits each."""
        b = self.eight.builder
        product = b.mul(b.bitcast(self.value, WORDS), b.bitcast(other.value, WORDS))
        return Lanes(self.eight, b.bitcast(product, ir.VectorType(I32, WIDTH)))

    def halves_share(self, other: "Lanes") -> "Lanes":
        """Product of the unsigned 16-bit halves of each lane, high 16 bits each."""
        b, wide = self.eight.builder, ir.VectorType(I32, 2 * WIDTH)
        x, y = (b.zext(b.bitcast(v.value, WORDS), wide) for v in (self, other))
        high = b.trunc(b.lshr(b.mul(x, y), ir.Constant(wide, [16] * (2 * WIDTH))), WORDS)
        return Lanes(self.eight, b.bitcast(high, ir.VectorType(I32, WIDTH)))

    def halves_plus(self, other: "Lanes") -> "Lanes":
        """Sum of the 16-bit halves of each lane."""
        b = self.eight.builder
        total = b.add(b.bitcast(self.value, WORDS), b.bitcast(other.value, WORDS))
        return Lanes(self.eight, b.bitcast(total, ir.VectorType(I32, WIDTH)))


class Eight:
    """Builds the instructions of one kernel for eight pixels."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def real(self, value: float) -> Lanes:
        """A constant in eight float32."""
        return Lanes(self, ir.Constant(ir.VectorType(F32, WIDTH), [float(value)] * WIDTH))

    def whole(self, value: int) -> Lanes:
        """A constant in eight int32."""
        return Lanes(self, ir.Constant(ir.VectorType(I32, WIDTH), [value] * WIDTH))

    def steps(self) -> Lanes:
        """0, 1, ... 7 as int32."""
        return Lanes(self, ir.Constant(ir.VectorType(I32, WIDTH), list(range(WIDTH))))

    def same(self, scalar: Any) -> Lanes:
        """One scalar (float32 or int32) in all lanes."""
        kind = ir.VectorType(scalar.type, WIDTH)
        one = self.builder.insert_element(ir.Constant(kind, ir.Undefined), scalar, ir.Constant(I32, 0))
        zeros = ir.Constant(ir.VectorType(I32, WIDTH), [0] * WIDTH)
        return Lanes(self, self.builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), zeros))

    def scalar(self, pointer: Any, at: int) -> Any:
        """The scalar pointer[at], for a constant place."""
        return self.builder.load(self.builder.gep(pointer, [ir.Constant(I64, at)]))

    def constant(self, pointer: Any, at: int) -> Lanes:
        """pointer[at] in all lanes."""
        return self.same(self.scalar(pointer, at))

    def read(self, pointer: Any, at: Any) -> Lanes:
        """The eight elements from pointer[at], an i64 place."""
        b = self.builder
        element = pointer.type.pointee
        kind = ir.VectorType(element, WIDTH)
        found = b.load(b.bitcast(b.gep(pointer, [at]), kind.as_pointer()))
        found.align = element.width // 8 if isinstance(element, ir.IntType) else 4
        return Lanes(self, found)

    def fetch(self, pointer: Any, index: Lanes, kind: Any = None) -> Any:
        """The elements pointer[index] as a vector of `kind` (default: the pointer's own), at any alignment of theirs.

        A wider kind also reads what follows each element.
        """
        b = self.builder
        element = pointer.type.pointee
        kind = kind or element
        size = element.width // 8 if isinstance(element, ir.IntType) else 4
        wide = b.sext(index.value, ir.VectorType(I64, WIDTH))
        places = _LanePointers(b.block, pointer, element, wide)
        b._insert(places)
        pointers = b.bitcast(places, ir.VectorType(kind.as_pointer(), WIDTH))
        vector, mask = ir.VectorType(kind, WIDTH), ir.VectorType(BIT, WIDTH)
        name = "f32" if kind == F32 else f"i{kind.width}"
        typed = "" if str(pointer.type) == "ptr" else name
        function = _declared(
            b.module, f"llvm.masked.gather.v{WIDTH}{name}.v{WIDTH}p0{typed}", vector, [pointers.type, I32, mask, vector]
        )
        every = ir.Constant(mask, [1] * WIDTH)
        return b.call(function, [pointers, ir.Constant(I32, size), every, ir.Constant(vector, ir.Undefined)])

    def pick(self, pointer: Any, index: Lanes) -> Lanes:
        """The elements pointer[index], widened from bytes where they are bytes."""
        element = pointer.type.pointee
        if element == ir.IntType(8):
            return Lanes(self, self.fetch(pointer, index, I32)) & 255
        return Lanes(self, self.fetch(pointer, index))

    def pairs(self, pointer: Any, index: Lanes) -> tuple[Lanes, Lanes]:
        """The int32 elements pointer[index] and pointer[index + 1]."""
        b = self.builder
        both = self.fetch(pointer, index, I64)
        kind = ir.VectorType(I32, WIDTH)
        high = b.lshr(both, ir.Constant(both.type, [32] * WIDTH))
        return Lanes(self, b.trunc(both, kind)), Lanes(self, b.trunc(high, kind))

    def root(self, value: Lanes) -> Lanes:
        """Square roots."""
        kind = value.value.type
        function = _declared(self.builder.module, f"llvm.sqrt.v{WIDTH}f32", kind, [kind])
        return Lanes(self, self.builder.call(function, [value.value]))

    def any(self, truth: Lanes) -> Any:
        """Whether any lane holds, as a scalar truth value."""
        byte = self.builder.bitcast(truth.value, ir.IntType(WIDTH))
        return self.builder.icmp_unsigned("!=", byte, ir.Constant(byte.type, 0))

    @contextmanager
    def when(self, scalar: Any) -> Iterator[None]:
        """Instructions that run only where a scalar truth value holds; carry results out with `Variable`."""
        with self.builder.if_then(scalar):
            yield

    def variable(self, value: Lanes) -> "Variable":
        """A value that `when` may change."""
        return Variable(value)


class Variable:
    """Lanes that can be assigned to in a branch."""

    def __init__(self, value: Lanes) -> None:
        self._eight = value.eight
        builder = self._eight.builder
        with builder.goto_entry_block():
            self._place = builder.alloca(value.value.type)
        self.set(value)

    def set(self, value: Lanes) -> None:
        """Assign."""
        self._eight.builder.store(value.value, self._place)

    def get(self) -> Lanes:
        """The value now."""
        return Lanes(self._eight, self._eight.builder.load(self._place))


def _declared(module: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """An LLVM intrinsic, declared once a module."""
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, ir.FunctionType(result, arguments), name=name)

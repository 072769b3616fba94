"""Many pixels at once: a small language over LLVM's portable vectors, for kernels that numba's loops leave scalar.

`Wide` builds instructions; `Lanes` are eight or sixteen floats, int32 or truth values with Python's operators. There
is no processor-specific instruction in it: LLVM lowers vectors to what a CPU has, and every lane is plain IEEE
arithmetic in the order written, so that results do not depend on the CPU.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

WIDTH = 8  # unless said otherwise
F32, F64, I32, I64, BIT = ir.FloatType(), ir.DoubleType(), ir.IntType(32), ir.IntType(64), ir.IntType(1)


class _LanePointers(ir.Instruction):
    """getelementptr with one base and eight indexes, which llvmlite's builder does not type."""

    def __init__(self, block: Any, base: Any, element: Any, index: Any) -> None:
        kind = ir.VectorType(base.type, index.type.count)
        super().__init__(block, kind, "getelementptr", [base, index])
        self.element = element

    def descr(self, buf: list[str]) -> None:
        base, index = self.operands
        buf.append(
            f"getelementptr {self.element}, {base.type} {base.get_reference()}, {index.type} {index.get_reference()}\n"
        )


class Lanes:
    """Wide values; arithmetic takes Python numbers for the other side."""

    def __init__(self, eight: "Wide", value: Any) -> None:
        self.eight, self.value = eight, value

    @property
    def real(self) -> bool:
        """Whether the lanes are float32 or float64."""
        return bool(self.value.type.element in (F32, F64))

    def _other(self, other: "Lanes | float") -> Any:
        if isinstance(other, Lanes):
            return other.value
        kind = self.value.type
        return ir.Constant(kind, [float(other) if self.real else int(other)] * kind.count)

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
        """Float to int32, towards zero; the caller keeps them in range."""
        return Lanes(self.eight, self.eight.builder.fptosi(self.value, ir.VectorType(I32, self.eight.width)))

    def floor(self) -> "Lanes":
        """Float to the int32 at or below."""
        down = self.whole()
        above = down.doubled() if self.value.type.element == F64 else down.as_real()
        return down + Lanes(
            self.eight, self.eight.builder.sext((above > self).value, ir.VectorType(I32, self.eight.width))
        )

    def as_real(self) -> "Lanes":
        """Int32 to float32."""
        return Lanes(self.eight, self.eight.builder.sitofp(self.value, ir.VectorType(F32, self.eight.width)))

    def doubled(self) -> "Lanes":
        """Int32 or float32 to float64, exactly."""
        kind = ir.VectorType(F64, self.eight.width)
        build = self.eight.builder.fpext if self.real else self.eight.builder.sitofp
        return Lanes(self.eight, build(self.value, kind))

    def single(self) -> "Lanes":
        """Float64 to the nearest float32."""
        return Lanes(self.eight, self.eight.builder.fptrunc(self.value, ir.VectorType(F32, self.eight.width)))

    def pattern(self) -> "Lanes":
        """The bits of float32 as int32."""
        return Lanes(self.eight, self.eight.builder.bitcast(self.value, ir.VectorType(I32, self.eight.width)))

    def number(self) -> "Lanes":
        """Int32 bits as the float32 they stand for."""
        return Lanes(self.eight, self.eight.builder.bitcast(self.value, ir.VectorType(F32, self.eight.width)))

    def halves_times(self, other: "Lanes") -> "Lanes":
        """Product of the two 16-bit halves of each lane, low 16 bits each."""
        b = self.eight.builder
        product = b.mul(b.bitcast(self.value, self.eight.words), b.bitcast(other.value, self.eight.words))
        return Lanes(self.eight, b.bitcast(product, ir.VectorType(I32, self.eight.width)))

    def halves_share(self, other: "Lanes") -> "Lanes":
        """Product of the unsigned 16-bit halves of each lane, high 16 bits each."""
        b, wide = self.eight.builder, ir.VectorType(I32, 2 * self.eight.width)
        x, y = (b.zext(b.bitcast(v.value, self.eight.words), wide) for v in (self, other))
        high = b.trunc(b.lshr(b.mul(x, y), ir.Constant(wide, [16] * (2 * self.eight.width))), self.eight.words)
        return Lanes(self.eight, b.bitcast(high, ir.VectorType(I32, self.eight.width)))

    def halves_plus(self, other: "Lanes") -> "Lanes":
        """Sum of the 16-bit halves of each lane."""
        b = self.eight.builder
        total = b.add(b.bitcast(self.value, self.eight.words), b.bitcast(other.value, self.eight.words))
        return Lanes(self.eight, b.bitcast(total, ir.VectorType(I32, self.eight.width)))


class Wide:
    """Builds the instructions of one kernel for `width` pixels, 8 or 16."""

    def __init__(self, builder: Any, width: int = WIDTH) -> None:
        self.builder, self.width = builder, width
        self.words = ir.VectorType(ir.IntType(16), 2 * width)

    def real(self, value: float) -> Lanes:
        """A constant in float32 lanes."""
        return Lanes(self, ir.Constant(ir.VectorType(F32, self.width), [float(value)] * self.width))

    def whole(self, value: int) -> Lanes:
        """A constant in int32 lanes."""
        return Lanes(self, ir.Constant(ir.VectorType(I32, self.width), [value] * self.width))

    def steps(self) -> Lanes:
        """0, 1, 2 ... as int32."""
        return Lanes(self, ir.Constant(ir.VectorType(I32, self.width), list(range(self.width))))

    def same(self, scalar: Any) -> Lanes:
        """One scalar (float32 or int32) in all lanes."""
        kind = ir.VectorType(scalar.type, self.width)
        one = self.builder.insert_element(ir.Constant(kind, ir.Undefined), scalar, ir.Constant(I32, 0))
        zeros = ir.Constant(ir.VectorType(I32, self.width), [0] * self.width)
        return Lanes(self, self.builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), zeros))

    def scalar(self, pointer: Any, at: int) -> Any:
        """The scalar pointer[at], for a constant place."""
        return self.builder.load(self.builder.gep(pointer, [ir.Constant(I64, at)]))

    def store(self, value: Lanes, pointer: Any, at: Any) -> None:
        """Write to the elements from pointer[at]."""
        b = self.builder
        b.store(value.value, b.bitcast(b.gep(pointer, [at]), value.value.type.as_pointer()), align=1)

    def store_where(self, truth: Lanes, value: Lanes, pointer: Any, at: Any) -> None:
        """Write to the elements from pointer[at] whose lane of `truth` holds, and leave the others alone."""
        b, kind = self.builder, value.value.type
        name = f"llvm.masked.store.{_suffix(kind)}.p0{_pointee(pointer, kind)}"
        place = b.bitcast(b.gep(pointer, [at]), kind.as_pointer())
        arguments = [kind, place.type, I32, truth.value.type]
        function = _declared(b.module, name, ir.VoidType(), arguments)
        b.call(function, [value.value, place, ir.Constant(I32, 4), truth.value])

    def read_where(self, truth: Lanes, pointer: Any, at: Any) -> Lanes:
        """The elements from pointer[at] whose lane of `truth` holds, 0 for the others, which are not touched."""
        b = self.builder
        kind = ir.VectorType(pointer.type.pointee, self.width)
        name = f"llvm.masked.load.{_suffix(kind)}.p0{_pointee(pointer, kind)}"
        place = b.bitcast(b.gep(pointer, [at]), kind.as_pointer())
        function = _declared(b.module, name, kind, [place.type, I32, truth.value.type, kind])
        return Lanes(self, b.call(function, [place, ir.Constant(I32, 4), truth.value, ir.Constant(kind, None)]))

    def constant(self, pointer: Any, at: int) -> Lanes:
        """pointer[at] in all lanes."""
        return self.same(self.scalar(pointer, at))

    def read(self, pointer: Any, at: Any) -> Lanes:
        """The elements from pointer[at], an i64 place."""
        b = self.builder
        element = pointer.type.pointee
        kind = ir.VectorType(element, self.width)
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
        wide = b.sext(index.value, ir.VectorType(I64, self.width))
        places = _LanePointers(b.block, pointer, element, wide)
        b._insert(places)
        pointers = b.bitcast(places, ir.VectorType(kind.as_pointer(), self.width))
        vector, mask = ir.VectorType(kind, self.width), ir.VectorType(BIT, self.width)
        name = "f32" if kind == F32 else f"i{kind.width}"
        typed = "" if str(pointer.type) == "ptr" else name
        function = _declared(
            b.module,
            f"llvm.masked.gather.v{self.width}{name}.v{self.width}p0{typed}",
            vector,
            [pointers.type, I32, mask, vector],
        )
        every = ir.Constant(mask, [1] * self.width)
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
        kind = ir.VectorType(I32, self.width)
        high = b.lshr(both, ir.Constant(both.type, [32] * self.width))
        return Lanes(self, b.trunc(both, kind)), Lanes(self, b.trunc(high, kind))

    def root(self, value: Lanes) -> Lanes:
        """Square roots."""
        kind = value.value.type
        function = _declared(self.builder.module, f"llvm.sqrt.v{self.width}f32", kind, [kind])
        return Lanes(self, self.builder.call(function, [value.value]))

    def any(self, truth: Lanes) -> Any:
        """Whether any lane holds, as a scalar truth value."""
        byte = self.builder.bitcast(truth.value, ir.IntType(self.width))
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


def _suffix(kind: Any) -> str:
    element = kind.element
    return f"v{kind.count}" + ("f32" if element == F32 else "f64" if element == F64 else f"i{element.width}")


def _pointee(pointer: Any, kind: Any) -> str:
    return "" if str(pointer.type) == "ptr" else _suffix(kind)


def _declared(module: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """An LLVM intrinsic, declared once a module."""
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, ir.FunctionType(result, arguments), name=name)

"""Feeds damaged tiles, subtrees and tilesets to the readers. Prints name,value,unit,peer,ratio.

    python benchmarks/fuzz_tiles.py 200000 [first number]

Every input follows from its number (tests/geo/fuzzing.py), so that a finding can be repeated. A child process reads
them under a memory limit and a time limit for each; what kills it, or anything but an error of citysim's own, is
reported with the number, and the exit code is then 1.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
MEMORY = 3 << 30  # address space of the child, libraries included
SECONDS = 5  # for one input, in Python
STUCK = 60  # for one input, in a library


class TooSlow(BaseException):
    """Raised in the child when one input takes too long."""


def child(first: int, last: int, progress: int) -> int:
    """Read the inputs from `first` to before `last`; the number at hand is kept in a file for the parent."""
    from tests.geo.fuzzing import damaged, read, seeds

    for kind, found in seeds().items():  # compile and import before anything is limited
        for data in found:
            read(kind, data)
    base = _address_space()
    resource.setrlimit(resource.RLIMIT_AS, (base + MEMORY, base + MEMORY))
    signal.signal(signal.SIGALRM, _too_slow)
    warnings.simplefilter("error")  # as in the tests: a warning is a number that nobody thought of
    failures = 0
    for number in range(first, last):
        os.pwrite(progress, number.to_bytes(8, "little"), 0)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            read(*damaged(number))
        except BaseException:
            failures += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
            print(f"# input {number}: {traceback.format_exc(limit=-2)}", file=sys.stderr)
    signal.setitimer(signal.ITIMER_REAL, 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    os.pwrite(progress, last.to_bytes(8, "little") + int(peak).to_bytes(8, "little"), 0)
    return min(failures, 100)


def main(count: int, start: int) -> int:
    print("name,value,unit,peer,ratio")
    began, first, failures, peak = time.perf_counter(), start, 0, 0
    while first < start + count:
        with tempfile.TemporaryFile() as file:
            file.write(bytes(16))
            file.flush()
            command = [sys.executable, __file__, "--child", str(first), str(start + count), str(file.fileno())]
            process = subprocess.Popen(command, pass_fds=[file.fileno()], cwd=ROOT, env=_environment())
            reached, since = -1, time.monotonic()
            while process.poll() is None:
                time.sleep(0.2)
                now = int.from_bytes(os.pread(file.fileno(), 8, 0), "little")
                if now != reached:
                    reached, since = now, time.monotonic()
                elif time.monotonic() - since > STUCK:
                    process.kill()
            reached = int.from_bytes(os.pread(file.fileno(), 8, 0), "little")
            peak = max(peak, int.from_bytes(os.pread(file.fileno(), 8, 8), "little"))
        if reached >= start + count:
            failures += process.returncode
            break
        failures += 1
        print(f"# input {reached}: ended the process with {process.returncode}", file=sys.stderr)
        first = reached + 1
    seconds = time.perf_counter() - began
    print(f"damaged inputs read,{count},inputs,,")
    print(f"failures,{failures},inputs,,")
    print(f"speed,{count / seconds:.0f},inputs/s,,")
    print(f"peak memory,{peak},MiB,,")
    return 1 if failures else 0


def _too_slow(signum: int, frame: FrameType | None) -> None:
    raise TooSlow


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(child(*map(int, sys.argv[2:5])))
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000, int(sys.argv[2]) if len(sys.argv) > 2 else 0))

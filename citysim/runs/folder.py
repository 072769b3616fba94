"""RunFolder: where things are in a run folder, and reading them back with clear errors."""

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from citysim.city.checks import strict_json
from citysim.errors import FormatError, InputError, StorageError
from citysim.runs.checks import check_line, check_manifest, is_timing
from citysim.storage import unwritable, write_atomic
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance

SCHEMA = "citysim.run/1"
ANEW = "running citysim eval anew with another --out"
REPAIR = "removing it and citysim eval --resume"
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One evaluation on disk.

    While it runs, every finished episode is a file of its own under `parts/` (written after its steps, so that its
    being there means that it is whole); at the end they become the sorted `episodes.jsonl` and `timings.jsonl`.
    """

    path: Path

    @property
    def manifest_path(self) -> Path:
        """What was run, with which versions."""
        return self.path / "manifest.json"

    @property
    def episodes_path(self) -> Path:
        """One line an episode."""
        return self.path / "episodes.jsonl"

    @property
    def timings_path(self) -> Path:
        """Wall-clock seconds an episode; apart, because they differ from run to run."""
        return self.path / "timings.jsonl"

    @property
    def instances_path(self) -> Path:
        """The instances that were played, so that the run can be scored without its suite."""
        return self.path / "instances.jsonl"

    @property
    def summary_path(self) -> Path:
        """The figures."""
        return self.path / "summary.json"

    @property
    def parts(self) -> Path:
        """Episodes finished so far while the run goes on."""
        return self.path / "parts"

    def map_path(self, city: str) -> Path:
        """The map of a city; its picture lies beside it as .jpg."""
        return self.path / "maps" / f"{city}.json"

    def steps_path(self, id: str) -> Path:
        """One line an action."""
        return self.path / "steps" / f"{id}.jsonl"

    def frames(self, id: str) -> Path:
        """Pictures of one episode: 000.jpg before the first action, then one after each."""
        return self.path / "frames" / id

    def manifest(self) -> dict[str, Any]:
        """The manifest; raises InputError when this is no run folder."""
        if not self.manifest_path.is_file():
            raise InputError("a run folder with manifest.json", f"'{self.path}'", "the --out of citysim eval")
        value = parse_json(self.manifest_path, read_text(self.manifest_path), ANEW)
        if not isinstance(value, dict) or value.get("schema") != SCHEMA:
            raise FormatError(f"a manifest of schema {SCHEMA}", f"'{self.manifest_path}'", "a run of this version")
        return check_manifest(value, self.manifest_path)

    def episodes(self) -> list[dict[str, Any]]:
        """Lines of the finished run; raises InputError when it has not finished."""
        if not self.episodes_path.is_file():
            raise InputError(
                "a finished run",
                f"'{self.path}' without episodes.jsonl",
                "citysim eval with the same --out and --resume",
            )
        lines = [check_line(value, self.episodes_path) for value in read_lines(self.episodes_path)]
        twice = [id for id, count in Counter(line["id"] for line in lines).items() if count > 1]
        if twice:
            raise FormatError(f"each episode once in '{self.episodes_path}'", f"{twice[0]!r:.80} twice", REPAIR)
        return lines

    def finished(self) -> dict[str, dict[str, Any]]:
        """Id -> line of every episode that needs no repeating: parts and lines, `unscored` ones left out.

        Damaged parts count as not there. Raises FormatError for a damaged episodes.jsonl.
        """
        lines = self.episodes() if self.episodes_path.is_file() else []
        lines += [line for line, _ in self.sound_parts()]
        return {line["id"]: line for line in lines if line["status"] != "unscored"}

    def sound_parts(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """(line, timing) of every part file that is whole, as its steps are: a crash of the machine may lose either."""
        found = []
        for path in sorted(self.parts.glob("*.json")):
            try:
                value = parse_json(path, read_text(path))
                line = check_line(value.get("line") if isinstance(value, dict) else None, path)
            except FormatError:
                continue
            whole = line["status"] == "unscored" or self._has_steps(line["id"], line["steps"])
            if line["id"] == path.stem and is_timing(value.get("timing")) and whole:
                found.append((line, value["timing"]))
        return found

    def _has_steps(self, id: str, count: int) -> bool:
        """Whether the records of an episode are there to their end (an answer's record is no step)."""
        try:
            data = self.steps_path(id).read_bytes()
        except OSError:
            return False
        return data.count(b"\n") >= count and data[-1:] in (b"", b"\n")

    def settle(self, ids: Iterable[str]) -> None:
        """Wait until the steps of these episodes are on the disk; raises StorageError where it is full."""
        for id in ids:
            try:
                with self.steps_path(id).open("rb") as steps:
                    os.fsync(steps.fileno())
            except FileNotFoundError:  # an episode that was lost with its process
                continue
            except OSError as error:
                raise unwritable(self.steps_path(id), error) from None

    def timings(self) -> dict[str, dict[str, Any]]:
        """Id -> timing of lines and parts; what is damaged is left out, since nothing depends on it."""
        found = []
        if self.timings_path.is_file():
            for text in self.timings_path.read_text(encoding="utf-8", errors="replace").split("\n"):
                with contextlib.suppress(ValueError):
                    found.append(strict_json(text))
        found = [value for value in found if is_timing(value)] + [timing for _, timing in self.sound_parts()]
        return {timing["id"]: timing for timing in found}

    def steps(self, id: str) -> list[StepRecord]:
        """The records of one episode; raises StorageError or FormatError."""
        path = self.steps_path(id)
        return [_made(path, StepRecord.from_json, value) for value in read_lines(path)]

    def instances(self) -> dict[str, Instance]:
        """Id -> instance; raises StorageError or FormatError."""
        path = self.instances_path
        return {instance.id: instance for instance in (_made(path, Instance.from_json, v) for v in read_lines(path))}

    def finished_run(self) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Instance]]:
        """Manifest, lines and instances; every line has its instance. Raises InputError, FormatError, StorageError."""
        manifest, lines, instances = self.manifest(), self.episodes(), self.instances()
        for line in lines:
            if line["id"] not in instances:
                raise FormatError(
                    f"ids of '{self.instances_path}' in '{self.episodes_path}'", repr(line["id"])[:80], REPAIR
                )
        return manifest, lines, instances

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write the manifest whole."""
        write_atomic(self.manifest_path, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


def jsonl(values: Sequence[Any]) -> str:
    """JSON lines with keys in their order."""
    return "".join(json.dumps(v, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n" for v in values)


def read_text(path: Path) -> str:
    """A file's text; raises StorageError."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise StorageError("a readable file", f"'{path}' ({error.strerror})", "citysim eval --resume") from None
    except UnicodeDecodeError:
        raise FormatError("text in UTF-8", f"other bytes in '{path}'", REPAIR) from None


def read_lines(path: Path) -> list[Any]:
    """JSON lines of a file; raises StorageError or FormatError."""
    return [parse_json(path, line) for line in read_text(path).split("\n") if line.strip()]


def parse_json(path: Path, text: str, advice: str = REPAIR) -> Any:
    """The value of a JSON text that was read from a file; raises FormatError, which advises how to mend it."""
    try:
        return strict_json(text)
    except ValueError as error:
        raise FormatError("JSON", f"'{path}' ({error})", advice) from None


def _made(path: Path, make: Callable[[Any], V], value: Any) -> V:
    """What `make` makes of a line of a file, with the file named when it cannot."""
    try:
        return make(value)
    except FormatError as error:
        raise FormatError(f"{error.expected} in '{path}'", error.found, REPAIR) from None

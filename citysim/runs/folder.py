"""RunFolder: where things are in a run folder, and reading them back with clear errors."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citysim.errors import FormatError, InputError, StorageError
from citysim.storage import write_atomic
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance

SCHEMA = "citysim.run/1"


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
        value = _parse(self.manifest_path, read_text(self.manifest_path))
        if not isinstance(value, dict) or value.get("schema") != SCHEMA:
            raise FormatError(f"a manifest of schema {SCHEMA}", f"'{self.manifest_path}'", "a run of this version")
        return value

    def episodes(self) -> list[dict[str, Any]]:
        """Lines of the finished run; raises InputError when it has not finished."""
        if not self.episodes_path.is_file():
            raise InputError(
                "a finished run",
                f"'{self.path}' without episodes.jsonl",
                "citysim eval with the same --out and --resume",
            )
        return read_lines(self.episodes_path)

    def finished(self) -> dict[str, dict[str, Any]]:
        """Id -> line of every episode that needs no repeating: parts and lines, `unscored` ones left out."""
        lines = read_lines(self.episodes_path) if self.episodes_path.is_file() else []
        if self.parts.is_dir():
            lines += [_parse(p, read_text(p))["line"] for p in sorted(self.parts.glob("*.json"))]
        return {line["id"]: line for line in lines if line["status"] != "unscored"}

    def steps(self, id: str) -> list[StepRecord]:
        """The records of one episode; raises StorageError or FormatError."""
        return [StepRecord.from_json(value) for value in read_lines(self.steps_path(id))]

    def instances(self) -> dict[str, Instance]:
        """Id -> instance."""
        made = [Instance.from_json(value) for value in read_lines(self.instances_path)]
        return {instance.id: instance for instance in made}

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


def read_lines(path: Path) -> list[Any]:
    """JSON lines of a file; raises StorageError or FormatError."""
    return [_parse(path, line) for line in read_text(path).splitlines() if line.strip()]


def _parse(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise FormatError("JSON", f"'{path}' ({error})", "removing it and citysim eval --resume") from None

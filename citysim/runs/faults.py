"""What a record says about a failure: where and why, without paths of a machine and without keys."""

import os
import re
import sys
import traceback
from pathlib import Path, PurePosixPath

from citysim.tasks.text import encodable, told

HIDDEN = "***"
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_SECRET_TEXT = re.compile(r"\b(?:sk|pk|hf|gh[pousr]|xox[abp])[-_][A-Za-z0-9_\-]{12,}|\bAIza[A-Za-z0-9_\-]{20,}")
_BEARER = re.compile(r"(?i)\b(bearer|authorization:?|api[-_]?key[=:]?)\s+[A-Za-z0-9._~+/\-]{8,}=*")
_FRAME = re.compile(r'(?m)^(\s*File ")([^"\n]+)(", line \d+)')
_PATH = re.compile(r"(?<![\w.:/~>-])(?:/|[A-Za-z]:\\)(?:[^\s/\\'\"<>:,;()]+[/\\])+([^\s/\\'\"<>:,;()]*)")
SHORTEST_SECRET = 8
MOST_REASONS = 5


def fault_text(error: BaseException) -> str:
    """Type, message and traceback of an error for the line of its episode.

    Files of the traceback are told as they are imported ("citysim/runs/player.py"), so that the text is the same on
    every machine; other absolute paths keep their last part. Keys, and values of environment variables that are named
    like one, become ***.
    """
    trace = "".join(traceback.format_exception(error))
    return scrubbed(f"{told(error)}\n{encodable(trace)}")


def faults_of(run: Path) -> list[str]:
    """Why episodes of a finished run are unscored: a line for each reason, the commonest first, with an id of it."""
    from citysim.runs.folder import RunFolder

    reasons: dict[str, list[str]] = {}
    for line in RunFolder(run).episodes():
        if line["status"] == "unscored":
            reasons.setdefault(str(line.get("fault") or "no reason told").split("\n", 1)[0], []).append(line["id"])
    told_of = sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0]))
    lines = [f"unscored: {len(ids)}, such as {ids[0]}: {reason:.300}" for reason, ids in told_of[:MOST_REASONS]]
    return lines + (["... and others, in episodes.jsonl"] if len(told_of) > MOST_REASONS else [])


def scrubbed(text: str) -> str:
    """The text without absolute paths and keys."""
    text = _FRAME.sub(lambda found: f"{found[1]}{module_path(found[2])}{found[3]}", text)
    text = _PATH.sub(lambda found: f".../{found[1]}" if found[1] else "...", text)
    for name, value in sorted(os.environ.items()):
        if len(value) >= SHORTEST_SECRET and _SECRET_NAME.search(name) and not value.startswith("/"):
            text = text.replace(value, HIDDEN)
    return _BEARER.sub(lambda found: f"{found[1]} {HIDDEN}", _SECRET_TEXT.sub(HIDDEN, text))


def module_path(file: str) -> str:
    """A source file's path below the folder it is imported from; its name alone where there is none."""
    path = Path(file)
    if not path.is_absolute():
        return PurePosixPath(file).as_posix()
    resolved = _own_tree(path)
    if resolved is not None:
        return resolved
    roots = [Path(entry) for entry in sys.path if entry and Path(entry).is_absolute()]
    below = [path.relative_to(root).as_posix() for root in roots if path.is_relative_to(root)]
    return min(below, key=len) if below else path.name


def _own_tree(path: Path) -> str | None:
    """Files of ours, also those of folders beside the package that are linked into it."""
    root = Path(__file__).resolve().parents[2]
    if not path.is_relative_to(root):
        return None
    below = path.relative_to(root).as_posix()
    return f"citysim/{below}" if below.startswith(("tasks/", "envs/", "benchmarks/")) else below

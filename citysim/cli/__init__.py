"""The `citysim` command."""

import os
import sys

INTERRUPTED = 130  # what typer makes of Ctrl-C


def main() -> None:
    """Run the command line and exit: 0 done, 1 finished but something failed, 2 wrong usage or bad input."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without the letter © gets an escape, not a crash
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; every error becomes one line on stderr."""
    try:
        code = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _interrupted(arguments)
    except OSError as error:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader has seen enough, as in `citysim … | head -1`
            return 1
        return _fail(f"expected a standard output that takes text, found {error.strerror}; try another place", 2)


def _run(arguments: list[str]) -> int:
    import typer

    from citysim.cli.app import app
    from citysim.errors import CitySimError, SimulationFault

    try:
        code = app(arguments, standalone_mode=False)
        return _interrupted(arguments) if code == INTERRUPTED else code if isinstance(code, int) else 0
    except typer.Exit as stop:
        return _interrupted(arguments) if stop.exit_code == INTERRUPTED else stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _interrupted(arguments)
    except SimulationFault as error:
        return _fail(str(error), 1)
    except CitySimError as error:
        return _fail(str(error), 2)
    except MemoryError:
        return _fail("expected enough memory, found none left; try a smaller --bbox, --size or --workers", 1)
    except OSError:
        raise
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is not None:  # typer's usage errors
            return _misused(message(), arguments)
        if os.environ.get("CITYSIM_DEBUG"):
            raise
        name = type(error).__name__
        return _fail(f"internal fault ({name}: {error}); try CITYSIM_DEBUG=1 for the traceback and report it", 1)


def _interrupted(arguments: list[str]) -> int:
    if arguments[:1] == ["eval"]:
        return _fail("interrupted; finished episodes are kept, and the same command with --resume goes on", 1)
    return _fail("interrupted; nothing half-written is left", 1)


def _misused(message: str, arguments: list[str]) -> int:
    """A wrong command line: the help itself where a command is missing, else one line that names the right help."""
    if message.startswith("Usage:"):
        print(message, file=sys.stderr)
        return 2
    words = [] if "No such command" in message else arguments
    named = [word for word in words[:2] if word.isalpha() or word in ("import-osm", "import-tiles", "fetch-hongkong")]
    known = named if named[:1] in (["city"], ["suite"]) else named[:1]
    found = message.rstrip(".")
    return _fail(f"expected a valid command line, found: {found}; try '{' '.join(['citysim', *known])} --help'", 2)


def _fail(message: str, code: int) -> int:
    if sys.stderr is not None:
        print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return code

"""The `citysim` command."""

import os
import sys

INTERRUPTED = 130  # what typer makes of Ctrl-C


def main() -> None:
    """Run the command line and exit: 0 done, 1 finished but something failed, 2 wrong usage or bad input."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; every error becomes one line on stderr."""
    import typer

    from citysim.cli.app import app
    from citysim.errors import CitySimError, SimulationFault

    try:
        code = app(arguments, standalone_mode=False)
        return _interrupted() if code == INTERRUPTED else code if isinstance(code, int) else 0
    except typer.Exit as stop:
        return _interrupted() if stop.exit_code == INTERRUPTED else stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _interrupted()
    except SimulationFault as error:
        return _fail(str(error), 1)
    except CitySimError as error:
        return _fail(str(error), 2)
    except MemoryError:
        return _fail("expected enough memory, found none left; try a smaller --bbox, --size or --workers", 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is not None:  # typer's usage errors
            shown = " ".join(arguments[:2]) if len(arguments) > 1 else ""
            return _fail(f"expected a valid command line, found: {message()} try 'citysim {shown} --help'", 2)
        if os.environ.get("CITYSIM_DEBUG"):
            raise
        name = type(error).__name__
        return _fail(f"internal fault ({name}: {error}); try CITYSIM_DEBUG=1 for the traceback and report it", 1)


def _interrupted() -> int:
    return _fail("interrupted; finished work is kept, and 'citysim eval … --resume' goes on with an evaluation", 1)


def _fail(message: str, code: int) -> int:
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return code

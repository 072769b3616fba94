"""`python -m citysim.agents.stub`: a stub model to try a set-up with before a real one is paid for."""

import argparse
from pathlib import Path

from citysim.agents.stub.brains import malformed, scripted, slow
from citysim.agents.stub.replaying import replaying
from citysim.agents.stub.server import StubServer
from citysim.errors import CitySimError


def main() -> int:
    """Serve until Ctrl-C; exit 2 for wrong arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m citysim.agents.stub",
        description="A stand-in for a model: an OpenAI-compatible server on this machine.",
        epilog="Example: python -m citysim.agents.stub --run run-oracle --port 8900",
    )
    parser.add_argument("--port", type=int, default=8900)
    parser.add_argument("--key", default="", help="a bearer token to ask for")
    parser.add_argument("--run", type=Path, help="a run folder whose actions it repeats; without it it walks ahead")
    parser.add_argument("--malformed", action="store_true", help="answer nothing that can be used")
    parser.add_argument("--slow", type=float, default=0.0, metavar="S", help="seconds before each answer")
    given = parser.parse_args()
    try:
        brain = replaying(given.run) if given.run else scripted([{"action": "move", "dir": "forward", "seconds": 2}])
        brain = malformed() if given.malformed else brain
        server = StubServer(slow(brain, given.slow), key=given.key, port=given.port)
    except (CitySimError, OSError, OverflowError) as error:
        parser.exit(2, f"error: {error}\n")
    print(f"stub model at {server.base_url} (Ctrl-C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

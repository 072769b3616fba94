"""`python -m citysim` is the `citysim` command."""

from citysim.cli import main

if __name__ == "__main__":
    main()

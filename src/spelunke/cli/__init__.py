"""The command line. Each command imports what is heavy when it runs, so that ``spelunke --help`` answers at once."""

from __future__ import annotations


def main() -> None:
    """What the command ``spelunke`` runs."""
    import sys

    try:
        from spelunke.cli.app import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before `run` could take care of it, or at the very end
        sys.exit(130)

"""The command line. Each command imports what is heavy when it runs, so that ``spelunke --help`` answers at once."""

from __future__ import annotations

FEW_STEPS = frozenset({"position"})
"""Commands that take a handful of steps: plain rules are ready in a third of the time (docs/why/kernels.md)."""


def main() -> None:
    """What the command ``spelunke`` runs."""
    import os
    import sys

    if FEW_STEPS.intersection(sys.argv[1:2]):
        os.environ.setdefault("SPELUNKE_JIT", "0")
    try:
        from spelunke.cli.app import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before `run` could take care of it, or at the very end
        sys.exit(130)

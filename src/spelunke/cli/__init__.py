"""The command line. Each command imports what is heavy when it runs, so that ``spelunke --help`` answers at once."""

from __future__ import annotations

FEW_STEPS = frozenset({"position"})
"""Commands that take a handful of steps: plain rules are ready in a third of the time (docs/why/kernels.md)."""
FOR_PEOPLE = frozenset({"play", "serve"})
"""Commands that people wait for: they begin with plain rules and switch when the compiled ones are there."""


def main() -> None:
    """What the command ``spelunke`` runs."""
    import os
    import sys

    if FEW_STEPS.intersection(sys.argv[1:2]):
        os.environ.setdefault("SPELUNKE_JIT", "0")
    elif FOR_PEOPLE.intersection(sys.argv[1:2]) and (sys.argv[1] == "serve" or sys.stdin.isatty()):
        from spelunke.core.kernel import postpone

        postpone()  # before any game is loaded
    try:
        from spelunke.cli.app import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before `run` could take care of it, or at the very end
        sys.exit(130)

"""The command line. Each command imports what is heavy when it runs, so that ``spelunke --help`` answers at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path

FEW_STEPS = frozenset({"position"})
"""Commands that take a handful of steps: plain rules are ready in a third of the time (docs/why/kernels.md)."""
FOR_PEOPLE = frozenset({"play", "serve"})
"""Commands that people wait for: they begin with plain rules and switch when the compiled ones are there."""


def main() -> None:
    """What the command ``spelunke`` runs."""
    _keep_bytecode(globals().get("__cached__") or "")
    # Typer brings Pydantic, which would look through all that is installed for plugins of its own.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
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


def _keep_bytecode(beside: str) -> None:
    """Where byte code lies beside no source and can't be put there, it is kept in the user's cache folder.

    Without that each start reads all sources anew, which takes longer than all else together. ``beside`` is where that
    of this module would lie.
    """
    lies = Path(beside)
    if sys.pycache_prefix or (beside and lies.exists()):
        return
    if beside and not sys.dont_write_bytecode and os.access(lies.parent.parent, os.W_OK):
        return
    home = os.environ.get("SPELUNKE_CACHE") or os.environ.get("XDG_CACHE_HOME")
    folder = (Path(home) if home else Path.home() / ".cache") / "spelunke" / "bytecode"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return
    sys.pycache_prefix, sys.dont_write_bytecode = str(folder), False

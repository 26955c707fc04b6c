"""The command line. Commands import heavy modules only when they run, so that ``spelunke --help`` answers at once."""

from __future__ import annotations

import gc
import io
import os
import sys
from pathlib import Path

FEW_STEPS = frozenset({"position"})
"""Commands that compute only a few steps of a game.

They run the rules uncompiled, because uncompiled rules start in a third of the time (docs/why/kernels.md).
"""
FOR_PEOPLE = frozenset({"play", "serve", "tui"})
"""Interactive commands. They start with uncompiled rules, and switch when the compiled rules are ready.

Rules that were compiled ahead of time run compiled from the start. If the input comes from a pipe, only ``serve``
starts with uncompiled rules.
"""


def main() -> None:
    """Run the command ``spelunke``."""
    _keep_bytecode(globals().get("__cached__") or "")
    # Typer imports Pydantic, which would search all installed packages for plugins.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Bots and analyses multiply small matrices. On a busy machine, several threads would mostly wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _prepare_streams()
    arguments = sys.argv[1:]
    try:
        _speak(arguments)  # it removes its options, so the command comes first
        if FEW_STEPS.intersection(arguments[:1]):
            os.environ.setdefault("SPELUNKE_JIT", "0")
            gc.disable()  # such a command ends before a collection would pay: 20 ms of its 300
        elif FOR_PEOPLE.intersection(arguments[:1]) and (arguments[0] == "serve" or sys.stdin.isatty()):
            from spelunke.core.kernel import postpone

            postpone()  # before any game is loaded
        from spelunke.cli.app import run

        sys.exit(run(arguments))
    except KeyboardInterrupt:  # Ctrl+C came before `run` could handle it, or at the very end
        sys.exit(130)


def _prepare_streams() -> None:
    """Let standard streams replace characters that their encoding lacks. Connect closed streams to the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
        elif isinstance(stream, io.TextIOWrapper):
            # Many encodings of terminals lack letters and signs of boards.
            stream.reconfigure(errors="replace")


def _speak(arguments: list[str]) -> None:
    """Choose the language, and the letters that stand for cards and nations, before the commands are loaded.

    Remove the options ``--language`` and ``--letters`` from ``arguments``. If the language or the letters do not exist,
    print an error message and exit.
    """
    from spelunke.cli.words import say_refusal, speak, take_language, take_letters
    from spelunke.core.errors import BadInput

    try:
        speak(take_language(arguments, os.environ))
        take_letters(arguments, os.environ)
    except BadInput as error:
        print(f"spelunke: {say_refusal(error)}.", file=sys.stderr)
        sys.exit(2)


def _keep_bytecode(beside: str) -> None:
    """Let Python store byte code in the user's cache folder.

    Without byte code, each start compiles all sources again, which takes longer than everything else together.

    Change nothing if byte code exists beside the sources, if Python will write byte code there, or if Python already
    uses another folder. ``beside`` is the path of this module's byte code.
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

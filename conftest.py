"""What holds for all tests, those in the games' folders included. It runs before anything imports Numba."""

import os
import signal
import threading

import pytest

# Without it, an index out of bounds silently writes a neighbouring field: docs/why/tests.md.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
# Compiled in four fifths of the time; kernels as people run them are compared in tests/test_twins.py.
os.environ.setdefault("NUMBA_OPT", "1")

# A run that a shell began in the background ignores Ctrl+C, and so would every program that a test starts.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins: list[str] = []


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[object]) -> None:
    """Before several workers start: docs/why/tests.md."""
    if os.environ.get("SPELUNKE_JIT", "1") != "0" and not config.option.collectonly:
        from compiling import compile_all

        compile_all(len(specs), config.get_terminal_writer().line)

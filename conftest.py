"""Set up all tests, those in the games' folders included. It runs before anything imports NumPy or Numba."""

import gc
import os
import signal
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import settings

# Without it, an index out of bounds silently writes a neighbouring field: docs/why/tests.md.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
# With less optimisation, kernels compile in four fifths of the time. Fully optimised kernels are compared in
# tests/test_ahead.py.
os.environ.setdefault("NUMBA_OPT", "1")
# NumPy would multiply small matrices in several threads, and beside other workers they wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Where bytecode is forbidden, store it outside of the tree, as the Makefile does: docs/why/tests.md.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.pycache_prefix = str(Path(__file__).parent / ".stamps/bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# A run that a shell began in the background ignores Ctrl+C, and so would every program that a test starts.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins: list[str] = []

# `make test` tries the same examples in each run. `make deep` tries others each time.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[object]) -> None:
    """Prepare the run before several workers start (docs/why/tests.md)."""
    if os.environ.get("SPELUNKE_JIT", "1") != "0" and not config.option.collectonly:
        from compiling import compile_all

        compile_all(len(specs), config.args, config.get_terminal_writer().line)


@pytest.hookimpl(trylast=True)  # of the tests that are left after `-m`
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that state their minutes first. Otherwise a test of ten minutes could begin last and run alone.

    Each worker begins with an equal share of the list; if shares differ, the first workers have the smaller
    ones. A worker that has finished takes tests from the end of another's share.
    """
    minutes = {item: _minutes(item) for item in items}
    if any(minutes.values()):
        items.sort(key=minutes.__getitem__, reverse=True)
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        items[:] = [item for first in reversed(range(workers)) for item in items[first::workers]]


def _minutes(item: pytest.Item) -> float:
    mark = item.get_closest_marker("deep")
    return float(mark.kwargs.get("minutes", 0)) if mark else 0.0


def pytest_collection_finish() -> None:
    """Take modules and tests out of what the garbage collector visits: it took a tenth of the processor time."""
    gc.collect()
    gc.freeze()

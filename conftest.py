"""Set up all tests, those in the games' folders included. It runs before anything imports NumPy or Numba."""

import gc
import os
import signal
import sys
import threading
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Most tests run plain rules: to compile the kernels takes longer than all tests. `make deep` compiles. Tests that
# compare compiled rules with plain ones set the variable for the programs that they start (docs/why/tests.md).
os.environ.setdefault("SPELUNKE_JIT", "0")
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

DATABASES = {"database", "bare_database"}
"""The fixtures with SQLite and PostgreSQL as variants."""

# `make test` tries the same examples in each run. `make deep` tries others each time.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option by which `make deep` continues a run that was stopped."""
    parser.addoption(
        "--passed", metavar="FILE", help="skip the tests that FILE names, and add those that pass to FILE"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Put the tests' folders into memory, and register what the option needs."""
    from servers import folder_in_memory

    if folder := folder_in_memory():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", folder)
    if config.option.passed:
        config.pluginmanager.register(Passed(Path(config.option.passed), config), "passed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[object]) -> None:
    """Prepare a whole run before several workers start (docs/why/tests.md)."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.collectonly:
        from compiling import compile_all

        compile_all(len(specs), config.args, config.get_terminal_writer().line)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Leave variants of costly tests to `make deep`, then put the tests that state their minutes first.

    A test of ten minutes that began last would run alone. Each worker begins with an equal share of the list; if shares
    differ, the first workers have the smaller ones. A worker that has finished takes tests from the end of another's
    share.
    """
    if not config.option.keyword:
        _leave_variants(items)
    yield  # here `-m` selects
    minutes = {item: _minutes(item) for item in items}
    if any(minutes.values()):
        items.sort(key=minutes.__getitem__, reverse=True)
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        items[:] = [item for first in reversed(range(workers)) for item in items[first::workers]]


def _leave_variants(items: list[pytest.Item]) -> None:
    """Choose the variants of costly tests that stay in `make test`, and mark their other variants as deep.

    Of a test in a browser, one variant stays. Of a test of a house, one of the two databases stays. Of a test that is
    marked `sampled`, the stated number of variants stays, by default one. The name of the test decides which ones stay,
    so every game, width and database has its share of the tests.
    """
    variants: defaultdict[tuple[str, str], list[pytest.Function]] = defaultdict(list)
    for item in items:
        if not isinstance(item, pytest.Function) or item.get_closest_marker("deep"):
            continue
        name, _, variant = item.nodeid.partition("[")
        given = item.callspec.params if hasattr(item, "callspec") else {}
        databases = [str(given[fixture]) for fixture in DATABASES & given.keys()]
        if "browser" in item.fixturenames or item.get_closest_marker("sampled"):
            variants[name, ""].append(item)
        elif databases:
            variants[name, variant.replace(databases[0], "", 1)].append(item)
    for test, alternatives in variants.items():
        mark = alternatives[0].get_closest_marker("sampled")
        n = min(mark.args[0] if mark and mark.args else 1, len(alternatives))
        first = zlib.crc32(repr(test).encode())
        stay = {(first + k * len(alternatives) // n) % len(alternatives) for k in range(n)}
        for number, item in enumerate(alternatives):
            if number not in stay:
                item.add_marker("deep")


class Passed:
    """Keep the names of the tests that passed in a file, so that a run that was stopped can continue."""

    def __init__(self, file: Path, config: pytest.Config) -> None:
        self.file, self.config = file, config
        self.writes = not hasattr(config, "workerinput")  # one process knows the reports of all workers
        self.called: set[str] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the tests that passed."""
        passed = set(self.file.read_text(encoding="utf-8").splitlines()) if self.file.exists() else set()
        left = [item for item in items if item.nodeid not in passed]
        self.config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
        items[:] = left

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a test when its setup, call and teardown have passed."""
        if report.when == "call" and report.passed:
            self.called.add(report.nodeid)
        elif report.when == "teardown" and report.passed and report.nodeid in self.called and self.writes:
            with self.file.open("a", encoding="utf-8") as f:
                f.write(f"{report.nodeid}\n")

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Remove the file at the end of a run without failures."""
        if exitstatus == pytest.ExitCode.OK and self.writes:
            self.file.unlink(missing_ok=True)


def _minutes(item: pytest.Item) -> float:
    mark = item.get_closest_marker("deep")
    return float(mark.kwargs.get("minutes", 0)) if mark else 0.0


def pytest_collection_finish() -> None:
    """Take modules and tests out of what the garbage collector visits: it took a tenth of the processor time."""
    gc.collect()
    gc.freeze()

"""The root conftest's option `--passed`, with which `make deep` continues a run that was stopped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = """
import os, pytest
def test_passes(): pass
def test_fails_until_mended(): assert "MENDED" in os.environ
def test_is_skipped(): pytest.skip("not here")
@pytest.fixture
def torn():
    yield
    assert "MENDED" in os.environ
def test_fails_at_its_end(torn): pass
"""


@pytest.mark.deep
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_continued_run_repeats_only_what_has_not_passed(tmp_path: Path, workers: str) -> None:
    (tmp_path / "test_four.py").write_text(TESTS)
    passed = tmp_path / "passed"

    def run(**environment: str) -> tuple[int, str]:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-p",
                "conftest",
                f"--passed={passed}",
                "-n",
                workers,
                "-q",
                "test_four.py",
            ],
            cwd=tmp_path,
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "SPELUNKE_JIT": "0", **environment},
        )
        return done.returncode, done.stdout

    code, out = run()
    assert (code, passed.read_text()) == (1, "test_four.py::test_passes\n")
    assert "1 failed, 2 passed, 1 skipped, 1 error" in out
    code, out = run(MENDED="1")
    assert code == 0
    assert "2 passed, 1 skipped" in out
    assert not passed.exists()

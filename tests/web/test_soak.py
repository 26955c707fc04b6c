"""A short soak: `make soak` runs the traffic of a week in two hours, and this test runs some hours' traffic
in a minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.deep(minutes=2)
def test_no_resource_grows_steadily_during_a_long_run() -> None:
    asked = [
        sys.executable,
        str(ROOT / "bench" / "soak.py"),
        "--days",
        "0.2",
        "--minutes",
        "1.5",
        "--tables",
        "8",
    ]
    environment = {**os.environ, "SPELUNKE_JIT": "0", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing goes on growing" in done.stdout

"""Keep records, positions and databases of the version that is released, for the tests of later versions."""

from __future__ import annotations

import sys
from pathlib import Path

from release.shell import run


def write_fixtures(folder: Path, version: str) -> None:
    """Write tests/compatibility/VERSION into the clone in ``folder``, by running this clone's own code."""
    target = folder / "tests/compatibility" / version
    here = {
        "PYTHONPATH": str(folder / "src"),
        "SPELUNKE_JIT": "0",
        "SPELUNKE_NATIVE": "",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    run([sys.executable, folder / "tests/compatibility/keep.py", folder, target], folder, more=here)

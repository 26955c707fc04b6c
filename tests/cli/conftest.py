"""Start programs for a test, and end them when the test ends, even if it fails."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Yield ``start(*arguments, **environment)``, which runs ``spelunke`` in a new process group.

    The output goes to pipes. If the keyword argument ``script`` is given, ``start`` runs the Python code in
    ``script`` instead of ``spelunke``.
    """
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str, script: str = "", **environment: Any) -> subprocess.Popen[str]:
        program = ["-c", script] if script else ["-m", "spelunke.cli"]
        process = subprocess.Popen(
            [sys.executable, *program, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **environment},
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

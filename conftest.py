"""What holds for all tests, those in the games' folders included. It runs before anything imports Numba."""

import os
import signal
import threading

# Without it, an index out of bounds silently writes a neighbouring field: docs/why/tests.md.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")

# A run that a shell began in the background ignores Ctrl+C, and so would every program that a test starts.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins: list[str] = []

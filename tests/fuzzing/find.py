"""Judge answers to inputs. An input with an improper answer is a find."""

from __future__ import annotations

import contextlib
import signal
import traceback
from collections.abc import Iterator
from types import FrameType

from spelunke.core.errors import SpelunkeError

LONGEST_SENTENCE = 1200
SECONDS = 5.0
"""An input that takes longer is a find: one request must not hold the house. Processor time, as machines are busy."""
WAITING = 20
"""The factor for the limit of wall-clock time."""


class Find(AssertionError):
    """An input with an improper answer. ``kind`` is the same for inputs that fail by the same mistake."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}\n{detail}" if detail else kind)
        self.kind = kind


class TookLong(BaseException):
    """The error if an input takes too long. It is no `Exception`, so that no handler of `Exception` catches it."""


@contextlib.contextmanager
def in_time(seconds: float = SECONDS) -> Iterator[None]:
    """Limit the block to ``seconds`` of processor time and to ``seconds * WAITING`` by the clock; raise TookLong.

    This works only in the main thread. If Numba is compiling when a limit is reached, the input is not the cause, so
    both times start again.
    """

    def start() -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, seconds * WAITING)

    def ring(_signal: int, frame: FrameType | None) -> None:
        if not _is_compiling(frame):
            raise TookLong
        start()

    before = {kind: signal.signal(kind, ring) for kind in (signal.SIGPROF, signal.SIGALRM)}
    start()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _is_compiling(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in ("numba", "llvmlite"):
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def judged() -> Iterator[None]:
    """Turn each exception of the block into a `Find`. A `SpelunkeError` becomes one only if its text is improper."""
    try:
        with in_time():
            yield
    except SpelunkeError as error:
        check_sentence(str(error), type(error).__name__)
    except Find:
        raise
    except TookLong:
        raise Find(f"longer than {SECONDS:g} s") from None
    except Exception as error:
        raise Find(name_error(error), traceback.format_exc()) from None


def name_error(error: BaseException) -> str:
    """Return the type of an error, and the last line of Spelunke's code in its traceback."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/spelunke/" in f.filename]
    last = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__} at {last.filename.rpartition('/spelunke/')[2]}:{last.lineno} in {last.name}"
    )


def check_sentence(text: str, of: str) -> None:
    """Check that the text of a refusal is neither empty nor long, and contains no traceback."""
    if len(text.split()) < 3:
        raise Find(f"{of} says nothing", repr(text))
    if len(text) > LONGEST_SENTENCE:
        raise Find(f"{of} has a sentence of {len(text) // 1000} thousand characters", text[:300])
    if "Traceback" in text or "0x7f" in text:
        raise Find(f"{of} tells a traceback", text[:300])

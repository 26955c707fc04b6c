"""Bots that are programs in any language. A program reads lines of JSON, and answers each with a line of text.

For the protocol, see docs/write-a-bot.md.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
import numpy as np

from spelunke.core.errors import BadInput, Refused
from spelunke.core.values import Action, Stream, View
from spelunke.games.game import Game

A = TypeVar("A", bound=Action)

PROTOCOL = 1
LONGEST_LINE = 4096
STARTS = 3
MOST_UNASKED = 1000
"""The most unread lines of a program. If a program writes more lines, it is killed at the next question."""
FLOOD = b""
"""The mark that follows the last allowed line if a program writes too many lines.

It can't be confused with a line, because no line is empty.
"""


class BotFault(Refused):
    """The error if a bot's program can't be started, or answers too late, wrongly or not at all.

    The caller decides how to continue.
    """


def split_command(command: str) -> list[str]:
    """Return the program and the arguments of a command, as a shell splits them.

    Raise BadInput if the command is invalid.
    """
    try:
        found = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"the command {command!r} can't be read ({error}); check its quotes") from None
    if not found:
        raise BadInput("name the program, like 'process:python bot.py'")
    return found


class ProcessBot:
    """A program that plays one seat.

    The first call of :meth:`choose` starts the program. If a call fails because the program has ended or is killed, the
    next call starts the program again, up to three starts in all. ``budget`` is the time for a move in seconds.
    ``patience`` is the time in seconds to start and to answer the first line, a greeting. The constructor raises
    BadInput for an invalid command.

    If the program doesn't answer in time, it is killed, with all processes that it started. So a late answer never
    counts for a later turn. If the program writes too many lines, or a line of more than ``LONGEST_LINE`` bytes, it is
    killed too. After an answer that is no legal move, the program keeps running. Lines that the program writes between
    its answer and the next call are ignored.
    """

    def __init__(self, game: Game, command: str, budget: float = 1.0, patience: float = 10.0) -> None:
        self.game = game
        self.command = split_command(command)
        self.budget = budget
        self.patience = patience
        self.name = self.command[0]
        self._program: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._starts = 0

    def choose(self, view: View, legal: Sequence[A], stream: Stream) -> A:
        """Return the action that the program chooses. Raise BotFault if it gives no valid answer in time."""
        if self._program is None:
            self._start()
        texts = [self.game.notation.write(action) for action in legal]
        said = self._ask({"ask": "move", "view": view, "legal": texts}, self.budget)
        wanted = " ".join(said.split()).casefold()
        for action, text in zip(legal, texts, strict=True):
            if text.casefold() == wanted:
                return action
        raise BotFault(f"{self.name} said {said[:80]!r}, which is none of the {len(texts)} legal moves")

    def _start(self) -> None:
        if self._starts >= STARTS:
            raise BotFault(f"{self.name} failed {STARTS} times and is not started again")
        self._starts += 1
        try:
            self._program = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise BotFault(f"{self.name} can't be started: {error}") from None
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._program, self._lines), daemon=True).start()
        self._ask({"ask": "hello", "protocol": PROTOCOL, "game": self.game.name}, self.patience)

    def _ask(self, question: Mapping[str, object], seconds: float) -> str:
        program = self._program
        assert program is not None
        assert program.stdin is not None
        try:
            self._forget_unasked()
            with _deadline(program, seconds):
                program.stdin.write(msgspec.json.encode(question, enc_hook=_plain) + b"\n")
                program.stdin.flush()
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            self.close()
            raise BotFault(f"{self.name} did not answer within {seconds:g} s") from None
        except OSError:
            line = None
        if line is None:
            self.close()
            code = program.returncode
            raise BotFault(f"{self.name} ended (exit code {code}) instead of answering")
        if line == FLOOD:
            self.close()
            raise BotFault(f"{self.name} wrote more than {MOST_UNASKED} lines without a question")
        if len(line) > LONGEST_LINE:
            self.close()
            raise BotFault(f"{self.name} said a line of more than {LONGEST_LINE} bytes")
        return line.decode("utf-8", "replace").strip()

    def _forget_unasked(self) -> None:
        with contextlib.suppress(queue.Empty):
            while (line := self._lines.get_nowait()) is not None and 0 < len(line) <= LONGEST_LINE:
                pass
            # The program has ended, written too many lines, or written one that is too long. The next read
            # reports this.
            self._lines.put(line)

    def close(self) -> None:
        """Kill the program and all processes that it started. The next call of :meth:`choose` may start it again."""
        program, self._program = self._program, None
        if program is None:
            return
        _end(program)
        for pipe in (program.stdin, program.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            program.wait(timeout=5)

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # when Python ends, modules that this needs may be gone
            self.close()


def _end(program: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program.pid, signal.SIGKILL)


@contextlib.contextmanager
def _deadline(program: subprocess.Popen[bytes], seconds: float) -> Iterator[None]:
    """Kill the program if the ``with`` block takes more than ``seconds``.

    If a program reads nothing, the pipe to the program fills up. Without this limit, the next write into the full pipe
    would wait forever.
    """
    timer = threading.Timer(seconds, _end, (program,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _read(program: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Put the program's lines into the queue, and None when the program ends.

    Stop after a line that is too long, or if too many lines wait in the queue.
    """
    assert program.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        while line := program.stdout.readline(LONGEST_LINE + 1):
            if lines.qsize() >= MOST_UNASKED:
                lines.put(FLOOD)
                return
            lines.put(line)
            if len(line) > LONGEST_LINE:
                return
    lines.put(None)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no form in JSON")

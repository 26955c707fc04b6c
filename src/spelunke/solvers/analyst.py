"""Compute analyses in a separate process, with its own processor time and memory.

The first question starts the process. Questions and replies are lines of JSON (:class:`Question` and
:class:`Reply`). The process answers one question after the other. It ends after a time without questions, because its
cache of solved rounds is large. The server has one process for whole games and one for single positions. If the
playouts of an analysis run on the reader's device, a third process makes the plan and evaluates the results
(docs/why/analysis.md).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from typing import BinaryIO, Literal

import msgspec

from spelunke.analysis.analysis import Analysis, AnyAppraiser, Judgement
from spelunke.core.errors import BadInput, Refused, SpelunkeError
from spelunke.games.game import Game
from spelunke.records.position import parse_position
from spelunke.records.record import parse_record
from spelunke.records.replay import replay
from spelunke.solvers.analysis import analyse, appraiser_of, judge
from spelunke.solvers.elsewhere import finish_analysis, pack_plan

IDLE_S = 300.0
"""The time in seconds without questions after which the process ends."""
EVERY = 8
"""The number of analysed plies between two reports of progress."""


class AnalystGone(Refused):
    """The analyst stopped or crashed before its answer, or was closed before the question."""


class Question(msgspec.Struct, frozen=True):
    """A question: analyse the record of a game, or judge a position.

    A reader's device can run the playouts of a game's analysis. Then the question ``plan`` asks for the plan of these
    playouts, and the question ``finish`` asks for the analysis that follows from the device's ``results``. ``file`` is
    the text of the record or position. ``seat`` is the seat to judge if several seats are to act.
    """

    what: Literal["game", "position", "plan", "finish"]
    file: str
    seat: int | None = None
    results: bytes = b""


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reply: a report of progress, a result, or the reason for a refusal.

    A report of progress has the number of analysed plies in ``done``, and the number of all plies in ``of``. ``plan``
    is the plan for a device, compressed.
    """

    done: int = 0
    of: int = 0
    analysis: Analysis | None = None
    judgement: Judgement | None = None
    plan: bytes | None = None
    refused: str = ""

    @property
    def is_last(self) -> bool:
        """Whether this is a result, and neither a report of progress nor a refusal."""
        return any(found is not None for found in (self.analysis, self.judgement, self.plan))


class ProcessAnalyst:
    """An analyst that lets a process of its own answer all questions.

    Several threads may ask. The process answers their questions one after the other.
    """

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._asking = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._timer: threading.Timer | None = None
        self._closed = False

    def analyse(self, record: bytes, tell: Callable[[int, int], object] = lambda done, of: None) -> Analysis:
        """Return the analysis of a record.

        Every ``EVERY`` plies, call ``tell`` with the number of analysed plies and the number of all plies. Raise
        BadInput if the analysis is impossible, and AnalystGone if the process stopped.
        """
        found = self._ask(Question("game", record.decode()), tell).analysis
        assert found is not None
        return found

    def judge(self, position: bytes, seat: int | None = None) -> Judgement:
        """Return the judgement of a position file.

        Raise BadInput if the judgement is impossible, and AnalystGone if the process stopped.
        """
        found = self._ask(Question("position", position.decode(), seat), lambda done, of: None).judgement
        assert found is not None
        return found

    def plan(self, record: bytes) -> bytes:
        """Return a plan as gzipped JSON. It lists what a reader's device must compute for the analysis of a record.

        Raise BadInput if a device can't do this work, and AnalystGone if the process stopped.
        """
        found = self._ask(Question("plan", record.decode()), lambda done, of: None).plan
        assert found is not None
        return found

    def finish(self, record: bytes, results: bytes) -> Analysis:
        """Return the analysis of a record. ``results`` are a device's results for the plan of this record.

        Raise BadInput if ``results`` can't come from this plan, and AnalystGone if the process stopped.
        """
        question = Question("finish", record.decode(), results=results)
        found = self._ask(question, lambda done, of: None).analysis
        assert found is not None
        return found

    def _ask(self, question: Question, tell: Callable[[int, int], object]) -> Reply:
        with self._asking:
            if self._timer is not None:
                self._timer.cancel()
            process = self._start()
            try:
                return self._wait(process, question, tell)
            except (OSError, ValueError, msgspec.DecodeError):
                self._end()
                raise AnalystGone("the analysis stopped before it was complete; ask for it again") from None
            finally:
                self._timer = threading.Timer(self._idle_s, self._fall_idle)
                self._timer.daemon = True
                self._timer.start()

    def _start(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise AnalystGone("the server is shutting down and starts no more analyses")
        if self._process is None or self._process.poll() is not None:
            # A fixed command of our own interpreter, which reads and writes lines.
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process

    @staticmethod
    def _wait(
        process: subprocess.Popen[bytes], question: Question, tell: Callable[[int, int], object]
    ) -> Reply:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(question) + b"\n")
        process.stdin.flush()
        while line := process.stdout.readline():
            reply = msgspec.json.decode(line, type=Reply)
            if reply.refused:
                raise BadInput(reply.refused)
            if reply.is_last:
                return reply
            tell(reply.done, reply.of)
        raise BrokenPipeError

    def _fall_idle(self) -> None:
        if self._asking.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._asking.release()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self._process = None

    def close(self) -> None:
        """Stop the process. Calls that wait for an answer raise AnalystGone."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        process = self._process
        if process is not None:
            process.kill()
        with self._asking:
            if self._timer is not None:
                self._timer.cancel()
            self._end()


# --- the process -------------------------------------------------------------------------------------------------


class _Desk:
    """The state of the process between questions: the appraisers of games, with their cached results."""

    def __init__(self) -> None:
        self._appraisers: dict[str, AnyAppraiser] = {}

    def _appraiser(self, game: Game) -> AnyAppraiser:
        if game.name not in self._appraisers:
            self._appraisers[game.name] = appraiser_of(game)
        return self._appraisers[game.name]

    def answer(self, question: Question, tell: Callable[[Reply], object]) -> Reply:
        """Return the reply to a question. Call ``tell`` with reports of progress.

        Raise SpelunkeError if the file can't be read, or if the question can't be answered.
        """
        file = question.file.encode()
        if question.what == "position":
            at_hand = parse_position(file)
            return Reply(judgement=judge(at_hand, self._appraiser(at_hand.game), question.seat))
        record = parse_record(file)
        match = replay(record)
        names = [seat.name for seat in record.seats]
        if question.what == "plan":
            return Reply(plan=pack_plan(match))
        if question.what == "finish":
            return Reply(analysis=finish_analysis(match, names, record.table, question.results))

        def count(done: int, of: int) -> None:
            if done % EVERY == 0:
                tell(Reply(done, of))

        return Reply(analysis=analyse(match, names, record.table, count, self._appraiser(match.game)))


def serve(questions: Iterable[bytes], out: BinaryIO) -> None:
    """Answer questions until there are no more. Each item of ``questions`` is a line with one question.

    For each question, write any number of lines with reports of progress, and then one line with the answer.
    """

    def write(reply: Reply) -> None:
        out.write(msgspec.json.encode(reply) + b"\n")
        out.flush()

    desk = _Desk()
    for line in questions:
        try:
            write(_answer(desk, line, write))
        except SpelunkeError as error:
            write(Reply(refused=str(error)))


def _answer(desk: _Desk, line: bytes, tell: Callable[[Reply], object]) -> Reply:
    try:
        return desk.answer(msgspec.json.decode(line, type=Question), tell)
    except SpelunkeError:
        raise
    except Exception as error:  # the next question is another one
        name = type(error).__name__
        raise BadInput(
            f"the analysis failed ({name}); please report this game to the operator of the server"
        ) from error


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # running tables have priority
    serve(sys.stdin.buffer, sys.stdout.buffer)

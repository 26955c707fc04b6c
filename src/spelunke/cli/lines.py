"""Read typed lines while an event loop runs, and write output between them."""

from __future__ import annotations

import asyncio
import sys
import threading

from rich.console import Console, RenderableType

from spelunke.cli.output import out, write_json_line
from spelunke.cli.words import say_refusal
from spelunke.core.errors import SpelunkeError


class Lines:
    """Standard input and output of a session on a server.

    If something is written while a person types, call :meth:`prompt_again` to write their unfinished line again.
    """

    def __init__(self, json: bool) -> None:
        self.json = json
        self.typed_by_hand = sys.stdin.isatty() and not json
        self._console: Console = out()
        self._waiting: asyncio.Future[str | None] | None = None

    def write(self, text: RenderableType, style: str | None = None, *, wrap: bool = True) -> None:
        """Write a text or a board for a person. Break long lines only if `wrap`. In JSON mode, write nothing."""
        if not self.json:
            if self._waiting is not None and self.typed_by_hand:
                sys.stdout.write("\r\x1b[K" if self._console.is_terminal else "\r")
            self._console.print(text, style=style, markup=False, soft_wrap=not wrap)

    def emit(self, kind: str, **fields: object) -> None:
        """Write one JSON document. Outside JSON mode, write nothing."""
        if self.json:
            write_json_line({"type": kind, **fields})

    def refuse(self, error: SpelunkeError) -> None:
        """Write the reason why a request was refused: for people in their language, or as JSON."""
        self.emit("refused", reason=str(error).rstrip("."))
        text = say_refusal(error).rstrip(".")
        self.write(f"{text[:1].upper()}{text[1:]}.", "red")

    def prompt_again(self) -> None:
        """Write the unfinished line of a person again, below the text that interrupted it."""
        if self._waiting is not None and self.typed_by_hand:
            import readline

            sys.stdout.write("> " + readline.get_line_buffer())
            sys.stdout.flush()

    def begin(self) -> asyncio.Future[str | None]:
        """Start to read a line, and return a future with the line, or with None at the end of the input.

        Until :meth:`take` takes the line, further calls return the same future.
        """
        if self._waiting is None:
            loop = asyncio.get_running_loop()
            waiting = self._waiting = loop.create_future()

            def put(line: str | None) -> None:
                if not waiting.done():
                    waiting.set_result(line)

            def read() -> None:
                line = self._read()
                if not loop.is_closed():
                    loop.call_soon_threadsafe(put, line)

            # A thread of the pool would keep the program from ending while it waits for a line.
            threading.Thread(target=read, daemon=True).start()
        return self._waiting

    def take(self) -> str | None:
        """Return the line that was read. The next call of `begin` reads a new line."""
        assert self._waiting is not None
        line, self._waiting = self._waiting.result(), None
        if line is not None and not self.typed_by_hand:
            self.write(f"> {line}")  # repeat the line of a pipe, as a terminal does
        return line

    async def next(self) -> str | None:
        """Wait for the next line and return it. Return None at the end of the input."""
        await self.begin()
        return self.take()

    def _read(self) -> str | None:
        try:
            if self.typed_by_hand:
                import readline  # noqa: F401  (input() gets history and editing from it)

                return input("> ").strip()
            line = sys.stdin.readline()
        except (EOFError, ValueError, OSError):
            return None
        return line.strip() if line else None

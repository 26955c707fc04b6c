"""Command lines, and the answers of programs that play as bots."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from spelunke.bots.process import ProcessBot
from spelunke.cli.app import run
from spelunke.core.chance import seed_stream
from spelunke.records import position
from spelunke.web import app

from .find import Find, TookLong, check_sentence, in_time, judged, name_error
from .games import kept, moments, short_records
from .mutate import DIGITS, NUMBERS, WORDS, mutate_text

LINES = (
    ("games",),
    ("games", "sanghai"),
    ("games", "shanghaien", "--json"),
    ("schema",),
    ("schema", "record"),
    ("schema", "position", "halunken"),
    ("position", "P.json", "--legal"),
    ("position", "P.json", "--moves", "roll; dice 2 4; 1: pass", "--seat", "0"),
    ("position", "P.json", "--json", "--game", "sanghai"),
    ("position", "-"),
    ("replay", "R.json"),
    ("replay", "R.json", "--until", "4", "--no-log"),
    ("replay", "R.json", "--json", "--position", "out.json"),
    ("replay", "-"),
    ("verify", "R.json"),
    ("verify", "R.json", "--nonce", "0=nonce0", "--nonce", "1=nonce1", "--json"),
    ("verify", "R.json", "--commitment", "3f9a"),
    ("verify", "-"),
    ("perft", "halunken", "--depth", "1"),
    ("perft", "shanghaien", "--depth", "1", "--moves", "roll; dice 2 4", "--json"),
    ("perft", "sanghai", "--depth", "0", "--position", "P.json"),
    ("perft", "sanghai", "--depth", "1", "--seats", "3", "-o", "packs=2"),
    ("playout", "shanghaien", "--games", "1", "--seed", "7"),
    ("playout", "halunken", "-n", "1", "--seats", "3", "-o", "mode=standard", "--json"),
    ("arena", "halunken", "cabin_boy", "cabin_boy", "--rounds", "1", "--workers", "1"),
    ("arena", "shanghaien", "nobody", "process:python x.py", "--rounds", "1", "--edge", "0.2"),
    ("play", "shanghaien", "--seed", "1", "--json"),
    (
        "play",
        "sanghai",
        "--seats",
        "3",
        "--seat",
        "1",
        "--name",
        "Ada",
        "-o",
        "schedule=short",
        "--nonce",
        "mine",
    ),
    ("play", "halunken", "--level", "deckhand", "--save", "out.json"),
    ("serve", "--port", "8000", "--host", "127.0.0.1", "--database", "sqlite:///h.sqlite3"),
    ("serve", "--bot-pause", "0.5", "--log-level", "info", "--base-url", "http://house/"),
    ("migrate", "--database", "sqlite:///h.sqlite3"),
    ("bench", "--help"),
    ("--version",),
    ("--help",),
)
NAMES = frozenset(line[0] for line in LINES)
LONG = frozenset({"perft", "playout", "arena", "play", "bench"})
"""Commands that may take long. They are interrupted, which does not count as a find."""
MEASURES = ("_compiled", "_plain", "_stepped", "_first_move", "_verify")
"""The measurements of ``bench``. They are replaced, because they take long, some in processes of their own."""
WRITTEN = ("h.sqlite3", "out.json")


class CommandLines:
    """Command lines with standard input. ``file`` chooses the position and the record that a command may read."""

    name = "command-line"
    weight = 1.5

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.seeds = [json.loads(text) for text in kept(self.name)]
        for line in LINES:
            self.seeds.append({"line": list(line), "given": "help\nmoves\nlog\nundo\nquit\n", "file": 1})
        self.words = sorted({word for seed in self.seeds for word in seed["line"]})
        self.files = [position.write_position(match) for match in moments()]

    def take(self, rng: random.Random) -> bytes:
        seed = rng.choice(self.seeds)
        line = list(seed["line"])
        given = seed["given"]
        for _ in range(rng.choice((1, 1, 2, 3))):
            place = rng.randrange(1, len(line)) if len(line) > 1 else 0
            deed = rng.randrange(7)
            if deed == 0:
                del line[place]
            elif deed == 1:
                line.insert(place, rng.choice(self.words))
            elif deed == 2:
                line[place] = rng.choice((str(rng.choice(NUMBERS)), rng.choice(DIGITS), rng.choice(WORDS)))
            elif deed == 3:
                given = mutate_text(given, rng, self.words)
            else:
                line[place] = mutate_text(line[place], rng, self.words, most=6000)
            line = line or ["games"]
        return json.dumps({"line": line, "given": given, "file": rng.randrange(100)}).encode()

    def feed(self, data: bytes) -> None:
        told = json.loads(data)
        # As a system passes them: bytes without zeros.
        line = [os.fsdecode(w.encode("utf-8", "surrogatepass").replace(b"\0", b"")) for w in told["line"]]
        if any(_leads_away(word) for word in line):
            return
        with _in(self.folder.name):
            Path("P.json").write_bytes(self.files[told["file"] % len(self.files)])
            Path("R.json").write_bytes(short_records()[told["file"] % len(short_records())])
            before = _digest()
            code, out, err = _run(line, told["given"])
            after = _digest()
            for file in Path().iterdir():
                if file.name not in ("P.json", "R.json") and file.is_file():
                    file.unlink()
        command = line[0] if line and line[0] in NAMES else "a command"
        if code is None:
            if command not in LONG:
                raise Find(f"{command} took too long")
            return
        if "is a bug" in err or "Traceback" in err + out:
            raise Find(f"a bug in Spelunke: {err.partition('(')[2][:60]}", err[:600])
        if code not in ((0, 1, 2, 3) if command == "verify" else (0, 2)):
            raise Find(f"exit code {code} of {command}", err[:300])
        if code == 2 and not out.startswith(("Usage", "\n Usage", " Usage")):
            if not err.startswith("spelunke: ") or err.count("\n") != 1:
                raise Find("a refusal that is not one line", err[:300])
            check_sentence(err.removeprefix("spelunke: ").strip(), command)
            if before != after:
                raise Find(f"{command} was refused and changed files", str(after - before))

    def close(self) -> None:
        self.folder.cleanup()


def _leads_away(word: str) -> bool:
    """Return whether an argument may refer to files outside of the folder, to programs, or to other machines.

    A fuzzer must not try these.
    """
    text = word.lower()
    if text.startswith(("process:", "--cluster", "--redis", "--host")) and not text.startswith(
        "process:python x"
    ):
        return True
    return (
        ".." in text
        or text.lstrip().startswith("/")
        or "=/" in text
        or ("://" in text and "sqlite:///h" not in text)
    )


@contextlib.contextmanager
def _in(folder: str) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _digest() -> set[tuple[str, str]]:
    return {
        (str(file), hashlib.sha256(file.read_bytes()).hexdigest())
        for file in Path().rglob("*")
        if file.is_file() and not file.name.startswith("h.sqlite3")
    }


def _run(line: list[str], given: str) -> tuple[int | None, str, str]:
    """Run a command line. Return its exit code (None if it took too long), its output and its error output."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace", newline="")
    stdin, serve = sys.stdin, app.run
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode("utf-8", "surrogatepass")))
    app.run = lambda settings, **_given: None
    code: int | None = None
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            patch.multiple("spelunke.cli.bench", **dict.fromkeys(MEASURES, lambda card, seconds: 0.0)),
            in_time(6),
        ):
            code = run(line)
    except TookLong:
        pass
    except (Exception, SystemExit) as error:
        raise Find(f"the command line let through {name_error(error)}", str(error)) from None
    finally:
        sys.stdin, app.run = stdin, serve
    told = []
    for channel in (out, err):
        channel.flush()
        told.append(channel.detach().getvalue().decode())
    return code, *told


SAYS = """
import base64, sys
for line in sys.stdin:
    with open(sys.argv[1], "rb") as file:
        sys.stdout.buffer.write(base64.b64decode(file.read()) + b"\\n")
    sys.stdout.flush()
"""


class BotLines:
    """The answers of a bot program that is asked for a move."""

    name = "bot-lines"
    weight = 5

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.says = Path(self.folder.name) / "line"
        self.program = Path(self.folder.name) / "bot.py"
        self.program.write_text(SAYS)
        self.match = next(match for match in moments() if match.actors)
        seat = self.match.actors[0]
        self.view, self.legal = self.match.view(seat), self.match.legal(seat)
        self.seeds = [*kept(self.name), *self.match.texts(seat), '{"move": "roll"}', "resign"]
        self.bot: ProcessBot | None = None

    def take(self, rng: random.Random) -> bytes:
        return mutate_text(rng.choice(self.seeds), rng, self.seeds).encode("utf-8", "surrogatepass")

    def feed(self, data: bytes) -> None:
        import base64

        self.says.write_bytes(base64.b64encode(data))
        if self.bot is None:
            command = f"{sys.executable} -I {self.program} {self.says}"
            self.bot = ProcessBot(self.match.game, command, budget=4.0)
        try:
            with judged():
                action = self.bot.choose(self.view, self.legal, seed_stream(1))
                if action not in self.legal:
                    raise Find("a bot's line became an illegal move", repr(action))
        finally:
            if self.bot._program is None:  # killed after its fault; it would not be started for ever
                self.bot = None

    def close(self) -> None:
        if self.bot is not None:
            self.bot.close()
        self.folder.cleanup()

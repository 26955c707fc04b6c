"""Bots in programs of their own: their faults are reported, and nobody waits for them for ever."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import pytest

from spelunke.bots.process import MOST_UNASKED, BotFault, ProcessBot
from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput
from spelunke.games import find_game, shelf
from spelunke.games.match import Match
from waiting import wait_until

GAME = find_game(max(shelf()))
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "line_bot.py"
HELLO = "import sys,time,os; i=sys.stdin; i.readline(); print('me',flush=True); "


def command(code: str) -> str:
    return shlex.join([sys.executable, "-c", code])


def asked() -> Match:
    match = Match(GAME)
    while not match.actors:
        match.land(match.chances()[0][0])
    return match


def ask(bot: ProcessBot) -> object:
    match = asked()
    seat = match.actors[0]
    try:
        return bot.choose(match.view(seat), match.legal(seat), seed_stream(1))
    finally:
        bot.close()


def test_the_example_plays_a_whole_game() -> None:
    match = Match(GAME)
    bot = ProcessBot(GAME, shlex.join([sys.executable, str(EXAMPLE)]), budget=20)
    stream = seed_stream(1)
    for _ in range(150):
        if match.over:
            break
        if match.chance:
            match.land(match.chances()[int(stream[0]) % len(match.chances())][0])
            continue
        seat = match.actors[0]
        match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    assert match.ply >= 100
    bot.close()


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        (HELLO + "i.readline(); time.sleep(60)", r"did not answer within 0\.5 s"),
        (HELLO + "time.sleep(60)", r"did not answer within 0\.5 s"),
        (
            HELLO + "i.readline(); print('fly to the moon', flush=True); i.readline()",
            "none of the .* legal moves",
        ),
        (HELLO + "i.readline(); print('x' * 100000, flush=True); i.readline()", "more than 4096 bytes"),
        (HELLO + "i.readline(); sys.exit(3)", r"ended \(exit code"),
        ("import sys; sys.exit(7)", r"ended \(exit code"),
        (
            HELLO
            + "i.readline(); sys.stdout.buffer.write(bytes(range(128,256))+b'\\n'); sys.stdout.flush(); i.readline()",
            "legal moves",
        ),
        (HELLO + "i.readline(); print('9'*4000, flush=True); i.readline()", "legal moves"),
        (HELLO + "i.readline(); print('', flush=True); i.readline()", "legal moves"),
        (HELLO + "i.readline(); print('shanghai', flush=True); i.readline()", "legal moves"),
        (HELLO + "i.readline(); os.close(1); i.readline()", r"ended \(exit code"),
    ],
)
def test_each_fault_of_a_bot_program_is_reported(code: str, fault: str) -> None:
    begun = time.monotonic()
    with pytest.raises(BotFault, match=fault):
        ask(ProcessBot(GAME, command(code), budget=0.5, patience=20))
    assert time.monotonic() - begun < 30


def test_a_flood_of_lines_takes_no_memory() -> None:
    """If a program writes more than `MOST_UNASKED` lines that answer no question, the next question raises BotFault."""
    bot = ProcessBot(
        GAME, command(HELLO + "print('\\n'.join(['roll']*200000), flush=True)"), budget=20, patience=20
    )
    match = asked()
    seat = match.actors[0]
    try:
        bot._start()
        wait_until(lambda: bot._lines.qsize() >= MOST_UNASKED)
        with pytest.raises(BotFault, match="without a question"):
            bot.choose(match.view(seat), match.legal(seat), seed_stream(1))
    finally:
        bot.close()


def test_a_program_that_starts_others_leaves_none_behind(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    code = (
        f"import subprocess,sys; c=subprocess.Popen([sys.executable,'-c','import time; time.sleep(600)']); "
        f"f=open({str(mark)!r},'w'); f.write(str(c.pid)); f.close(); {HELLO} i.readline()"
    )
    bot = ProcessBot(GAME, command(code), budget=0.5, patience=20)
    with pytest.raises(BotFault):
        ask(bot)
    child = int(mark.read_text())
    wait_until(
        lambda: (
            not Path(f"/proc/{child}").exists() or "Z" in Path(f"/proc/{child}/stat").read_text().split()[2]
        )
    )


def test_a_missing_bot_program_is_reported() -> None:
    with pytest.raises(BotFault, match="can't be started"):
        ask(ProcessBot(GAME, "/nowhere/bot"))
    for nothing, reason in (("", "name the program"), ("python -c '", "No closing quotation")):
        with pytest.raises(BadInput, match=reason):
            ProcessBot(GAME, nothing)


def test_only_the_first_answer_to_a_question_counts(tmp_path: Path) -> None:
    """If a program writes two moves for each question, the first one counts each time."""
    said = tmp_path / "said"
    said.touch()
    code = (
        "import sys,json; i=sys.stdin; i.readline(); print('me',flush=True)\n"
        "for line in i: legal=json.loads(line)['legal']; print(legal[-1]+'\\nnonsense',flush=True); "
        f"open({str(said)!r},'a').write('x')"
    )
    bot, match = ProcessBot(GAME, command(code), budget=20, patience=20), asked()
    seat = match.actors[0]
    try:
        for asked_before in range(3):
            legal = match.legal(seat)
            assert bot.choose(match.view(seat), legal, seed_stream(1)) == legal[-1]
            wait_until(lambda n=asked_before: said.stat().st_size > n)  # the second line is on its way
            wait_until(bot._lines.qsize)  # and was read
    finally:
        bot.close()


def test_a_program_that_fails_three_times_is_not_started_again() -> None:
    bot = ProcessBot(GAME, command("raise SystemExit(1)"), patience=20)
    for _ in range(3):
        with pytest.raises(BotFault, match="ended"):
            ask(bot)
    with pytest.raises(BotFault, match="not started again"):
        ask(bot)


def test_a_bot_program_is_started_again_after_a_fault(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = (
        f"import sys,time,os,json; m={str(mark)!r}; late=not os.path.exists(m); open(m,'w').close(); i=sys.stdin; "
        "i.readline(); print('me',flush=True); q=json.loads(i.readline()); time.sleep(60 if late else 0); "
        "print(q['legal'][0],flush=True); i.readline()"
    )
    bot = ProcessBot(GAME, command(code), budget=0.7, patience=20)
    with pytest.raises(BotFault, match="within"):
        ask(bot)
    bot.budget = 20
    assert ask(bot) == asked().legal(asked().actors[0])[0]

"""The README's tour and the tutorial are run, line by line, and the output is compared with the answers on the page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "docs/tutorial.md")
MANY_STEPS = re.compile(r"spelunke (arena|playout|bench)")
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(text: str) -> list[tuple[str, str]]:
    """Return each ``$`` line of a block with the answer below it."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:].rstrip("\n"), ""))
        else:
            command, answer = found[-1]
            found[-1] = (command, answer + line)
    return found


def matches(answer: str, output: str) -> bool:
    """Return whether the output matches the answer.

    In the answer, a line ``…`` stands for any lines, and ``…`` in a line stands for any text.
    """
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else re.escape(line.rstrip()).replace("…", ".*") + r"[ ]*\n"
        for line in answer.splitlines()
    )
    return re.fullmatch(pattern, output) is not None


@pytest.mark.parametrize(
    "page", [PAGES[0], *(pytest.param(page, marks=pytest.mark.deep) for page in PAGES[1:])]
)
def test_the_commands_of_each_page_give_the_printed_output(page: str, tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }
    compiled, plain = ({**environment, "SPELUNKE_JIT": jit} for jit in "10")
    ran = compared = 0
    for kind, text in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        todo = [([sys.executable, "-c", text], "")]
        if kind == "console":
            todo = [(["bash", "-c", command], answer) for command, answer in commands(text)]
        for command, answer in todo:
            done = subprocess.run(
                command,
                cwd=tmp_path,
                # Plain kernels finish a few steps before compiled ones are loaded, with the same result.
                env=compiled if MANY_STEPS.search(command[-1]) else plain,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{command[-1]}\n{done.stdout}"
            assert not answer or matches(answer, done.stdout), (
                f"{command[-1]}\n{done.stdout}\nis not\n{answer}"
            )
            ran += 1
            compared += bool(answer)
    assert ran > 5
    assert compared > 3


def test_the_games_in_the_tour_are_fair_and_the_positions_possible() -> None:
    from spelunke.records.fairness import verify
    from spelunke.records.position import parse_position, write_position
    from spelunke.records.record import parse_record, write_record

    data = (ROOT / "docs/examples/game.json").read_bytes()
    record = parse_record(data)
    assert write_record(record) == data
    assert verify(record).ok
    examples = re.findall(
        r"^    \{\n(?:    .*\n)+?    \}$", (ROOT / "docs/records.md").read_text(), re.MULTILINE
    )
    positions = [text for text in examples if '"plies"' not in text]
    assert positions
    for text in positions:
        match = parse_position(text.encode())
        assert parse_position(write_position(match)).state.tobytes() == match.state.tobytes()

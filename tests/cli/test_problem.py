"""``spelunke problem`` and ``spelunke mine``."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from spelunke.cli.app import run
from spelunke.games import find_game
from spelunke.records.problems import load_problems

FOUND = load_problems(find_game("shanghaien"))
assert FOUND is not None
ONE = FOUND.problems[0]


def test_a_problem_is_solved_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"swim\n{ONE.best}\n"))
    assert run(["problem", "shanghaien", ONE.id]) == 0
    told = capsys.readouterr().out
    assert "what is best?" in told
    assert "swim" in told
    assert "Right." in told
    assert run(["problem", "shanghaien", ONE.id, "--answer", ONE.alternatives[-1].move]) == 0
    assert f"{ONE.best} is better" in capsys.readouterr().out


def test_problems_are_listed_and_wrong_arguments_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["problem", "shanghaien", "--list"]) == 0
    assert ONE.id in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for wrong in (
        ["nothing"],
        ["shanghaien", "nothing"],
        ["shanghaien", "--list", "--theme", "x"],
        ["shanghaien", ONE.id, "--answer", "swim"],
        ["shanghaien", ONE.id],
    ):
        assert run(["problem", *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert run(["mine", "halunken", "--games", "1", "--players", "mate", "--to", "/dev/null"]) == 2
    assert capsys.readouterr().err


@pytest.mark.deep
def test_the_same_settings_find_the_same_problems(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.json", "b.json")]
    for file in files:
        assert run(["mine", "shanghaien", "--games", "2", "--most", "5", "--to", str(file)]) == 0
    first, second = (json.loads(file.read_bytes())["problems"] for file in files)
    assert first == second
    assert len(first) == 5

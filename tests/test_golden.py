"""Stored games and perft tables must not change unless the rules' version does; `tests/golden.py` writes them again."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden import folder, golden_files, perft_table, playthrough, read
from spelunke.games import shelf
from spelunke.games.game import Game

FILES = [
    pytest.param(game, file, id=f"{game.name}/{file.stem}")
    for game in shelf().values()
    for file in golden_files(game)
]


@pytest.mark.parametrize(("game", "file"), FILES)
def test_each_golden_game_plays_as_recorded(game: Game, file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert playthrough(game, *read(text)) == text


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_every_game_has_a_playthrough_and_a_perft_table(game: Game) -> None:
    assert golden_files(game)
    assert (folder(game) / "perft.txt").read_text(encoding="utf-8") == perft_table(game)

"""Observation and action spaces of a table, and their description from the code."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from spelunke.adapters.desk import Table
from spelunke.core.game import Game


def observation_space(table: Table, extra: int = 0) -> spaces.Dict:
    """``observation``: float32[FEATURES]; ``action_mask``: int8[ACTIONS + extra], 1 where legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (table.features,), np.float32),
            "action_mask": spaces.Box(0, 1, (table.actions + extra,), np.int8),
        }
    )


def action_space(table: Table, extra: int = 0, seed: int | None = None) -> spaces.Discrete:
    """Every action number of the game; ``extra`` more stand behind them."""
    return spaces.Discrete(table.actions + extra, seed=seed)


def describe_spaces(game: Game) -> str:
    """The spaces of a game as Markdown: what each action number and each feature means."""
    moves, notation = game.moves, game.notation
    actions = [notation.write(moves.decode(number)) for number in range(game.rules.ACTIONS)]
    names = game.view.feature_names()
    sizes = f"{len(actions)} actions, {len(names)} features, {game.rules.OUTCOMES} outcomes of chance, "
    rows = [f"## {game.title}", "", f"{sizes}{game.rules.STATE.itemsize} bytes of state.", ""]
    rows += ["| action | move |", "|---|---|"]
    rows += [f"| {number} | `{text}` |" for number, text in enumerate(actions)]
    rows += ["", "| feature | what it says |", "|---|---|"]
    rows += [f"| {number} | {name} |" for number, name in enumerate(names)]
    return "\n".join([*rows, ""])


def show_table(game: Game, state: Any) -> str:
    """The open table as text, one field per line, for ``render``."""
    view = game.view.view(state, None)
    return "\n".join(f"{name}: {getattr(view, name)}" for name in view.__struct_fields__)

"""Observation and action spaces of a table, and their description from the code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np
from gymnasium import spaces

from spelunke.adapters.desk import Table
from spelunke.core.errors import BadInput
from spelunke.core.values import State
from spelunke.games.game import Game


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


def outline_spaces(games: Iterable[Game]) -> str:
    """The page docs/spaces.md: the spaces of each game, numbers of one kind in one row with the first and the last."""
    lines = [
        "# Actions and observations, game by game",
        "",
        "Written from the code by `python -m spelunke.adapters.spaces`; a test compares. One by one they are told by",
        "`describe_spaces` ([environments](environments.md)). Observations are float32, one number a feature; the",
        "action mask is int8, one number an action.",
    ]
    for game in games:
        table = Table(game)
        seen, acted = observation_space(table), action_space(table)
        lines += ["", f"## {game.title}", ""]
        lines.append(
            f"`action_space = {acted}`, `observation` {seen['observation'].shape}, `action_mask` "
            f"{seen['action_mask'].shape}; {game.rules.OUTCOMES} outcomes of chance, {game.rules.STATE.itemsize} bytes "
            "of state."
        )
        moves = [f"`{game.notation.write(game.moves.decode(number))}`" for number in range(table.actions)]
        for heading, texts in (("move", moves), ("feature", list(game.view.feature_names()))):
            lines += ["", f"| {'action' if heading == 'move' else 'number'} | {heading} |", "|---|---|"]
            lines += list(_rows(texts))
    return "\n".join([*lines, ""])


def _rows(texts: list[str]) -> Iterator[str]:
    """Neighbours that begin with the same word share a row."""
    for _, group in groupby(enumerate(texts), lambda pair: pair[1].replace(":", " ").split()[0].strip("`")):
        found = list(group)
        (first, head), (last, tail) = found[0], found[-1]
        yield f"| {first} | {head} |" if first == last else f"| {first}–{last} | {head} … {tail} |"


def check_render_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """The mode, if there is such a one. Raises BadInput."""
    if mode is not None and mode not in modes:
        raise BadInput(f"a table is rendered as {' or '.join(modes)}, not {mode!r}", "render_mode")
    return mode


def show_table(game: Game, state: State) -> str:
    """The open table as text, one field per line, for ``render``."""
    view = game.view.view(state, None)
    return "\n".join(f"{name}: {getattr(view, name)}" for name in view.__struct_fields__)


if __name__ == "__main__":
    from spelunke.games import shelf

    print(outline_spaces(shelf().values()), end="")

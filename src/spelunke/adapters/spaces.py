"""The observation and action spaces of a table, pages that describe these spaces, and a table's view as text."""

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
    """Return the space of observations: a dict of ``observation`` and ``action_mask``.

    ``observation`` is a float32 array of length FEATURES. ``action_mask`` is an int8 array of length ACTIONS +
    ``extra``.
    """
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (table.features,), np.float32),
            "action_mask": spaces.Box(0, 1, (table.actions + extra,), np.int8),
        }
    )


def action_space(table: Table, extra: int = 0, seed: int | None = None) -> spaces.Discrete:
    """Return the space of actions: the ints from 0 to ACTIONS + ``extra`` - 1."""
    return spaces.Discrete(table.actions + extra, seed=seed)


def describe_spaces(game: Game) -> str:
    """Return a description of a game's spaces in Markdown: the meaning of each action number and of each feature."""
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
    """Return the page docs/spaces.md: the spaces of each game, with one row for each kind of action or feature."""
    lines = [
        "# Actions and observations, game by game",
        "",
        "`python -m spelunke.adapters.spaces` generates this page. A row has the first and the last of similar",
        "actions or features; `describe_spaces` lists all of them ([environments](environments.md)). An observation",
        "has a float32 for each feature, an action mask an int8 for each action.",
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
    """Yield the rows of a Markdown table with the texts of actions or features and with their indices.

    Successive texts with the same key share a row, which shows only the first and the last of them. The key of a text
    is its first word if a neighbouring text begins with the same word. Otherwise, the key is its last word.
    """
    words = [text.replace(":", " ").strip("`").split() for text in texts]
    firsts = [None, *(word[0] for word in words), None]
    keys = [word[0] if word[0] in (firsts[at], firsts[at + 2]) else word[-1] for at, word in enumerate(words)]
    for _, group in groupby(zip(keys, enumerate(texts), strict=True), lambda pair: pair[0]):
        found = [pair for _, pair in group]
        (first, head), (last, tail) = found[0], found[-1]
        yield f"| {first} | {head} |" if first == last else f"| {first}–{last} | {head} … {tail} |"


def check_render_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """Return the mode. Raise BadInput unless it is None or one of ``modes``."""
    if mode is not None and mode not in modes:
        raise BadInput(f"a table is rendered as {' or '.join(modes)}, not {mode!r}", "render_mode")
    return mode


def show_table(game: Game, state: State) -> str:
    """Return a spectator's view of the table as text, with one line for each field."""
    view = game.view.view(state, None)
    return "\n".join(f"{name}: {getattr(view, name)}" for name in view.__struct_fields__)


if __name__ == "__main__":
    from spelunke.games import shelf

    print(outline_spaces(shelf().values()), end="")

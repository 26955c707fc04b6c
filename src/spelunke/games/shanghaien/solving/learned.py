"""The stages that were learned, as a file beside this module: ``crews.npz``, with its recipe in ``crews.json``."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from spelunke.games.shanghaien.solving.stages import Stage, guess
from spelunke.games.shanghaien.state import ROUNDS

FILE = Path(__file__).with_name("crews.npz")
NUMBERS = ("start", "scale", "floor")


def write_stages(file: Path, stages: Sequence[Stage], recipe: Mapping[str, object]) -> None:
    """Write the stages after one to seven rounds, and how they came to be beside them."""
    learned = stages[1:ROUNDS]
    np.savez_compressed(
        file,
        mean=np.array([stage.mean for stage in learned], np.float32),
        trick=np.array([stage.trick for stage in learned], np.float32),
        numbers=np.array([[getattr(stage, name) for name in NUMBERS] for stage in learned], np.float32),
    )
    text = json.dumps(dict(recipe), indent=2)
    file.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


@functools.lru_cache(maxsize=4)
def read_stages(file: Path = FILE) -> tuple[Stage, ...]:
    """The stages of a file, by how many rounds are over; before the first round nothing is known."""
    found: list[Stage] = [replace(guess(), start=0.0)]
    with np.load(file) as data:
        for mean, trick, numbers in zip(data["mean"], data["trick"], data["numbers"], strict=True):
            kinds = tuple(tuple(float(n) for n in row) for row in trick)
            start, scale, floor = (float(n) for n in numbers)
            found.append(Stage(mean.astype(float), guess().variance, kinds, start, scale, floor))
    return tuple(found)

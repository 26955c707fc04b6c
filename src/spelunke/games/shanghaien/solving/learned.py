"""The learned values of crews.

They are stored beside this module in ``crews.npz``. ``crews.json`` has the errors of these values, and the command
that learned the values.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from spelunke.games.shanghaien.solving.network import Network
from spelunke.games.shanghaien.solving.stages import Stage, guess
from spelunke.games.shanghaien.solving.stakes import Aim
from spelunke.games.shanghaien.state import ROUNDS

FILE = Path(__file__).with_name("crews.npz")


def write_stages(file: Path, stages: Mapping[Aim, Sequence[Stage]], recipe: Mapping[str, object]) -> None:
    """Write all networks of ``stages`` into a file. Leave out each :class:`Stage` that is no network.

    Also write ``recipe``, which describes how the networks were computed, into a second file. The second file has the
    same name as ``file``, but the ending ``.json``.
    """
    arrays: dict[str, npt.NDArray[np.floating]] = {}
    for aim, found in stages.items():
        for rounds, stage in enumerate(found):
            if isinstance(stage, Network):
                end = f"{aim.value}.{rounds}"
                arrays |= {f"{name}.{end}": value.astype(np.float16) for name, value in stage.weights.items()}
                arrays[f"spread.{end}"] = np.array([stage.scale, stage.floor])
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    file.with_suffix(".json").write_text(json.dumps(dict(recipe), indent=2) + "\n", encoding="utf-8")


@functools.cache
def error_of(rounds: int) -> tuple[float, float]:
    """Return the root mean square errors of the points and of the chances to win, after this number of rounds.

    They were measured on positions that were not used for learning. If no errors were measured after this number of
    rounds, the errors after the nearest measured number are returned. After the last round, the errors are 0. If there
    were too few positions to distinguish an error from luck, the result is an upper bound.
    """
    if rounds >= ROUNDS:
        return 0.0, 0.0
    recipe = json.loads(FILE.with_suffix(".json").read_text(encoding="utf-8"))
    known = recipe["errors"]
    found = known[min(known, key=lambda name: abs(int(name) - rounds))]

    def error(of: str) -> float:
        least, most = found[f"{of}_interval"]
        return float(found[of] if least > 0 else max(most, found[of], abs(found[f"{of}_bias"])))

    return error("points"), error("chance")


@functools.lru_cache(maxsize=4)
def read_stages(aim: Aim, file: Path = FILE) -> tuple[Stage, ...]:
    """Read the values of crews from a file. Return a :class:`Stage` for each number of finished rounds.

    If the file has no values for a number of rounds, the simple model (:func:`.guess`) takes their place.
    """
    found: list[Stage] = [guess()]
    with np.load(file) as data:
        for rounds in range(1, ROUNDS):
            end = f".{aim.value}.{rounds}"
            weights = {
                name.removesuffix(end): data[name].astype(np.float32)
                for name in data.files
                if name.endswith(end)
            }
            if not weights:
                found.append(guess())
                continue
            del weights["spread"]
            scale, floor = data[f"spread{end}"].tolist()
            found.append(Network(weights, scale, floor))
    return tuple(found)

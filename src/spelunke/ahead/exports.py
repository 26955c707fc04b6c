"""List the kernels that are compiled ahead of time, with a letter for each argument.

| letter | argument |
|---|---|
| ``p``, ``r`` | an array of state records, a single state record |
| ``n`` | an index into the array ``p``: allowed only as the second letter, after ``p`` |
| ``i``, ``x`` | an integer, a real number |
| ``h``, ``l``, ``b``, ``f``, ``d``, ``?`` | an array: int16, int64, int8, float32, float64, bool |
| ``H``, ``L``, ``B``, ``F``, ``D`` | the same arrays, but with two dimensions; ``Q`` is a float64 array with four |
| ``(...)`` | a named tuple of these |

The file ``ahead.py`` of a game can list more kernels, from the game's own modules: kernels that Python calls and that
take long to compile. In this file, ``KERNELS`` maps each module to its kernels and their letters, and ``TUPLES`` maps a
kernel to the types of the named tuples among its arguments. ``BROWSERS`` is like ``KERNELS``, for kernels that are
compiled only for browsers.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, field

from spelunke.core.kernel import bind, home_of
from spelunke.games.game import Game
from spelunke.solvers.tree import Tree


@dataclass(frozen=True)
class Export:
    """A module whose kernels are compiled for one game.

    A generic ``module`` is copied for the game, and the copy imports the game's functions from the modules ``sources``
    (:func:`spelunke.core.kernel.bind`). If ``module`` is the game's own, ``sources`` is empty. ``kernels`` maps each
    kernel to the types of its arguments, with a letter for each type (this module lists the letters). ``brief`` is true
    if the kernels keep the GIL, because their calls are short. ``tuples`` are the types of the named tuples among the
    arguments.
    """

    module: str
    sources: tuple[str, ...]
    kernels: dict[str, str] = field(hash=False)
    brief: bool = False
    tuples: tuple[type, ...] = ()

    @property
    def key(self) -> str:
        """A text that identifies the module and its game: ``module`` and ``sources``, separated by spaces."""
        return " ".join((self.module, *self.sources))


def symbol_of(game: Game, module: str, kernel: str) -> str:
    """Return the name of a kernel in the library of a game."""
    return f"spelunke_{game.name}__{module.replace('.', '_')}__{kernel}"


STEP = {
    "start_at": "pnh",
    "actors_at": "pn",
    "legal_at": "pnih",
    "play_at": "pnii",
    "chances_at": "pnhh",
    "apply_chance_at": "pni",
    "result_at": "pnhh",
}
SWEEP = {
    "begin_all": "phLiFBl?H",
    "step_all": "phLilFBlF?H",
    "choose_all": "HLl",
    "advance_at": "pniilh",
    "view_at": "pnif",
    "sample_chance_at": "pnl",
}


def exports_of(game: Game) -> Iterator[Export]:
    """Yield the exports of a game: modules with the kernels for matches, environments, tests, bots and analyses."""
    rules = game.rules.__name__
    yield Export("spelunke.core.step", (rules,), STEP, brief=True)
    for name in ("revise", "variants"):
        if home_of(rules, name) is not None:
            yield Export(f"spelunke.core.{name}", (rules,), {f"{name}_at": "pnih"}, brief=True)
    yield Export("spelunke.core.playout", (rules,), {"playouts": "pnhli"})
    yield Export("spelunke.core.digest", (rules,), {"digest": "phhlii"})
    yield Export(
        "spelunke.core.perft",
        (rules,),
        {"widest": "pii", "ended": "p?", "expand": "piiplll"},
    )
    yield Export("spelunke.adapters.sweep", (rules, game.view.__name__), SWEEP)
    yield Export("spelunke.solvers.rollout", (rules,), {"roll_out": "pihlihhd"})
    knowledge = game.knowledge.__name__
    if all(home_of(knowledge, name) is not None for name in ("worth", "quiescent")):
        yield Export("spelunke.bots.lookahead", (rules, knowledge), {"judge": "piiHHd"})
    yield from _searches(game)
    yield from _own(game)


TREE = "(LlH?dddddddd)"
SEARCH = {"stage_of": "p", "open_node": f"pii{TREE}", "ponder": f"pH{TREE}iiiiiil"}


def _searches(game: Game) -> Iterator[Export]:
    """Yield the exports (modules with kernels) for the searches and analyses of this game."""
    rules, knowledge = game.rules.__name__, game.knowledge.__name__
    yield Export("spelunke.solvers.unjudged", (rules,), {"stage": "r"})
    plain = bind("spelunke.solvers.unjudged", rules).__name__
    if all(home_of(knowledge, name) is not None for name in ("stage", "value", "answer")):
        yield Export("spelunke.solvers.learners", (rules, knowledge), SEARCH, tuples=(Tree,))
    if game.hooks.appraiser() is None:
        how = game.hooks.playouts()
        served = (how.kernels, plain) if how.kernels else (plain,)
        yield Export("spelunke.solvers.playouts", (rules, *served), {"play_out": "ppHHliihQh"})


def browsers_own(game: Game) -> Iterator[Export]:
    """Yield the exports (modules with kernels) for the game's own kernels that are compiled only for browsers."""
    return _own(game, "BROWSERS")


def _own(game: Game, which: str = "KERNELS") -> Iterator[Export]:
    if importlib.util.find_spec(f"{game.package}.ahead") is None:
        return
    said = importlib.import_module(f"{game.package}.ahead")
    for module, kernels in vars(said).get(which, {}).items():
        for name, letters in kernels.items():
            yield Export(f"{game.package}.{module}", (), {name: letters}, tuples=said.TUPLES.get(name, ()))

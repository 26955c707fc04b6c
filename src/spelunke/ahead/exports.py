"""Which kernels are compiled ahead of time, and what they are called with: a letter for each argument.

| letter | argument |
|---|---|
| ``p`` | an array of state records |
| ``n`` | a place in the array before it |
| ``i``, ``x`` | an integer, a real number |
| ``h``, ``l``, ``b``, ``f``, ``d``, ``?`` | an array: int16, int64, int8, float32, float64, bool |
| ``H``, ``L``, ``B``, ``F``, ``D`` | the same with two dimensions |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from spelunke.core.game import Game
from spelunke.core.kernel import home_of


@dataclass(frozen=True)
class Export:
    """A generic module as one game has it: what it is bound to, its kernels with their letters.

    ``brief``: each call is so short that other threads needn't go on meanwhile.
    """

    module: str
    sources: tuple[str, ...]
    kernels: dict[str, str] = field(hash=False)
    brief: bool = False

    @property
    def key(self) -> str:
        """What :func:`spelunke.core.kernel.bind` is called with, as one text."""
        return " ".join((self.module, *self.sources))


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
    "view_at": "pnif",
    "sample_chance_at": "pnl",
}


def exports_of(game: Game) -> Iterator[Export]:
    """What is compiled ahead for a game: what matches, environments, tests and bots of any game call."""
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

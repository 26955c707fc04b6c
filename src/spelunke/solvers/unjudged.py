"""Generic kernels: what searches take for a game without judgement of its own. They play to the end, at random."""

from __future__ import annotations

from spelunke.core.chance import below
from spelunke.core.contract import legal
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, State, Stream


@kernel
def stage(s: State) -> int:
    """See :func:`spelunke.core.contract.stage`: the game is one."""
    return 0


@kernel
def value(s: State, seat: int) -> float:
    """See :func:`spelunke.core.contract.value`: nothing beyond the payoff."""
    return 0.0


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """See :func:`spelunke.core.contract.answer`: every legal action is as likely."""
    return int(out[below(stream, legal(s, seat, out))])

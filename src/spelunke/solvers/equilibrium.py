"""Find mixed strategies for secret choices of two or more seats.

The input is the estimated payoff of each combination of choices. The method is regret matching.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Payoffs = npt.NDArray[np.float64]
"""Payoffs with an axis for the choice of each seat, and a last axis for the seat that gets the payoff."""
Mixture = npt.NDArray[np.float64]
"""The probability of each choice."""
ROUNDS = 600


def equilibrium(payoffs: Payoffs, rounds: int = ROUNDS) -> list[Mixture]:
    """Return, for each seat, the probability of each choice, so that no seat gains much by another strategy.

    The method is a variant of regret matching. In it, regrets never fall below 0, seats are updated one after the
    other, and later rounds weigh more. If there are two seats and their payoffs sum to a constant, the result converges
    to an equilibrium. For more seats, :func:`regrets` measures the quality of the result.
    """
    seats = payoffs.ndim - 1
    regret = [np.zeros(payoffs.shape[seat]) for seat in range(seats)]
    mixes = [np.full(payoffs.shape[seat], 1.0 / payoffs.shape[seat]) for seat in range(seats)]
    whole = [np.zeros_like(mix) for mix in mixes]
    # The seat's own choice is the first axis, so that the choices of the others are summed up from the last axis on.
    own = [np.ascontiguousarray(np.moveaxis(payoffs[..., seat], seat, 0)) for seat in range(seats)]
    for number in range(1, rounds + 1):
        for seat in range(seats):
            values = own[seat]
            for other in reversed(range(seats)):
                if other != seat:
                    values = values @ mixes[other]
            regret[seat] = np.maximum(regret[seat] + values - values @ mixes[seat], 0.0)
            total = regret[seat].sum()
            size = len(values)
            mixes[seat] = regret[seat] / total if total > 0 else np.full(size, 1.0 / size)
            whole[seat] += number * mixes[seat]
    return [one / one.sum() for one in whole]


def against(payoffs: npt.NDArray[np.float64], mixes: Sequence[Mixture], seat: int) -> npt.NDArray[np.float64]:
    """Return the value of each choice that a seat has, if the others choose by their mixtures.

    ``payoffs`` are the payoffs of this seat alone, with an axis for the choice of each seat.
    """
    found = payoffs
    for other in reversed(range(len(mixes))):
        if other != seat:
            found = np.tensordot(found, mixes[other], axes=(other, 0))
    return found


def regrets(payoffs: Payoffs, mixes: Sequence[Mixture]) -> list[float]:
    """Return, for each seat, how much more its best choice gains than its mixture.

    The other seats keep their mixtures.
    """
    found = []
    for seat, mix in enumerate(mixes):
        values = against(payoffs[..., seat], mixes, seat)
        found.append(float(values.max() - values @ mix))
    return found

"""The values that playouts give to lines (sequences of steps).

Playouts may be wrong, so their results are averaged with an even chance (doubt). Lines with equal results keep equal
values, and the best line stays the best.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from spelunke.solvers.played import Played, share_of_doubt
from spelunke.solvers.playouts import LUCK

ENDED, ASKED = 0, 0b10
"""The seats that decide after a line: none, or the second."""


def played(*lines: tuple[int, Sequence[float]]) -> Played:
    """Return playouts for two seats. An argument is one line: the seats that decide after it, and seat 0's results."""
    samples = np.zeros((len(lines), len(lines[0][1]), 4, 3))
    for line, (_, results) in enumerate(lines):
        for k, won in enumerate(results):
            samples[line, k, :2] = [[won, won, 2 - won], [-won, 1 - won, 1 + won]]
    return Played.of(samples, np.array([left for left, _ in lines], np.int16), seat=0)


def chances(found: Played) -> list[float]:
    return [float(chance) for chance in found.means[:, 0, 1]]


@pytest.mark.parametrize("won", [0.0, 1.0])
def test_lines_with_equal_results_keep_equal_values_under_doubt(won: float) -> None:
    found = played((ENDED, [won] * 4), (ASKED, [won] * 4))
    assert chances(found.hedged(0.2, found.sure_best(0))) == [won, won]
    assert len(set(chances(found.hedged(0.2)))) == 1


def test_a_certain_best_line_stays_certain() -> None:
    found = played((ENDED, [1.0] * 4), (ASKED, [1.0, 0.0, 1.0, 0.0]), (ENDED, [0.0] * 4))
    hedged = found.hedged(0.2, found.sure_best(0))
    assert chances(hedged) == pytest.approx([1.0, 1.0 - 0.8 * 0.5, 0.0])
    assert [hedged.value(line, 0).exact for line in range(3)] == [True, False, True]
    assert hedged.gap(0, 1) == pytest.approx(0.8 * found.gap(0, 1))


def test_the_value_of_a_sure_loss_is_doubted_if_the_best_line_is_doubtful() -> None:
    """If the best line's value is averaged with an even chance (doubt), so is the value of a line that surely loses.

    Otherwise, doubt would change only the value of the best line, and so its lead over the others.
    """
    found = played((ENDED, [0.0] * 4), (ASKED, [1.0, 0.0, 0.0, 0.0]))
    assert found.sure_best(0) is None
    hedged = found.hedged(0.2)
    assert chances(hedged) == pytest.approx([0.1, 0.3])
    assert not hedged.value(0, 0).exact
    assert found.value(0, 0).exact
    beside = hedged.beside(1, 0, hedged.value(1, 0))
    assert beside.chance == pytest.approx(0.1)


def test_the_chances_of_all_seats_still_add_up_to_one() -> None:
    found = played((ENDED, [1.0] * 4), (ASKED, [1.0, 0.0, 0.0, 0.0]))
    for aim in (None, found.sure_best(0)):
        for line in range(2):
            values = found.hedged(0.3, aim).values(line)
            assert len(values) == 2
            assert sum(value.chance for value in values) == pytest.approx(1.0)


def test_each_other_seat_with_a_choice_brings_doubt() -> None:
    assert share_of_doubt(0.1, 0b1111, 4, 9) == pytest.approx(1 - 0.9**3)
    assert share_of_doubt(0.1, 0b1111, 4, 9, knower=2) == pytest.approx(1 - 0.9**3)
    assert share_of_doubt(0.1, 0b0110, 4, 9) == pytest.approx(1 - 0.9**2)
    assert share_of_doubt(0.1, 0b0110, 4, 9, knower=2) == pytest.approx(0.1)
    assert share_of_doubt(0.1, 0b0100, 4, 9, knower=2) == 0.0
    assert share_of_doubt(0.1, LUCK, 4, 9) == 0.0
    assert share_of_doubt(0.0, LUCK | 0b1111, 4, 9) == 0.0


def test_without_a_measurement_doubt_counts_as_one_more_playout() -> None:
    assert share_of_doubt(None, LUCK, 4, 9) == pytest.approx(0.1)
    assert share_of_doubt(None, 0b1, 4, 9, knower=0) == pytest.approx(0.1)
    assert share_of_doubt(None, 0, 4, 9) == 0.0

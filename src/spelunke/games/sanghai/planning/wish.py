"""The wish: the contract that a hand is to lay, the options that affect it, and the progress of a laying."""

from __future__ import annotations

from typing import NamedTuple

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.state import wide


class Wish(NamedTuple):
    """The melds that are still to be laid: a number of new sets and runs, and a begun meld.

    ``sets`` is the number of new sets, and each needs at least 3 cards. ``runs`` is the number of new runs, and each
    needs at least ``length`` cards.

    The flags are 0 or 1. ``black``: black twos are wild. ``distinct``: sets must differ in rank. ``apart``:
    runs of one suit must neither overlap nor touch. ``exact``: exactly one card must stay in the hand.
    ``adding``: cards may be added after the laying in the same turn; only :func:`.unload` uses this.
    """

    sets: int
    runs: int
    length: int
    black: int
    distinct: int
    apart: int
    exact: int
    adding: int
    least_rank: int
    """The lowest rank that the next set may have; 0 is the ace."""
    least_run: int
    """The lowest position that the next run may have: 16 * suit + lowest place."""
    form: int
    """The form of the begun meld: SET, RUN, or 0 if there is none."""
    what: int
    """The rank of the begun set, or the suit of the begun run."""
    place: int
    """The next place of the begun run."""
    need: int
    """The least number of cards that the begun meld still needs."""
    bare: int
    """1 if the begun meld still needs a natural card, else 0."""


@kernel
def wish(sets: int, runs: int, length: int, black: int, distinct: int, apart: int, exact: int) -> Wish:
    """Return the wish (the melds that are still to be laid) for a contract of which nothing is laid yet."""
    no = wide(0)
    return Wish(
        wide(sets),
        wide(runs),
        wide(length),
        wide(black),
        wide(distinct),
        wide(apart),
        wide(exact),
        adding=no,
        least_rank=no,
        least_run=no,
        form=no,
        what=no,
        place=no,
        need=no,
        bare=no,
    )


@kernel
def go_on(want: Wish, sets: int, runs: int, least_rank: int, least_run: int) -> Wish:
    """Return a copy of the wish that has other melds still to be laid, and no begun meld.

    The copy gets the given ``sets``, ``runs``, ``least_rank`` and ``least_run`` (see the fields of :class:`Wish`).
    """
    no = wide(0)
    return Wish(
        sets,
        runs,
        want.length,
        want.black,
        want.distinct,
        want.apart,
        want.exact,
        want.adding,
        least_rank,
        least_run,
        form=no,
        what=no,
        place=no,
        need=no,
        bare=no,
    )


@kernel
def begin(want: Wish, form: int, what: int, place: int, need: int, bare: int) -> Wish:
    """Return a copy of the wish (the melds still to be laid), with this begun meld. See the fields of :class:`Wish`."""
    return Wish(
        want.sets,
        want.runs,
        want.length,
        want.black,
        want.distinct,
        want.apart,
        want.exact,
        want.adding,
        want.least_rank,
        want.least_run,
        form,
        what,
        place,
        need,
        bare,
    )


@kernel
def least_cards(want: Wish) -> int:
    """Return the least number of cards with which the melds of ``want`` can be laid."""
    return want.need + 3 * want.sets + want.length * want.runs

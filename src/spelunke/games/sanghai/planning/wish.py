"""The planner's question: a contract, the options that affect it, and the progress of its laying."""

from __future__ import annotations

from typing import NamedTuple

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.state import wide


class Wish(NamedTuple):
    """A number of sets of three and of runs of one least length, including a laying under way.

    ``black``: black twos are wild. ``distinct``: sets differ in rank. ``apart``: runs of one suit neither overlap nor
    touch. ``exact``: exactly one card may stay. ``adding``: cards are added after the laying, in the same turn (only
    for the most points).
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
    """The least rank (0 is the ace) of the sets still wanted."""
    least_run: int
    """The least run still wanted: 16 * suit + lowest place."""
    form: int
    """The meld under way: 0 none, SET or RUN."""
    what: int
    """The rank of the set under way, or the suit of the run."""
    place: int
    """The next place of a run."""
    need: int
    """The minimum number of cards that the meld under way still needs."""
    bare: int
    """Whether the meld under way still needs a natural card."""


@kernel
def wish(sets: int, runs: int, length: int, black: int, distinct: int, apart: int, exact: int) -> Wish:
    """Return a wish for a whole contract. Nothing of it is laid yet."""
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
    """Return the same contract with these sets and runs still wanted, and no begun meld."""
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
    """Return the same wish with this meld begun."""
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
    """Return the minimum number of cards of a wish."""
    return want.need + 3 * want.sets + want.length * want.runs

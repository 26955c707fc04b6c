"""People's answers to problems, and the ratings of problems and of people who solve them.

The ratings depend only on each person's first answer to a problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import ColumnElement, Connection, RowMapping, Table, select, update

from spelunke.house.people import People
from spelunke.house.ratings.skill import MU, POINTS, Skill, rate
from spelunke.house.store import Store, Write, answers, insert_new, problem_ratings, solvers

STEP = 250 / POINTS
"""The difference in initial strength between problems of neighbouring difficulties."""


class Solver(msgspec.Struct, frozen=True, kw_only=True):
    """A person's rating at the problems of a game.

    With 95 % probability, the person's true rating is at most ``either_side`` points away from ``points``.
    ``provisional``: ``either_side`` is too large to compare people. ``tries`` is the number of problems that the
    person has answered. ``streak`` is the number of problems that they have solved at the first attempt since
    their last wrong first answer. ``longest`` is the length of the longest such series.
    """

    points: int
    either_side: int
    provisional: bool
    tries: int
    streak: int
    longest: int


class ProblemLine(msgspec.Struct, frozen=True, kw_only=True):
    """A problem's rating in points, with the number of first answers (``tries``) and of right first answers
    (``solved``).
    """

    points: int
    tries: int
    solved: int


class Answers:
    """The answers of people to problems: whether the first answer was right, and whether any answer was right.

    A first answer counts as a game between the person and the problem, which changes both ratings
    (`house.ratings.skill`).
    """

    def __init__(self, store: Store, people: People) -> None:
        self._store = store
        self._people = people

    def of(self, person: str, game: str) -> dict[str, bool]:
        """Return, for each problem that the person has answered, whether they have solved it."""
        mine = (answers.c.person == person, answers.c.game == game)
        with self._store.read() as connection:
            rows = connection.execute(select(answers.c.problem, answers.c.solved).where(*mine))
            return {row.problem: bool(row.solved) for row in rows}

    def solver(self, person: str, game: str) -> Solver | None:
        """Return the person's rating at the problems of a game, or None before their first answer."""
        mine = (solvers.c.person == person, solvers.c.game == game)
        with self._store.read() as connection:
            row = connection.execute(select(solvers).where(*mine)).first()
        if row is None:
            return None
        skill = Skill(row.mu, row.sigma)
        return Solver(
            points=skill.points,
            either_side=skill.either_side,
            provisional=skill.provisional,
            tries=row.tries,
            streak=row.streak,
            longest=row.longest,
        )

    def problems(self, game: str) -> dict[str, ProblemLine]:
        """Return the ratings of a game's problems, by problem. Leave out problems that nobody has answered."""
        query = select(problem_ratings).where(problem_ratings.c.game == game)
        with self._store.read() as connection:
            return {
                row.problem: ProblemLine(
                    points=Skill(row.mu, row.sigma).points, tries=row.tries, solved=row.solved
                )
                for row in connection.execute(query)
            }

    def keep(self, person: str, game: str, problem: str, *, right: bool, difficulty: int = 2) -> None:
        """Store an answer to a problem. After the first answer, only a right answer changes anything.

        Raise UnknownPerson. `difficulty` (1 to 3) determines the initial rating of the problem.
        """
        self._people.find(person)
        at = self._store.now()

        def write(connection: Connection) -> None:
            mine = (answers.c.person == person, answers.c.game == game, answers.c.problem == problem)
            known = connection.execute(select(answers.c.solved).where(*mine)).first()
            if known is None:
                key = {"person": person, "game": game, "problem": problem}
                if not insert_new(connection, answers, {**key, "at_once": right, "solved": right, "at": at}):
                    return  # answered twice at the same moment: the first answer counts
                _rate(connection, person, game, problem, right=right, difficulty=difficulty)
            elif right and not known.solved:
                connection.execute(update(answers).where(*mine).values(solved=True, at=at))

        self._store.writer.write(Write(call=write))


def _lock(
    connection: Connection, table: Table, same: Sequence[ColumnElement[bool]], new: Mapping[str, object]
) -> RowMapping:
    """Return the row that fulfils the conditions `same`, and lock it until the transaction ends.

    If there is none, first store the row `new`, which fulfils them.
    """
    query = select(table).where(*same).with_for_update()
    found = connection.execute(query).mappings().first()
    if found is None:
        insert_new(connection, table, new)
        found = connection.execute(query).mappings().one()
    return found


def _rate(
    connection: Connection, person: str, game: str, problem: str, *, right: bool, difficulty: int
) -> None:
    """Update the ratings of a person and a problem after the person's first answer."""
    ones = (solvers.c.person == person, solvers.c.game == game)
    begin = Skill()
    new = {"person": person, "game": game, "mu": begin.mu, "sigma": begin.sigma}
    solver = _lock(connection, solvers, ones, {**new, "tries": 0, "streak": 0, "longest": 0})
    its = (problem_ratings.c.game == game, problem_ratings.c.problem == problem)
    begin = Skill(mu=MU + STEP * (difficulty - 2))
    new = {"game": game, "problem": problem, "mu": begin.mu, "sigma": begin.sigma}
    rated = _lock(connection, problem_ratings, its, {**new, "tries": 0, "solved": 0})
    before = Skill(solver["mu"], solver["sigma"]), Skill(rated["mu"], rated["sigma"])
    mine, theirs = rate(before, (1, 2) if right else (2, 1))
    streak = solver["streak"] + 1 if right else 0
    row: dict[str, object] = {
        "mu": mine.mu,
        "sigma": mine.sigma,
        "tries": solver["tries"] + 1,
        "streak": streak,
        "longest": max(streak, solver["longest"]),
    }
    connection.execute(update(solvers).where(*ones).values(row))
    row = {
        "mu": theirs.mu,
        "sigma": theirs.sigma,
        "tries": rated["tries"] + 1,
        "solved": rated["solved"] + int(right),
    }
    connection.execute(update(problem_ratings).where(*its).values(row))

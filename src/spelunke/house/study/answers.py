"""People's answers to problems."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from spelunke.house.people import People
from spelunke.house.store import Store, Write, answers


class Answers:
    """The answers of people to problems: each first answer, and whether the problem was solved in the end."""

    def __init__(self, store: Store, people: People) -> None:
        self._store = store
        self._people = people

    def of(self, person: str, game: str) -> dict[str, bool]:
        """Return the problems of a game that the person has answered, each with whether it is solved."""
        mine = (answers.c.person == person, answers.c.game == game)
        with self._store.read() as connection:
            rows = connection.execute(select(answers.c.problem, answers.c.solved).where(*mine))
            return {row.problem: bool(row.solved) for row in rows}

    def keep(self, person: str, game: str, problem: str, *, right: bool) -> None:
        """Store an answer; a later wrong one changes nothing. Raise UnknownPerson."""
        self._people.find(person)
        at = self._store.now()

        def write(connection: Connection) -> None:
            mine = (answers.c.person == person, answers.c.game == game, answers.c.problem == problem)
            known = connection.execute(select(answers.c.solved).where(*mine)).first()
            if known is None:
                try:
                    with connection.begin_nested():
                        connection.execute(
                            insert(answers).values(
                                person=person, game=game, problem=problem, at_once=right, solved=right, at=at
                            )
                        )
                except IntegrityError:  # answered twice at the same moment: the first answer counts
                    pass
            elif right and not known.solved:
                connection.execute(update(answers).where(*mine).values(solved=True, at=at))

        self._store.writer.write(Write(call=write))

"""A game on this machine, without a server: people play at one screen, and bots play the other seats."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from spelunke.bots.levels import default_level, seat_bot
from spelunke.core.chance import Verifiable, seed_stream
from spelunke.core.errors import IllegalMove
from spelunke.core.words import Translator
from spelunke.games.game import Game
from spelunke.games.match import Match, Ply
from spelunke.records.fairness import commit, decide
from spelunke.records.record import Seat, compose
from spelunke.records.record import write_record as write
from spelunke.records.viewer import MatchViewer

TABLE = "terminal"


class LocalGame:
    """One game from start to end, without a server.

    ``people`` maps the seats of people to their names. Bots of ``level`` play the other seats. ``secret`` is the seed
    of chance, 32 bytes. ``nonce`` is a text from the people, on which chance also depends (docs/why/fair-chance.md).
    ``words`` translates the names of bots. The constructor raises BadInput for an unknown level, and BadOption or
    BadInput for options or seats that the game doesn't allow.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, object],
        *,
        people: Mapping[int, str],
        level: str | None,
        secret: bytes,
        nonce: str,
        words: Translator,
    ) -> None:
        self.match = Match(game, seats, options)
        self.people = dict(people)
        self.viewers = [MatchViewer(self.match, seat) for seat in range(seats)]
        self.level = level or default_level(game)
        self._bot = seat_bot(game, self.level)
        title = words(str(game.levels[self.level].get("title", self.level)))
        bots = [seat for seat in range(seats) if seat not in self.people]
        called = {seat: title if len(bots) == 1 else f"{title} {n}" for n, seat in enumerate(bots, 1)}
        self.names = tuple({**called, **self.people}[seat] for seat in range(seats))
        self.nonces = tuple(nonce if seat in self.people else "" for seat in range(seats))
        self.secret = secret
        self._chance = Verifiable(secret, TABLE, self.nonces)
        # The bots use streams of their own, which must not reveal the game's chance.
        self._streams = [seed_stream(int.from_bytes(secret, "big"), 2, each) for each in range(seats)]
        self.created = datetime.now(UTC)
        self._begun = time.monotonic()
        self._times: list[int] = []
        # A desk may let a bot think in a thread while a person takes a move back.
        self._lock = threading.Lock()
        self._undone = 0

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may act now and belong to people."""
        return tuple(seat for seat in self.match.actors if seat in self.people)

    def step(self) -> bool:
        """Play one outcome of chance or one action of a bot, and return True.

        If the game is over, or if the first seat that may act is a person's, do nothing and return False. If a person
        takes a move back while the bot thinks in another thread, drop the bot's choice, and return True.
        """
        match = self.match
        if match.over:
            return False
        with self._lock:
            if match.chance:
                match.apply_chance(decide(match, self._chance))
                self._log_time()
                return True
        bots = [seat for seat in match.actors if seat not in self.people]
        if not bots or (self.asked and match.actors[0] in self.people):
            return False
        self._let_bot_move(bots[0])
        return True

    def _let_bot_move(self, seat: int) -> None:
        match = self.match
        with self._lock:
            if seat not in match.actors:
                return
            undone = self._undone
            view, legal = self.viewers[seat].view, match.legal(seat)
        action = self._bot.choose(view, legal, self._streams[seat])
        with self._lock:
            # The choice fits only the state for which the bot made it.
            if self._undone == undone and seat in match.actors and match.legal(seat) == legal:
                match.act(seat, action)
                self._log_time()

    def act(self, seat: int, text: str) -> Ply:
        """Play the move of a person, given as text.

        If the move is not possible, raise BadText, GameOver, NotYourTurn or IllegalMove, and change nothing.
        """
        with self._lock:
            ply = self.match.act(seat, self.match.parse(text))
            self._log_time()
        return ply

    def undo(self, seat: int) -> str:
        """Take back the seat's last move, and return its text.

        Raise IllegalMove if the seat has not moved yet, or if chance or another seat has acted since its move.
        """
        with self._lock:
            match = self.match
            if not match.plies or match.plies[-1].seat != seat:
                raise IllegalMove(
                    "nothing to take back: you can take a move back only until chance or another player acts"
                )
            self._undone += 1
            self._times.pop()
            return match.undo().text

    def _log_time(self) -> None:
        self._times.append(int((time.monotonic() - self._begun) * 1000))

    def write_record(self) -> bytes:
        """Return the record of the game so far. The record reveals the seed, so the game must not go on afterwards."""
        match = self.match
        seats = [
            Seat(
                name=name,
                kind="person" if seat in self.people else "bot",
                level=None if seat in self.people else self.level,
            )
            for seat, name in enumerate(self.names)
        ]
        return write(
            compose(
                match,
                table=TABLE,
                seats=seats,
                created=self.created,
                finished=datetime.now(UTC) if match.over else None,
                times=self._times,
                fairness=commit(self.secret, self.nonces, reveal=True),
            )
        )

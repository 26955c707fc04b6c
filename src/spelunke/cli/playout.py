"""The command ``spelunke playout``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, cast

import typer

from spelunke.cli.arguments import GameName, Json, Options, Seats, find_card, parse_options
from spelunke.cli.output import out, progress, waiting, write_json
from spelunke.cli.words import translate as _

if TYPE_CHECKING:
    from spelunke.core.playout import Playout
    from spelunke.games.game import Game, Settled


def playout(
    game: GameName,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", help="The number of games.", min=1, max=10**9)
    ] = 10_000,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The seed of chance. The same seed gives the same games.")
    ] = 1,
    seats: Seats = None,
    option: Options = None,
    json: Json = False,
) -> None:
    """Play random games as fast as possible, and measure the speed.

    [dim]spelunke playout GAME --games 100000 --seed 7[/dim]
    """
    card = find_card(game)
    settled = card.settle(seats if seats is not None else card.usual_seats, parse_options(option))
    with waiting(_("Compiling the rules …")):
        run = Run(card, seats if seats is not None else card.usual_seats, settled, seed)
    with progress(_("Playing"), games) as (bar, task):
        for done in run.play(games):
            bar.update(
                task,
                completed=done,
                note=_.many("{done} of {n} game", "{done} of {n} games", games).format(
                    done=f"{done:,}", n=f"{games:,}"
                ),
            )
    found = run.measure()
    if json:
        write_json(found)
        return
    console = out()
    told = _(
        "games: {games}, decisions of players: {decisions}, in {seconds} s: [bold]{speed} million decisions a second[/]"
    )
    console.print(
        told.format(
            games=f"{found.games:,}",
            decisions=f"{found.decisions:,}",
            seconds=f"{found.seconds:.2f}",
            speed=f"{found.decisions_per_second / 1e6:.1f}",
        )
    )
    told = _(
        "decisions per game: {mean}; final state of the random generator: {stream} "
        "(the same for this seed on every machine)"
    )
    console.print(told.format(mean=f"{found.decisions_per_game:.1f}", stream=found.stream), style="dim")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """The result of ``spelunke playout``: the number of played games, and their speed.

    ``compiled`` is true if the rules ran compiled. ``stream`` is the final state of the random generator. Equal
    arguments of the command give the same ``stream`` on every machine.
    """

    game: str
    rules: int
    seed: int
    compiled: bool
    games: int
    decisions: int
    decisions_per_game: float
    seconds: float
    decisions_per_second: float
    stream: int


class Run:
    """Random games from one seed. They are played in batches, to show the progress after each batch."""

    def __init__(self, card: Game, seats: int, settled: Settled, seed: int) -> None:
        from spelunke.core.chance import seed_stream
        from spelunke.core.kernel import bind, pool

        self.card = card
        self.seed = seed
        self.setup = card.setup(seats, settled)
        self.kernels = cast("Playout", bind("spelunke.core.playout", card.rules.__name__))
        self.pool = pool(card.rules.STATE, 1)
        self.kernels.playouts(
            self.pool, 0, self.setup, seed_stream(seed, 1), 1
        )  # compile, or load from the cache
        self.stream = seed_stream(seed)
        self.games = self.decisions = 0
        self.seconds = 0.0

    def play(self, games: int) -> Iterator[int]:
        """Play until this number of games is finished. Yield the number of finished games after each batch."""
        piece = 1
        while self.games < games:
            piece = min(piece, games - self.games)
            begun = time.perf_counter()
            self.decisions += int(self.kernels.playouts(self.pool, 0, self.setup, self.stream, piece))
            took = time.perf_counter() - begun
            self.seconds += took
            self.games += piece
            yield self.games
            if took < 0.1:
                piece *= 2

    def measure(self) -> Measure:
        """Return the number of games and their speed."""
        from spelunke.core.chance import stream_state
        from spelunke.core.kernel import runs_compiled

        return Measure(
            game=self.card.name,
            rules=self.card.version,
            seed=self.seed,
            compiled=runs_compiled(self.kernels.playouts),
            games=self.games,
            decisions=self.decisions,
            decisions_per_game=self.decisions / self.games,
            seconds=self.seconds,
            decisions_per_second=self.decisions / max(self.seconds, 1e-9),
            stream=stream_state(self.stream)[0],
        )

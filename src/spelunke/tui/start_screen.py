"""The first screen, from which a person plays on this machine, goes to a server, or opens a record."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from spelunke.core.errors import SpelunkeError
from spelunke.tui.choose_screen import ChooseScreen
from spelunke.tui.offers import offer_locals
from spelunke.tui.widgets import Keys
from spelunke.tui.words import game_words, say_refusal
from spelunke.tui.words import translate as _


class StartScreen(ChooseScreen):
    """The first screen: a choice of games to play on this machine."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "same_screen", show=False),
        Binding("h", "house", show=False),
        Binding("r", "replay", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(offer_locals())

    def keys(self) -> Keys:
        """Return the keys of this screen."""
        return (
            ("Enter", _("play"), "play"),
            ("S", _("on one screen"), "same_screen"),
            ("H", _("a server's tables"), "house"),
            ("R", _("replay"), "replay"),
            ("F2", _("colours"), "app_theme"),
            ("?", _("help"), "help"),
            ("Q", _("leave"), "leave"),
        )

    def place(self) -> str:
        """Return the text that says where the games of this screen are played."""
        return _("games on this machine")

    def action_play(self) -> None:
        """Play against bots."""
        self._begin({0: _("Player")})

    def action_same_screen(self) -> None:
        """Begin a game in which people at this screen play all seats."""
        self._begin({seat: _("Player {n}").format(n=seat + 1) for seat in range(self.seats)})

    def _begin(self, people: dict[int, str]) -> None:
        from spelunke.bots.local import LocalGame
        from spelunke.records.fairness import new_nonce, new_seed
        from spelunke.tui.local import PACE, LocalDesk
        from spelunke.tui.table_screen import TableScreen
        from spelunke.tui.terminal import Terminal

        app = self.app
        assert isinstance(app, Terminal)
        game, seats, options, level = self.game, self.seats, self.options, self.level

        def make() -> LocalGame:
            return LocalGame(
                game,
                seats,
                options,
                people=people,
                level=level,
                secret=app.seed or new_seed(),
                nonce="terminal" if app.seed else new_nonce(),
                words=game_words(game),
            )

        try:
            desk = LocalDesk(make, PACE if app.pace is None else app.pace)
        except SpelunkeError as error:  # options that exclude each other
            self.notify(say_refusal(error, game), severity="warning", markup=False)
            return
        app.push_screen(TableScreen(desk))

    def action_house(self) -> None:
        """Ask for the address of a server, and go there."""
        from spelunke.tui.house_screen import AddressSheet

        self.app.push_screen(AddressSheet())

    def action_replay(self) -> None:
        """Ask for the file of a record, and replay the record."""
        from spelunke.tui.replay_screen import FileSheet

        self.app.push_screen(FileSheet())

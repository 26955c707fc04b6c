"""The screen on which a person chooses a game, the number of players and the strength of the bots."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spelunke.bots.levels import Level, default_level, levels
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.tui.widgets import Fitting, Headline, KeyBar
from spelunke.tui.words import game_words
from spelunke.tui.words import translate as _


def _games() -> list[Game]:
    return sorted(shelf().values(), key=lambda game: (game.place, game.name))


class ChooseScreen(Fitting, Screen[dict[str, object] | None]):
    """Three columns: the game, the number of players, the level of the bots."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "before", show=False),
        Binding("right", "after", show=False),
        Binding("p", "play", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games = _games()
        self.game = self.games[0]
        self.seats = self.game.usual_seats
        self.level = default_level(self.game)

    def compose(self) -> ComposeResult:
        """Make the lists."""
        yield Headline(id="head")
        yield Static(id="pitch")
        with Horizontal(id="columns"):
            for name, title in (("game", _("Game")), ("seats", _("Players")), ("level", _("Bots"))):
                with Vertical(classes="column"):
                    yield Static(title, classes="title")
                    yield OptionList(id=name)
        yield Static(id="about")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Fill the lists."""
        self.query_one("#game", OptionList).add_options(
            [Option(game.title, id=game.name) for game in self.games]
        )
        self.query_one("#keys", KeyBar).show(self.keys())
        self._fill()
        self.query_one("#game", OptionList).focus()
        self.query_one("#game", OptionList).highlighted = 0

    def keys(self) -> tuple[tuple[str, str, str], ...]:
        """Return the keys of this screen, each with its effect and its action."""
        return ()

    def fit(self) -> None:
        """Write the first line again for the new width."""
        self.query_one("#head", Headline).show("Spelunke", self.place())

    def place(self) -> str:
        """Return the name of the place where the game will be played, such as a server."""
        return ""

    def _fill(self) -> None:
        """Show the choices for the selected game."""
        words = game_words(self.game)
        seats, level = self.query_one("#seats", OptionList), self.query_one("#level", OptionList)
        seats.clear_options().add_options(
            [Option(_.many("{n} player", "{n} players", n).format(n=n), id=str(n)) for n in self.game.seats]
        )
        seats.highlighted = self.game.seats.index(self.seats)
        known = levels(self.game)
        level.clear_options().add_options([Option(words(one.title), id=one.name) for one in known])
        level.highlighted = [one.name for one in known].index(self.level)
        self._tell()

    def _chosen_level(self) -> Level:
        return next(one for one in levels(self.game) if one.name == self.level)

    def _tell(self) -> None:
        words = game_words(self.game)
        text = Text(self.game.title, "bold")
        least, most = self.game.minutes
        text.append(" · " + _("{least} to {most} minutes").format(least=least, most=most), "not bold")
        text.append("\n" + words(self.game.pitch), "not bold")
        self.query_one("#pitch", Static).update(text)
        self.query_one("#about", Static).update(words(self._chosen_level().help))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Select the highlighted entry."""
        name = event.option_id or ""
        if event.option_list.id == "game" and name != self.game.name:
            self.game = next(game for game in self.games if game.name == name)
            self.seats, self.level = self.game.usual_seats, default_level(self.game)
            self._fill()
        elif event.option_list.id == "seats" and int(name) in self.game.seats:
            self.seats = int(name)  # a late event may come from the list of the game before
        elif event.option_list.id == "level" and name in self.game.levels:
            self.level = name
            self._tell()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play the selected game."""
        self.action_play()

    def action_before(self) -> None:
        """Focus the column at the left."""
        self.focus_previous()

    def action_after(self) -> None:
        """Focus the column at the right."""
        self.focus_next()

    def action_play(self) -> None:
        """Play the selected game."""
        raise NotImplementedError

    def action_help(self) -> None:
        """Show the keys."""
        from spelunke.tui.help_screen import HelpScreen

        self.app.push_screen(HelpScreen(self.game))

    def action_app_theme(self) -> None:
        """Switch between the light and the dark theme."""
        self.app.action_theme()  # type: ignore[attr-defined]

    def action_leave(self) -> None:
        """End the program."""
        self.app.exit()

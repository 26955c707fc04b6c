"""The screen on which a person chooses a game, a way to play, the number of players and the strength of the bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.markdown import Markdown
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spelunke.core.catalogues import chosen_language
from spelunke.games.game import Game
from spelunke.tui.offers import Offer
from spelunke.tui.settings import Setting, values_of
from spelunke.tui.widgets import Fitting, Headline, KeyBar, Keys
from spelunke.tui.words import translate as _

ROOMY = 36
"""The minimum number of lines of a terminal that shows the short rules below the choices."""


class ChooseScreen(Fitting, Screen[str | None]):
    """Four columns: the game, a named way to play it, the number of players, the level of the bots."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "before", show=False),
        Binding("right", "after", show=False),
        Binding("p", "play", show=False),
        Binding("v", "settings", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, offers: Sequence[Offer]) -> None:
        super().__init__()
        self.offers = list(offers)
        self._take(self.offers[0])

    def _take(self, offer: Offer) -> None:
        self.offer = offer
        self.level = offer.usual_level
        self._take_way(offer.usual_way.name)

    def _take_way(self, name: str) -> None:
        self.way = next(way for way in self.offer.ways if way.name == name)
        self.seats = self.way.seats
        self.changed: dict[str, object] = {}
        """The options that the person has changed on the screen of settings."""

    @property
    def game(self) -> Game:
        """The chosen game."""
        return self.offer.game

    @property
    def options(self) -> dict[str, object]:
        """The options of the chosen way to play, with the changes that the person has made."""
        return {**self.way.options, **self.changed}

    def compose(self) -> ComposeResult:
        """Make the lists."""
        yield Headline(id="head")
        yield Static(id="pitch")
        with Horizontal(id="columns"):
            for name, title in (
                ("game", _("Game")),
                ("way", _("Way to play")),
                ("seats", _("Players")),
                ("level", _("Bots")),
            ):
                with Vertical(classes=f"column {name}"):
                    yield Static(title, classes="title")
                    yield OptionList(id=name)
        yield Static(id="about")
        yield Static(id="rules")
        yield KeyBar(id="terms")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Fill the lists."""
        self.query_one("#game", OptionList).add_options(
            [Option(offer.game.title, id=offer.game.name) for offer in self.offers]
        )
        self.query_one("#keys", KeyBar).show(self.keys())
        self._fill()
        self.query_one("#game", OptionList).focus()
        self.query_one("#game", OptionList).highlighted = 0

    def keys(self) -> Keys:
        """Return the keys of this screen, each with its effect in words and the name of its action."""
        return ()

    def terms(self) -> Keys:
        """Return the keys that change table settings, each with its effect in words and the name of its action."""
        text = _("rules: {n} changed").format(n=len(self.changed)) if self.changed else _("rules")
        return (("V", text, "settings"),) if self.offer.options else ()

    def fit(self) -> None:
        """Draw the first line and the text about the game for the new size of the terminal."""
        self.query_one("#head", Headline).show("Spelunke", self.place())
        self.set_class(self.app.size.height >= ROOMY, "-roomy")
        self._show_rules()
        self._tell()

    def place(self) -> str:
        """Return the name of the place where the game will be played, such as a server."""
        return ""

    def _fill(self) -> None:
        """Show the choices for the selected game."""
        way, level = self.query_one("#way", OptionList), self.query_one("#level", OptionList)
        way.clear_options().add_options([Option(one.title, id=one.name) for one in self.offer.ways])
        way.highlighted = self.offer.ways.index(self.way)
        level.clear_options().add_options([Option(one.title, id=one.name) for one in self.offer.levels])
        level.highlighted = [one.name for one in self.offer.levels].index(self.level)
        seats = self.query_one("#seats", OptionList)
        seats.clear_options().add_options(
            [Option(_.many("{n} player", "{n} players", n).format(n=n), id=str(n)) for n in self.offer.seats]
        )
        seats.highlighted = self.offer.seats.index(self.seats)
        self._show_rules()
        self._tell()

    def _show_rules(self) -> None:
        if self.has_class("-roomy"):
            self.query_one("#rules", Static).update(Markdown(self.game.card(chosen_language())))

    def _tell(self) -> None:
        text = Text(self.game.title, "bold")
        least, most = self.game.minutes
        text.append(" · " + _("{least} to {most} minutes").format(least=least, most=most), "not bold")
        text.append("\n" + self.offer.pitch, "not bold")
        self.query_one("#pitch", Static).update(text)
        level = next(one for one in self.offer.levels if one.name == self.level)
        about = Text()
        for title, sentence in ((self.way.title, self.way.help), (level.title, level.help)):
            about.append(title, "bold").append(f" · {sentence}\n" if sentence else "\n")
        about.rstrip()
        self.query_one("#about", Static).update(about)
        self.query_one("#terms", KeyBar).show(self.terms())

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Select the highlighted entry. Ignore a late event that comes from the lists of another game."""
        name = event.option_id or ""
        if event.option_list.id == "game" and name != self.game.name:
            self._take(next(offer for offer in self.offers if offer.game.name == name))
            self._fill()
        elif event.option_list.id == "way" and name != self.way.name:
            if name in {way.name for way in self.offer.ways}:
                self._take_way(name)
                self.query_one("#seats", OptionList).highlighted = self.offer.seats.index(self.seats)
                self._tell()
        elif event.option_list.id == "seats" and int(name) in self.offer.seats:
            self.seats = int(name)
        elif event.option_list.id == "level" and name in {one.name for one in self.offer.levels}:
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

    def listed_settings(self) -> list[Setting]:
        """Return the settings for the screen that changes them, with the values that the person has chosen."""
        found = self.offer.settings(self.way, self.seats)
        return [one.with_value(self.changed[one.name]) if one.name in self.changed else one for one in found]

    def settings_title(self) -> str:
        """Return the title of the screen that changes the settings."""
        return _("The rules of this table")

    def action_settings(self) -> None:
        """Show the screen that changes the settings."""
        from spelunke.tui.settings_screen import SettingsScreen

        screen = SettingsScreen(self.settings_title(), self.listed_settings())
        self.app.push_screen(screen, self.take_settings)

    def take_settings(self, settings: list[Setting] | None) -> None:
        """Store the options whose values differ from the usual values of the chosen way to play."""
        usual = values_of(self.offer.settings(self.way, self.seats))
        self.changed = {
            one.name: one.value
            for one in settings or ()
            if one.name in usual and one.value != usual[one.name]
        }
        self._tell()

    def action_help(self) -> None:
        """Show the help screen: the keys, and the rules of the selected game."""
        from spelunke.tui.help_screen import HelpScreen

        self.app.push_screen(HelpScreen(self.game.card(chosen_language())))

    def action_app_theme(self) -> None:
        """Switch between the light and the dark theme."""
        self.app.action_theme()  # type: ignore[attr-defined]

    def action_leave(self) -> None:
        """End the program."""
        self.app.exit()

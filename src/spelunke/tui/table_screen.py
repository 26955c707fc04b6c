"""The screen of a table: the board, the choices with their effects, and the log."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from rich.markdown import Markdown
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from spelunke.boards.scene import Arrow, Scene
from spelunke.boards.screen import Screen as Room
from spelunke.core.values import Action
from spelunke.games.game import Game
from spelunke.tui.desk import Desk, Moment, Refused, write_clock
from spelunke.tui.drafting import Drafting
from spelunke.tui.keys import assign_keys
from spelunke.tui.table_actions import TableActions
from spelunke.tui.themes import colours_of
from spelunke.tui.widgets import Fitting, Headline, KeyBar, Pressable
from spelunke.tui.words import translate as _

LEAST_LOG = 8
"""The minimum number of lines for a log below the board."""
TONES = {"mine": "bold", "others": "", "heading": "bold underline", "detail": "dim", "house": "italic"}


class Board(Pressable):
    """The game's board. It also shows the effect of the highlighted choice."""

    def pressed(self, move: str) -> None:
        """Play the move of the part of the board that was pressed."""
        screen = self.screen
        if isinstance(screen, TableScreen):
            screen.play(move)


class TableScreen(Drafting, Fitting, TableActions):
    """A table, local or on a server."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("colon", "type", show=False),
        Binding("T", "talk", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._choices: tuple[tuple[Action, str], ...] = ()
        self._shown: tuple[object, ...] = ()
        self._keys: dict[str, str] = {}
        self._texts: dict[str, tuple[str, str]] = {}
        self._considered: str | None = None
        self._typing = "move"
        self._mine: bool | None = None
        self._heard = len(desk.moment.chat)
        self._felt = max((line.key for line in desk.moment.reactions), default=0)
        self._lines = 0

    def compose(self) -> ComposeResult:
        """Make the parts of the screen."""
        yield Headline(id="head")
        yield Static(id="chairs")
        with Grid(id="table"):
            yield Board(id="board")
            with Vertical(id="choosing"):
                yield Static(id="prompt")
                yield OptionList(id="choices")
                yield Static(id="effect")
            with VerticalScroll(id="logged", can_focus=False):
                yield Static(id="log")
            with VerticalScroll(id="ruled", can_focus=False):
                yield Static(id="rules")
        yield Input(id="typed")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin to follow the table."""
        self.query_one("#typed").display = False
        self.query_one("#choices").focus()
        self.desk.changed = self._show
        self.query_one("#chairs").display = any(
            chair.clock_ms is not None for chair in self.desk.moment.chairs
        )
        self._follow()
        self.set_interval(1, self._tick)

    def fit(self) -> None:
        """Draw the table again for the new size."""
        self.set_class(self.app.size.width >= 112, "-wide")
        self.call_after_refresh(self._show_again)

    @work(exclusive=True, group="desk")
    async def _follow(self) -> None:
        await self.desk.run()

    async def on_unmount(self) -> None:
        """Leave the table."""
        await self.desk.close()

    # --- display

    def _show(self) -> None:
        if not self.is_mounted or not self.is_attached:
            return
        moment = self.desk.moment
        self.query_one("#head", Headline).show(self.desk.title, moment.turn)
        self._show_choices(moment)
        self._draw()
        self._show_log(moment)
        self._show_keys(moment)
        self._show_chairs()
        self._ring(moment)

    def _show_again(self) -> None:
        """Cut the labels of the choices to their new width, and draw the table again in its new layout."""
        self._lines = 0
        if self.is_mounted and self.is_attached:
            listed = self.query_one("#choices", OptionList)
            for place, (_action, move) in enumerate(self._choices):
                listed.replace_option_prompt_at_index(place, self._label(move))
        self._show()

    def _ring(self, moment: Moment) -> None:
        """Play the terminal's bell when this person's turn begins, but only at a table with a chat.

        If there are new messages, show the newest one briefly. Also show new reactions briefly.
        """
        mine = bool(moment.scene and moment.scene.legal)
        if mine and self._mine is False and "chat" in moment.may:
            self.app.bell()
        self._mine = mine
        if len(moment.chat) > self._heard:
            self.notify(moment.chat[-1].text, markup=False)
        self._heard = len(moment.chat)
        for line in moment.reactions:
            if line.key > self._felt:
                self.notify(line.text, timeout=3, markup=False)
        self._felt = max([self._felt, *(line.key for line in moment.reactions)])

    def _tick(self) -> None:
        """Redraw the seats and clocks. While players may call out of turn, also redraw the board with the time left."""
        self._show_chairs()
        scene = self.desk.moment.scene
        if scene is not None and scene.pause_left_ms:
            self._draw()

    def _show_chairs(self) -> None:
        """Show the seats with their clocks. A running clock advances even while the server sends nothing."""
        line = Text(no_wrap=True, overflow="ellipsis")
        for chair in self.desk.moment.chairs:
            line.append(" ▶" if chair.acts else "  ", "bold")
            line.append(chair.name[:16], "bold" if chair.mine else "")
            if chair.away:
                line.append(" " + _("(away)"), "dim")
            if chair.clock_ms is not None:
                left = chair.clock_ms - (self.desk.age_ms() if chair.runs else 0)
                line.append(f" {write_clock(left)}", "bold" if chair.runs else "dim")
            line.append("  ")
        self.query_one("#chairs", Static).update(line)

    def _show_choices(self, moment: Moment) -> None:
        scene = moment.scene
        pairs = () if scene is None or moment.curtain else scene.legal or scene.revise
        shown = (pairs, moment.turn, moment.curtain, moment.notice)
        if shown == self._shown:
            return
        self._shown, self._choices = shown, pairs
        moves = [text for _action, text in pairs]
        self._keys = assign_keys(moves)
        self._texts = self._explain(moment, scene) if scene is not None and pairs else {}
        self._considered = None
        listed = self.query_one("#choices", OptionList)
        listed.clear_options()
        listed.add_options([Option(self._label(move), id=str(place)) for place, move in enumerate(moves)])
        listed.display = bool(moves)
        if moves:
            listed.highlighted = 0
            if self.focused is None:  # a hidden list has lost the focus
                listed.focus()
        prompt = moment.turn
        if pairs and scene is not None:
            prompt = moment.game.hooks.prompt(scene) or moment.turn
            prompt = prompt[:1].upper() + prompt[1:]
        self.query_one("#prompt", Static).update(
            Text("" if moment.curtain else moment.notice or prompt, "bold")
        )
        self._tell_effect(moves[0] if moves else None)

    def _explain(self, moment: Moment, scene: Scene) -> dict[str, tuple[str, str]]:
        """Return the name and the effect of each move that the game explains."""
        found: dict[str, tuple[str, str]] = {}
        for meaning in moment.game.hooks.explain_choices(scene):
            # An explanation of several moves gives them names only if it has a name for each.
            names = meaning.names or (
                [meaning.choice] if len(meaning.moves) == 1 else [""] * len(meaning.moves)
            )
            for move, name in zip(meaning.moves, names, strict=True):
                found[move] = (name, meaning.text)
        return found

    def _label(self, move: str, spare: int = 0) -> Text:
        """Return the label of a move, cut so that ``spare`` cells are left beside it."""
        name = self._texts.get(move, ("", ""))[0]
        # A name such as “4” says less than the text of the move.
        name = "" if len(name) < 2 else name
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f" {self._keys.get(move, ' ')} ", "reverse")
        text.append(f" {name or move}")
        room = self.query_one("#choosing").content_size.width - 2 - spare
        if name and name.lower() != move and text.cell_len + len(move) + 2 <= room:
            text.append(f"  {move}", "dim")
        if room > 0:
            text.truncate(room, overflow="ellipsis")
        return text

    def _tell_effect(self, move: str | None) -> None:
        effect = self._texts.get(move, ("", ""))[1] if move else ""
        self.query_one("#effect", Static).update(Text(effect))

    def _draw(self) -> None:
        board = self.query_one("#board", Board)
        moment, size = self.desk.moment, board.content_size
        if moment.curtain:
            text = _("{name}, it is your turn. Press Enter when nobody else is looking.")
            above = "\n" * max(0, size.height // 2 - 1)
            board.update(Text(above + text.format(name=moment.curtain), "bold", justify="center"))
            return
        if moment.scene is None or not size.width:
            board.update(Text("\n" + moment.waiting))
            return
        scene = moment.scene
        if scene.pause_left_ms is not None:
            scene = replace(scene, pause_left_ms=max(0, scene.pause_left_ms - self.desk.age_ms()))
        scene = self.drafted(scene, moment.game)
        action = next((action for action, text in self._choices if text == self._considered), None)
        if action is not None:
            scene = replace(scene, arrows=(*scene.arrows, Arrow("chosen", action)))
        height = self.query_one("#table").content_size.height if self.has_class("-wide") else size.height
        drawn = moment.game.hooks.render_screen(scene, Room(size.width, height, colours_of()))
        self.drawn(drawn)
        board.update(drawn)
        self._share_room(len(drawn.split()) if isinstance(drawn, Text) else height, height)

    def _share_room(self, lines: int, height: int) -> None:
        """Decide the place of the log for the present height of the board.

        ``lines`` is the present height of the board. ``height`` is the height of the space for the board and the log.
        If the terminal is wide and high, show the log below the board, and the short rules beside the log.

        Move the log only if the board is higher than ever before in this layout. So the log rarely moves.
        """
        if lines <= self._lines:
            return
        self._lines = lines
        roomy = self.has_class("-wide") and height - lines - 1 >= LEAST_LOG
        self.set_class(roomy, "-roomy")
        self.query_one("#table").styles.grid_rows = f"{lines + 1} 1fr" if roomy else None
        if roomy:
            self.query_one("#rules", Static).update(Markdown(self.desk.moment.rules))

    # --- things that are picked on the board (Drafting)

    @property
    def typing(self) -> bool:
        """Whether the person is typing, or the board is hidden. In both cases, keys don't play moves."""
        return bool(self.desk.moment.curtain) or self.query_one("#typed").has_focus

    @property
    def game_shown(self) -> Game:
        """The game at this table."""
        return self.desk.moment.game

    def redraw(self) -> None:
        """Draw the board again."""
        self._draw()

    def consider(self, move: str) -> None:
        """Highlight a move in the list of choices."""
        place = next((place for place, (_action, text) in enumerate(self._choices) if text == move), None)
        if place is not None:
            self.query_one("#choices", OptionList).highlighted = place

    def _show_log(self, moment: Moment) -> None:
        text = Text()
        for line in moment.log[-60:]:
            if line.tone != "detail":
                text.append(line.text + "\n", TONES[line.tone])
        for line in moment.chat[-8:]:
            text.append("» " + line.text + "\n", "italic")
        text.rstrip()
        self.query_one("#log", Static).update(text)
        self.call_after_refresh(self._scroll_log)  # the log has its new height only then

    def _scroll_log(self) -> None:
        # an anchored log stays at its end when its size changes later: a scroll alone was sometimes too early
        self.query_one("#logged", VerticalScroll).anchor()

    def _show_keys(self, moment: Moment) -> None:
        if moment.curtain:
            keys = [("Enter", _("look at your hand"), "lift"), ("q", _("leave"), "leave")]
            self.query_one("#keys", KeyBar).show(keys)
            return
        keys = []
        if moment.scene is not None and moment.status != "over":
            keys = [("↑↓ Enter", _("choose"), "choose"), (":", _("type"), "type")]
        if moment.status == "over" and self.desk.offers("again"):
            keys.append(("N", _("play again"), "again"))
        if "undo" in moment.may:
            keys.append(("u", _("take back"), "undo"))
        if "chat" in moment.may:
            keys += [("T", _("talk"), "talk"), ("O", _("more"), "acts")]
        if "standing" in moment.may:
            keys.append(("S", _("orders"), "standing"))
        if self.desk.offers("record") and moment.status == "over":
            keys.append(("R", _("replay and analysis"), "replay"))
        if self.desk.offers("hint") and moment.status == "playing":
            keys.append(("H", _("coach"), "hint"))
        keys += [("L", _("log"), "log"), ("?", _("help"), "help"), ("q", _("leave"), "leave")]
        self.query_one("#keys", KeyBar).show(keys)

    # --- actions of people

    def on_key(self, event: Key) -> None:
        """Play the choice that belongs to the pressed key. Any key also ends the slow display of bots' moves.

        While the board is hidden, Enter shows it, and other keys play nothing.
        """
        self.desk.hurry()
        if self.desk.moment.curtain:
            if event.key == "enter":
                event.stop()
                self.action_lift()
            return
        if self.query_one("#typed").has_focus or event.character is None:
            return
        move = next((move for move, key in self._keys.items() if key == event.character), None)
        if move is not None:
            event.stop()
            self.play(move)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the effect of the highlighted choice."""
        place = int(event.option_id or 0)
        if place < len(self._choices):
            self._considered = self._choices[place][1]
            self._tell_effect(self._considered)
            self._draw()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play the selected choice."""
        place = int(event.option_id or 0)
        if place < len(self._choices) and not self.desk.moment.curtain:
            self.play(self._choices[place][1])

    @work(group="acts")
    async def play(self, move: str) -> None:
        """Play a move, or show the reason why it can't be played."""
        self.forget(move)
        try:
            await self.desk.play(move)
        except Refused as error:
            self.refuse(str(error))

    def action_choose(self) -> None:
        """Play the highlighted choice."""
        if self._considered is not None:
            self.play(self._considered)

    def action_type(self) -> None:
        """Open the line in which a move is typed. While the board is hidden, do nothing."""
        if self.desk.moment.curtain:
            return
        self._open_input("move", _("type a move; Esc goes back"))

    def action_talk(self) -> None:
        """Open the line in which a message is typed."""
        if "chat" in self.desk.moment.may:
            self._open_input("chat", _("type a message; Esc goes back"))

    def _open_input(self, typing: str, hint: str) -> None:
        typed = self.query_one("#typed", Input)
        self._typing, typed.placeholder = typing, hint
        typed.display = True
        typed.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Play the typed move, or send the message."""
        text = event.value.strip()
        self._close_input()
        if text and self._typing == "chat":
            self.do("chat", text=text)
        elif text:
            self.play(text)

    def _close_input(self) -> None:
        typed = self.query_one("#typed", Input)
        typed.value, typed.display = "", False
        self.query_one("#choices").focus()

    def action_leave(self) -> None:
        """Close the input line if it has the focus. Otherwise leave the table."""
        if self.query_one("#typed").has_focus:
            self._close_input()
            return
        self.dismiss()

"""A game of one person against bots in the terminal. Afterwards, the person can verify that chance was fair."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from spelunke.bots.local import LocalGame
from spelunke.cli.output import out, verify_command, write_json_line, write_line
from spelunke.cli.table import render_board, say_moves, tell_outcome
from spelunke.cli.words import game_words, say_refusal
from spelunke.cli.words import translate as _
from spelunke.core.chance import commitment
from spelunke.core.errors import IllegalMove, SpelunkeError
from spelunke.core.words import plain
from spelunke.games.game import Game
from spelunke.records.record import write_options

COMMANDS = {
    "help": plain("show how to write moves, and this list of commands"),
    "board": plain("show the table again"),
    "moves": plain("show the legal moves again"),
    "log": plain("show everything that happened so far"),
    "undo": plain("take back your last move, if nothing has followed it"),
    "quit": plain("leave; you can keep the record"),
}
# Translators: the words that are typed during a game in the terminal, each of them one word in small letters.
TYPED = {
    "help": plain.within("typed", "help"),
    "board": plain.within("typed", "board"),
    "moves": plain.within("typed", "moves"),
    "log": plain.within("typed", "log"),
    "undo": plain.within("typed", "undo"),
    "quit": plain.within("typed", "quit"),
}
"""The commands as texts for translation. A player types them in their own language or in English."""
SHORT = {"h": "help", "?": "help", "b": "board", "m": "moves", "u": "undo", "q": "quit", "exit": "quit"}


class Session:
    """One game from start to end. ``run`` reads standard input until the game is over or the player leaves."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, object],
        *,
        seat: int,
        name: str,
        level: str | None,
        secret: bytes,
        nonce: str,
        json: bool,
    ) -> None:
        self._words = game_words(game)
        self._typed = {_.within("typed", word): word for word in TYPED}
        self._named = {word: said for said, word in self._typed.items()}
        self._game = LocalGame(
            game,
            seats,
            options,
            people={seat: name},
            level=level,
            secret=secret,
            nonce=nonce,
            words=self._words,
        )
        self.match = self._game.match
        self.seat = seat
        # everything that is shown comes from this viewer
        self.viewer = self._game.viewers[seat]
        self.json = json
        self.level = self._game.level
        self.names = self._game.names
        self.write_record = self._game.write_record
        self._shown = 0
        self._rendered = -1
        self._console = out()

    # --- output

    def write(self, text: str, style: str | None = None, *, wrap: bool = True) -> None:
        """Write one line for a person. Break a long line only if `wrap`. In JSON mode, write nothing."""
        if not self.json:
            self._console.print(text, style=style, markup=False, soft_wrap=not wrap)

    def _emit(self, kind: str, **fields: object) -> None:
        if self.json:
            write_json_line({"type": kind, **fields})

    def say_saved(self, path: str, named: str) -> None:
        """Report the path of the record's file. If it differs from ``named``, also say that ``named`` was not changed.

        Outside JSON mode, also write the command that verifies the record.
        """
        self._emit("saved", file=path)
        if path != named:
            self.write(_("The file {file} existed already and was not changed.").format(file=named))
        told = _(
            "The record is in {path}. This command checks that chance agrees with the commitment that was shown before "
            "the game:"
        )
        self.write(told.format(path=path))
        # Without the commitment, the command could not exclude that the whole record is forged.
        self.write(verify_command(path, "--commitment", commitment(self._game.secret)), wrap=False)

    def _tell_news(self) -> None:
        """Write each new event that the seat may know. Outside JSON mode, skip the events whose ``detail`` is true."""
        for told in self.viewer.history(self._shown, names=self.names, translate=self._words):
            self._emit("told", ply=told.ply, seat=told.seat, event=told.event, text=told.text)
            if not told.event.detail:  # the command `log` shows details as well
                self.write(told.text, None if told.seat == self.seat else "cyan")
        self._shown = self.match.ply

    def _render(self) -> None:
        self._rendered = self.match.ply
        if not self.json:
            self._console.print(render_board(self.viewer, self.names))

    def _list_moves(self, most: int | None = None) -> None:
        self.write(say_moves(self.viewer.texts, self._named["moves"], most), "dim")

    # --- the game

    def run(self) -> None:
        """Play until the game ends or the player leaves. Raise EOFError at the end of the input."""
        self._greet()
        while not self.match.over:
            if self._game.step():
                continue
            self._tell_news()
            if not self._ask():
                self._emit("left", ply=self.match.ply)
                return
        self._tell_news()
        self._finish()

    def _greet(self) -> None:
        match = self.match
        self._emit(
            "start",
            game=match.game.name,
            rules=match.game.version,
            seat=self.seat,
            names=self.names,
            level=self.level,
            options=write_options(match.options),
            commitment=commitment(self._game.secret),
            nonces=self._game.nonces,
        )
        others = _.list([name for seat, name in enumerate(self.names) if seat != self.seat])
        against = _("{game}: {name} against {others}.")
        self.write(against.format(game=match.game.title, name=self.names[self.seat], others=others), "bold")
        fixed = _(
            "All outcomes of chance are fixed before the game, by the commitment {commitment} and your nonce {nonce}."
        )
        self.write(
            fixed.format(commitment=commitment(self._game.secret), nonce=self._game.nonces[self.seat]),
            "dim",
            wrap=False,
        )
        told = _("Type a move; `{help}` shows how to write moves, `{quit}` leaves.")
        self.write(told.format(help=self._named["help"], quit=self._named["quit"]), "dim")

    def _ask(self) -> bool:
        """Let the player make one decision, or take back the last move. Return False if the player leaves."""
        match = self.match
        if self._rendered < 0 or any(
            ply.seat not in (-1, self.seat) for ply in match.plies[self._rendered :]
        ):
            self._render()
        self._emit("turn", ply=match.ply, view=self.viewer.view, legal=self.viewer.texts)
        self._list_moves()
        while True:
            line = self._read()
            word = self._typed.get(line.lower(), SHORT.get(line.lower(), line.lower()))
            if word == "quit":
                return False
            if word == "undo":
                if self._undo():
                    return True
            elif word in COMMANDS:
                self._answer(word)
            elif self._try(line):
                return True

    def _answer(self, word: str) -> None:
        """Run one of ``COMMANDS``, except undo and quit."""
        {"help": self._help, "board": self._render, "moves": self._moves, "log": self._log}[word]()

    def _try(self, line: str) -> bool:
        """Play the typed move, or the only legal move if the line is empty. Return False if no move is played.

        If a typed move is not possible, write the reason.
        """
        texts = self.viewer.texts
        if not line and len(texts) != 1:
            return False
        try:
            self._game.act(self.seat, line or texts[0])
        except SpelunkeError as error:
            reason = say_refusal(error)
            self._emit("refused", reason=str(error))
            self.write(f"{reason.rstrip('.')}.", "red")
            return False
        return True

    def _read(self) -> str:
        if self.json:
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            return line.strip()
        if sys.stdin.isatty():
            import readline  # noqa: F401  (input() gets history and editing from it)

            return input("> ").strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self.write(f"> {line.strip()}")  # repeat the line of a pipe, as a terminal does
        return line.strip()

    def _undo(self) -> bool:
        match = self.match
        try:
            text = self._game.undo(self.seat)
        except IllegalMove:
            reason = _(
                "nothing to take back: you can take a move back only until chance or another player acts"
            )
            self._emit("refused", reason=reason)
            self.write(reason[0].upper() + reason[1:] + ".", "red")
            return False
        self._shown = self._rendered = min(self._shown, match.ply)
        self._emit("undone", ply=match.ply, text=text)
        self.write(_("Taken back: {move}.").format(move=text))
        return True

    def _moves(self) -> None:
        self._emit("turn", ply=self.match.ply, view=self.viewer.view, legal=self.viewer.texts)
        self._list_moves(most=len(self.viewer.texts))

    def _log(self) -> None:
        for told in self.viewer.history(names=self.names, translate=self._words):
            self._emit("told", ply=told.ply, seat=told.seat, event=told.event, text=told.text)
            if not self.json:
                write_line(self._console, f"{told.ply:4}  ", told.text)

    def _help(self) -> None:
        forms = self.match.game.hooks.move_forms()
        commands = {word: _(meaning) for word, meaning in COMMANDS.items()}
        self._emit("help", forms=forms, commands=commands)
        if forms:
            self.write(_("Moves look like: {forms}.").format(forms=", ".join(forms)))
        for word, meaning in commands.items():
            self.write(f"  {self._named[word]:9} {meaning}")

    def _finish(self) -> None:
        outcome = self.match.outcome
        assert outcome is not None
        self._render()
        self._emit("over", ply=self.match.ply, outcome=outcome, seed=self._game.secret.hex())
        self.write(tell_outcome(outcome, self.names), "bold")

"""The terminal in languages other than English: whole games in two languages, and the output of commands."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from spelunke.cli.lines import Lines
from spelunke.cli.words import game_words, take_language
from spelunke.core.errors import UnknownGame
from spelunke.games import find_game
from spelunke.games.sanghai.sentences import name_rank

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


PLAIN = {"COLUMNS": "100", "SPELUNKE_JIT": "0"}
"""Plain kernels have played before compiled ones are loaded."""


def spelunke(language: str, *arguments: str, moves: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-m", "spelunke.cli", *(["--language", language] if language else []), *arguments],
        input=moves,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, **PLAIN},
    )
    return done.stdout + done.stderr


@functools.cache
def whole_game(seed: int) -> str:
    """Return the lines of a game in which the first legal move is always played."""
    program = subprocess.Popen(
        [sys.executable, "-m", "spelunke.cli", "play", "shanghaien", "--seed", str(seed), "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **PLAIN},
    )
    assert program.stdin is not None
    assert program.stdout is not None
    moves = []
    for line in program.stdout:
        told = json.loads(line)
        if told["type"] == "turn":
            moves.append(told["legal"][0])
            program.stdin.write(moves[-1] + "\n")
            program.stdin.flush()
    program.communicate()
    return "\n".join(moves)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("language", "words", "told", "wins"),
    [
        ("de", "hilfe\nunsinn", ("Züge sehen so aus", "ist kein Zug", "brett", "ende"), "gewinnt"),
        ("fi", "apua\nhölynpöly", ("ei ole siirto", "lauta", "lopeta"), "voittaa"),
    ],
)
def test_a_whole_game_is_played_in_the_chosen_language(
    language: str, words: str, told: tuple[str, ...], wins: str
) -> None:
    shown = spelunke(language, "play", "shanghaien", "--seed", "7", moves=f"{words}\n{whole_game(7)}\n")
    for text in (*told, wins):
        assert text in shown
    assert not re.search(r"\b(has rolled|wins|to move|Moves|Type a move|is not a move)\b", shown)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "told", "english"),
    [
        (("verify", str(EXAMPLES / "game.json")), "folgen den Regeln", r"follow|proven|Compare"),
        (("perft", "shanghaien", "--depth", "1"), "Tiefe", r"depth|sequences"),
        (("problem", "shanghaien", "--list"), "schwer", r"\b(easy|medium|hard)\b"),
        (("position", "nowhere.json"), "lesen", r"can't be read"),
        (("play", "shanghaien", "--seat", "9"), "es gibt keinen Platz 9", r"there is no seat"),
        (("games", "chess"), "das Spiel 'chess' gibt es nicht", r"there is no game"),
    ],
)
def test_commands_speak_the_chosen_language(arguments: tuple[str, ...], told: str, english: str) -> None:
    shown = spelunke("de", *arguments)
    assert told in shown
    assert not re.search(english, shown)


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ({"LC_ALL": "de_DE.UTF-8", "LC_MESSAGES": "fi_FI.UTF-8", "LANG": "fr_FR.UTF-8"}, "de"),
        ({"LC_ALL": "", "LC_MESSAGES": "fi_FI.UTF-8", "LANG": "fr_FR.UTF-8"}, "fi"),
        ({"LANG": "nl_BE@euro"}, "nl"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "sv:it_CH:de"}, "it"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "sv"}, "fr"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "de"}, "en"),
        ({"LANG": "sv_SE.UTF-8"}, "en"),
        ({}, "en"),
        ({"SPELUNKE_LANGUAGE": "it", "LC_ALL": "de_DE.UTF-8"}, "it"),
    ],
)
def test_the_locale_of_the_shell_chooses_the_language(locale: dict[str, str], language: str) -> None:
    assert take_language([], locale) == language


def test_the_command_reads_the_locale_of_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPELUNKE_LANGUAGE", raising=False)
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "fi_FI.UTF-8")
    assert "Kahdeksan kierrosta" in spelunke("", "games", "sanghai")


@pytest.mark.deep
def test_the_board_in_the_terminal_is_in_the_players_language() -> None:
    halunken = spelunke("de", "play", "halunken", "--seed", "3", moves="place 3\npass\n")
    assert "24 Punkte" in halunken
    assert "Hafenbecken:" in halunken
    assert "Ge5" in halunken  # grey and yellow have the same first letter in German
    assert "Gr5" in halunken or "Gr2" in halunken
    assert not re.search(r"\b(points|harbour:|total|Player)\b", halunken)
    sanghai = spelunke("fi", "play", "sanghai", "--seed", "3", moves="stock\n")
    assert "Kierros 1/8" in sanghai
    assert "Pelaaja" in sanghai
    assert not re.search(r"\b(Round|Player)\b", sanghai)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["serve", "migrate", "host", "ratings", "bench", "play"])
def test_the_help_of_commands_is_translated(command: str) -> None:
    shown = spelunke("fr", command, "--help")
    assert re.match(r"Usage\s: ", shown)
    assert not re.search(r"Show this message|[Tt]he house|\bPrint\b|\bMeasure\b|\bCompute\b", shown)


def test_unknown_card_letters_are_refused_in_the_chosen_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPELUNKE_LETTERS", "runes")
    assert spelunke("de", "games") == "spelunke: SPELUNKE_LETTERS: wähl „notation“, „own“ oder „english“.\n"


@pytest.mark.parametrize("given", [["--language"], ["--language="]])
def test_the_option_for_the_language_needs_a_value(given: list[str]) -> None:
    assert spelunke("", "games", *given) == "spelunke: --language: write a language after this option.\n"


@pytest.mark.sampled
@pytest.mark.parametrize("given", [["--letters", "runes"], ["--letters"], ["--letters="]])
def test_the_option_for_letters_accepts_only_three_values(given: list[str]) -> None:
    assert spelunke("de", "games", *given) == "spelunke: --letters: wähl „notation“, „own“ oder „english“.\n"


@pytest.mark.deep
def test_the_option_for_letters_overrides_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPELUNKE_LETTERS", "notation")
    hand = ("play", "sanghai", "--seed", "3", "--letters", "own")
    assert re.search("[DB][♠♥♦♣]", spelunke("de", *hand, moves="stock\n"))
    assert not re.search("[QJ][♠♥♦♣]", spelunke("de", *hand, moves="stock\n"))


@pytest.mark.parametrize(("letters", "queen"), [("own", "D"), ("notation", "Q"), ("", "Q")])
def test_the_terminal_names_cards_with_the_chosen_letters(
    monkeypatch: pytest.MonkeyPatch, letters: str, queen: str
) -> None:
    monkeypatch.setenv("SPELUNKE_LANGUAGE", "de")
    monkeypatch.setenv("SPELUNKE_LETTERS", letters)
    assert name_rank("q", game_words(find_game("sanghai"))) == queen


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["de", "nl", "fr", "it", "fi"])
def test_the_possible_values_of_options_are_listed_without_english_words(language: str) -> None:
    for game in ("sanghai", "shanghaien"):
        out = spelunke(language, "games", game)
        assert not re.search(r"\d to \d|counts of", out)


def test_a_refusal_at_a_servers_tables_is_in_the_chosen_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPELUNKE_LANGUAGE", "de")
    with pytest.raises(UnknownGame) as unknown:
        find_game("chess")
    Lines(json=False).refuse(unknown.value)
    assert capsys.readouterr().out.startswith("Das Spiel 'chess' gibt es nicht")

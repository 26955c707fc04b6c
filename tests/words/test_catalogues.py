"""The catalogues: every text is collected, translations keep the placeholders, and complete languages lack nothing."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from spelunke.cli.help_texts import extract
from spelunke.core.words import REFUSAL
from words.languages import COMPLETE

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "spelunke"
FIELD = re.compile(r"\{(\w*)(?:![rs])?\}")
COUNTS = re.compile(r"\{(?:n|count|points|left|plies|steps|seconds)\} [a-z]+s\b")
"""A number before a noun in the plural."""
REFUSING = (
    "core/catalogues.py",
    "core/option.py",
    "games/__init__.py",
    "games/game.py",
    "games/match.py",
    "solvers/analyst.py",
    "solvers/playing.py",
)
"""Modules below the house whose refusals and other texts its catalogue has, as in the Makefile."""
KEYWORDS = ("translate say plain many:1,2 within:1c,2 say_many:1,2 say_in:1c,2 tell").split()
MARKS = {"_", "gettext", "ngettext", "pgettext", *(keyword.partition(":")[0] for keyword in KEYWORDS)}
MARKED_WITHIN = re.compile(rf"\{{[^}}]*\b(?:{'|'.join(MARKS)})\(")
"""A marked text within braces, as in an f-string; to parse only files that contain one saves seconds."""
MARKS_OF_OTHERS = {
    "de": "[”«»]",
    "nl": "[“”„«»]",
    "fr": r" [;:!?»](?=[\s.,)]|$)|« |[“”„’]",
    "it": "« | »|[“”„’]",
    "fi": "[“„«»]",
}
"""Quotation marks, apostrophes and spaces that a language does not use, as its page in docs/translate says."""
NO_COUNT = frozenset(
    {
        # “less” is no noun in the plural.
        "The crew of {name} would be worth {points} less.",
        "Your crew would be worth {points} less.",
        # Ranges and constants: always several, whatever they are.
        "{least}–{most} minutes",
        "{least}–{most} players",
        "{title} against a bot, {least} to {most} minutes",
        "A move is marked only if its loss is at least {n} times the standard error of the estimate.",
        "Your first game against bots: {preset}, {seats} seats. {help}",
        "Against bots: {preset}, {seats} seats. {help}",
    }
)


def templates() -> list[Path]:
    return sorted(SOURCE.glob("**/locale/messages.pot"))


def translated() -> list[Path]:
    return sorted(SOURCE.glob("**/LC_MESSAGES/messages.po"))


@cache
def read(file: Path) -> Catalog:
    with file.open("rb") as source:
        return read_po(source)


def messages(file: Path) -> Iterator[Message]:
    return (message for message in read(file) if message.id)


def forms(message: Message) -> tuple[str, ...]:
    return message.id if isinstance(message.id, tuple) else (message.id,)


def told(message: Message) -> tuple[str, ...]:
    found = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    return tuple(text or "" for text in found)


def fields(text: str) -> set[str]:
    return set(FIELD.findall(text))


def name_of(file: Path) -> str:
    return str(file.relative_to(SOURCE))


@pytest.mark.parametrize("file", templates(), ids=name_of)
def test_the_collected_texts_are_up_to_date(file: Path, tmp_path: Path) -> None:
    folder = file.parents[1].relative_to(SOURCE)
    sources = {
        "web": ["web", "house", "records", *REFUSING],
        "cli": ["cli"],
        "tui": ["tui"],
    }.get(str(folder), [str(folder), "boards"])
    new = tmp_path / "messages.pot"
    command = [sys.executable, "-m", "babel.messages.frontend", "-q", "extract", "-F", "pyproject.toml"]
    for keyword in KEYWORDS:
        command += ["-k", keyword]
    command += ["-c", "Translators:", "--ignore-dirs", "tests", "-o", str(new)]
    command += [str((SOURCE / source).relative_to(ROOT)) for source in sources]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    now = {(message.context, forms(message)) for message in messages(new)}
    kept = {(message.context, forms(message)) for message in messages(file)}
    if COMPLETE:  # until then others may add texts without translating them
        assert now == kept, "run `make words`"
    assert {forms for _context, forms in kept} & {forms for _context, forms in now}, "run `make words`"


def test_no_text_is_marked_inside_an_f_string() -> None:
    """No f-string contains a text to translate, because before Python 3.12 Babel doesn't find it there."""
    found = [
        f"{name_of(file)}:{text.lineno}: {call.args[0].value}"
        for file in SOURCE.rglob("*.py")
        if MARKED_WITHIN.search(file.read_text(encoding="utf-8"))
        for text in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
        if getattr(call.func, "id", getattr(call.func, "attr", "")) in MARKS
    ]
    assert not found


@pytest.mark.parametrize("file", translated(), ids=name_of)
def test_a_translation_uses_the_punctuation_of_the_language(file: Path) -> None:
    """No translation has a punctuation mark that its language does not use (docs/translate has a page for each)."""
    language = file.parents[1].name
    wrong = [
        text
        for message in messages(file)
        if not message.fuzzy
        for text in told(message)
        if re.search(MARKS_OF_OTHERS[language], text)
    ]
    assert not wrong


@pytest.mark.parametrize("file", templates(), ids=name_of)
def test_a_text_with_a_count_has_a_plural(file: Path) -> None:
    wrong = [
        message.id
        for message in messages(file)
        if isinstance(message.id, str)
        and message.context
        != REFUSAL  # limits, always several; a count that may be one has a text of its own
        and message.id not in NO_COUNT
        and COUNTS.search(message.id)
    ]
    # Until a language is complete, others may add texts first.
    assert not (COMPLETE and wrong), "say it with `many`, or as a label: “Cards: {n}”"


@pytest.mark.parametrize("file", templates(), ids=name_of)
def test_no_text_begins_in_the_middle_of_a_sentence(file: Path) -> None:
    for message in messages(file):
        for text in forms(message):
            assert not re.match(r"[\s,;.:)]", text), f"write the whole sentence: {text!r}"


@pytest.mark.parametrize("file", templates(), ids=name_of)
def test_the_english_singular_uses_only_placeholders_of_the_plural(file: Path) -> None:
    for message in messages(file):
        if isinstance(message.id, tuple):
            one, many = map(fields, message.id)
            assert one <= many, message.id


@pytest.mark.parametrize("file", translated(), ids=name_of)
def test_a_translation_keeps_its_placeholders_and_has_all_forms(file: Path) -> None:
    catalogue, wrong = read(file), []
    for message in messages(file):
        if message.fuzzy or not any(told(message)):
            continue  # shown in English
        named = fields(forms(message)[-1])
        texts = told(message)
        if isinstance(message.id, tuple):
            if len(texts) != catalogue.num_plurals or not all(texts):
                wrong.append((message.id, "a form is missing"))
            wrong += [
                (message.id, text)
                for text in texts
                if not fields(text) <= named or (text is not texts[0] and fields(text) != named)
            ]
        elif fields(texts[0]) != named:
            wrong.append((message.id, texts[0]))
    assert not wrong


@pytest.mark.parametrize("file", translated(), ids=name_of)
def test_the_placeholders_of_a_translation_can_be_filled_in(file: Path) -> None:
    for message in messages(file):
        for text in told(message):
            if not message.fuzzy and text:
                text.format_map(dict.fromkeys(fields(forms(message)[-1]), "x"))


def test_a_complete_language_lacks_nothing() -> None:
    for language in COMPLETE:
        _check_complete(language)


def _check_complete(language: str) -> None:
    for template in templates():
        file = template.parent / language / "LC_MESSAGES" / "messages.po"
        assert file.is_file(), name_of(file)
        kept = {(message.context, forms(message)): message for message in messages(file)}
        lacks = [
            key[1][0]
            for message in messages(template)
            if (key := (message.context, forms(message))) not in kept
            or kept[key].fuzzy
            or not all(told(kept[key]))
        ]
        assert not lacks, name_of(file)
    for game in (folder for folder in (SOURCE / "games").iterdir() if (folder / "rules.md").is_file()):
        for text in ("rules", "card"):
            assert (game / f"{text}.{language}.md").is_file()


MARKED = """
WRONG = "wrong name or password"

def enter(name, seat):
    if not name:
        raise WrongProof(WRONG)
    raise NotNow(_why_not(seat))

def _why_not(seat):
    if seat:
        return f"the table waits for {seat}"
    return "the others have said no"
"""


def test_refusals_are_collected_from_calls_and_from_functions() -> None:
    found = extract(io.BytesIO(MARKED.encode()), {}, [], {})
    assert {text[1] if isinstance(text, tuple) else text for _line, _how, text, _comments in found} == {
        "wrong name or password",
        "the table waits for {seat}",
        "the others have said no",
    }

"""The prose linter finds what docs/style.md forbids, and the tree breaks none of its rules."""

from __future__ import annotations

import pytest

from prose import __main__ as prose
from prose.rules import VERBS, check


def rules(name: str, source: str) -> list[str]:
    return [finding.rule for finding in check(name, source)]


@pytest.mark.parametrize(
    ("docstring", "found"),
    [
        ("Return the seat to act.", []),
        ("Yield each ply.", []),
        ("GET /tables: the list of tables.", []),
        ("The seat to act.", ["verb"]),
        ("Returns the seat to act.", ["verb"]),
        ("Whether a seat is free.", ["verb"]),
        ("Count of free seats.", ["verb"]),
        ("Count free seats.", []),
        ("Play a card for whoever\n    has one.", ["whoever"]),
        ("Return the cards of so\n    many tables.", ["so-many"]),
        ("Return `so many` as it is.", []),
    ],
)
def test_docstrings_are_checked_for_verbs_and_words(docstring: str, found: list[str]) -> None:
    assert rules("src/spelunke/core/a.py", f'def f():\n    """{docstring}"""\n') == found


def test_properties_and_classes_are_named_by_nouns() -> None:
    source = (
        'class Clock:\n    """A clock."""\n'
        '    @property\n    def left(self):\n        """The time that is left."""\n'
    )
    assert rules("a.py", source) == []
    assert rules("a.py", source.replace("A clock", "What a clock knows")) == ["opening"]
    assert rules("tests/a.py", source.replace("A clock", "What a clock knows")) == []


def test_comments_and_sentences_in_strings_are_checked_for_words() -> None:
    assert rules("a.py", "# who is asked\n") == ["asked"]
    assert rules("a.py", 'f("The seat is told its card.")\n') == ["told"]
    assert rules("a.py", 'f("deed")\n') == []
    assert rules("a.js", "const a = 1; // drawn anew\n") == ["anew"]
    assert rules("a.css", "/* drawn\n   anew */") == ["anew"]


def test_templates_and_markdown_are_checked_for_words() -> None:
    assert rules("a.html", '<p title="{{ x }}">{{ _("Come in here.") }}</p>') == ["log-in"]
    assert rules(
        "a.html", "<p title=\"{{ _('Come in here.') }}\">{{ many(n, 'Drawn by itself', \"x\") }}"
    ) == [
        "by-itself",
        "log-in",
    ]
    assert rules("a.html", "<p>drawn anew</p><script>let anew = 1</script>") == ["anew"]
    assert rules("a.md", "```\nanew\n```\nIt is `anew`.\nDrawn anew.\n") == ["anew"]


def test_settings_are_checked_for_words() -> None:
    assert rules("players.toml", '# drawn anew\nsays = "Who is asked?"\n') == ["anew", "asked"]


def test_each_finding_has_a_line_number() -> None:
    [finding] = check("a.md", "one\n\n```\ncode\n```\nDrawn anew.\n")
    assert (finding.rule, finding.line) == ("anew", 6)


def test_the_file_of_verbs_has_one_verb_on_each_line() -> None:
    verbs = VERBS.read_text(encoding="utf-8").splitlines()
    assert all(verb.isalpha() and verb.islower() for verb in verbs)
    assert len(verbs) > 500


@pytest.mark.deep  # `make check` does the same
def test_no_file_breaks_a_rule_of_style() -> None:
    found = prose.find(prose.files())
    assert {name: findings for name, findings in found.items() if findings} == {}

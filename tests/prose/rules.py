"""The rules of docs/style.md that a program can check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from prose.texts import CODE, FINDERS, Text

VERBS = Path(__file__).with_name("verbs.txt")
# A docstring of a request handler may name its route first.
ROUTE = re.compile(r"^(GET|POST|PUT|PATCH|DELETE) /")
OPENING = re.compile(r"^(What|Who|Whom|Whose|Whether|Where|Which|Why|That)\b(?![^.]*\?)")
BE = r"\b(?:is|are|was|were|be|been|being|am|isn't|aren't)(?: not| never| only| always)? "
# The pattern of each rule, by the rule's name. What to write instead stands under "Words" in docs/style.md.
PHRASES: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern, flags)
    for name, pattern, flags in (
        ("so-many", r"(?<!not )\bso (?:many|much)\b(?! that\b)|\b(?:after|for) so long\b", re.IGNORECASE),
        ("deed", r"\bdeeds?\b", re.IGNORECASE),
        ("whoever", r"\bwhom?ever\b", re.IGNORECASE),
        ("who-as-subject", r"(?:^|[.;:,(] )Who (?:has|is|was|does|knows|comes|wants|plays)\b(?![^.;]*\?)", 0),
        ("to-who", r"\b(?:to|of|by|for|from|with) who\b", re.IGNORECASE),
        (
            "asked",
            r"\b(?:who|what|whom|nobody|seats?|viewer) (?:is|are|was|were) asked\b|\basked of\b",
            re.IGNORECASE,
        ),
        ("told", BE + r"told\b(?! apart)", re.IGNORECASE),
        ("anew", r"\banew\b", re.IGNORECASE),
        ("by-itself", r"\bby (?:itself|themselves)\b", re.IGNORECASE),
        ("heartbeat", r"\bsigns? of life\b|\bhearts? beats?\b", re.IGNORECASE),
        ("log-in", r"\b(?:com(?:e|es|ing)|came) in\b|\bhouse (?:now )?(?:knows|tells)\b", re.IGNORECASE),
        ("of-before", r"\bof before\b", re.IGNORECASE),
        ("one's", r"\bone['’]s\b(?! (?:own )?(?:complement|turn))", re.IGNORECASE),
        ("work-out", r"\bwork(?:s|ed|ing)? (?:it |them |this )?out\b", re.IGNORECASE),
        ("room", r"\brooms?\b(?= of the (?:house|package|project)| below| above)", re.IGNORECASE),
        ("had-is", BE + r"had\b", re.IGNORECASE),
    )
}


@dataclass(frozen=True)
class Finding:
    """A place that breaks a rule."""

    rule: str
    line: int
    text: str


@cache
def verbs() -> frozenset[str]:
    """Return the verbs that a docstring may begin with."""
    return frozenset(VERBS.read_text(encoding="utf-8").split())


def begins_with_verb(docstring: str) -> bool:
    """Return whether a docstring begins with a verb in the imperative, or with the route of a request."""
    if ROUTE.match(docstring):
        return True
    words = re.findall(r"[\w'-]+|[^\w\s]", docstring)[:2]
    # "Count of cards" begins with a noun, although "count" is a verb too.
    return bool(words) and words[0].lower() in verbs() and words[1:] not in (["of"], [":"])


def check_text(found: Text) -> Iterator[Finding]:
    """Yield the places where a piece of prose breaks a rule."""
    first = found.text.split("\n", 1)[0]
    if found.kind == "function" and not begins_with_verb(found.text):
        yield Finding("verb", found.line, first)
    if found.kind in ("class", "module") and OPENING.match(found.text):
        yield Finding("opening", found.line, first)
    for number, (line, wrapped) in enumerate(wrapping(found.text)):
        for rule, pattern in PHRASES.items():
            match = pattern.search(wrapped)
            if match and match.start() < len(line):
                yield Finding(rule, found.line + number, line.strip())


def wrapping(text: str) -> list[tuple[str, str]]:
    """Return a pair for each line: the line, and the line with the next line's first word, in case a phrase wraps.

    In both, `§` replaces each piece of code.
    """
    lines = CODE.sub("§", text).splitlines()
    return [
        (line, f"{line} {after.split()[0]}" if after.strip() else line)
        for line, after in zip(lines, [*lines[1:], ""], strict=False)
    ]


def check(name: str, source: str) -> list[Finding]:
    """Return the places where a file breaks a rule."""
    found = [finding for text in FINDERS[Path(name).suffix](source) for finding in check_text(text)]
    if "tests" in Path(name).parts:
        # Docstrings in tests state facts, and those of fixtures are noun phrases.
        found = [finding for finding in found if finding.rule not in ("verb", "opening")]
    return sorted(found, key=lambda finding: (finding.line, finding.rule))

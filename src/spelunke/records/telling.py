"""Translate the verdicts on records (fair, unproven or altered) into the reader's language.

The command line and web pages use this module.
"""

from __future__ import annotations

import re

import msgspec

from spelunke.core.words import Translator
from spelunke.records.fairness import Verdict
from spelunke.records.sentences import VERDICTS

SENTENCE = re.compile(r"(?<=\.) (?=[A-Z0-9])")


def say_verdict(verdict: Verdict, translate: Translator) -> str:
    """Return the text of a verdict in the language of ``translate``."""
    place, reason = "", ""
    if verdict.deviation is not None:
        place, reason = verdict.deviation.place, verdict.deviation.reason
    for text in VERDICTS.values():
        head = text.format(chances=verdict.chances, place=place, reason=f"{reason}.")
        if verdict.text.startswith(head):
            rest = SENTENCE.split(verdict.text[len(head) :].strip())
            told = translate(text).format(
                chances=verdict.chances,
                place=translate.refusal(place),
                reason=f"{translate.refusal(reason)}.",
            )
            return " ".join([told, *(translate.refusal(sentence) for sentence in rest if sentence)])
    return verdict.text


def translate_verdict(verdict: Verdict, translate: Translator) -> Verdict:
    """Return the verdict with its text and the texts of its claims in the language of ``translate``.

    The deviation stays English, because it is for programs.
    """
    claims = tuple(msgspec.structs.replace(one, text=translate.refusal(one.text)) for one in verdict.claims)
    return msgspec.structs.replace(verdict, text=say_verdict(verdict, translate), claims=claims)

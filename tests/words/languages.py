"""The languages that must be complete. When a language becomes complete, change only this file."""

from __future__ import annotations

COMPLETE: tuple[str, ...] = ("de", "nl", "fr", "it", "fi")
"""Languages whose catalogues, rules and cards must be complete: ``("de", "nl", "fr", "it", "fi")`` in the end.

While a language is not listed here, texts may be missing (pages show English), but no text may be wrong: the other
tests of this folder are strict for all languages.
"""

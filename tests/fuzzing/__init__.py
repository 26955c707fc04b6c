"""A fuzzer of the house's own: it mutates what was once good input, and asks of every answer that it is one.

``python -m fuzzing --help`` (with ``PYTHONPATH=src:tests``). Why it is ours: docs/why/fuzzing.md.
"""

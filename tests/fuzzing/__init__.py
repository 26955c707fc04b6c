"""The project's own fuzzer: it mutates input that was once valid, and checks that every answer is proper.

``python -m fuzzing --help`` (with ``PYTHONPATH=src:tests``). Why our own: docs/why/fuzzing.md.
"""

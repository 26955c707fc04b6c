"""The project's own fuzzer: it mutates input that was once valid, and checks that every answer is proper.

``python -m fuzzing --help`` (with ``PYTHONPATH=src:tests``) lists its options. For the reasons to have our own, see
docs/why/fuzzing.md.
"""

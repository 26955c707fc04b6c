"""The prose linter: the rules of docs/style.md that a program can check."""

"""Compile the rules of each game ahead of time, into a shared library or WebAssembly (docs/why/native.md)."""

"""A house in one file, and back: docs/host-a-house.md."""

"""A house in one file, and back. Why it is made like this: docs/why/failures.md."""

from spelunke.house.backup.archive import Manifest

"""Back up a house to one file, and restore it. For the reasons for the design, see docs/why/failures.md."""

from spelunke.house.backup.archive import Manifest

"""Back up a house into one file and restore it. For the reasons behind the design, see docs/why/failures.md."""

from spelunke.house.backup.archive import Manifest

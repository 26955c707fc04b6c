"""``python -m spelunke.cli`` is ``spelunke``."""

from spelunke.cli import main

main()

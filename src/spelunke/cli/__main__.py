"""Run the command ``spelunke`` as ``python -m spelunke.cli``."""

from spelunke.cli import main

main()

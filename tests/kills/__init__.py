"""A house killed with -9 again and again while people play: `python -m kills FOLDER`, docs/why/tests.md."""

"""Kill a house with -9 again and again while people play: `python -m kills FOLDER`. See docs/why/tests.md."""

"""Tools for drawing a game's board: the scene to show, and HTML templates that escape all values."""

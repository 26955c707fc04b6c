"""Tournaments of bots, with ratings and a sequential test, and problems (positions to solve) from games of bots."""

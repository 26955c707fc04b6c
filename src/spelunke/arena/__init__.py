"""Tournaments of bots: paired games, ratings with their errors, a sequential test. Problems from games of bots."""

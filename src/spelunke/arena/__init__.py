"""Tournaments of bots, with ratings and a sequential test; problems for people, made from games of bots."""

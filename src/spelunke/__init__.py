"""Spelunke: a house of games, and the same rules as fast environments for research."""

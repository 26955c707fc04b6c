"""Algorithms that are not about one game."""

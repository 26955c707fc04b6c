"""Tournaments of bots: paired games, ratings with error bars, and a test that stops when the answer is clear."""

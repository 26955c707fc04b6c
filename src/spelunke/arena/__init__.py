"""Bots against bots: paired games, ratings with error bars, a test that stops when the answer is clear."""

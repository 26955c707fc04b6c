"""Tournaments of bots: paired games, ratings with their errors, and a test that stops when the answer is clear."""

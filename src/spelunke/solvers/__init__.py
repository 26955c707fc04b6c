"""Algorithms for any game: searches, mixed strategies, exact solutions of endings, and analyses."""

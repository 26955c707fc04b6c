"""Algorithms for any game: searches, mixtures of choices, exact solutions of endings, analyses."""

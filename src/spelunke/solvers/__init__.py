"""Algorithms that serve any game: searches, mixtures, exact endings, analyses."""

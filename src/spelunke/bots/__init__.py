"""Bots for any game. A bot gets only the view of its seat."""

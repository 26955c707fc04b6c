"""Bots. A bot sees only a view."""

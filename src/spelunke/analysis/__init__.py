"""Analyses of any game: decisions and their values, settings of playouts, and problems (positions to solve)."""

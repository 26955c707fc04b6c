"""Analyses of any game: values of positions, settings of playouts, and problems (positions to solve)."""

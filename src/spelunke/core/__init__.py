"""The toolkit for the rules of games: kernels (functions for Numba), interfaces, chance, options and outcomes."""

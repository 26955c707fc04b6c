"""The toolkit for games: kernels (functions for Numba), the contract of rules, chance, options, and translations."""

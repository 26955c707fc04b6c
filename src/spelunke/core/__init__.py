"""The toolkit for the rules of games: kernels, the contract of a rules module, chance, options and outcomes."""

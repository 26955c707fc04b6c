"""What every game stands on: kernels, the contract of a rules module, the game card, the match and chance."""

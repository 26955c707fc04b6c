"""Records of games: their files and replays, the part of a game that a seat may see, and the proof of fair chance."""
